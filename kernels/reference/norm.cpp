// Batch norm and layer norm by their definitions.
#include <cmath>
#include <vector>

#include "kernels/reference/families.h"
#include "kernels/reference/running.h"

namespace actlab {
namespace {

// Places of the groups' elements in an array (rows, columns).
struct Groups {
  std::int64_t count, size;  // groups, elements of each
  std::int64_t group_step, element_step;
};

Groups columns_of(const Shape& shape) { return {shape[1], shape[0], 1, shape[1]}; }
Groups rows_of(const Shape& shape) { return {shape[0], shape[1], shape[1], 1}; }

template <class T>
void write_moments(const Groups& g, const T* x, double* moments) {
  for (std::int64_t i = 0; i < g.count; ++i) {
    const T* group = x + i * g.group_step;
    double sum = 0, squares = 0;
    for (std::int64_t j = 0; j < g.size; ++j) sum += double{group[j * g.element_step]};
    const double mean = sum / static_cast<double>(g.size);
    for (std::int64_t j = 0; j < g.size; ++j) {
      const double off = double{group[j * g.element_step]} - mean;
      squares += off * off;
    }
    moments[i] = mean;
    moments[g.count + i] = squares / static_cast<double>(g.size);
  }
}

// The normalised values before weight and bias.
struct Normalised {
  const double* moments;
  std::int64_t groups;
  double epsilon;

  double scale(std::int64_t group) const { return 1 / std::sqrt(moments[groups + group] + epsilon); }
  double operator()(std::int64_t group, double x) const { return (x - moments[group]) * scale(group); }
};

template <class T>
void normalise(const Groups& g, const NormInputs& inputs, ConstArray bias, T* y) {
  const std::int64_t columns = inputs.x.shape[1];
  const Normalised normalised{inputs.moments.as<double>(), g.count, inputs.epsilon};
  for (std::int64_t i = 0; i < g.count; ++i) {
    for (std::int64_t j = 0; j < g.size; ++j) {
      const std::int64_t at = i * g.group_step + j * g.element_step, column = at % columns;
      y[at] =
          static_cast<T>(normalised(i, double{inputs.x.as<T>()[at]}) * double{inputs.weight.as<T>()[column]} +
                         double{bias.as<T>()[column]});
    }
  }
}

template <class T>
void gradients_of(const Groups& g, const NormInputs& inputs, bool through_moments, const T* dy,
                  const NormGradients& gradients) {
  const std::int64_t columns = inputs.x.shape[1];
  const T* x = inputs.x.as<T>();
  const T* weight = inputs.weight.as<T>();
  const Normalised normalised{inputs.moments.as<double>(), g.count, inputs.epsilon};
  std::vector<double> dweight(static_cast<std::size_t>(columns)), dbias(dweight);
  for (std::int64_t i = 0; i < g.count; ++i) {
    double sum = 0, product = 0;  // of the gradient of the normalised values; of the same times the values
    for (std::int64_t j = 0; j < g.size; ++j) {
      const std::int64_t at = i * g.group_step + j * g.element_step, column = at % columns;
      const double value = normalised(i, double{x[at]}), gradient = double{dy[at]};
      dbias[static_cast<std::size_t>(column)] += gradient;
      dweight[static_cast<std::size_t>(column)] += gradient * value;
      sum += gradient * double{weight[column]};
      product += gradient * double{weight[column]} * value;
    }
    if (gradients.x.data == nullptr) continue;
    const double mean = through_moments ? sum / static_cast<double>(g.size) : 0;
    const double slope = through_moments ? product / static_cast<double>(g.size) : 0;
    for (std::int64_t j = 0; j < g.size; ++j) {
      const std::int64_t at = i * g.group_step + j * g.element_step;
      const double gradient = double{dy[at]} * double{weight[at % columns]};
      gradients.x.as<T>()[at] =
          static_cast<T>(normalised.scale(i) * (gradient - mean - slope * normalised(i, double{x[at]})));
    }
  }
  for (std::int64_t c = 0; c < columns; ++c) {
    gradients.weight.as<T>()[c] = static_cast<T>(dweight[static_cast<std::size_t>(c)]);
    gradients.bias.as<T>()[c] = static_cast<T>(dbias[static_cast<std::size_t>(c)]);
  }
}

class ReferenceNorm final : public NormKernels {
 public:
  void batch_moments(ConstArray x, Array moments) override {
    for_real("batch-norm", x.dtype, [&](auto zero) {
      write_moments(columns_of(x.shape), x.as<decltype(zero)>(), moments.as<double>());
    });
  }

  void move_running(ConstArray moments, double momentum, double correction, Array mean,
                    Array variance) override {
    move_running_on_host(moments, momentum, correction, mean, variance);
  }

  void batch_forward(const NormInputs& inputs, ConstArray bias, Array y) override {
    for_real("batch-norm", y.dtype,
             [&](auto zero) { normalise(columns_of(inputs.x.shape), inputs, bias, y.as<decltype(zero)>()); });
  }

  void batch_backward(const NormInputs& inputs, bool moments_of_batch, ConstArray dy,
                      const NormGradients& gradients) override {
    for_real("batch-norm", dy.dtype, [&](auto zero) {
      gradients_of(columns_of(inputs.x.shape), inputs, moments_of_batch, dy.as<decltype(zero)>(), gradients);
    });
  }

  void layer_forward(ConstArray x, ConstArray weight, ConstArray bias, double epsilon, Array y,
                     Array moments) override {
    for_real("layer-norm", x.dtype, [&](auto zero) {
      using T = decltype(zero);
      write_moments(rows_of(x.shape), x.as<T>(), moments.as<double>());
      normalise(rows_of(x.shape), {x, moments, weight, epsilon}, bias, y.as<T>());
    });
  }

  void layer_backward(const NormInputs& inputs, ConstArray dy, const NormGradients& gradients) override {
    for_real("layer-norm", dy.dtype, [&](auto zero) {
      gradients_of(rows_of(inputs.x.shape), inputs, true, dy.as<decltype(zero)>(), gradients);
    });
  }
};

}  // namespace

std::unique_ptr<NormKernels> make_reference_norm() { return std::make_unique<ReferenceNorm>(); }

}  // namespace actlab
