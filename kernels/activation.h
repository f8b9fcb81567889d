// What an activation is: the facts its header states, the handle that kernels take, and the registry of all
// there are.
//
// An activation is one header of kernels/activations/ (see the README there): a struct with `info`, an
// optional list of `parameters`, and two generic bodies, f(x) and df(x), for V in {float, double,
// Dual<double>}; where a parameter is learnable also dparameter(x), the derivative of f by it. Everything
// else, the kernels of every instruction set, the gated form, names, tests and benchmarks, is made from it by
// the build.
//
// Accuracy contract in float32, promised by Accuracy::exact:
//   f within 3 ulp of the exact value wherever that is a normal float, the far tails included;
//   |error of df| <= 4 * 2^-24 * max(|f'|, min(|x|, 1) * |f''|);
//   +-0, +-inf, NaN and subnormals are right; NaN in gives NaN out.
// bf16 and f16 are computed in float and rounded once, to nearest even, subnormals kept.
// Without the promise f and df are held to 1e-5 relative or 1e-6 absolute of the double body; dparameter is
// always.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/math/parameter.h"

namespace actlab {

/// What the backward pass needs of the forward pass: f' as a function of the input, of the output, or of
/// nothing.
enum class Reads : std::uint8_t { nothing, input, output };

enum class Accuracy : std::uint8_t { exact, approximate };

/// The facts that a header states about its activation.
struct ActivationInfo {
  std::string_view name;
  std::string_view formula;
  std::string_view gated = {};  ///< name of the gated form act(gate) * up, empty where there is none
  Reads backward_reads = Reads::input;
  Accuracy accuracy = Accuracy::approximate;
  /// f follows a smooth function in steps or pieces, and df is the slope of that one: the straight-through
  /// gradient. Bengio, Leonard, Courville 2013, arXiv:1308.3432.
  bool straight_through = false;
};

/// One parameter of activation A: `static constexpr std::array parameters{ActivationParameter<Elu>{...}}`.
template <class A>
struct ActivationParameter {
  std::string_view name;
  Parameter A::*member;  ///< its initial value is the default
  double least;
  double most;
  /// May be trained: the struct then gives `template <class V> V dparameter(V x) const`, its backward reads
  /// the input, and training keeps the value in the range. One parameter at most.
  bool learnable = false;
  /// A size of the data: where no value is given, operations take the largest |x| of the tensor that they
  /// activate; the default serves where there is no tensor. One parameter at most.
  bool observed = false;
};

/// A value that a header states as known: f(x) = y, exact in decimal to double precision.
struct ActivationCheck {
  double x;
  double y;
};

inline constexpr int max_activation_parameters = 4;

/// The values of an activation's parameters, in the order of its list.
using ParameterValues = std::array<Parameter, max_activation_parameters>;

/// What shares a trained value of the learnable parameter: `fixed`, it is not trained; all of a layer; the
/// elements of a channel, which is a place of the last dimension.
enum class Learned : std::uint8_t { fixed, layer, channel };

/// Instruction sets that the CPU loops are compiled for: x86-64-v2, -v3, -v4.
enum class Isa : std::uint8_t { baseline, avx2, avx512 };
inline constexpr int isa_count = 3;
std::string_view name_of(Isa isa);
Isa parse_isa(std::string_view name);
bool cpu_supports(Isa isa);
/// The best that this CPU has.
Isa best_isa();

/// A row of windows, kernel x kernel pixels each and side by side, over `kernel` lines of an image: a line
/// has `line` >= columns * kernel * channels elements, the result columns * channels.
struct WindowRow {
  std::int64_t kernel, columns, channels, line;
};

/// Loops over n elements of one type. `backward` reads what info.backward_reads names in `kept`.
/// Gated rows: x is (rows, 2 * columns), gate first: y = f(gate) * up, (rows, columns).
struct ActivationLoops {
  using Forward = void (*)(const ParameterValues&, const void* x, void* y, std::int64_t n);
  using Backward = void (*)(const ParameterValues&, const void* kept, const void* dy, void* dx,
                            std::int64_t n);
  using Gate = void (*)(const ParameterValues&, const void* x, void* y, std::int64_t rows,
                        std::int64_t columns);
  using GateBackward = void (*)(const ParameterValues&, const void* x, const void* dy, void* dx,
                                std::int64_t rows, std::int64_t columns);
  /// y = the largest f(x) of each window, argmax its place in the window, row by row; f rounds to the type
  /// before it is compared. The first of equals wins, a NaN wins over numbers.
  using MaxPool = void (*)(const ParameterValues&, const WindowRow&, const void* x, void* y,
                           std::uint8_t* argmax);
  /// dx of the row's windows: dy * f' at the places that won, else 0. `kept` is x or y.
  using MaxPoolBackward = void (*)(const ParameterValues&, const WindowRow&, const void* kept, const void* dy,
                                   const std::uint8_t* argmax, void* dx);
  /// With learned[i % period] as the learnable parameter of element i. dlearned = dy * dparameter, not
  /// summed.
  using LearnedForward = void (*)(const ParameterValues&, const float* learned, std::int64_t period,
                                  const void* x, void* y, std::int64_t n);
  using LearnedBackward = void (*)(const ParameterValues&, const float* learned, std::int64_t period,
                                   const void* x, const void* dy, void* dx, float* dlearned, std::int64_t n);
  Forward forward;
  Backward backward;
  MaxPool max_pool;
  MaxPoolBackward max_pool_backward;
  Gate gate = nullptr;                         ///< null where the activation names no gated form
  GateBackward gate_backward = nullptr;        ///< likewise
  LearnedForward learned_forward = nullptr;    ///< null where no parameter is learnable
  LearnedBackward learned_backward = nullptr;  ///< likewise
};

/// All that one object file holds: the loops of one activation on one instruction set.
struct ActivationTable {
  ActivationLoops f32, bf16, f16;
};

/// Its kernels for CUDA devices; kernels/cuda/activation_table.h.
struct CudaActivationTable;

struct ParameterInfo {
  std::string_view name;
  double value;  ///< default
  double least;
  double most;
  bool learnable;
  bool observed;

