// Where each value of an experiment comes from.
#include <algorithm>

#include "tests/experiments/experiment_files.h"

namespace actlab {
namespace {

class Origins {
 public:
  Origins(const std::string& text, const std::vector<std::string>& arguments = {}) {
    folder_.write("low.toml", "[train]\nsteps = 7\n");
    found = find_origins(folder_.write("e.toml", text), arguments, test_schemas());
  }

  // Without the folder's path.
  std::string of(const std::string& path) const {
    const auto key = std::find_if(found.keys.begin(), found.keys.end(),
                                  [&](const KeyOrigin& k) { return k.path() == path; });
    if (key == found.keys.end()) return "no such key";
    std::string text;
    for (const OptionValue& value : key->values) text += to_literal(value) + " ";
    std::string origin = key->origin;
    const std::string prefix = folder_.path().string() + "/";
    for (auto at = origin.find(prefix); at != std::string::npos; at = origin.find(prefix))
      origin.erase(at, prefix.size());
    return text + origin;
  }
  std::string swept() const {
    std::string paths;
    for (const std::size_t index : found.swept) paths += found.keys[index].path() + " ";
    return paths;
  }

  ConfigOrigins found;

 private:
  TemporaryFolder folder_;
};

TEST(Origins, DefaultFileArgument) {
  const Origins e("base = \"low.toml\"\nseed = 4\ndevice = \"auto\"\n[optimizer]\nlr = 1\n",
                  {"optimizer.lr=0.1", "data.batch=8"});
  EXPECT_EQ(e.of("train.steps"), "7 low.toml:2");
  EXPECT_EQ(e.of("seed"), "4 e.toml:2");
  EXPECT_EQ(e.of("device"), "\"auto\" e.toml:3");
  EXPECT_EQ(e.of("optimizer.lr"), "0.1 argument 'optimizer.lr=0.1'");
  EXPECT_EQ(e.of("data.batch"), "8 argument 'data.batch=8'");
  EXPECT_EQ(e.of("optimizer.momentum"), "0 default");
  EXPECT_EQ(e.of("name"), "\"e\" default");
  EXPECT_EQ(e.of("base"), "no such key");
  EXPECT_EQ(e.found.experiments, 1u);
  EXPECT_EQ(e.swept(), "");
}

TEST(Origins, SweptKeysHaveAllTheirValues) {
  const Origins e("seed = 9\n[sweep]\nactivation = [\"relu\",\n \"elu\"]\nseed = \"0..2\"\n",
                  {"sweep.optimizer.lr=0.1,1"});
  EXPECT_EQ(e.of("model.activation"), "\"relu\" \"elu(alpha=1)\" e.toml:3");
  EXPECT_EQ(e.of("seed"), "0 1 2 e.toml:5");
  EXPECT_EQ(e.of("optimizer.lr"), "0.1 1 argument 'sweep.optimizer.lr=0.1,1'");
  EXPECT_EQ(e.swept(), "model.activation seed optimizer.lr ");
  EXPECT_EQ(e.found.experiments, 12u);
}

TEST(Origins, ParametersOfActivations) {
  const std::string file = "[model]\nactivation = \"elu\"\n[activation.elu]\nalpha = 0.5\n";
  EXPECT_EQ(Origins(file).of("model.activation"), "\"elu(alpha=0.5)\" e.toml:2, e.toml:4");
  EXPECT_EQ(Origins(file, {"activation.elu.alpha=2"}).of("model.activation"),
            "\"elu(alpha=2)\" e.toml:2, argument 'activation.elu.alpha=2'");
  EXPECT_EQ(Origins(file, {"activation=elu(alpha=3)"}).of("model.activation"),
            "\"elu(alpha=3)\" argument 'activation=elu(alpha=3)'");
  EXPECT_EQ(Origins(file, {"activation=gelu"}).of("model.activation"), "\"gelu\" argument 'activation=gelu'");
  const Origins swept(file, {"sweep.activation.elu.alpha=1,2", "sweep.activation=elu,relu"});
  EXPECT_EQ(swept.swept(), "model.activation ");
  EXPECT_TRUE(swept.of("model.activation").starts_with("\"elu(alpha=1)\" \"relu\" \"elu(alpha=2)\" argument"))
      << swept.of("model.activation");
  EXPECT_EQ(swept.found.experiments, 3u);
}

}  // namespace
}  // namespace actlab
