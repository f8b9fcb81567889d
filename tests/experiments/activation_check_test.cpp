// The check of activations passes the sound ones and finds the faults of tests/data/rough_silu.h.
#include "experiments/runner/activation_check.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

namespace actlab {
namespace {

std::set<std::string> failures(const std::string& activation) {
  std::set<std::string> failed;
  for (const ActivationCheckRow& row : check_activation(ActivationHandle::parse(activation)))
    if (!row.passed()) failed.insert(row.backend + " " + row.dtype + " " + row.what);
  return failed;
}

TEST(ActivationCheck, PassesSoundActivations) {
  for (const char* name : {"gelu", "relu", "elu(alpha=0.5)", "swish(beta=2)", "gelu_scaled(sigma=0.3)",
                           "gelu_scaled(sigma=2.5, learned=layer)"})
    EXPECT_EQ(failures(name), std::set<std::string>()) << name;
}

TEST(ActivationCheck, CoversEveryBackendAndType) {
  std::set<std::string> seen;
  for (const ActivationCheckRow& row : check_activation(ActivationHandle::parse("gelu")))
    seen.insert(row.backend + " " + row.dtype + " " + row.what);
  std::set<std::string> expected = {"reference f64 df, differences"};
  for (const std::string dtype : {"f32", "bf16", "f16"}) {
    for (const std::string what : {"f", "df"}) {
      expected.insert("reference " + dtype + " " + what);
      for (const Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512})
        if (cpu_supports(isa)) expected.insert("cpu " + std::string(name_of(isa)) + " " + dtype + " " + what);
    }
  }
  EXPECT_EQ(seen, expected);
}

TEST(ActivationCheck, CoversTheDerivativeByALearnableParameter) {
  std::set<std::string> seen;
  for (const ActivationCheckRow& row : check_activation(ActivationHandle::parse("swish")))
    if (row.what.starts_with("dparameter")) seen.insert(row.backend + " " + row.dtype + " " + row.what);
  for (const char* one : {"reference f64 dparameter, differences", "reference f32 dparameter",
                          "cpu baseline f32 dparameter", "cpu baseline bf16 dparameter"})
    EXPECT_TRUE(seen.contains(one)) << one;
}

TEST(ActivationCheck, FindsLostDigitsAndAWrongDerivative) {
  const auto failed = failures("rough_silu");
  EXPECT_TRUE(failed.contains("reference f64 df, differences"));
  EXPECT_TRUE(failed.contains("cpu baseline f32 f"));
}

TEST(ActivationCheck, NaNIsNoPass) {
  ActivationCheckRow row{"gelu", "cpu", "f32", "f", 0, 0, 3};
  EXPECT_TRUE(row.passed());
  row.error = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(row.passed());
  row.error = 3.01;
  EXPECT_FALSE(row.passed());
}

}  // namespace
}  // namespace actlab
