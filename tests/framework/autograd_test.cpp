// The engine: shared nodes, saved tensors, depth, life of a graph, and what it refuses.
#include <gtest/gtest.h>
#include <pthread.h>

#include <cmath>

#include "framework/autograd/engine.h"
#include "framework/autograd/grad_mode.h"
#include "framework/autograd/node.h"
#include "framework/ops/ops.h"
#include "tests/support/message_of.h"

namespace actlab {
namespace {

Backend& reference() { return find_backend("reference"); }

Tensor leaf(const std::vector<double>& values) {
  Tensor t = Tensor::from(values, {static_cast<std::int64_t>(values.size())}, reference());
  return t.require_grad();
}

TEST(Autograd, SharedNodesGetBothGradients) {
  const Tensor x = leaf({2});
  const Tensor y = scale(x, 3);
  sum(add(scale(y, 2), scale(y, 5))).backward();
  EXPECT_EQ(x.grad().item(), 21.0);
}

TEST(Autograd, ResidualsAndOneTensorTwice) {
  const Tensor x = leaf({1.5});
  sum(add(x, activate(x, ActivationHandle::parse("gelu")))).backward();
  EXPECT_NEAR(x.grad().item(), 2.1274691922299797, 1e-12);  // 1 + Phi(1.5) + 1.5 phi(1.5)
  const Tensor z = leaf({3});
  sum(multiply(z, z)).backward();
  EXPECT_EQ(z.grad().item(), 6.0);
}

TEST(Autograd, GradientsAccumulateUntilCleared) {
  Tensor x = leaf({1, 2});
  for (int i = 0; i < 3; ++i) sum(scale(x, 2)).backward();
  EXPECT_EQ(x.grad().to_vector<double>(), (std::vector<double>{6, 6}));
  x.clear_grad();
  EXPECT_FALSE(x.grad().defined());
}

// add() hands one gradient to both inputs: neither leaf may see writes to the other's.
TEST(Autograd, LeavesOwnTheirGradients) {
  const Tensor a = leaf({1}), b = leaf({1});
  sum(add(a, b)).backward();
  EXPECT_NE(a.grad().storage(), b.grad().storage());
  sum(scale(a, 10)).backward();
  EXPECT_EQ(a.grad().item(), 11.0);
  EXPECT_EQ(b.grad().item(), 1.0);
}

TEST(Autograd, WritingToASavedTensorIsAnError) {
  const Tensor x = leaf({0, 1});
  Tensor y = activate(x, ActivationHandle::parse("silu"));
  const Tensor z = sum(multiply(y, y));
  y.mutable_data().as<double>()[0] = 5;
  const std::string message = message_of([&] { z.backward(); });
  EXPECT_NE(message.find("'multiply'"), std::string::npos) << message;
  EXPECT_NE(message.find("written since"), std::string::npos) << message;
  EXPECT_FALSE(x.grad().defined());
}

TEST(Autograd, SecondBackwardRefuses) {
  const Tensor x = leaf({2});
  const Tensor y = activate(x, ActivationHandle::parse("gelu"));
  const Tensor first = sum(y), second = sum(scale(y, 2));
  first.backward();
  const double gradient = x.grad().item();
  EXPECT_NE(message_of([&] { first.backward(); }).find("first order"), std::string::npos);
  EXPECT_NE(message_of([&] { second.backward(); }).find("first order"), std::string::npos);
  EXPECT_EQ(x.grad().item(), gradient);
  EXPECT_FALSE(
      x.grad().requires_grad());  // a gradient has no graph: it cannot be differentiated into silent zeros
  EXPECT_THROW(sum(x.grad()).backward(), Error);
}

TEST(Autograd, BackwardStartsFromAScalarWithAGraph) {
  const Tensor x = leaf({1, 2});
  EXPECT_THROW(scale(x, 2).backward(), Error);
  EXPECT_THROW(x.detach().backward(), Error);
  EXPECT_THROW(Tensor().backward(), Error);
  EXPECT_THROW(Tensor::zeros({1}, DType::i32, reference()).require_grad(), Error);
  Tensor y = scale(x, 2);
  EXPECT_THROW(y.require_grad(), Error);
}

TEST(Autograd, NothingIsRecordedWithoutGradients) {
  const Tensor x = leaf({1});
  const std::int64_t before = Node::alive();
  {
    const NoGrad no_grad;
    const Tensor y = sum(scale(x, 2));
    EXPECT_FALSE(y.requires_grad());
  }
  const Tensor constant = scale(x.detach(), 2);
  EXPECT_FALSE(constant.requires_grad());
  EXPECT_EQ(Node::alive(), before);
  EXPECT_TRUE(grad_enabled());
}

// y <- y + y * 1e-6, 200,000 times.
void deep_graph() {
  constexpr int depth = 200000;
  const std::int64_t before = Node::alive();
  const Tensor x = leaf({1});
  const auto grow = [&] {
    Tensor y = x;
    for (int i = 0; i < depth; ++i) y = add(y, scale(y, 1e-6));
    return sum(y);
  };
  grow().backward();
  EXPECT_NEAR(x.grad().item(), 1.22140264, 1e-8);
  EXPECT_NEAR(x.grad().item() / std::pow(1 + 1e-6, depth), 1.0, 1e-9);
  { const Tensor dropped = grow(); }
  EXPECT_EQ(Node::alive(), before);
}

TEST(Autograd, DeepGraphsNeitherRecurseNorLeak) { deep_graph(); }

TEST(Autograd, DeepGraphsFitTheStackOfAThread) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, std::size_t{1} << 20), 0);
  pthread_t thread;
  const auto run = [](void*) -> void* {
    deep_graph();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, nullptr), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

// A running sum of losses that are tensors would keep every graph; scalars read by item() must not.
TEST(Autograd, StepsLeaveNoGraphBehind) {
  Tensor w = leaf({0.5});
  const std::int64_t before = Node::alive();
  const std::int64_t bytes = reference().memory.stats().total.current;
  double total = 0;
  for (int i = 0; i < 2000; ++i) {
    const Tensor loss = sum(multiply(w, w));
    total += loss.item();
    loss.backward();
    w.clear_grad();
  }
  EXPECT_EQ(Node::alive(), before);
  EXPECT_EQ(reference().memory.stats().total.current, bytes);
  EXPECT_NEAR(total, 500.0, 1e-9);
}

TEST(Autograd, SavedTensorsAreReleasedDuringTheWalk) {
  const Tensor x = leaf(std::vector<double>(1000, 0.5));
  const std::int64_t before = reference().memory.stats().total.current;
  const Tensor loss =
      sum(activate(activate(x, ActivationHandle::parse("gelu")), ActivationHandle::parse("silu")));
  EXPECT_EQ(saved_bytes(loss), 16000);  // the leaf and the first output; it is no parameter
  loss.backward();
  EXPECT_EQ(reference().memory.stats().total.current, before + 8000 + 8);  // the gradient and the loss
  EXPECT_EQ(saved_bytes(loss), 0);
}

TEST(Autograd, GradientsAreCountedAsGradients) {
  const MemoryStats before = reference().memory.stats();
  const auto kind = static_cast<std::size_t>(MemoryKind::gradients);
  Tensor x = leaf({1, 2, 3, 4});
  sum(scale(x, 2)).backward();
  EXPECT_EQ(reference().memory.stats().by_kind[kind].current - before.by_kind[kind].current, 32);
  x.clear_grad();
  EXPECT_EQ(reference().memory.stats().by_kind[kind].current, before.by_kind[kind].current);
}

}  // namespace
}  // namespace actlab
