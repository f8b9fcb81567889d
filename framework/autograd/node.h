// The graph that backward walks: one node an operation, made newest last, each pointing to what made its
// inputs.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "framework/core/tensor.h"

namespace actlab {

struct Node;

/// A tensor's place in the graph. It holds no elements of the tensor: a graph keeps only what its nodes
/// saved.
struct GradState {
  std::shared_ptr<Node> producer;  ///< null for a leaf
  Tensor grad;                     ///< of a leaf
};

/// What a backward function is given.
class BackwardContext {
 public:
  BackwardContext(const Node& node, const Tensor& gradient) : dy(gradient), node_(node) {}
  /// Tensor i that the operation saved.
  const Tensor& saved(std::size_t i) const;
  /// Whether input i wants a gradient; an undefined tensor may be returned for the others.
  bool wanted(std::size_t i) const;

  const Tensor& dy;  ///< gradient of the output

 private:
  const Node& node_;
};

/// Gradients of the inputs, in their order, from the gradient of the output.
using BackwardFunction = std::function<std::vector<Tensor>(const BackwardContext&)>;

struct SavedTensor {
  Tensor tensor;
  std::uint64_t version;
};

struct Node {
  Node();
  ~Node();  ///< frees a chain of any length without recursion
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  /// Nodes alive in the process: 0 between steps.
  static std::int64_t alive();

  const std::uint64_t order;  ///< rises with every node made
  std::string_view operation;
  std::string layer;                               ///< the module that ran the operation
  std::vector<std::shared_ptr<GradState>> inputs;  ///< null where no gradient is wanted
  std::vector<SavedTensor> saved;
  BackwardFunction backward;
  Tensor dy;             ///< gradient gathered so far, during the walk
  bool used_up = false;  ///< backward has run and released what was saved
};

/// Puts `output` into the graph, if gradients are on and some input wants one: saved tensors are kept,
/// outside the graph, with their versions. `operation` must outlive the graph (a literal).
Tensor record(std::string_view operation, const Tensor& output, std::initializer_list<Tensor> inputs,
              std::initializer_list<Tensor> saved, BackwardFunction backward);

/// Names the module whose operations are recorded in a scope; scopes nest as "features.0".
class LayerScope {
 public:
  explicit LayerScope(std::string_view name);
  ~LayerScope();
  LayerScope(const LayerScope&) = delete;
  LayerScope& operator=(const LayerScope&) = delete;

 private:
  std::size_t before_;
};

}  // namespace actlab
