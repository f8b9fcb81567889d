// Checkpoints: folders step-N with model.safetensors, optimizer.safetensors and state.json, complete or
// absent.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "framework/nn/module.h"
#include "framework/optim/optimizer.h"
#include "framework/train/progress.h"

namespace actlab {

/// Writes step-N.tmp, syncs it and renames it to step-N, then removes all but the newest `keep` of
/// those up to step N. On failure the older checkpoints stay and Error names the path and the reason.
void save_checkpoint(const std::filesystem::path& folder, const Module& model, const Optimizer& optimizer,
                     const Progress& progress, int keep = 2);

/// The newest folder whose files are whole by their checksums; each torn one is reported to `warn` and passed
/// over.
std::optional<std::filesystem::path> newest_checkpoint(const std::filesystem::path& folder,
                                                       const std::function<void(const std::string&)>& warn);

/// Reads a complete checkpoint into the model, the optimizer (if given) and the result. Names and shapes must
/// agree: Error says which do not, before anything is changed.
Progress load_checkpoint(const std::filesystem::path& checkpoint, Module& model, Optimizer* optimizer);

}  // namespace actlab
