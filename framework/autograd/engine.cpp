// The walk through the graph: collect, order, check, then run.
#include "framework/autograd/engine.h"

#include <algorithm>
#include <unordered_set>

#include "framework/autograd/grad_mode.h"
#include "framework/autograd/node.h"

namespace actlab {
namespace {

// Every node that root depends on, newest first: an order in which each comes after all that use its output.
std::vector<std::shared_ptr<Node>> nodes_under(const Tensor& root) {
  std::vector<std::shared_ptr<Node>> nodes;
  std::unordered_set<const Node*> seen;
  const auto visit = [&](const std::shared_ptr<GradState>& state) {
    if (state != nullptr && state->producer != nullptr && seen.insert(state->producer.get()).second)
      nodes.push_back(state->producer);
  };
  visit(root.grad_state());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto node = nodes[i];  // a copy: visit() moves the vector
    for (const auto& input : node->inputs) visit(input);
  }
  std::sort(nodes.begin(), nodes.end(), [](const auto& a, const auto& b) { return a->order > b->order; });
  return nodes;
}

void check_usable(const Node& node) {
  ACTLAB_CHECK(!node.used_up, "backward: the graph of '", node.operation,
               "' was walked before; gradients are of first order only: run the forward pass again");
  for (const SavedTensor& saved : node.saved)
    ACTLAB_CHECK(saved.tensor.storage()->version == saved.version, "backward: a tensor of shape ",
                 saved.tensor.shape(), " that '", node.operation,
                 "' saved has been written since; write to a copy, or after backward()");
}

// sum += term. A gradient may share its storage with another tensor's: only one that is nobody else's is
// written in place.
void accumulate(Tensor& sum, const Tensor& term) {
  if (!sum.defined()) {
    sum = term;
    return;
  }
  Tensor out = sum.storage().use_count() == 1 ? sum : Tensor::empty(sum.shape(), sum.dtype(), sum.backend());
  sum.backend().elementwise.add(sum.data(), term.data(), out.mutable_data());
  sum = out;
}

// The gradient of a leaf is its own: the user may write to it.
void accumulate_leaf(GradState& leaf, const Tensor& gradient) {
  if (leaf.grad.defined() || gradient.storage().use_count() == 1) {
    accumulate(leaf.grad, gradient);
  } else {
    leaf.grad = Tensor::empty(gradient.shape(), gradient.dtype(), gradient.backend());
    gradient.backend().memory.copy(leaf.grad.mutable_data().data, gradient.data().data, gradient.bytes());
  }
  Storage& storage = *leaf.grad.storage();
  if (storage.kind == MemoryKind::gradients) return;
  storage.backend->memory.relabel(storage.buffer.data(), MemoryKind::gradients);
  storage.kind = MemoryKind::gradients;
}

void run(Node& node) {
  const Tensor dy = std::move(node.dy);
  node.dy = Tensor();
  const std::vector<Tensor> gradients = node.backward(BackwardContext(node, dy));
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const auto& input = node.inputs[i];
    if (input == nullptr) continue;
    if (input->producer != nullptr)
      accumulate(input->producer->dy, gradients.at(i));
    else
      accumulate_leaf(*input, gradients.at(i));
  }
  node.saved.clear();
  node.inputs.clear();
  node.backward = nullptr;
  node.used_up = true;
}

}  // namespace

void run_backward(const Tensor& root) {
  ACTLAB_CHECK(root.defined() && root.count() == 1, "backward: starts from a scalar, not from the shape ",
               root.shape());
  ACTLAB_CHECK(root.requires_grad() && root.grad_state()->producer != nullptr,
               "backward: no input of the scalar requires a gradient (or gradients were off)");
  std::vector<std::shared_ptr<Node>> nodes = nodes_under(root);
  for (const auto& node : nodes) check_usable(*node);

  const NoGrad no_grad;
  Tensor one = Tensor::empty(root.shape(), root.dtype(), root.backend());
  one.backend().elementwise.fill(1.0, one.mutable_data());
  nodes.front()->dy = one;
  for (auto& node : nodes) {
    run(*node);
    node.reset();
  }
}

std::vector<SavedBytes> saved_bytes_by_layer(const Tensor& root) {
  const auto nodes = nodes_under(root);
  std::unordered_set<const Storage*> seen;
  std::vector<SavedBytes> layers;
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    std::int64_t bytes = 0;
    for (const SavedTensor& saved : (*node)->saved) {
      const Storage& storage = *saved.tensor.storage();
      if (storage.kind != MemoryKind::parameters && seen.insert(&storage).second)
        bytes += storage.buffer.bytes();
    }
    const auto same = std::find_if(layers.begin(), layers.end(),
                                   [&](const SavedBytes& l) { return l.layer == (*node)->layer; });
    if (same != layers.end())
      same->bytes += bytes;
    else
      layers.push_back({(*node)->layer, bytes});
  }
  return layers;
}

std::int64_t saved_bytes(const Tensor& root) {
  std::int64_t total = 0;
  for (const SavedBytes& layer : saved_bytes_by_layer(root)) total += layer.bytes;
  return total;
}

}  // namespace actlab
