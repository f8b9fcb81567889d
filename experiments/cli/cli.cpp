// Reads the command line, runs a verb, and turns what it throws into one line and an exit code.
#include "experiments/cli/cli.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <functional>
#include <iostream>
#include <new>

#include "experiments/cli/bench.h"
#include "experiments/cli/log.h"
#include "experiments/cli/verbs.h"
#include "experiments/results/table.h"
#include "experiments/runner/environment.h"
#include "kernels/error.h"

namespace actlab {
namespace {

constexpr int exit_failure = 1, exit_usage = 2, exit_data = 3;

// The verb that was named, ready to run.
using Action = std::function<int()>;

// A verb with its arguments: the callback keeps them.
template <class Arguments>
std::pair<CLI::App*, std::shared_ptr<Arguments>> add_verb(CLI::App& parent, Action& action,
                                                          const std::string& name, const std::string& help,
                                                          const std::string& examples,
                                                          int (*verb)(const Arguments&)) {
  CLI::App* app = parent.add_subcommand(name, help);
  auto arguments = std::make_shared<Arguments>();
  app->footer("Examples:\n" + examples);
  app->callback([&action, arguments, verb] { action = [arguments, verb] { return verb(*arguments); }; });
  app->add_option("--format", arguments->format, "how the result is printed")
      ->check(CLI::IsMember(table_format_names()))
      ->capture_default_str();
  return {app, arguments};
}

void add_training_verbs(CLI::App& app, Action& action) {
  const auto [run, r] =
      add_verb(app, action, "run", "Train every job of an experiment file and compare the activations",
               "  actlab run experiments/configs/synthetic_smoke.toml data.validation=0.1\n"
               "  actlab run experiments/configs/quickstart.toml sweep.activation=gelu,mish train.epochs=1",
               run_verb);
  run->add_option("config", r->config, "experiment file (TOML)")->required();
  run->add_option("settings", r->settings,
                  "key=value: overrides of the file's keys (actlab list keys), such as data.root=DIR");
  CLI::Option* force = run->add_flag("--force", r->force, "run jobs again that are done");
  run->add_option("--trace", r->trace,
                  "train nothing: write batch, logits, loss, parameters and gradients of the first "
                  "(micro-)batch of the "
                  "only job to this safetensors file")
      ->excludes(force);

  const auto [evaluate, e] = add_verb(
      app, action, "evaluate", "Score the newest checkpoint of a run on the test (and validation) split",
      "  actlab evaluate runs/quickstart/20260101-120000-gelu-s0-1a2b3c4d\n"
      "  actlab evaluate runs/cifar10_small_cnn/20260101-120000-relu-s0-1a2b3c4d data.root=DIR --format json",
      evaluate_verb);
  evaluate->add_option("run", e->run, "run folder")->required();
  evaluate->add_option("settings", e->settings,
                       "key=value: overrides of the run's config, such as data.root=DIR");

  const auto [compare, c] = add_verb(app, action, "compare", "Print the table of the runs below some folders",
                                     "  actlab compare runs/quickstart\n"
                                     "  actlab compare runs/cifar10_small_cnn --baseline gelu --format md",
                                     compare_verb);
  compare->add_option("folders", c->folders, "folders that hold runs")->required();
  compare->add_option(
      "--baseline", c->baseline,
      "activation that the others are held against, relu where it is absent; or KEY=VALUE of a "
      "setting that differs, such as precision=f32");
  compare->add_option("--metric", c->metric,
                      "accuracy or loss, which the deltas are of; without it loss for text, else accuracy");
}

void add_inspecting_verbs(CLI::App& app, Action& action) {
  const auto [probe, p] =
      add_verb(app, action, "probe", "Print f and f' of an activation at given points",
               "  actlab probe gelu --x=-5.5,0,1.5 --format csv\n"
               "  actlab probe 'swish(beta=0.5)' --x=0x1.8p+1,-inf --backend reference --dtype bf16",
               probe_verb);
  probe->add_option("activation", p->activation, "name, with parameters if wanted: 'elu(alpha=0.5)'")
      ->required();
  probe->add_option("--x", p->x, "points, separated by commas: decimal or C hex floats, inf, nan");
  probe->add_option("--input", p->input, "file with one point a line");
  probe->add_option("--backend", p->backend, "cpu, cuda or reference (which gives f'' too)")
      ->capture_default_str();
  probe->add_option("--dtype", p->dtype, "f32, bf16, f16; reference: f64 too")->capture_default_str();
  probe->add_option("--isa", p->isa, "cpu: baseline, avx2 or avx512; the best that there is without it");

  const auto [check, k] = add_verb(
      app, action, "check", "Hold every activation on every backend and type against its exact values",
      "  actlab check\n  actlab check gelu 'elu(alpha=0.5)' --format csv", check_verb);
  check->add_option("activations", k->activations, "names; all without them");

  const auto [list, l] =
      add_verb(app, action, "list",
               "List activations, models, datasets, optimizers, schedules, keys of experiment files, devices",
               "  actlab list keys\n  actlab list activations --format json", list_verb);
  list->add_option("what", l->what, "one of these; all without it");

  add_verb(app, action, "info", "Show version, machine, backends and libraries",
           "  actlab info\n  actlab info --format json", info_verb);
}

// A count from 1 to `most`.
void add_count(CLI::App& verb, const std::string& name, std::int64_t& value, const std::string& help,
               std::int64_t most = 1 << 20) {
  verb.add_option(name, value, help)->check(CLI::Range(std::int64_t{1}, most))->capture_default_str();
}

// A benchmark with what all of them take.
template <class Arguments>
std::pair<CLI::App*, std::shared_ptr<Arguments>> add_bench(CLI::App& parent, Action& action,
                                                           const std::string& name, const std::string& help,
                                                           const std::string& examples,
                                                           int (*verb)(const Arguments&)) {
  const auto [app, a] = add_verb(parent, action, name, help, examples, verb);
  app->add_option("--threads", a->threads, "0: all cores")->check(CLI::Range(0, 4096))->capture_default_str();
  add_count(*app, "--repeats", a->repeats, "timed passes");
  app->add_option("--device", a->device, "auto, cpu, cuda, cuda:N or reference")->capture_default_str();
  app->add_flag("--roofline", a->roofline,
                "measure bandwidth beyond the caches and the rate of a large product too, and the share of "
                "them that is "
                "reached");
  app->add_option("--compare", a->compare, "file with the JSON of an earlier run, to print ratios to it");
  if constexpr (requires { a->gemm; })
    app->add_option("--gemm", a->gemm, "auto, onednn, openblas or reference")->capture_default_str();
  if constexpr (requires { a->precision; })
    app->add_option("--precision", a->precision,
                    "f32; bf16, where there are instructions for it; bf16_emulated, on any CPU, by f32 "
                    "arithmetic; or f16, on CUDA devices")
        ->capture_default_str();
  if constexpr (requires { a->activation; })
    app->add_option("--activation", a->activation, "activation")->capture_default_str();
  return {app, a};
}

void add_bench_verbs(CLI::App& app, Action& action) {
  CLI::App* bench = app.add_subcommand(
      "bench", "Time a training step, a feed-forward network, an activation, a product or a convolution");
  bench->require_subcommand(1);
  bench->footer(
      "Examples:\n  actlab bench step --model small_cnn --activation gelu\n"
      "  actlab bench kernel --activation gelu --elements 33554432 --roofline");

  const auto [step, s] = add_bench(
      *bench, action, "step", "Median time and memory of a training step",
      "  actlab bench step --model small_cnn --activation gelu --batch 128 --format json\n"
      "  actlab bench step --model bert_ffn --activation geglu --batch 4 model.d=768 model.d_ff=3072",
      bench_step_verb);
  step->add_option("--model", s->model, "model")->capture_default_str();
  step->add_option(
      "settings", s->settings,
      "key=value: options of the model and the optimizer, such as model.widths=[8,8], and fuse=false");
  add_count(*step, "--batch", s->batch, "images, or windows of text, a step");
  add_count(*step, "--window", s->window, "tokens of a window, for models of text", 1 << 16);
  step->add_option("--vocabulary", s->vocabulary, "tokens that there are in text")
      ->check(CLI::Range(2, 1 << 20))
      ->capture_default_str();
  step->add_flag("--by-layer", s->by_layer, "print the bytes that each layer saves for backward instead");

  const auto [ffn, f] = add_bench(
      *bench, action, "ffn", "Median time and memory of a feed-forward network, forward and backward",
      "  actlab bench ffn --tokens 512 --d 768 --width 3072 --activation gelu --format json\n"
      "  actlab bench ffn --width 2048 --activation geglu --threads 1",
      bench_ffn_verb);
  add_count(*ffn, "--tokens", f->tokens, "rows of the input");
  add_count(*ffn, "--d", f->d, "their width");
  add_count(*ffn, "--width", f->width, "width between the layers; a gated form has gate and up of it");

  const auto [kernel, k] =
      add_bench(*bench, action, "kernel", "Bandwidth of an activation beside ReLU's, timed in turns",
                "  actlab bench kernel --activation gelu --elements 33554432 --format json\n"
                "  actlab bench kernel --activation geglu --isa avx2 --dtype bf16",
                bench_kernel_verb);
  add_count(*kernel, "--elements", k->elements, "array length", std::int64_t{1} << 32);
  kernel->add_option("--dtype", k->dtype, "f32, bf16 or f16")->capture_default_str();
  kernel->add_option("--isa", k->isa, "baseline, avx2 or avx512; the best that there is without it");

  const auto [matmul, m] = add_bench(*bench, action, "matmul", "Rate of a product (m, k) times (k, n)",
                                     "  actlab bench matmul --m 512 --n 3072 --k 768 --transpose-b\n"
                                     "  actlab bench matmul --gemm openblas --roofline",
                                     bench_matmul_verb);
  add_count(*matmul, "--m", m->m, "rows of the product");
  add_count(*matmul, "--n", m->n, "columns of the product");
  add_count(*matmul, "--k", m->k, "terms of a sum");
  matmul->add_flag("--transpose-a", m->transpose_a, "the left factor is stored (k, m)");
  matmul->add_flag("--transpose-b", m->transpose_b, "the right factor is stored (n, k)");

  const auto [conv, c] = add_bench(*bench, action, "conv", "Rates of a convolution's three passes",
                                   "  actlab bench conv --batch 128 --size 32 --in 3 --out 32\n"
                                   "  actlab bench conv --size 16 --in 32 --out 64 --gemm openblas",
                                   bench_conv_verb);
  add_count(*conv, "--batch", c->batch, "images");
  add_count(*conv, "--size", c->size, "pixels of a side", 1 << 16);
  add_count(*conv, "--in", c->in, "channels of the images");
  add_count(*conv, "--out", c->out, "channels of the result");
  add_count(*conv, "--kernel", c->kernel, "pixels of a filter's side", 1 << 8);
  add_count(*conv, "--stride", c->stride, "pixels from one place of the filter to the next", 1 << 8);
  conv->add_option("--padding", c->padding, "zeros around the images")
      ->check(CLI::Range(0, 1 << 8))
      ->capture_default_str();
}

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
  fetch->add_option("dataset", f->dataset, "data set")->required();
  fetch->add_option("--to", f->to, "folder that will hold the set's own; use it as data.root")
      ->capture_default_str();
  fetch->add_option("--url", f->url, "a mirror of the archive: http://, https:// or file:///PATH");
  fetch->add_option("--sha256", f->sha256, "checksum of the archive; that of the original without it");

