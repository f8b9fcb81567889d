// Softmax and cross-entropy of f32 rows on CUDA devices, a team for each row, in double. A row that is -inf
// throughout has no softmax: NaN.
#include "kernels/cuda/families.h"
#include "kernels/cuda/indices.h"
#include "kernels/cuda/reduce.h"
#include "kernels/f32.h"

namespace actlab {
namespace {

using cuda::for_each_place, cuda::team_sum_of;

// The labels of rows, in device memory, and which of them count.
struct RowLabels {
  const std::int32_t* values;  // one a row
  std::int64_t ignored;
  const std::int64_t* counted;  // one number: rows that are not ignored

  ACTLAB_HD bool ignores(std::int64_t row) const { return values[row] == ignored; }
};

std::string label_text(const cuda::Fault& f) {
  return concat(f.operation, ": label ", cuda::whole(f.value), " of row ", f.place, " is outside [0, ",
                cuda::whole(f.most) + 1, "); check the data's labels and the model's number of classes");
}

// As actlab::checked_labels, in the way of cuda::SafeIndices: labels (i32, one a row), each in [0, columns)
// or the ignored one.
cuda::SafeIndices safe_labels(Memory& memory, ConstArray labels, std::int64_t rows, std::int64_t columns,
                              std::int64_t ignored) {
  ACTLAB_CHECK(rows > 0 && labels.count() == rows, "cross-entropy: ", labels.count(), " labels for ", rows,
               " rows; one a row, and at least one, is needed");
  const auto most = static_cast<double>(columns - 1);
  return {memory, {.text = label_text, .operation = "cross-entropy", .most = most}, labels, ignored};
}

__global__ void __launch_bounds__(cuda::block_threads)
    softmax_kernel(std::int64_t rows, std::int64_t columns, const float* x, float* y) {
  cuda::for_each_row(rows, [=](std::int64_t row) {
    const float* const in = x + row * columns;
    float* const out = y + row * columns;
    const double most = double{cuda::team_largest(columns, in)};
    const auto numerator = [=](std::int64_t j) { return math::exp(double{in[j]} - most); };
    const double sum = team_sum_of(columns, numerator);
    for_each_place(columns, [=](std::int64_t j) { out[j] = static_cast<float>(numerator(j) / sum); });
  });
}

__global__ void __launch_bounds__(cuda::block_threads)
    softmax_backward_kernel(std::int64_t rows, std::int64_t columns, const float* y, const float* dy,
                            float* dx) {
  cuda::for_each_row(rows, [=](std::int64_t row) {
    const float* const out = y + row * columns;
    const float* const gradient = dy + row * columns;
    float* const result = dx + row * columns;
    const double mean =
        team_sum_of<4>(columns, [=](std::int64_t j) { return double{out[j]} * double{gradient[j]}; });
    for_each_place(columns, [=](std::int64_t j) {
      result[j] = static_cast<float>(double{out[j]} * (double{gradient[j]} - mean));
    });
  });
}

// losses[row] = log(sum of exp) minus the wanted mean of x: a sum of terms that are not negative. log1p of
// the sum without the first largest keeps a loss that is far below 1.
__global__ void __launch_bounds__(cuda::block_threads)
    cross_entropy_kernel(std::int64_t rows, std::int64_t columns, double smoothing, RowLabels labels,
                         const float* x, double* losses) {
  cuda::for_each_row(rows, [=](std::int64_t row) {
    const float* const in = x + row * columns;
    double loss = 0;
    if (!labels.ignores(row)) {
      const float largest = cuda::team_largest(columns, in);
      const double most = double{largest};
      std::int64_t place = columns;
      for_each_place(columns, [&](std::int64_t j) { place = in[j] == largest && j < place ? j : place; });
      place = cuda::team_min(place);
      const double others = team_sum_of(
          columns, [=](std::int64_t j) { return j == place ? 0 : math::exp(double{in[j]} - most); });
      loss = math::log1p(others) + (1.0 - smoothing) * (most - double{in[labels.values[row]]});
      if (smoothing != 0) {  // 0 * infinity is not 0
        const double below = team_sum_of(columns, [=](std::int64_t j) { return most - double{in[j]}; });
        loss += smoothing / static_cast<double>(columns) * below;
      }
    }
    if (threadIdx.x == 0) losses[row] = loss;
  });
}

constexpr int mean_threads = 1024;

// One block.
__global__ void __launch_bounds__(mean_threads)
    mean_kernel(std::int64_t rows, const double* losses, const std::int64_t* counted, float* mean) {
  const double total = team_sum_of<4>(rows, [=](std::int64_t row) { return losses[row]; });
  if (threadIdx.x == 0)
    *mean = *counted == 0 ? 0.0f : static_cast<float>(total / static_cast<double>(*counted));
}

__global__ void __launch_bounds__(cuda::block_threads)
    cross_entropy_backward_kernel(std::int64_t rows, std::int64_t columns, double smoothing, RowLabels labels,
                                  const float* x, const float* dloss, float* dx) {
  const double factor = double{*dloss} / static_cast<double>(*labels.counted);
  const double share = smoothing / static_cast<double>(columns);
  cuda::for_each_row(rows, [=](std::int64_t row) {
    const float* const in = x + row * columns;
    float* const out = dx + row * columns;
    if (labels.ignores(row)) {
      for_each_place(columns, [=](std::int64_t j) { out[j] = 0.0f; });
      return;
    }
    const std::int64_t label = labels.values[row];
    const double most = double{cuda::team_largest(columns, in)};
    const auto numerator = [=](std::int64_t j) { return math::exp(double{in[j]} - most); };
    // softmax - 1 of the label is minus the sum of the others: no cancellation near 1.
    const double all_but_label =
        team_sum_of(columns, [=](std::int64_t j) { return j == label ? 0 : numerator(j); });
    const double scale = factor / (all_but_label + numerator(label));
    for_each_place(columns, [=](std::int64_t j) {
      out[j] = static_cast<float>(j == label ? factor * (smoothing - share) - scale * all_but_label
                                             : scale * numerator(j) - factor * share);
    });
  });
}

// `correct` begins at 0.
__global__ void __launch_bounds__(cuda::block_threads)
    count_correct_kernel(std::int64_t rows, std::int64_t columns, const float* x, const std::int32_t* labels,
                         std::int32_t* correct) {
  cuda::for_each_row(rows, [=](std::int64_t row) {
    const float* const scores = x + row * columns;
    const std::int64_t label = labels[row];
    int wrong = 1;
    if (label >= 0 && label < columns) {
      const float wanted = scores[label];
      wrong = 0;
      for_each_place(columns, [&](std::int64_t j) {
        if (!(j < label ? scores[j] < wanted : scores[j] <= wanted)) wrong = 1;
      });
    }
    wrong = cuda::team_max(wrong);
    if (threadIdx.x == 0 && wrong == 0) atomicAdd(correct, 1);
  });
}

class CudaLoss final : public LossKernels {
 public:
  explicit CudaLoss(Memory& memory) : memory_(memory) {}

