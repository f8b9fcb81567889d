// Times what claims about speed compare: in turns, so that both meet the same machine.
#include "experiments/cli/claims_speed.h"

#include <cmath>
#include <numbers>
#include <span>

#include "experiments/results/table.h"
#include "experiments/runner/timing.h"
#include "kernels/cpu/threads.h"
#include "kernels/error.h"

namespace actlab {
namespace {

constexpr std::int64_t in_cache = std::int64_t{1} << 18, beyond_caches = std::int64_t{1} << 25;

// Passes over arrays of one length.
class Passes {
 public:
  explicit Passes(std::int64_t elements)
      : x_(normal_values({elements}, DType::f32, 1, cpu_)),
        t_(Tensor::zeros({elements}, DType::f32, cpu_)),  // touched, so that no page is fresh
        y_(Tensor::zeros({elements}, DType::f32, cpu_)) {}

  void activate(const ActivationHandle& a) { cpu_.activation.forward(a, x_.data(), y_.mutable_data()); }

  // y = x sigmoid(2 sqrt(2 / pi) (x + 0.044715 x^3)), the tanh form, as a framework composes it: an operation
  // a pass.
  void compose_tanh_form() {
    static const ActivationHandle sigmoid = ActivationHandle::parse("sigmoid");
    ElementwiseKernels& passes = cpu_.elementwise;
    const Array t = t_.mutable_data(), y = y_.mutable_data();
    passes.multiply(x_.data(), x_.data(), t);
    passes.multiply(t, x_.data(), t);
    passes.scale(t, 0.044715, t);
    passes.add(x_.data(), t, t);
    passes.scale(t, 2 * std::numbers::sqrt2 * std::numbers::inv_sqrtpi, t);
    cpu_.activation.forward(sigmoid, t, y);
    passes.multiply(x_.data(), y, y);
  }

  // The textbook's loops over the functions of the C library.
  void erf_of_library() {
    each([](float x) { return 0.5f * x * (1 + std::erf(x * 0.70710678f)); });
  }
  void tanh_of_library() {
    each([](float x) { return 0.5f * x * (1 + std::tanh(0.79788456f * (x + 0.044715f * x * x * x))); });
  }

  std::vector<double> medians(std::int64_t repeats, const std::vector<std::function<void()>>& passes) {
    return medians_in_turns(repeats, cpu_.memory, passes);
  }

 private:
  template <class F>
  void each(const F& f) {
    const auto count = static_cast<std::size_t>(x_.count());
    const std::span<const float> x(x_.data().as<float>(), count);
    const std::span<float> y(y_.mutable_data().as<float>(), count);
    for (std::size_t i = 0; i < count; ++i) y[i] = f(x[i]);
  }

  Backend& cpu_ = find_backend("cpu");
  Tensor x_, t_, y_;
};

std::vector<Claim> unmeasured() {
  const auto claim = [](const char* told, const char* quantity, const Cell& claimed, const char* known) {
    return Claim{told, quantity, claimed, {}, "depends", "published", known};
  };
  const char* const tanh_form = "the tanh form is 4 times faster than the erf form";
  const char* const relu = "GELU costs 2 to 3 times as much as ReLU";
  return {claim(tanh_form, "time of exact / tanh form, kernels of actlab, in cache", 4.0,
                "on the code, not on the formula: at best 2 times in published measurements of CPUs, 7 times "
                "slower in one build, equal on a GPU"),
          claim(tanh_form, "time of erf / tanh form, loops over the C library, in cache", 4.0,
                "on how good its erf and its tanh are"),
          claim(relu, "time of GELU / ReLU, in cache", "2 to 3", "3 to 4 times with today's libraries"),
          claim(relu, "time of GELU / ReLU, beyond the caches", "2 to 3", "there both wait for the memory"),
          claim("a CUDA kernel of GELU is 3 to 5 times faster than framework code",
                "time of the tanh form in seven passes / in one", "3 to 5",
                "on what it is held against: an operation a pass is slower, one pass waits for the memory "
                "whoever wrote it; no GPU is measured")};
}

void add_times(Claim& claim, double numerator, double denominator, std::int64_t elements, int threads) {
  claim.here = numerator / denominator;
  claim.how = "measured";
  claim.note = concat("on this machine's CPU ", readable(numerator, Unit::seconds), " / ",
                      readable(denominator, Unit::seconds), ", ", elements, " floats, threads: ", threads,
                      "; ", claim.note);
}

}  // namespace

std::vector<Claim> speed_claims(bool measure) {
  std::vector<Claim> claims = unmeasured();
  if (!measure) return claims;
  const ActivationHandle gelu = ActivationHandle::parse("gelu"), relu = ActivationHandle::parse("relu"),
                         tanh_form = ActivationHandle::parse("gelu_tanh");
  {
    use_threads(1);  // what takes microseconds would wait for a second thread
    Passes passes(in_cache);
    const std::vector<double> times =
        passes.medians(31, {[&] { passes.activate(gelu); }, [&] { passes.activate(tanh_form); },
                            [&] { passes.activate(relu); }, [&] { passes.erf_of_library(); },
                            [&] { passes.tanh_of_library(); }});
    add_times(claims[0], times[0], times[1], in_cache, 1);
    add_times(claims[1], times[3], times[4], in_cache, 1);
    add_times(claims[2], times[0], times[2], in_cache, 1);
  }
  const int threads = use_threads(0, true);
  Passes passes(beyond_caches);
  const std::vector<double> times =
      passes.medians(5, {[&] { passes.activate(gelu); }, [&] { passes.activate(relu); },
                         [&] { passes.compose_tanh_form(); }, [&] { passes.activate(tanh_form); }});
  add_times(claims[3], times[0], times[1], beyond_caches, threads);
  add_times(claims[4], times[2], times[3], beyond_caches, threads);
  return claims;
}

}  // namespace actlab
