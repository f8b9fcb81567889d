// Names, parameters and gains of activations.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/activation.h"
#include "kernels/error.h"

namespace actlab::test {
namespace {

std::string message_of(std::string_view text) {
  try {
    ActivationHandle::parse(text);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

bool contains(const std::vector<std::string>& all, std::string_view one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

TEST(ActivationRegistry, HoldsAllSortedByName) {
  const std::vector<std::string> names = activation_names(), gated = gated_names();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  for (const char* name :
       {"relu", "leaky_relu", "elu",          "selu",        "relu_squared", "silu",     "swish",
        "gelu", "gelu_tanh",  "gelu_sigmoid", "gelu_scaled", "gelu_clamped", "gelu_lut", "gelu_int8",
        "mish", "softplus",   "hardswish",    "sigmoid",     "tanh",         "identity"})
    EXPECT_TRUE(contains(names, name)) << name;
  for (const char* name : {"reglu", "geglu", "geglu_tanh", "swiglu", "glu", "bilinear"})
    EXPECT_TRUE(contains(gated, name)) << name;
}

TEST(ActivationRegistry, EveryEntryIsComplete) {
  for (const ActivationType& type : activation_types()) {
    EXPECT_FALSE(type.info.formula.empty()) << type.info.name;
    for (const ActivationTable* table : type.tables) {
      ASSERT_NE(table, nullptr);
      for (const ActivationLoops& loops : {table->f32, table->bf16, table->f16}) {
        EXPECT_NE(loops.forward, nullptr) << type.info.name;
        EXPECT_NE(loops.backward, nullptr) << type.info.name;
        EXPECT_EQ(loops.gate == nullptr, type.info.gated.empty()) << type.info.name;
        EXPECT_EQ(loops.gate_backward == nullptr, type.info.gated.empty()) << type.info.name;
        EXPECT_EQ(loops.learned_forward == nullptr, type.learnable() == nullptr) << type.info.name;
        EXPECT_EQ(loops.learned_backward == nullptr, type.learnable() == nullptr) << type.info.name;
      }
    }
    // The instruction sets must not share code.
    EXPECT_NE(type.tables[0]->f32.forward, type.tables[1]->f32.forward) << type.info.name;
    EXPECT_NE(type.tables[1]->f32.forward, type.tables[2]->f32.forward) << type.info.name;
    EXPECT_NE(type.tables[0]->f32.forward, type.tables[2]->f32.forward) << type.info.name;
  }
}

TEST(ActivationRegistry, StatedChecksHold) {
  for (const ActivationType& type : activation_types())
    for (const ActivationCheck& check : type.checks)
      EXPECT_NEAR(type.f(ActivationHandle::parse(type.info.name).values(), check.x), check.y,
                  1e-14 * std::max(1.0, std::fabs(check.y)))
          << type.info.name << " of " << check.x;
}

TEST(ActivationHandle, ParsesAndSpells) {
  EXPECT_EQ(ActivationHandle::parse("gelu").spelled(), "gelu");
  EXPECT_EQ(ActivationHandle::parse(" gelu() ").spelled(), "gelu");
  EXPECT_EQ(ActivationHandle::parse("elu").spelled(), "elu(alpha=1)");
  EXPECT_EQ(ActivationHandle::parse("elu( alpha = 0.5 )").spelled(), "elu(alpha=0.5)");
  EXPECT_EQ(ActivationHandle::parse("leaky_relu(slope=-2)").spelled(), "leaky_relu(slope=-2)");
  EXPECT_EQ(ActivationHandle::parse("swish").with("beta", 1.702).spelled(), "swish(beta=1.702)");
  EXPECT_EQ(ActivationHandle::parse("swish(beta=1e38)").spelled(), "swish(beta=1e+38)");
  const ActivationHandle swiglu = ActivationHandle::parse("swiglu");
  EXPECT_TRUE(swiglu.gated());
  EXPECT_EQ(swiglu.info().name, "silu");
  EXPECT_EQ(swiglu.spelled(), "swiglu");
  EXPECT_FALSE(ActivationHandle::parse("silu").gated());
}

TEST(ActivationHandle, LearnedIsSpelledAfterTheParameters) {
  const ActivationHandle swish = ActivationHandle::parse("swish(learned=channel, beta=0.5)");
  EXPECT_EQ(swish.learned(), Learned::channel);
  EXPECT_EQ(swish.start(), 0.5);
  EXPECT_EQ(swish.spelled(), "swish(beta=0.5, learned=channel)");
  EXPECT_EQ(ActivationHandle::parse(swish.spelled()).spelled(), swish.spelled());
  EXPECT_EQ(ActivationHandle::parse("gelu_scaled( learned = layer )").spelled(),
            "gelu_scaled(sigma=1, learned=layer)");
  EXPECT_EQ(ActivationHandle::parse("swish(learned=fixed)").spelled(), "swish(beta=1)");
  EXPECT_EQ(ActivationHandle::parse("gelu(learned=fixed)").spelled(), "gelu");
  EXPECT_EQ(ActivationHandle::parse("gelu").learned(), Learned::fixed);
  EXPECT_EQ(swish.trained(1 / 3.0).start(), 1 / 3.0);
}

TEST(ActivationHandle, LearnedErrors) {
  EXPECT_EQ(message_of("gelu(learned=layer)"),
            "activation gelu has no learnable parameter; those that have one: gelu_scaled, swish");
  EXPECT_EQ(message_of("swiglu(learned=layer)"),
            "activation swiglu is gated: a gated form has no learned parameter; leave `learned` out");
  EXPECT_EQ(message_of("swish(learned=row)"),
            "activation 'swish(learned=row)': learned is fixed, layer or channel, not 'row'");
  EXPECT_NE(message_of("swish(learned=layer, learned=layer)").find("given twice"), std::string::npos);
  EXPECT_NE(message_of("gelu_scaled(sigma=0)").find("out of range [0.01, 100]"), std::string::npos);
}

TEST(ActivationHandle, ValuesReachTheBodies) {
  const ActivationHandle elu = ActivationHandle::parse("elu").with("alpha", 0.5);
  EXPECT_DOUBLE_EQ(elu.type().f(elu.values(), -1), 0.5 * std::expm1(-1));
  // Values are float32 numbers, in double bodies too.
  EXPECT_EQ(ActivationHandle::parse("gelu_sigmoid").values()[0].as<double>(), static_cast<double>(1.702F));
}

TEST(ActivationHandle, ErrorsSayWhatAndTheRemedy) {
  EXPECT_NE(message_of("gleu").find("unknown activation 'gleu', nearest: "), std::string::npos);
  EXPECT_NE(message_of("gleu").find("gelu"), std::string::npos);
  EXPECT_NE(message_of("swiglue").find("swiglu"), std::string::npos);
  EXPECT_NE(message_of("").find("unknown activation ''"), std::string::npos);
  EXPECT_EQ(message_of("elu(beta=1)"), "activation elu has no parameter 'beta', nearest: alpha");
  EXPECT_EQ(message_of("gelu(beta=1)"), "activation gelu has no parameter 'beta'; it has none");
  EXPECT_EQ(message_of("elu(alpha=-1)"), "activation elu: alpha = -1 is out of range [0, 1000]");
  EXPECT_NE(message_of("elu(alpha=nan)").find("out of range"), std::string::npos);
  EXPECT_NE(message_of("elu(alpha=0,5)").find("'5' is not of the form parameter=value"), std::string::npos);
  EXPECT_NE(message_of("elu(alpha=one)").find("'one' is not a number"), std::string::npos);
  EXPECT_NE(message_of("elu(alpha=1").find("no closing bracket"), std::string::npos);
  EXPECT_NE(message_of("elu(alpha)").find("not of the form"), std::string::npos);
  EXPECT_EQ(message_of("elu(alpha=1, alpha=2)"), "activation 'elu(alpha=1, alpha=2)': alpha is given twice");
  EXPECT_NE(message_of("softplus(beta=0)").find("out of range"), std::string::npos);
}

TEST(ActivationHandle, Gains) {
  const std::pair<const char*, double> gains[] = {{"relu", 1.4142135623730951},
                                                  {"gelu", 1.53353},
                                                  {"silu", 1.67653},
                                                  {"mish", 1.48685},
                                                  {"elu", 1.24520},
                                                  {"selu", 1},
                                                  {"identity", 1},
                                                  {"swish(beta=1)", 1.67653}};
  for (const auto& [name, gain] : gains)
    EXPECT_NEAR(ActivationHandle::parse(name).gain(), gain, 6e-6) << name;
  EXPECT_NEAR(ActivationHandle::parse("relu").gain(), std::sqrt(2.0), 1e-10);
  EXPECT_NEAR(ActivationHandle::parse("selu").gain(), 1, 1e-8);
}

TEST(InstructionSets, NamesAndSupport) {
  for (const Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512}) EXPECT_EQ(parse_isa(name_of(isa)), isa);
  EXPECT_THROW(parse_isa("avx"), ConfigError);
  EXPECT_TRUE(cpu_supports(Isa::baseline));
  EXPECT_TRUE(cpu_supports(best_isa()));
}

}  // namespace
}  // namespace actlab::test
