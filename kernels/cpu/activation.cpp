// The activation family on the CPU: picks an activation's loops for the instruction set and the element type,
// and splits the work over threads.
#include "kernels/cpu/activation.h"

#include <algorithm>
#include <cstring>

#include "kernels/cpu/learned_row.h"
#include "kernels/cpu/parallel.h"
#include "kernels/reference/learned.h"

namespace actlab {
namespace {

// Elements a thread takes at least: a few microseconds of work, whole blocks of the 16-bit loops.
constexpr std::int64_t grain = 16 * 1024;

// An array's memory, addressed by element.
struct Bytes {
  const void* data;
  std::size_t element;

  const void* at(std::int64_t i) const {
    return static_cast<const char*>(data) + static_cast<std::size_t>(i) * element;
  }
  void* writable(std::int64_t i) const { return const_cast<void*>(at(i)); }
};

// The rows of windows of a batch of images, in order.
struct WindowRows {
  explicit WindowRows(const PoolSizes& s)
      : row{s.kernel, s.out_width(), s.channels, s.width * s.channels},
        rows(s.out_height()),
        images(s.batch),
        elements(s.kernel * row.line),
        outputs(row.columns * row.channels),
        below((s.height - rows * s.kernel) * row.line) {
    ACTLAB_CHECK(s.stride == s.kernel, "activation and max-pool: the stride ", s.stride,
                 " is not the window's side ", s.kernel);
  }
  std::int64_t count() const { return images * rows; }
  // Where the lines of a row begin in the images.
  std::int64_t input(std::int64_t index) const { return index * elements + index / rows * below; }
  // Zeros in dx to the right of a row's windows, and below those of an image's last row.
  void clear_uncovered(std::int64_t index, const Bytes& dx) const {
    const auto clear = [&](std::int64_t begin, std::int64_t n) {
      if (n > 0) std::memset(dx.writable(begin), 0, static_cast<std::size_t>(n) * dx.element);
    };
    const std::int64_t covered = row.columns * row.kernel * row.channels;
    for (std::int64_t i = 0; i < row.kernel; ++i)
      clear(input(index) + i * row.line + covered, row.line - covered);
    if (index % rows == rows - 1) clear(input(index) + elements, below);
  }

  WindowRow row;
  std::int64_t rows;  ///< of windows in an image
  std::int64_t images;
  std::int64_t elements;  ///< under a row of windows
  std::int64_t outputs;   ///< of a row of windows
  std::int64_t below;     ///< elements of an image below its last row of windows
};

class CpuActivation final : public ActivationKernels {
 public:
  explicit CpuActivation(Isa isa) : isa_(isa) {
    if (!cpu_supports(isa))
      throw ConfigError(concat("activation: this CPU has no ", name_of(isa), " instructions; its best is ",
                               name_of(best_isa())));
  }

  std::string implementation() const override { return concat("actlab ", name_of(isa_)); }

  void forward(const ActivationHandle& activation, ConstArray x, Array y) override {
    const auto loop = loops(activation, y.dtype).forward;
    const Bytes from = bytes_of(x, y.dtype), to = bytes_of(y, y.dtype);
    parallel_for(y.count(), grain, [&](std::int64_t begin, std::int64_t end) {
      loop(activation.values(), from.at(begin), to.writable(begin), end - begin);
    });
  }

  void backward(const ActivationHandle& activation, ConstArray kept, ConstArray dy, Array dx) override {
    const auto loop = loops(activation, dx.dtype).backward;
    const bool reads = activation.info().backward_reads != Reads::nothing;
    const Bytes from = bytes_of(reads ? kept : dy, dx.dtype), upstream = bytes_of(dy, dx.dtype),
                to = bytes_of(dx, dx.dtype);
    parallel_for(dx.count(), grain, [&](std::int64_t begin, std::int64_t end) {
      loop(activation.values(), from.at(begin), upstream.at(begin), to.writable(begin), end - begin);
    });
  }

  void learned_forward(const ActivationHandle& activation, ConstArray learned, ConstArray x,
                       Array y) override {
    const auto loop = learnable_loops(activation, y.dtype).learned_forward;
    check_learned(activation, learned);
    if (learned.count() == 1)
      return forward(activation.trained(static_cast<double>(*learned.as<float>())), x, y);
    const LearnedRow row(learned);
    const Bytes from = bytes_of(x, y.dtype), to = bytes_of(y, y.dtype);
    parallel_for(y.count(), row.rows_of(grain), [&](std::int64_t begin, std::int64_t end) {
      loop(activation.values(), row.values(), row.period(), from.at(begin), to.writable(begin), end - begin);
    });
  }

