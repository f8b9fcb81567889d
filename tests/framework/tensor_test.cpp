// Tensors: creation, reading back, shapes, types, and an interface without in-place operations.
#include "framework/core/tensor.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "framework/ops/ops.h"

namespace actlab {
namespace {

Backend& cpu() { return find_backend("cpu"); }

TEST(Tensor, KeepsValuesAndShape) {
  const Tensor t = Tensor::from(std::vector<float>{1, -2, 3, -4, 5, -6}, {2, 3}, cpu());
  EXPECT_EQ(t.shape(), (Shape{2, 3}));
  EXPECT_EQ(t.size(-1), 3);
  EXPECT_EQ(t.bytes(), 24);
  EXPECT_EQ(t.to_vector<float>(), (std::vector<float>{1, -2, 3, -4, 5, -6}));
  EXPECT_EQ(Tensor::zeros({3}, DType::i32, cpu()).to_vector<std::int32_t>(),
            (std::vector<std::int32_t>{0, 0, 0}));
}

TEST(Tensor, RefusesImpossibleShapes) {
  EXPECT_THROW(Tensor::zeros({2, -1}, DType::f32, cpu()), Error);
  EXPECT_THROW((Shape{std::int64_t{1} << 40, std::int64_t{1} << 40}), Error);
  EXPECT_THROW((Shape{1, 1, 1, 1, 1}), Error);
  EXPECT_THROW(Tensor::from(std::vector<float>{1, 2}, {3}, cpu()), Error);
  EXPECT_THROW(Tensor().data(), Error);
  EXPECT_THROW(Tensor::zeros({2}, DType::f32, cpu()).to_vector<double>(), Error);
}

TEST(Tensor, EmptyTensorsHaveNoElements) {
  const Tensor t = Tensor::zeros({0, 3}, DType::f32, cpu());
  EXPECT_TRUE(t.to_vector<float>().empty());
  EXPECT_EQ(sum(t).item(), 0.0);
}

// A scalar read through another width would be a denormal.
TEST(Tensor, ItemReadsEveryElementType) {
  EXPECT_FLOAT_EQ(
      static_cast<float>(cast(Tensor::from(std::vector<float>{1.14e-5F}, {1}, cpu()), DType::bf16).item()),
      1.13844872e-5F);
  EXPECT_NEAR(cast(Tensor::from(std::vector<float>{0.5F}, {1}, cpu()), DType::f16).item(), 0.5, 0);
  EXPECT_EQ(Tensor::from(std::vector<std::int32_t>{-7}, {}, cpu()).item(), -7.0);
  EXPECT_EQ(Tensor::from(std::vector<std::uint8_t>{200}, {1, 1}, cpu()).item(), 200.0);
  EXPECT_THROW(Tensor::zeros({2}, DType::f32, cpu()).item(), Error);
}

TEST(Tensor, ReshapeSharesElementsAndChecksTheirNumber) {
  const Tensor t = Tensor::from(std::vector<float>{1, 2, 3, 4}, {2, 2}, cpu());
  EXPECT_EQ(t.reshape({4}).storage(), t.storage());
  EXPECT_THROW(t.reshape({3}), Error);
}

TEST(Tensor, OperationsRefuseMixedBackendsAndTypes) {
  const Tensor a = Tensor::zeros({2}, DType::f32, cpu());
  EXPECT_THROW(add(a, Tensor::zeros({2}, DType::f32, find_backend("reference"))), Error);
  EXPECT_THROW(add(a, cast(a, DType::bf16)), Error);
  EXPECT_THROW(add(a, Tensor::zeros({3}, DType::f32, cpu())), Error);
  EXPECT_THROW(add(a, Tensor()), Error);
  EXPECT_THROW(activate(Tensor::zeros({2}, DType::i32, cpu()), ActivationHandle::parse("relu")), Error);
}

// Every operation takes its inputs by reference to const and returns a tensor: none can write to what it was
// given.
TEST(Tensor, NoOperationWorksInPlace) {
  std::ifstream header(std::filesystem::path(ACTLAB_SOURCE_DIR) / "framework/ops/ops.h");
  ASSERT_TRUE(header);
  int operations = 0;
  for (std::string line; std::getline(header, line);) {
    if (!line.starts_with("Tensor ")) {
      EXPECT_FALSE(line.starts_with("void ")) << line;
      continue;
    }
    ++operations;
    for (std::size_t at = line.find("Tensor&"); at != std::string::npos; at = line.find("Tensor&", at + 1))
      EXPECT_EQ(line.substr(at - 6, 6), "const ") << line;
  }
  EXPECT_GE(operations, 15);
}

TEST(Tensor, TransposedAndSlicedCopiesAreReadRight) {
  const Tensor base = Tensor::from(std::vector<float>{1, -2, 3, -4, 5, -6}, {2, 3}, cpu());
  const auto relu = ActivationHandle::parse("relu");
  EXPECT_EQ(activate(transpose(base, 0, 1), relu).to_vector<float>(), (std::vector<float>{1, 0, 0, 5, 3, 0}));
  EXPECT_EQ(activate(slice(base, 0, 0, 2, 2), relu).to_vector<float>(), (std::vector<float>{1, 0, 3}));
  EXPECT_EQ(activate(slice(base, 1, 1, 3), relu).to_vector<float>(), (std::vector<float>{0, 3, 5, 0}));
  EXPECT_EQ(sum(transpose(base, 0, 1), 0).to_vector<float>(), (std::vector<float>{2, -5}));
  EXPECT_EQ(max(transpose(base, 0, 1), 1).to_vector<float>(), (std::vector<float>{1, 5, 3}));
  EXPECT_THROW(slice(base, 1, 2, 4), Error);
  EXPECT_THROW(transpose(base, 0, 2), Error);
}

}  // namespace
}  // namespace actlab
