// The accuracy contract of kernels/activation.h: against the table of exact values, and against an
// independent reference over a sweep of all floats.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <mutex>

#include "kernels/cpu/parallel.h"
#include "kernels/reference/activation.h"
#include "tests/kernels/activation_support.h"

namespace actlab::test {
namespace {

constexpr double f_ulps = 3, df_units = 4;

struct Worst {
  double error = 0;
  double x = 0;

  void see(double e, double at) {
    if (e > error) *this = {e, at};
  }
  void see(const Worst& other) { see(other.error, other.x); }
};

struct Errors {
  Worst f, df;

  void see(const Errors& other) {
    f.see(other.f);
    df.see(other.df);
  }
};

class ActivationContract : public testing::Test {
 protected:
  // Every stride-th float of both signs with least <= |x| < limit, by each family in use.
  std::vector<Errors> sweep(const ActivationHandle& handle, float least, float limit, std::uint32_t stride) {
    constexpr std::int64_t chunk = 4096;
    const std::uint32_t first = math::float_bits(least);
    const std::int64_t count = (math::float_bits(limit) - first) / stride + 1;
    std::vector<Errors> errors(kernels.size());
    std::mutex mutex;
    const ExactFunction exact = exact_function(handle.info().name);
    const double parameter = static_cast<double>(handle.values()[0].value);
    parallel_for(2 * count, chunk, [&](std::int64_t begin, std::int64_t end) {
      std::vector<Errors> local(kernels.size());
      std::vector<float> x;
      std::vector<Exact> values;
      for (std::int64_t from = begin; from < end; from += chunk) {
        x.clear();
        for (std::int64_t i = from; i < std::min(end, from + chunk); ++i) {
          const std::uint32_t bits = first + static_cast<std::uint32_t>(i / 2) * stride;
          x.push_back(math::float_of(bits | (i % 2 == 0 ? 0 : 0x80000000u)));
        }
        values.clear();
        for (const float at : x) values.push_back(exact(static_cast<double>(at), parameter));
        for (std::size_t k = 0; k < kernels.size(); ++k) {
          const std::vector<float> y = forward(*kernels[k], handle, x),
                                   dy = derivative(*kernels[k], handle, x);
          for (std::size_t i = 0; i < x.size(); ++i) {
            const double at = static_cast<double>(x[i]);
            local[k].f.see(ulps(y[i], values[i].f), at);
            local[k].df.see(derivative_units(dy[i], at, values[i].df, values[i].d2f), at);
          }
        }
      }
      const std::lock_guard lock(mutex);
      for (std::size_t k = 0; k < kernels.size(); ++k) errors[k].see(local[k]);
    });
    return errors;
  }

  void expect_contract(const ActivationHandle& handle, const std::vector<Errors>& errors) {
    for (std::size_t k = 0; k < errors.size(); ++k) {
      const auto& [f, df] = errors[k];
      const std::string what = concat(kernels[k]->implementation(), " ", handle.spelled());
      std::printf("%-36s f %.3f ulp at %.9g, df %.3f units at %.9g\n", what.c_str(), f.error, f.x, df.error,
                  df.x);
      EXPECT_LE(f.error, f_ulps) << what << " at " << f.x;
      EXPECT_LE(df.error, df_units) << what << " at " << df.x;
    }
  }

  std::vector<std::unique_ptr<ActivationKernels>> kernels;
};

class ActivationAccuracy : public ActivationContract, public testing::WithParamInterface<std::string> {
  void SetUp() override {
    auto family = make_tested_activation(GetParam());
    if (family == nullptr) GTEST_SKIP() << "this CPU has no " << GetParam() << " instructions";
    kernels.push_back(std::move(family));
  }
};

// The length over which an activation bends: its argument is x over it.
float width_of(const ActivationHandle& handle) {
  const float parameter = std::fabs(handle.values()[0].as<float>());
  const std::string_view name = handle.info().name;
  if (name == "swish" || name == "gelu_sigmoid" || name == "softplus") return 1 / parameter;
  return name == "gelu_scaled" ? parameter : 1;
}

// All families at once: the exact values take most of the time.
class ActivationAccuracySlow : public ActivationContract, public testing::WithParamInterface<std::string> {
  void SetUp() override { kernels = tested_activations(); }

 protected:
  // Beyond it the bodies are constant, linear or smooth.
  void sweep_interesting_range(std::uint32_t step) {
    const float width = width_of(handle);
    expect_contract(handle, sweep(handle, 0.01f * width, 110 * width, step));
  }

