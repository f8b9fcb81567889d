// Stochastic gradient descent with momentum.
#include "framework/optim/sgd.h"

namespace actlab {
namespace {

class Sgd : public Optimizer {
 public:
  Sgd(const SgdOptions& options, const std::vector<NamedParameter>& parameters) : options_(options) {
    for (const NamedParameter& p : parameters) {
      parameters_.push_back(p.tensor);
      if (options_.momentum == 0.0) continue;
      velocities_.push_back(
          {concat(p.name, ".velocity"), Tensor::zeros(p.tensor.shape(), p.tensor.dtype(), p.tensor.backend(),
                                                      MemoryKind::optimizer_state)});
    }
  }

  void step(double lr) override {
    options_.lr = lr;
    std::vector<SgdArrays> arrays;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      Tensor& w = parameters_[i];
      if (!w.grad().defined()) continue;
      const Array velocity = velocities_.empty() ? Array{} : velocities_[i].tensor.mutable_data();
      arrays.push_back({w.mutable_data(), w.grad().data(), velocity});
    }
    if (arrays.empty()) return;
    parameters_.front().backend().optimizer.sgd(options_, arrays);
    for (Tensor& w : parameters_) w.clear_grad();
  }

  std::vector<NamedParameter> state() const override { return velocities_; }

 private:
  SgdOptions options_;
  std::vector<Tensor> parameters_;
  std::vector<NamedParameter> velocities_;
};

}  // namespace

OptimizerType sgd() {
  return {
      .name = "sgd",
      .summary = "stochastic gradient descent with momentum",
      .options =
          {{.name = "lr", .fallback = 0.05, .help = "learning rate, base of the schedule", .least = 0},
           {.name = "momentum", .fallback = 0.9, .help = "weight of the old velocity", .least = 0, .most = 1},
           {.name = "nesterov", .fallback = true, .help = "Nesterov's momentum"},
           {.name = "weight_decay", .fallback = 0.0, .help = "L2 penalty in the gradient", .least = 0}},
      .make = [](const Options& options, const std::vector<NamedParameter>& parameters) {
        return std::make_unique<Sgd>(SgdOptions{.lr = options.number("lr"),
                                                .momentum = options.number("momentum"),
                                                .nesterov = options.flag("nesterov"),
                                                .weight_decay = options.number("weight_decay")},
                                     parameters);
      }};
}

}  // namespace actlab