  void learned_backward(const ActivationHandle& activation, ConstArray learned, ConstArray x, ConstArray dy,
                        Array dx, Array dlearned) override {
    const auto loop = learnable_loops(activation, dx.dtype).learned_backward;
    const LearnedRow row(learned);
    const Bytes from = bytes_of(x, dx.dtype), upstream = bytes_of(dy, dx.dtype), to = bytes_of(dx, dx.dtype);
    float* const gradients = dlearned.as<float>();
    parallel_for(dx.count(), row.rows_of(grain), [&](std::int64_t begin, std::int64_t end) {
      loop(activation.values(), row.values(), row.period(), from.at(begin), upstream.at(begin),
           to.writable(begin), gradients + begin, end - begin);
    });
  }

  void gate(const ActivationHandle& activation, ConstArray x, Array y) override {
    const auto loop = gated_loops(activation, y.dtype).gate;
    const std::int64_t columns = y.shape[-1], rows = columns == 0 ? 0 : y.count() / columns;
    const Bytes from = bytes_of(x, y.dtype), to = bytes_of(y, y.dtype);
    parallel_for(rows, rows_of(columns), [&](std::int64_t begin, std::int64_t end) {
      loop(activation.values(), from.at(begin * 2 * columns), to.writable(begin * columns), end - begin,
           columns);
    });
  }

  void gate_backward(const ActivationHandle& activation, ConstArray x, ConstArray dy, Array dx) override {
    const auto loop = gated_loops(activation, dx.dtype).gate_backward;
    const std::int64_t columns = dy.shape[-1], rows = columns == 0 ? 0 : dy.count() / columns;
    const Bytes from = bytes_of(x, dx.dtype), upstream = bytes_of(dy, dx.dtype), to = bytes_of(dx, dx.dtype);
    parallel_for(rows, rows_of(columns), [&](std::int64_t begin, std::int64_t end) {
      loop(activation.values(), from.at(begin * 2 * columns), upstream.at(begin * columns),
           to.writable(begin * 2 * columns), end - begin, columns);
    });
  }

  void max_pool(const ActivationHandle& activation, const PoolSizes& s, ConstArray x, Array y,
                Array argmax) override {
    const auto loop = loops(activation, y.dtype).max_pool;
    const Bytes from = bytes_of(x, y.dtype), to = bytes_of(y, y.dtype);
    std::uint8_t* const places = argmax.as<std::uint8_t>();
    const WindowRows rows(s);
    parallel_for(rows.count(), rows_of(rows.elements), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row)
        loop(activation.values(), rows.row, from.at(rows.input(row)), to.writable(row * rows.outputs),
             places + row * rows.outputs);
    });
  }

  void max_pool_backward(const ActivationHandle& activation, const PoolSizes& s, ConstArray kept,
                         ConstArray dy, ConstArray argmax, Array dx) override {
    const auto loop = loops(activation, dx.dtype).max_pool_backward;
    const Reads reads = activation.info().backward_reads;
    const Bytes from = bytes_of(reads == Reads::nothing ? dy : kept, dx.dtype),
                upstream = bytes_of(dy, dx.dtype), to = bytes_of(dx, dx.dtype);
    const std::uint8_t* const places = argmax.as<std::uint8_t>();
    const WindowRows rows(s);
    parallel_for(rows.count(), rows_of(rows.elements), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) {
        const std::int64_t at = row * rows.outputs, input = rows.input(row);
        loop(activation.values(), rows.row, from.at(reads == Reads::input ? input : at), upstream.at(at),
             places + at, to.writable(input));
        rows.clear_uncovered(row, to);
      }
    });
  }

 private:
  static Bytes bytes_of(ConstArray array, DType dtype) {
    ACTLAB_CHECK(array.dtype == dtype, "activation: arrays of ", array.dtype, " and ", dtype,
                 "; cast one of them");
    return {array.data, size_of(dtype)};
  }

  static std::int64_t rows_of(std::int64_t columns) {
    return std::max<std::int64_t>(1, grain / std::max<std::int64_t>(1, columns));
  }

  const ActivationLoops& loops(const ActivationHandle& activation, DType dtype) const {
    const ActivationTable& table = *activation.type().tables[static_cast<std::size_t>(isa_)];
    switch (dtype) {
      case DType::f32:
        return table.f32;
      case DType::bf16:
        return table.bf16;
      case DType::f16:
        return table.f16;
      default:
        throw Error(concat("activation ", activation.info().name,
                           ": the CPU has kernels for f32, bf16 and f16, not ", dtype,
                           "; use the reference backend for f64"));
    }
  }

  const ActivationLoops& gated_loops(const ActivationHandle& activation, DType dtype) const {
    ACTLAB_CHECK(!activation.info().gated.empty(), "activation ", activation.info().name,
                 " has no gated form");
    return loops(activation, dtype);
  }

  const ActivationLoops& learnable_loops(const ActivationHandle& activation, DType dtype) const {
    ACTLAB_CHECK(activation.type().learnable() != nullptr, "activation ", activation.info().name,
                 " has no learnable parameter");
    return loops(activation, dtype);
  }

  Isa isa_;
};

}  // namespace

std::unique_ptr<ActivationKernels> make_cpu_activation(Isa isa) {
  return std::make_unique<CpuActivation>(isa);
}

}  // namespace actlab