  ActivationHandle handle = ActivationHandle::parse(GetParam());
};

using ActivationAccuracyExhaustive = ActivationAccuracySlow;

// Defaults of every activation that promises exactness and has a reference, and further parameters.
std::vector<std::string> promised() {
  std::vector<std::string> names;
  for (const ActivationType& type : activation_types())
    if (type.info.accuracy == Accuracy::exact && exact_function(type.info.name) != nullptr)
      names.push_back(ActivationHandle::parse(type.info.name).spelled());
  for (const char* text :
       {"swish(beta=0.05)", "swish(beta=0.2)", "swish(beta=0.5)", "swish(beta=1.702)", "swish(beta=3.3)",
        "swish(beta=50)", "swish(beta=-0.3)", "swish(beta=-1)", "gelu_sigmoid(beta=0.05)",
        "gelu_sigmoid(beta=50)", "elu(alpha=0.3)", "softplus(beta=0.3)", "softplus(beta=50)",
        "leaky_relu(slope=-2)", "gelu_scaled(sigma=0.01)", "gelu_scaled(sigma=0.3)", "gelu_scaled(sigma=4)",
        "gelu_scaled(sigma=100)"})
    names.emplace_back(text);
  return names;
}

// Parameters between those that every float is tried with.
constexpr const char* between[] = {"swish(beta=0.1)",  "swish(beta=0.3)",        "swish(beta=0.4)",
                                   "swish(beta=0.7)",  "swish(beta=10)",         "swish(beta=-0.05)",
                                   "swish(beta=-7)",   "gelu_sigmoid(beta=0.3)", "elu(alpha=1.6732632)",
                                   "softplus(beta=5)", "gelu_scaled(sigma=1.7)", "gelu_scaled(sigma=10)"};

TEST_P(ActivationAccuracy, TableOfExactValues) {
  const std::vector<OracleRow> rows = oracle_rows();
  ASSERT_EQ(rows.size(), 7755u);
  for (const OracleRow& row : rows) {
    const std::vector<float> x = {static_cast<float>(row.x)};
    ASSERT_EQ(static_cast<double>(x[0]), row.x);
    EXPECT_LE(ulps(forward(*kernels[0], row.handle, x)[0], row.exact.f), f_ulps)
        << row.handle.spelled() << " at " << row.x;
    const float dy = derivative(*kernels[0], row.handle, x)[0];
    EXPECT_LE(derivative_units(dy, row.x, row.exact.df, row.exact.d2f), df_units)
        << row.handle.spelled() << "' at " << row.x;
  }
}

TEST_P(ActivationAccuracy, SweepOfFloats) {
  std::vector<std::string> names = promised();
  names.insert(names.end(), std::begin(between), std::end(between));
  for (const std::string& name : names) {
    const ActivationHandle handle = ActivationHandle::parse(name);
    const float width = width_of(handle);
    expect_contract(handle, sweep(handle, 0, INFINITY, 2039));
    expect_contract(handle, sweep(handle, 0.3f * width, 6 * width, 499));
  }
}

TEST_P(ActivationAccuracySlow, DenseSweepOfAllFloats) {
  expect_contract(handle, sweep(handle, 0, INFINITY, 251));
}

TEST_P(ActivationAccuracySlow, EveryNinthFloatOfTheInterestingRange) { sweep_interesting_range(9); }

TEST_P(ActivationAccuracyExhaustive, EveryFloatOfTheInterestingRange) { sweep_interesting_range(1); }

std::string name_suffix(const testing::TestParamInfo<std::string>& info) {
  std::string suffix = info.param;
  for (char& c : suffix)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = c == '-' ? 'm' : '_';
  return suffix;
}

INSTANTIATE_TEST_SUITE_P(Families, ActivationAccuracy, testing::ValuesIn(tested_activation_names()),
                         name_of_param);
INSTANTIATE_TEST_SUITE_P(All, ActivationAccuracySlow, testing::ValuesIn(promised()), name_suffix);
INSTANTIATE_TEST_SUITE_P(All, ActivationAccuracyExhaustive, testing::ValuesIn(promised()), name_suffix);

TEST(ActivationReference, TableOfExactValues) {
  for (const OracleRow& row : oracle_rows()) {
    const ActivationType& type = row.handle.type();
    const double scale =
        std::max(std::fabs(row.exact.df), std::min(std::fabs(row.x), 1.0) * std::fabs(row.exact.d2f));
    EXPECT_NEAR(type.f(row.handle.values(), row.x), row.exact.f, 1e-13 * std::fabs(row.exact.f))
        << row.handle.spelled() << " at " << row.x;
    EXPECT_NEAR(type.df(row.handle.values(), row.x), row.exact.df, 1e-13 * scale)
        << row.handle.spelled() << "' at " << row.x;
    EXPECT_NEAR(type.d2f(row.handle.values(), row.x), row.exact.d2f,
                1e-12 * std::max(std::fabs(row.exact.d2f), std::fabs(row.exact.df)))
        << row.handle.spelled() << "'' at " << row.x;
  }
}

// What checks the others is checked itself.
TEST(ActivationReference, IndependentFormulasMeetTheTable) {
  for (const OracleRow& row : oracle_rows()) {
    const Exact value = exact_function(row.handle.info().name)(row.x, row.handle.values()[0].as<double>());
    const double scale =
        std::max(std::fabs(row.exact.df), std::min(std::fabs(row.x), 1.0) * std::fabs(row.exact.d2f));
    EXPECT_NEAR(value.f, row.exact.f, 1e-12 * std::fabs(row.exact.f))
        << row.handle.spelled() << " at " << row.x;
    EXPECT_NEAR(value.df, row.exact.df, 1e-12 * scale) << row.handle.spelled() << "' at " << row.x;
  }
}

}  // namespace
}  // namespace actlab::test
