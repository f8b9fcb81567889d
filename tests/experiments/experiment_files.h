// Experiment files in a temporary folder, and components to name in them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "experiments/config/config.h"
#include "kernels/error.h"
#include "tests/support/temporary_folder.h"

namespace actlab {

inline Schemas test_schemas() {
  using Integers = std::vector<std::int64_t>;
  const ComponentSchema small_cnn{
      "small_cnn", "", {{.name = "widths", .fallback = Integers{32, 64}, .help = "", .least = 1}}};
  const ComponentSchema mlp{
      "mlp", "", {{.name = "hidden", .fallback = std::int64_t{128}, .help = "", .least = 1}}};
  const ComponentSchema cifar10{"cifar10", "", {{.name = "root", .fallback = "data/cifar10", .help = ""}}};
  const ComponentSchema sgd{"sgd",
                            "",
                            {{.name = "lr", .fallback = 0.05, .help = "", .least = 0},
                             {.name = "momentum", .fallback = 0.0, .help = "", .least = 0, .most = 1},
                             {.name = "nesterov", .fallback = false, .help = ""},
                             {.name = "weight_decay", .fallback = 0.0, .help = "", .least = 0}}};
  const ComponentSchema constant{"constant", "", {}};
  const ComponentSchema cosine{
      "cosine", "", {{.name = "warmup", .fallback = std::int64_t{0}, .help = "", .least = 0}}};
  return {{small_cnn, mlp}, {cifar10}, {sgd}, {constant, cosine}};
}

/// What load_experiment says against a file "e.toml" of this text; the folder's path is left out.
inline std::string refusal(const std::string& text, const std::vector<std::string>& arguments = {}) {
  const TemporaryFolder folder;
  const auto file = folder.write("e.toml", text);
  try {
    load_experiment(file, arguments, test_schemas());
  } catch (const ConfigError& error) {
    std::string message = error.what();
    const std::string prefix = folder.path().string() + "/";
    for (auto at = message.find(prefix); at != std::string::npos; at = message.find(prefix))
      message.erase(at, prefix.size());
    return message;
  }
  return "no error";
}

inline std::vector<Experiment> load(const std::string& text, const std::vector<std::string>& arguments = {}) {
  const TemporaryFolder folder;
  return load_experiment(folder.write("e.toml", text), arguments, test_schemas());
}

}  // namespace actlab
