// Adam with decoupled weight decay.
#include "framework/optim/adamw.h"

#include "framework/optim/weight_decay.h"

namespace actlab {
namespace {

class AdamW : public Optimizer {
 public:
  AdamW(const Options& options, const std::vector<NamedParameter>& parameters)
      : options_{.lr = options.number("lr"),
                 .beta1 = options.number("beta1"),
                 .beta2 = options.number("beta2"),
                 .eps = options.number("eps")} {
    for (const NamedParameter& p : parameters)
      slots_.push_back({p.tensor, state_beside(p, "first_moment"), state_beside(p, "second_moment"),
                        weight_decay_of(p.tensor, options)});
    if (parameters.empty()) return;
    Backend& backend = parameters[0].tensor.backend();
    Backend& host = backend.memory.on_host() ? backend : find_backend("reference");
    steps_ = Tensor::zeros({}, DType::i32, host, MemoryKind::optimizer_state);
  }

  void step(double lr) override {
    std::vector<AdamWArrays> arrays;
    for (Slot& s : slots_)
      if (s.w.grad().defined())
        arrays.push_back({s.w.mutable_data(), s.w.grad().data(), s.first.tensor.mutable_data(),
                          s.second.tensor.mutable_data(), s.weight_decay});
    if (arrays.empty()) return;
    options_.lr = lr;
    options_.step = count_step();
    slots_.front().w.backend().optimizer.adamw(options_, arrays);
    for (Slot& s : slots_) s.w.clear_grad();
  }

  std::vector<NamedParameter> state() const override {
    std::vector<NamedParameter> all;
    if (steps_.defined()) all.push_back({"steps", steps_});
    for (const Slot& s : slots_) all.insert(all.end(), {s.first, s.second});
    return all;
  }

 private:
  struct Slot {
    Tensor w;
    NamedParameter first, second;  ///< moments
    double weight_decay;
  };

  // The number of the update that begins.
  std::int32_t count_step() {
    const std::int32_t step = steps_.to_vector<std::int32_t>()[0] + 1;
    steps_.backend().memory.copy_from_host(steps_.mutable_data().data, &step, sizeof step);
    return step;
  }

  AdamWOptions options_;
  std::vector<Slot> slots_;
  Tensor steps_;  ///< updates made: a tensor, because checkpoints hold tensors; the host's, which reads it
};

}  // namespace

OptimizerType adamw() {
  std::vector<Option> options = {
      {.name = "lr", .fallback = 0.001, .help = "learning rate, base of the schedule", .least = 0},
      {.name = "beta1",
       .fallback = 0.9,
       .help = "weight of the old mean of gradients",
       .least = 0,
       .most = 1,
       .below_most = true},
      {.name = "beta2",
       .fallback = 0.999,
       .help = "weight of the old mean of their squares",
       .least = 0,
       .most = 1,
       .below_most = true},
      // Far above the root of the least float: squares that vanish still give small steps.
      {.name = "eps", .fallback = 1e-8, .help = "added to the root of that mean", .least = 1e-20}};
  for (Option& option : weight_decay_options(0.01, "share of a weight that is lost a step, times lr"))
    options.push_back(std::move(option));
  return {.name = "adamw",
          .summary = "Adam with decoupled weight decay",
          .options = std::move(options),
          .make = [](const Options& values, const std::vector<NamedParameter>& parameters) {
            return std::make_unique<AdamW>(values, parameters);
          }};
}

}  // namespace actlab