  const auto [check, c] =
      add_verb(*data, action, "check",
               "Read a data set; print what it holds by split, images by class too, and every fault",
               "  actlab data check fashion_mnist\n"
               "  actlab data check image_folder DIR size=32 resize=crop --format csv",
               data_check_verb);
  check->add_option("dataset", c->dataset, "data set")->required();
  check->add_option("root", c->root, "its folder or file; what the set has by default without it");
  check->add_option("settings", c->settings, "key=value: its options, as in an experiment file's [data]");
}

int fail(int code, const std::string& message) {
  std::cerr << "actlab: " << on_one_line(message) << '\n';
  return code;
}

// Help and version go to standard output, and it can be full.
int print_help(const CLI::App& app, const CLI::ParseError& request) {
  app.exit(request);
  return std::cout.flush() ? 0 : fail(exit_failure, "standard output: cannot be written");
}

// What the library says of a verb that it does not know is that one is missing.
std::string explain(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  std::string message = error.what();
  std::string parent;  // "bench "
  auto verbs = app.get_subcommands(nullptr);
  for (int i = 1; i < argc && !verbs.empty() && *argv[i] != '-'; ++i) {
    const std::string word = argv[i];
    std::vector<std::string> known;
    for (const CLI::App* verb : verbs) known.push_back(verb->get_name());
    const auto found = std::find(known.begin(), known.end(), word);
    if (found == known.end()) {
      message = concat("unknown verb '", parent, word, "'", nearest_names(word, known));
      break;
    }
    parent += word + " ";
    const CLI::App* verb = verbs[static_cast<std::size_t>(found - known.begin())];
    verbs = verb->get_subcommands(nullptr);
  }
  return concat(message, " (actlab ", parent, "--help shows the usage)");
}

}  // namespace

