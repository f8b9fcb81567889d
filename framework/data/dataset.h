// Data as training sees it, whatever its kind: splits, batches of them, and what a model must know of it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "framework/core/tensor.h"

namespace actlab {

struct ImageSpec {
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t channels = 0;
  std::int64_t classes = 0;
};

struct TextSpec {
  std::int64_t window = 0;      ///< tokens of a window
  std::int64_t vocabulary = 0;  ///< tokens there are, special ones included
};

/// What a model must know of the data.
using DataSpec = std::variant<ImageSpec, TextSpec>;

enum class SplitName : std::uint8_t { train, validation, test };

/// What a model is given and what it is asked, on a backend.
struct Batch {
  Tensor inputs;  ///< images f32 (N, H, W, C), or tokens i32 (N, L)
  Tensor labels;  ///< i32 (M): of images their classes, M = N; of text the original tokens at `places`
  Tensor
      places;  ///< text: i32 (M), rows of the N * L tokens that are to be predicted, rising; else undefined
  Tensor lengths;            ///< text: i32 (N), tokens of each window before its padding; else undefined
  std::int64_t samples = 0;  ///< what throughput counts: images, or tokens without padding
};

/// Batches of one split; each can be made alone: its content depends on (seed, epoch, index) only.
class Loader {
 public:
  virtual ~Loader() = default;
  /// Batches of an epoch; the last may be short.
  virtual std::int64_t batches() const = 0;
  virtual Batch load(std::int64_t epoch, std::int64_t index, Backend& backend) = 0;
};

struct LoaderOptions {
  std::int64_t batch = 128;  ///< images or windows
  /// A shuffled order and, of text, masks, both anew each epoch. Otherwise the order of the data, and masks
  /// that are the same for every seed.
  bool training = false;
  bool augment = false;  ///< images: pad by 4 and crop at random, flip left to right with probability 1/2
  std::uint64_t seed = 0;
};

/// A labelled set of images or a text, in memory, as every source of datasets/ gives it.
struct Dataset {
  std::string name;                ///< "cifar10": the kind of source
  std::string origin;              ///< where it came from: a folder, a seed
  std::string checksum;            ///< of the data; empty where name and options fix them
  std::vector<std::string> notes;  ///< what its user should hear of: files that were passed over

  virtual ~Dataset() = default;
  virtual DataSpec spec() const = 0;
  /// Images or windows of a split; 0 where there is no such split.
  virtual std::int64_t count(SplitName split) const = 0;
  /// Keeps a reference to the set. Throws ConfigError where the batch is below 1 or above the split's count,
  /// and for augment where there is none.
  virtual std::unique_ptr<Loader> loader(SplitName split, const LoaderOptions& options) const = 0;
  /// Moves `share` of the training part, in [0, 0.5], to the validation split; nothing for 0. A set gives the
  /// same split to every run, whatever its seed. Throws ConfigError or DataError where it cannot, naming the
  /// reason.
  virtual void hold_out_validation(double share) = 0;
  /// Names of the labels 0, 1, ...; none for text, whose tokens are among its files().
  virtual std::vector<std::string> classes() const { return {}; }
  /// What a run must keep beside its config to read the same data again: names of files and their contents.
  virtual std::map<std::string, std::string> files() const { return {}; }
};

}  // namespace actlab