  void softmax(ConstArray x, Array y) override {
    const std::int64_t rows = x.shape[0], columns = x.shape[1];
    cuda::launch("softmax", softmax_kernel, cuda::teams_for(rows, columns), rows, columns, f32("softmax", x),
                 f32("softmax", y));
  }

  void softmax_backward(ConstArray y, ConstArray dy, Array dx) override {
    const std::int64_t rows = y.shape[0], columns = y.shape[1];
    cuda::launch("softmax", softmax_backward_kernel, cuda::teams_for(rows, columns), rows, columns,
                 f32("softmax", y), f32("softmax", dy), f32("softmax", dx));
  }

  void cross_entropy(const CrossEntropyOptions& options, ConstArray logits, ConstArray labels,
                     Array loss) override {
    const std::int64_t rows = logits.shape[0], columns = logits.shape[1];
    const float* in = f32("cross-entropy", logits);
    float* out = f32("cross-entropy", loss);
    const cuda::SafeIndices safe = safe_labels(memory_, labels, rows, columns, ignored(options));
    const Buffer scratch(memory_, rows * std::int64_t{sizeof(double)}, MemoryKind::workspace);
    double* losses = static_cast<double*>(scratch.data());
    cuda::launch("cross-entropy", cross_entropy_kernel, cuda::teams_for(rows, columns), rows, columns,
                 options.label_smoothing, row_labels(safe, options), in, losses);
    cuda::launch("cross-entropy", mean_kernel, cuda::block_for_each(1, mean_threads), rows, losses,
                 safe.counted(), out);
  }

  void cross_entropy_backward(const CrossEntropyOptions& options, ConstArray logits, ConstArray labels,
                              ConstArray dloss, Array dlogits) override {
    const std::int64_t rows = logits.shape[0], columns = logits.shape[1];
    const float* in = f32("cross-entropy", logits);
    const float* upstream = f32("cross-entropy", dloss);
    float* out = f32("cross-entropy", dlogits);
    const cuda::SafeIndices safe = safe_labels(memory_, labels, rows, columns, ignored(options));
    cuda::launch("cross-entropy", cross_entropy_backward_kernel, cuda::teams_for(rows, columns), rows,
                 columns, options.label_smoothing, row_labels(safe, options), in, upstream, out);
  }

  void count_correct(ConstArray logits, ConstArray labels, Array correct) override {
    const std::int64_t rows = logits.shape[0], columns = logits.shape[1];
    const float* in = f32("count correct", logits);
    memory_.zero(correct.data, std::int64_t{sizeof(std::int32_t)});
    cuda::launch("count correct", count_correct_kernel, cuda::teams_for(rows, columns), rows, columns, in,
                 labels.as<std::int32_t>(), correct.as<std::int32_t>());
  }

 private:
  static std::int64_t ignored(const CrossEntropyOptions& options) {
    return options.ignored_label ? *options.ignored_label : cuda::none_ignored;
  }
  static RowLabels row_labels(const cuda::SafeIndices& safe, const CrossEntropyOptions& options) {
    return {safe.values(), ignored(options), safe.counted()};
  }

  Memory& memory_;
};

}  // namespace

std::unique_ptr<LossKernels> make_cuda_loss(Memory& memory) { return std::make_unique<CudaLoss>(memory); }

}  // namespace actlab
