// The benchmarks: what their verbs take.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace actlab {

/// What every benchmark takes.
struct BenchArguments {
  std::int64_t threads = 0;  ///< 0: all cores
  std::int64_t repeats = 20;
  std::string device = "cpu";
  bool roofline = false;
  std::optional<std::string> compare;  ///< file that holds the JSON of an earlier run
  std::string format = "table";
};

struct BenchStepArguments : BenchArguments {
  std::string model = "small_cnn";
  std::string activation = "gelu";
  std::vector<std::string> settings;  ///< key=value: options of the model and the optimizer, and `fuse`
  std::int64_t batch = 128;           ///< images or windows
  std::int64_t window = 128;          ///< tokens
  std::int64_t vocabulary = 30522;    ///< BERT's
  std::string gemm = "auto";
  std::string precision = "f32";
  bool by_layer = false;
};
/// Median time and memory of a training step, on random images of CIFAR-10's size or random text.
int bench_step_verb(const BenchStepArguments& arguments);

struct BenchFfnArguments : BenchArguments {
  std::int64_t tokens = 512;
  std::int64_t d = 768;
  std::int64_t width = 3072;  ///< of f(x), also where it is gated
  std::string activation = "gelu";
  std::string gemm = "auto";
  std::string precision = "f32";
};
/// Median time and memory of a feed-forward network's forward and backward pass.
int bench_ffn_verb(const BenchFfnArguments& arguments);

struct BenchKernelArguments : BenchArguments {
  std::string activation = "gelu";
  std::int64_t elements = std::int64_t{1} << 25;
  std::string dtype = "f32";
  std::string isa;
};
/// Bandwidth of an activation's kernels beside ReLU's, timed in turns; of a gated form beside ReGLU's.
int bench_kernel_verb(const BenchKernelArguments& arguments);

struct BenchMatmulArguments : BenchArguments {
  std::int64_t m = 512, n = 3072, k = 768;
  bool transpose_a = false, transpose_b = false;
  std::string gemm = "auto";
  std::string precision = "f32";
};
/// Rate of a product (m, k) times (k, n).
int bench_matmul_verb(const BenchMatmulArguments& arguments);

struct BenchConvArguments : BenchArguments {
  std::int64_t batch = 128;
  std::int64_t size = 32;  ///< of the image's side
  std::int64_t in = 3, out = 32;
  std::int64_t kernel = 3;
  std::int64_t stride = 1, padding = 1;
  std::string gemm = "auto";
  std::string precision = "f32";
};
/// Rates of a convolution's three passes.
int bench_conv_verb(const BenchConvArguments& arguments);

}  // namespace actlab