  /// Whether the value lies in the range, whose ends are rounded to float32 as values are.
  bool holds(double v) const { return v >= Parameter(least).value && v <= Parameter(most).value; }
};

/// An activation as the registry holds it.
struct ActivationType {
  using Scalar = double (*)(const ParameterValues&, double);

  ActivationInfo info;
  std::vector<ParameterInfo> parameters;
  std::vector<ActivationCheck> checks;
  Scalar f, df, d2f;  ///< the double bodies; d2f is the Dual derivative of df
  Scalar backward;    ///< f' from what info.backward_reads names
  Scalar dparameter;  ///< derivative of f by the learnable parameter; null where there is none
  std::array<const ActivationTable*, isa_count> tables{};  ///< by Isa
  const CudaActivationTable* cuda = nullptr;               ///< null where it was built without CUDA

  /// Null where there is none.
  const ParameterInfo* learnable() const;
  const ParameterInfo* observed() const;
};

/// Every activation of the library and of the program that links it, sorted by name.
const std::vector<ActivationType>& activation_types();

/// An activation with its parameters' values: what kernels take. Cheap to copy.
class ActivationHandle {
 public:
  /// "gelu", "elu(alpha=0.5)", "swish(beta=1, learned=channel)", where beta is where training starts; a gated
  /// name ("swiglu") gives the gated form. Throws ConfigError with the nearest names, or with the range of a
  /// parameter that is out of it.
  static ActivationHandle parse(std::string_view text);

  const ActivationType& type() const { return *type_; }
  const ActivationInfo& info() const { return type_->info; }
  bool gated() const { return gated_; }
  const ParameterValues& values() const { return values_; }
  Learned learned() const { return learned_; }
  /// Whether a parameter waits for the data that the activation is applied to: "gelu_int8(range=observed)".
  bool observes() const { return observes_; }
  /// The handle for data of this size, the largest |x|, brought into the parameter's range.
  ActivationHandle for_data(double size) const;
  /// The handle with one parameter changed; throws ConfigError for an unknown name or a value out of range.
  ActivationHandle with(std::string_view parameter, double value) const;
  /// The handle whose learnable parameter is trained, starting from its value here; throws ConfigError where
  /// the activation has none or is gated.
  ActivationHandle with(Learned learned) const;
  /// The value that a trained learnable parameter starts from; throws Error where there is none.
  double start() const;
  /// The handle with `value` in place of it, to the last bit of a double and whatever the range.
  ActivationHandle trained(double value) const;
  /// "elu(alpha=0.5)", "swish(beta=1, learned=layer)"; the plain name where there are no parameters.
  std::string spelled() const;
  /// Gain of an initialisation that keeps the variance: 1 / sqrt(E f(x)^2) for x ~ N(0, 1); ReLU: sqrt(2).
  double gain() const;

 private:
  ActivationHandle(const ActivationType& type, bool gated);
  std::size_t place_of(const ParameterInfo* parameter, std::string_view kind) const;

  const ActivationType* type_;
  bool gated_;
  bool observes_;
  Learned learned_ = Learned::fixed;
  ParameterValues values_{};
};

/// Plain names and gated names, for messages and listings.
std::vector<std::string> activation_names();
std::vector<std::string> gated_names();

}  // namespace actlab
