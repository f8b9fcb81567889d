// Writing and reading of checkpoints.
#include "framework/train/checkpoint.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <system_error>

#include "framework/core/files.h"
#include "framework/core/sha256.h"
#include "framework/train/safetensors.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int format_version = 4;
constexpr int oldest_version = 2;  // knew no validation split; 3 no loss scale
constexpr const char* model_file = "model.safetensors";
constexpr const char* optimizer_file = "optimizer.safetensors";
constexpr const char* state_file = "state.json";

std::string serialize(const std::vector<NamedParameter>& tensors) {
  std::vector<NamedArray> arrays;
  for (const auto& [name, tensor] : tensors) {
    NamedArray array{name, tensor.dtype(), tensor.shape(),
                     std::vector<std::byte>(static_cast<std::size_t>(tensor.bytes()))};
    tensor.backend().memory.copy_to_host(array.data.data(), tensor.data().data, tensor.bytes());
    arrays.push_back(std::move(array));
  }
  return to_safetensors(arrays);
}

// What a model's file holds.
std::vector<NamedParameter> tensors_of(const Module& model) {
  std::vector<NamedParameter> tensors = model.parameters();
  for (NamedParameter& buffer : model.buffers()) tensors.push_back(std::move(buffer));
  return tensors;
}

json to_json(const Progress& progress) {
  json evaluations = json::array();
  for (const Evaluation& e : progress.evaluations) {
    json& stored = evaluations.emplace_back(json{{"step", e.step},
                                                 {"epoch", e.epoch},
                                                 {"train_loss", e.train_loss},
                                                 {"test_loss", e.test.loss},
                                                 {"test_accuracy", e.test.accuracy},
                                                 {"lr", e.lr}});
    if (!e.validation) continue;
    stored["validation_loss"] = e.validation->loss;
    stored["validation_accuracy"] = e.validation->accuracy;
  }
  return {{"step", progress.step},
          {"skipped", progress.skipped},
          {"loss_scale", progress.scaling.scale},
          {"finite_since_scale", progress.scaling.finite},
          {"evaluations", std::move(evaluations)},
          {"loss_sum", progress.loss_sum},
          {"loss_samples", progress.loss_labels}};
}

Progress progress_from(const json& state) {
  Progress progress;
  progress.step = state.at("step").get<std::int64_t>();
  for (const json& e : state.at("evaluations")) {
    const auto number = [&](const char* name) { return e.at(name).get<double>(); };
    Evaluation& evaluation = progress.evaluations.emplace_back(
        Evaluation{.step = e.at("step").get<std::int64_t>(),
                   .epoch = number("epoch"),
                   .train_loss = number("train_loss"),
                   .test = {.loss = number("test_loss"), .accuracy = number("test_accuracy")},
                   .lr = number("lr")});
    if (e.contains("validation_loss"))
      evaluation.validation = {.loss = number("validation_loss"), .accuracy = number("validation_accuracy")};
  }
  progress.skipped = state.value("skipped", std::int64_t{0});
  progress.scaling = {.scale = state.value("loss_scale", 1.0),
                      .finite = state.value("finite_since_scale", std::int64_t{0})};
  progress.loss_sum = state.at("loss_sum").get<double>();
  progress.loss_labels = state.at("loss_samples").get<std::int64_t>();
  return progress;
}

// N of "step-N"; nothing for other names, unfinished step-N.tmp included.
std::optional<std::int64_t> step_of(const fs::path& path) {
  const std::string name = path.filename().string();
  constexpr std::string_view prefix = "step-";
  if (!name.starts_with(prefix)) return std::nullopt;
  std::int64_t step = 0;
  const char* const end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data() + prefix.size(), end, step);
  if (error != std::errc() || rest != end || step < 0) return std::nullopt;
  return step;
}

// Newest first.
std::vector<fs::path> finished_checkpoints(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (step_of(entry.path())) found.push_back(entry.path());
  std::sort(found.begin(), found.end(),
            [](const fs::path& a, const fs::path& b) { return *step_of(a) > *step_of(b); });
  return found;
}

// The text of a state; its own checksum stands beside those of the files.
std::string with_checksum(json state) {
  state["sha256"][state_file] = sha256(state.dump());
  return state.dump(2) + "\n";
}

