// The activation family on the CPU: picks an activation's loops for the instruction set and the element type,
// and splits the work over threads.
#include "kernels/cpu/activation.h"

#include <algorithm>

#include "kernels/cpu/parallel.h"

namespace actlab {
namespace {

// Elements a thread takes at least: a few microseconds of work, whole blocks of the 16-bit loops.
constexpr std::int64_t grain = 16 * 1024;

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

 private:
  // An array's memory, addressed by element.
  struct Bytes {
    const void* data;
    std::size_t element;

    const void* at(std::int64_t i) const {
      return static_cast<const char*>(data) + static_cast<std::size_t>(i) * element;
    }
    void* writable(std::int64_t i) const { return const_cast<void*>(at(i)); }
  };

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

  Isa isa_;
};

}  // namespace

std::unique_ptr<ActivationKernels> make_cpu_activation(Isa isa) {
  return std::make_unique<CpuActivation>(isa);
}

}  // namespace actlab
