// Arguments of the verbs on data sets.
#include <CLI/CLI.hpp>

#include "experiments/cli/grammar.h"
#include "experiments/cli/verbs.h"

namespace actlab {

void add_data_verbs(CLI::App& app, Action& action) {
  CLI::App* data = app.add_subcommand("data", "Fetch or check a data set");
  data->require_subcommand(1);
  data->footer(
      "Examples:\n  actlab data fetch cifar10 --to data\n"
      "  actlab data check image_folder DIR size=32 resize=crop");

  const auto [fetch, f] =
      add_verb(*data, action, "fetch", "Download a data set, check and unpack it",
               "  actlab data fetch cifar10 --to data\n"
               "  actlab data fetch cifar10 --url file:///media/usb/cifar-10-binary.tar.gz",
               data_fetch_verb);
  fetch->add_option("dataset", f->dataset, "data set")->type_name("DATASET")->required();
  fetch->add_option("--to", f->to, "folder that will hold the set's own; use it as data.root")
      ->type_name("FOLDER")
      ->capture_default_str();
  fetch->add_option("--url", f->url, "a mirror of the archive: http://, https:// or file:///PATH")
      ->type_name("URL");
  fetch->add_option("--sha256", f->sha256, "checksum of the archive; that of the original without it")
      ->type_name("HEX");

  const auto [check, c] =
      add_verb(*data, action, "check",
               "Read a data set; print what it holds by split, images by class too, and every fault",
               "  actlab data check fashion_mnist\n"
               "  actlab data check image_folder DIR size=32 resize=crop --format csv",
               data_check_verb);
  check->add_option("dataset", c->dataset, "data set")->type_name("DATASET")->required();
  check->add_option("root", c->root, "its folder or file; what the set has by default without it")
      ->type_name("PATH");
  check->add_option("settings", c->settings, "its options, as in an experiment file's [data]")
      ->type_name("KEY=VALUE");
}

}  // namespace actlab
