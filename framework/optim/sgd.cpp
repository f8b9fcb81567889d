// Stochastic gradient descent with momentum.
#include "framework/optim/sgd.h"

#include "framework/optim/weight_decay.h"

namespace actlab {
namespace {

class Sgd : public Optimizer {
 public:
  Sgd(const Options& options, const std::vector<NamedParameter>& parameters)
      : options_{.lr = options.number("lr"),
                 .momentum = options.number("momentum"),
                 .nesterov = options.flag("nesterov")} {
    for (const NamedParameter& p : parameters) {
      parameters_.push_back(p.tensor);
      decays_.push_back(weight_decay_of(p.tensor, options));
      if (options_.momentum != 0.0) velocities_.push_back(state_beside(p, "velocity"));
    }
  }

  void step(double lr) override {
    options_.lr = lr;
    std::vector<SgdArrays> arrays;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      Tensor& w = parameters_[i];
      if (!w.grad().defined()) continue;
      const Array velocity = velocities_.empty() ? Array{} : velocities_[i].tensor.mutable_data();
      arrays.push_back({w.mutable_data(), w.grad().data(), velocity, decays_[i]});
    }
    if (arrays.empty()) return;
    parameters_.front().backend().optimizer.sgd(options_, arrays);
    for (Tensor& w : parameters_) w.clear_grad();
  }

  std::vector<NamedParameter> state() const override { return velocities_; }

 private:
  SgdOptions options_;
  std::vector<Tensor> parameters_;
  std::vector<double> decays_;  ///< of each parameter
  std::vector<NamedParameter> velocities_;
};

}  // namespace

OptimizerType sgd() {
  std::vector<Option> options = {
      {.name = "lr", .fallback = 0.05, .help = "learning rate, base of the schedule", .least = 0},
      {.name = "momentum", .fallback = 0.9, .help = "weight of the old velocity", .least = 0, .most = 1},
      {.name = "nesterov", .fallback = true, .help = "Nesterov's momentum"}};
  for (Option& option : weight_decay_options(0.0, "L2 penalty in the gradient"))
    options.push_back(std::move(option));
  return {.name = "sgd",
          .summary = "stochastic gradient descent with momentum",
          .options = std::move(options),
          .make = [](const Options& values, const std::vector<NamedParameter>& parameters) {
            return std::make_unique<Sgd>(values, parameters);
          }};
}

}  // namespace actlab