int cli_main(int argc, char** argv) {
  std::signal(SIGPIPE,
              SIG_IGN);  // a reader that goes away, or a full disk, becomes an error with its own message
  std::signal(SIGXFSZ, SIG_IGN);
  start_log();
  Action action;
  CLI::App app("Compares activation functions honestly: trains models with each, and measures.", "actlab");
  app.set_version_flag("--version", "actlab " + program_build());
  app.footer(
      "actlab VERB --help shows a verb's arguments.\n\nExamples:\n  actlab run "
      "experiments/configs/quickstart.toml\n"
      "  actlab probe gelu --x=-1,0,1");
  app.require_subcommand(1);
  add_training_verbs(app, action);
  add_inspecting_verbs(app, action);
  add_bench_verbs(app, action);
  add_data_verbs(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return e.get_exit_code() == 0 ? print_help(app, e) : fail(exit_usage, explain(app, e, argc, argv));
  }
  try {
    return action();
  } catch (const ConfigError& e) {
    return fail(exit_usage, e.what());
  } catch (const DataError& e) {
    return fail(exit_data, e.what());
  } catch (const std::filesystem::filesystem_error& e) {
    return fail(exit_failure, concat(e.path1().string(), ": ", e.code().message()));
  } catch (const std::bad_alloc&) {
    return fail(exit_failure, "out of memory; use a smaller batch or set");
  } catch (const std::exception& e) {
    return fail(exit_failure, e.what());
  }
}

}  // namespace actlab