// The parsed state of a checkpoint whose files carry the checksums that it names.
json checked_state(const fs::path& checkpoint) {
  const fs::path file = checkpoint / state_file;
  const std::string text = read_file(file);
  try {
    json state = json::parse(text);
    const int version = state.at("version").get<int>();
    ACTLAB_CHECK(version >= oldest_version && version <= format_version, file.string(),
                 ": checkpoint format ", version, ", this program reads ", oldest_version, " to ",
                 format_version);
    state.at("sha256").erase(state_file);
    ACTLAB_CHECK(with_checksum(state) == text, file.string(), ": checksum differs, the file is damaged");
    for (const char* name : {model_file, optimizer_file})
      ACTLAB_CHECK(sha256_of_file(checkpoint / name) == state["sha256"].at(name).get<std::string>(),
                   (checkpoint / name).string(), ": checksum differs, the file is damaged");
    return state;
  } catch (const json::exception&) {
    throw Error(concat(file.string(), ": damaged: it is no state of a checkpoint"));
  }
}

// The stored array of every tensor, in the tensors' order.
std::vector<NamedArray> find_arrays(const std::vector<NamedParameter>& tensors, const fs::path& file) {
  Safetensors stored = read_safetensors(file);
  std::vector<NamedArray> arrays;
  for (const auto& [name, tensor] : tensors) {
    const auto found = std::find_if(stored.arrays.begin(), stored.arrays.end(),
                                    [&](const NamedArray& array) { return array.name == name; });
    ACTLAB_CHECK(found != stored.arrays.end(), file.string(), ": has no '", name,
                 "': it belongs to another model");
    ACTLAB_CHECK(found->shape == tensor.shape() && found->dtype == tensor.dtype(), file.string(), ": '", name,
                 "' is ", found->dtype, " ", found->shape, ", the model has ", tensor.dtype(), " ",
                 tensor.shape());
    arrays.push_back(std::move(*found));
  }
  ACTLAB_CHECK(stored.arrays.size() == tensors.size(), file.string(), ": has ", stored.arrays.size(),
               " tensors, the model has ", tensors.size());
  return arrays;
}

void copy(const std::vector<NamedArray>& arrays, const std::vector<NamedParameter>& tensors) {
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    Tensor tensor = tensors[i].tensor;
    tensor.backend().memory.copy_from_host(tensor.mutable_data().data, arrays[i].data.data(), tensor.bytes());
  }
}

void check_system(const std::error_code& error, const char* what, const fs::path& path) {
  ACTLAB_CHECK(!error, "checkpoint: cannot ", what, " ", path.string(), ": ", error.message());
}

}  // namespace

void save_checkpoint(const fs::path& folder, const Module& model, const Optimizer& optimizer,
                     const Progress& progress, int keep) {
  const fs::path final_path = folder / concat("step-", progress.step);
  const fs::path temporary = final_path.string() + ".tmp";
  std::error_code error;
  fs::remove_all(temporary, error);
  fs::create_directories(temporary, error);
  check_system(error, "create", temporary);
  try {
    json state = to_json(progress);
    state["version"] = format_version;
    for (const auto& [file, bytes] : {std::pair{model_file, serialize(tensors_of(model))},
                                      std::pair{optimizer_file, serialize(optimizer.state())}}) {
      write_file_atomically(temporary / file, bytes);
      state["sha256"][file] = sha256(bytes);
    }
    write_file_atomically(temporary / state_file, with_checksum(state));
    fs::remove_all(final_path, error);
    fs::rename(temporary, final_path, error);
    check_system(error, "rename to", final_path);
    sync_folder(folder);
  } catch (...) {
    fs::remove_all(temporary, error);
    throw;
  }
  // Later ones are damaged, or this run would have started there; they must not crowd out the sound ones.
  std::vector<fs::path> finished = finished_checkpoints(folder);
  std::erase_if(finished, [&](const fs::path& path) { return *step_of(path) > progress.step; });
  for (std::size_t i = static_cast<std::size_t>(keep); i < finished.size(); ++i)
    fs::remove_all(finished[i], error);
}

std::optional<fs::path> newest_checkpoint(const fs::path& folder,
                                          const std::function<void(const std::string&)>& warn) {
  for (const fs::path& path : finished_checkpoints(folder)) {
    try {
      checked_state(path);
      return path;
    } catch (const Error& e) {
      warn(concat(e.what(), "; this checkpoint is passed over"));
    }
  }
  return std::nullopt;
}

Progress load_checkpoint(const fs::path& checkpoint, Module& model, Optimizer* optimizer) {
  const json state = checked_state(checkpoint);
  Progress progress;
  try {
    progress = progress_from(state);
  } catch (const json::exception&) {
    throw Error(concat((checkpoint / state_file).string(), ": damaged: it is no state of a checkpoint"));
  }
  const std::vector<NamedParameter> weights = tensors_of(model);
  const std::vector<NamedArray> stored_weights = find_arrays(weights, checkpoint / model_file);
  if (optimizer != nullptr)
    copy(find_arrays(optimizer->state(), checkpoint / optimizer_file), optimizer->state());
  copy(stored_weights, weights);
  return progress;
}

}  // namespace actlab
