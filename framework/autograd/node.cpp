// Recording of operations and the end of a graph's life.
#include "framework/autograd/node.h"

#include <algorithm>
#include <atomic>

#include "framework/autograd/grad_mode.h"

namespace actlab {
namespace {

std::atomic<std::uint64_t> made = 0;
std::atomic<std::int64_t> living = 0;
thread_local std::string current_layer;

}  // namespace

const Tensor& BackwardContext::saved(std::size_t i) const { return node_.saved.at(i).tensor; }

bool BackwardContext::wanted(std::size_t i) const { return node_.inputs.at(i) != nullptr; }

Node::Node() : order(made++) { ++living; }

Node::~Node() {
  // A node that only this one keeps alive gives up its inputs first, so that its own destructor finds none.
  std::vector<std::shared_ptr<GradState>> waiting = std::move(inputs);
  while (!waiting.empty()) {
    const std::shared_ptr<GradState> state = std::move(waiting.back());
    waiting.pop_back();
    if (state == nullptr || state.use_count() > 1 || state->producer == nullptr ||
        state->producer.use_count() > 1)
      continue;
    for (auto& input : state->producer->inputs) waiting.push_back(std::move(input));
    state->producer->inputs.clear();
  }
  --living;
}

std::int64_t Node::alive() { return living; }

Tensor record(std::string_view operation, const Tensor& output, std::initializer_list<Tensor> inputs,
              std::initializer_list<Tensor> saved, BackwardFunction backward) {
  const bool wanted =
      std::any_of(inputs.begin(), inputs.end(), [](const Tensor& t) { return t.requires_grad(); });
  if (!grad_enabled() || !wanted) return output;
  const auto node = std::make_shared<Node>();
  node->operation = operation;
  node->layer = current_layer;
  for (const Tensor& input : inputs) node->inputs.push_back(input.grad_state());
  // Detached: a node that saves its own output must not keep itself alive.
  for (const Tensor& t : saved) node->saved.push_back({t.detach(), t.storage()->version});
  node->backward = std::move(backward);
  const auto state = std::make_shared<GradState>();
  state->producer = node;
  return output.with_grad_state(state);
}

LayerScope::LayerScope(std::string_view name) : before_(current_layer.size()) {
  if (!current_layer.empty() && !name.empty()) current_layer += '.';
  current_layer += name;
}

LayerScope::~LayerScope() { current_layer.resize(before_); }

}  // namespace actlab
