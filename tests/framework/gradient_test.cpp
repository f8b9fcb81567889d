// Every operation's gradient against central differences in double, and a checker that notices wrong ones.
#include <gtest/gtest.h>

#include "framework/autograd/gradient_check.h"
#include "framework/autograd/node.h"
#include "framework/ops/ops.h"

namespace actlab {
namespace {

using Inputs = std::vector<Tensor>;
using Function = std::function<Tensor(const Inputs&)>;

struct Case {
  std::string name;
  Function f;
  std::vector<Shape> shapes;
};

std::vector<Case> cases() {
  const auto integers = [](const std::vector<std::int32_t>& values, const Shape& shape) {
    return Tensor::from(values, shape, find_backend("reference"));
  };
  const Tensor labels = integers({2, 0, 4}, {3});
  const Tensor tokens = integers({3, 0, 3, 3, 1, 0}, {2, 3});  // some repeat, one never comes
  const Tensor lengths = integers({3, 5, 1}, {3});
  std::vector<Case> all = {
      {"add", [](const Inputs& x) { return add(x[0], x[1]); }, {{2, 3}, {2, 3}}},
      {"multiply", [](const Inputs& x) { return multiply(x[0], x[1]); }, {{2, 3}, {2, 3}}},
      {"scale", [](const Inputs& x) { return scale(x[0], -1.5); }, {{5}}},
      {"sum_all", [](const Inputs& x) { return sum(x[0]); }, {{2, 3, 4}}},
      {"sum_middle", [](const Inputs& x) { return sum(x[0], 1); }, {{2, 3, 4}}},
      {"max_first", [](const Inputs& x) { return max(x[0], 0); }, {{4, 3}}},
      {"max_last", [](const Inputs& x) { return max(x[0], -1); }, {{4, 3}}},
      {"transpose", [](const Inputs& x) { return transpose(x[0], 0, 2); }, {{2, 3, 4}}},
      {"slice", [](const Inputs& x) { return slice(x[0], 1, 1, 7, 2); }, {{2, 7, 2}}},
      {"reshape", [](const Inputs& x) { return multiply(x[0].reshape({6}), x[1]); }, {{2, 3}, {6}}},
      {"flatten", [](const Inputs& x) { return flatten(x[0]); }, {{2, 2, 2, 3}}},
      {"matmul", [](const Inputs& x) { return matmul(x[0], x[1]); }, {{3, 4}, {4, 2}}},
      {"linear", [](const Inputs& x) { return linear(x[0], x[1], x[2]); }, {{3, 4}, {2, 4}, {2}}},
      {"linear_wide", [](const Inputs& x) { return linear(x[0], x[1], x[2]); }, {{2, 130}, {3, 130}, {3}}},
      {"linear_of_rows", [](const Inputs& x) { return linear(x[0], x[1], x[2]); }, {{2, 3, 4}, {2, 4}, {2}}},
      {"conv2d",
       [](const Inputs& x) { return conv2d(x[0], x[1], x[2], {}); },
       {{2, 5, 4, 3}, {2, 3, 2, 3}, {2}}},
      {"conv2d_strided",
       [](const Inputs& x) {
         return conv2d(x[0], x[1], x[2], {.stride_h = 2, .stride_w = 3, .pad_h = 1, .pad_w = 2});
       },
       {{1, 6, 5, 2}, {3, 3, 3, 2}, {3}}},
      {"max_pool2d", [](const Inputs& x) { return max_pool2d(x[0], 2, 2); }, {{2, 5, 4, 3}}},
      {"max_pool2d_overlapping", [](const Inputs& x) { return max_pool2d(x[0], 3, 1); }, {{1, 5, 5, 2}}},
      {"avg_pool2d", [](const Inputs& x) { return avg_pool2d(x[0], 2, 2); }, {{2, 5, 4, 3}}},
      {"avg_pool2d_overlapping", [](const Inputs& x) { return avg_pool2d(x[0], 3, 1); }, {{1, 5, 5, 2}}},
      {"avg_pool2d_gaps", [](const Inputs& x) { return avg_pool2d(x[0], 2, 3); }, {{1, 7, 5, 2}}},
      {"batch_norm",
       [](const Inputs& x) {
         return batch_norm(x[0], x[1], x[2], batch_moments(x[0]), Moments::of_batch, 1e-5);
       },
       {{2, 3, 2, 5}, {5}, {5}}},
      {"batch_norm_far_from_zero",
       [](const Inputs& x) {
         const Tensor far = add(x[0], Tensor::from(std::vector<double>(18, 2000), {6, 3}, x[0].backend()));
         return batch_norm(far, x[1], x[2], batch_moments(far), Moments::of_batch, 1e-5);
       },
       {{6, 3}, {3}, {3}}},
      {"batch_norm_of_constants",
       [](const Inputs& x) {
         const Tensor moments =
             Tensor::from(std::vector<double>{0.5, -1, 2, 1, 3, 0}, {2, 3}, find_backend("reference"));
         return batch_norm(x[0], x[1], x[2], moments, Moments::constant, 0.1);
       },
       {{2, 2, 2, 3}, {3}, {3}}},
      {"layer_norm",
       [](const Inputs& x) { return layer_norm(x[0], x[1], x[2], 1e-5); },
       {{2, 3, 7}, {7}, {7}}},
      {"layer_norm_far_from_zero",
       [](const Inputs& x) {
         const Tensor far = add(x[0], Tensor::from(std::vector<double>(12, 2000), {3, 4}, x[0].backend()));
         return layer_norm(far, x[1], x[2], 1e-5);
       },
       {{3, 4}, {4}, {4}}},
      {"layer_norm_wide",
       [](const Inputs& x) { return layer_norm(x[0], x[1], x[2], 1e-5); },
       {{2, 130}, {130}, {130}}},
      {"dropout",
       [](const Inputs& x) { return dropout(x[0], 0.3, Random(1, RandomPurpose::dropout, 2)); },
       {{5, 7}}},
      {"softmax", [](const Inputs& x) { return softmax(x[0]); }, {{3, 5}}},
      {"gather_rows", [tokens](const Inputs& x) { return gather_rows(x[0], tokens.reshape({6})); }, {{4, 3}}},
      {"embedding", [tokens](const Inputs& x) { return embedding(x[0], tokens); }, {{4, 3}}},
      {"embedding_tied",
       [tokens](const Inputs& x) { return linear(embedding(x[0], tokens), x[0], x[1]); },
       {{4, 3}, {4}}},
      {"add_to_each", [](const Inputs& x) { return add_to_each(x[0], x[1]); }, {{3, 2, 5}, {2, 5}}},
      {"clear_padding", [lengths](const Inputs& x) { return clear_padding(x[0], lengths); }, {{3, 5, 2}}},
      {"mix_window", [](const Inputs& x) { return mix_window(x[0], x[1]); }, {{3, 5, 2}, {5, 5}}},
      {"attention", [](const Inputs& x) { return attention(x[0], 2, {}); }, {{2, 3, 12}}},
      {"attention_of_one_head", [](const Inputs& x) { return attention(x[0], 1, {}); }, {{1, 7, 9}}},
      {"attention_to_lengths",
       [lengths](const Inputs& x) { return attention(scale(x[0], 2.0), 3, lengths); },
       {{3, 5, 18}}},
      {"cross_entropy", [labels](const Inputs& x) { return cross_entropy(x[0], labels); }, {{3, 5}}},
      {"cross_entropy_smoothed",
       [labels](const Inputs& x) { return cross_entropy(x[0], labels, {.label_smoothing = 0.3}); },
       {{3, 5}}},
      {"cross_entropy_ignoring",
       [labels](const Inputs& x) {
         return cross_entropy(x[0], labels, {.label_smoothing = 0.1, .ignored_label = 0});
       },
       {{3, 5}}},
  };
  // Central differences need a smooth neighbourhood: the inputs lie in [-1, 1] and no random one sits on a
  // kink.
  for (const ActivationType& type : activation_types()) {
    if (type.info.straight_through) continue;  // no slope of f
    const auto handle = ActivationHandle::parse(type.info.name);
    all.push_back({"activate_" + std::string(type.info.name),
                   [handle](const Inputs& x) { return activate(scale(x[0], 4.0), handle); },
                   {{120}}});
    all.push_back({"activate_max_pool2d_" + std::string(type.info.name),
                   [handle](const Inputs& x) { return activate_max_pool2d(scale(x[0], 4.0), handle, 2); },
                   {{2, 5, 4, 3}}});
    all.push_back(
        {"activate_linear_" + std::string(type.info.name),
         [handle](const Inputs& x) { return activate_linear(scale(x[0], 4.0), handle, x[1], x[2]); },
         {{2, 3, 7}, {5, 7}, {5}}});
    if (type.info.gated.empty()) continue;
    const auto gated = ActivationHandle::parse(type.info.gated);
    all.push_back({"gate_" + std::string(type.info.gated),
                   [gated](const Inputs& x) { return gate(scale(x[0], 2.0), gated); },
                   {{3, 2, 8}}});
    all.push_back({"activate_linear_" + std::string(type.info.gated),
                   [gated](const Inputs& x) { return activate_linear(scale(x[0], 2.0), gated, x[1], x[2]); },
                   {{2, 3, 14}, {5, 7}, {5}}});
  }
  return all;
}

class OperationGradient : public testing::TestWithParam<Case> {};

Inputs random_inputs(const std::vector<Shape>& shapes) {
  Inputs inputs;
  for (const Shape& shape : shapes) inputs.push_back(random_input(shape, inputs.size() + 1));
  return inputs;
}

TEST_P(OperationGradient, EqualsCentralDifference) {
  const GradientCheck check = check_gradients(GetParam().f, random_inputs(GetParam().shapes));
  EXPECT_TRUE(check.passed) << check.message;
}

// The same operation with a gradient that is 1 % off, or zero, must fail.
Tensor mutated(const Tensor& y, double factor) {
  return record("mutated", y.detach(), {y}, {}, [factor](const BackwardContext& context) {
    Tensor dx = Tensor::empty(context.dy.shape(), context.dy.dtype(), context.dy.backend());
    dx.backend().elementwise.scale(context.dy.data(), factor, dx.mutable_data());
    return std::vector{dx};
  });
}

TEST_P(OperationGradient, WrongOnesAreNoticed) {
  for (const double factor : {1.01, 0.0}) {
    const auto wrong = [&](const Inputs& x) { return mutated(GetParam().f(x), factor); };
    EXPECT_FALSE(check_gradients(wrong, random_inputs(GetParam().shapes)).passed) << "times " << factor;
  }
}

INSTANTIATE_TEST_SUITE_P(All, OperationGradient, testing::ValuesIn(cases()),
                         [](const auto& tested) { return tested.param.name; });

TEST(GradientCheck, TakesOnlyDoubleTensors) {
  const Tensor x = Tensor::zeros({2}, DType::f32, find_backend("reference"));
  EXPECT_THROW(check_gradients([](const Inputs& in) { return in[0]; }, {x}), Error);
}

TEST(GradientCheck, NoticesAMissingGradient) {
  const auto cut = [](const Inputs& x) { return add(x[0], scale(x[1].detach(), 2.0)); };
  EXPECT_FALSE(check_gradients(cut, random_inputs({{3}, {3}})).passed);
}

}  // namespace
}  // namespace actlab
