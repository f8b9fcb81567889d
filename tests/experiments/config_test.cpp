// Experiment files: what they mean, and what is refused with which words.
#include "experiments/config/config.h"

#include <clocale>
#include <locale>

#include "tests/experiments/experiment_files.h"

namespace actlab {
namespace {

TEST(Config, EmptyFileGivesDefaultsAndItsName) {
  const auto experiments = load("");
  ASSERT_EQ(experiments.size(), 1u);
  const auto& e = experiments[0];
  EXPECT_EQ(e.name, "e");
  EXPECT_EQ(e.seed, 0);
  EXPECT_EQ(e.device, "cpu");
  EXPECT_EQ(e.model.name, "small_cnn");
  EXPECT_EQ(e.model.options.integers("widths"), (std::vector<std::int64_t>{32, 64}));
  EXPECT_EQ(e.activation, "relu");
  EXPECT_EQ(e.batch, 128);
  EXPECT_EQ(e.train.epochs, 1);
  EXPECT_EQ(e.optimizer.options.number("lr"), 0.05);
  EXPECT_EQ(e.run_root, "runs");
}

TEST(Config, ReadsEveryKindOfKey) {
  const auto e = load(R"(
name = "mine"
seed = 7
device = "auto"
[model]
name = "small_cnn"
activation = "gelu"
widths = [8, 16]
[data]
augment = true
root = "somewhere"
[train]
target = 1
[optimizer]
lr = 1
nesterov = true
[schedule]
name = "cosine"
warmup = 5
)")[0];
  EXPECT_EQ(e.name, "mine");
  EXPECT_EQ(e.seed, 7);
  EXPECT_EQ(e.device, "auto");
  EXPECT_EQ(e.activation, "gelu");
  EXPECT_EQ(e.model.options.integers("widths"), (std::vector<std::int64_t>{8, 16}));
  EXPECT_TRUE(e.augment);
  EXPECT_EQ(e.data.options.text("root"), "somewhere");
  EXPECT_EQ(e.train.target, 1.0);
  EXPECT_EQ(e.optimizer.options.number("lr"), 1.0);
  EXPECT_TRUE(e.optimizer.options.flag("nesterov"));
  EXPECT_EQ(e.schedule.options.integer("warmup"), 5);
}

TEST(Config, ArgumentsWinAndNeedNoQuotes) {
  const auto e =
      load("[train]\nepochs = 3\n", {"train.epochs=1", "activation=gelu", "model.widths=[4,8]",
                                     "optimizer.lr=1e-3", "schedule.name=cosine", "schedule.warmup=9",
                                     "data.augment=true", "data.root=a=b c", "train.epochs=2"})[0];
  EXPECT_EQ(e.train.epochs, 2);
  EXPECT_EQ(e.activation, "gelu");
  EXPECT_EQ(e.model.options.integers("widths"), (std::vector<std::int64_t>{4, 8}));
  EXPECT_EQ(e.optimizer.options.number("lr"), 0.001);
  EXPECT_EQ(e.schedule.options.integer("warmup"), 9);
  EXPECT_TRUE(e.augment);
  EXPECT_EQ(e.data.options.text("root"), "a=b c");
}

TEST(Config, ActivationParametersApplyToTheirActivationOnly) {
  const std::string file = "[activation.elu]\nalpha = 0.5\n";
  EXPECT_EQ(load(file, {"activation=elu"})[0].activation, "elu(alpha=0.5)");
  EXPECT_EQ(load(file, {"activation=elu(alpha=0.25)"})[0].activation, "elu(alpha=0.25)");
  EXPECT_EQ(load(file, {"activation=gelu"})[0].activation, "gelu");
  EXPECT_EQ(load(file, {"activation=elu", "activation.elu.alpha=2"})[0].activation, "elu(alpha=2)");
}

// A section takes what the spelling takes.
TEST(Config, ActivationSectionsTakeTheWordsOfTheSpelling) {
  const std::string observed = "[activation.gelu_int8]\nrange = \"observed\"\n",
                    given = "[activation.gelu_int8]\nrange = 4\n", int8 = "activation=gelu_int8";
  EXPECT_EQ(load(observed, {int8})[0].activation, "gelu_int8(range=observed)");
  EXPECT_EQ(load(observed, {int8 + "(range=2)"})[0].activation, "gelu_int8(range=2)");
  EXPECT_EQ(load(given, {int8})[0].activation, "gelu_int8(range=4)");
  EXPECT_EQ(load(given, {int8, "activation.gelu_int8.range=observed"})[0].activation,
            "gelu_int8(range=observed)");
  EXPECT_EQ(load(observed, {int8, "activation.gelu_int8.range=4"})[0].activation, "gelu_int8(range=4)");
  EXPECT_EQ(load("[activation.swish]\nbeta = 2\nlearned = \"layer\"\n", {"activation=swish"})[0].activation,
            "swish(beta=2, learned=layer)");
  EXPECT_EQ(load("[activation.swish]\nlearned = \"layer\"\n", {"activation=swish( beta=3 )"})[0].activation,
            "swish(beta=3, learned=layer)");
  EXPECT_EQ(refusal("[activation.gelu_int8]\nrange = \"seen\"\n"),
            "e.toml:2: activation.gelu_int8.range: wanted number in [1e-30, 1e+30] or \"observed\", found "
            "\"seen\"");
  EXPECT_EQ(refusal("[activation.elu]\nalpha = \"observed\"\n").substr(0, 48),
            "e.toml:2: activation.elu.alpha: wanted number in");
  EXPECT_EQ(refusal("[activation.swish]\nlearned = \"all\"\n"),
            "e.toml:2: activation.swish.learned: wanted one of fixed, layer, channel, found \"all\"");
  EXPECT_EQ(refusal("[activation.gelu]\nlearned = \"layer\"\n").substr(0, 49),
            "e.toml:2: unknown key 'activation.gelu.learned'");
}

TEST(Config, UnknownKeysNameFileLineAndNearest) {
  EXPECT_EQ(refusal("[optimizer]\nlr = 0.1\nmomentun = 0.9\n").substr(0, 64),
            "e.toml:3: unknown key 'optimizer.momentun', nearest: momentum, n");
  const auto misspelled = refusal("[optimizer]\nlearning_rte = 0.1\n");
  EXPECT_EQ(misspelled.substr(0, 58), "e.toml:2: unknown key 'optimizer.learning_rte', nearest: n");
  EXPECT_EQ(refusal("sed = 1\n").substr(0, 39), "e.toml:1: unknown key 'sed', nearest: s");
  EXPECT_EQ(refusal("\n[optimzer]\nlr = 1\n").substr(0, 56),
            "e.toml:2: unknown section 'optimzer', nearest: optimizer");
  EXPECT_EQ(refusal("[trian]\n").substr(0, 45), "e.toml:1: unknown section 'trian', nearest: t");
  EXPECT_EQ(refusal("train = 3\n"), "e.toml:1: train: wanted a section [train], found a value");
  EXPECT_EQ(refusal("[activation]\nelu = 3\n"),
            "e.toml:2: activation.elu: wanted a section [activation.elu], found a value");
  EXPECT_EQ(refusal("activation = \"relu\"\n[model]\nactivation = \"gelu\"\n").substr(9),
            " model.activation: is given twice");
  EXPECT_EQ(refusal("", {"train.epoch=3"}).substr(0, 68),
            "argument 'train.epoch=3': unknown key 'train.epoch', nearest: epochs");
  EXPECT_EQ(refusal("", {"trian.epochs=3"}).substr(0, 65),
            "argument 'trian.epochs=3': unknown key 'trian.epochs', nearest: t");
  EXPECT_EQ(refusal("[model]\nhidden = 3\n").substr(0, 36), "e.toml:2: unknown key 'model.hidden'");
}

TEST(Config, KeysInTheWrongPlaceNameTheRightOne) {
  EXPECT_EQ(refusal("lr = 0.1\n"), "e.toml:1: unknown key 'lr': optimizer.lr is meant");
  EXPECT_EQ(refusal("[train]\nlr = 0.1\n"), "e.toml:2: unknown key 'train.lr': optimizer.lr is meant");
  EXPECT_EQ(refusal("[sweep]\nlr = [0.1]\n"), "e.toml:2: unknown key 'lr': optimizer.lr is meant");
  EXPECT_EQ(refusal("", {"epochs=3"}), "argument 'epochs=3': unknown key 'epochs': train.epochs is meant");
  EXPECT_EQ(refusal("root = \"r\"\n"), "e.toml:1: unknown key 'root': data.root or run.root is meant");
  EXPECT_EQ(refusal("alpha = 1\n"), "e.toml:1: unknown key 'alpha': activation.elu.alpha is meant");
  EXPECT_EQ(refusal("[model]\nhidden = 3\n"),
            "e.toml:2: unknown key 'model.hidden': is an option of mlp, and model.name is small_cnn");
  EXPECT_EQ(refusal("warmup = 3\n"), "e.toml:1: unknown key 'warmup': schedule.warmup is meant");
}

// However it is written, a message names the key's line.
TEST(Config, LinesOfKeysInEveryNotation) {
  EXPECT_EQ(refusal("\noptimizer.lr = -1\n"), "e.toml:2: optimizer.lr: wanted number >= 0, found -1");
  EXPECT_EQ(refusal("\noptimizer = {nesterov = true, lr = -1}\n"),
            "e.toml:2: optimizer.lr: wanted number >= 0, found -1");
  EXPECT_EQ(refusal("[model]\nwidths = [\n  8,\n  0,\n]\n").substr(0, 43),
            "e.toml:2: model.widths: wanted list of inte");
  EXPECT_EQ(refusal("[sweep]\noptimizer.lr = [\n  0.1,\n  -1,\n]\n"),
            "e.toml:4: optimizer.lr: wanted number >= 0, found -1");
  EXPECT_EQ(refusal("[optimizer]\nlr = 1\n[train]\n[optimizer]\nmomentum = 0.5\n").substr(0, 9), "e.toml:4:");
  EXPECT_EQ(refusal("optimizer.lr = 1\n\n[optimizer]\nlr = 2\n").substr(0, 7), "e.toml:");
  EXPECT_EQ(refusal("\n[[optimizer]]\nlr = 1\n"),
            "e.toml:2: optimizer: wanted a section [optimizer], found a value");
  EXPECT_EQ(refusal("\ntrian.epochs = 1\n").substr(0, 33), "e.toml:2: unknown section 'trian'");
  EXPECT_EQ(refusal("name = \"\"\"\ntwo\nlines\"\"\"\n[train]\nepochs = 0\n").substr(0, 9), "e.toml:5:");
}

TEST(Config, WrongTypesAndRangesNameWhatIsWanted) {
  EXPECT_EQ(refusal("[train]\nepochs = -1\n"),
            "e.toml:2: train.epochs: wanted integer in [1, 1e+09], found -1");
  EXPECT_EQ(refusal("[data]\nbatch = 9.0\n"), "e.toml:2: data.batch: wanted integer >= 1, found 9");
  EXPECT_EQ(refusal("[data]\nbatch = \"32\"\n"), "e.toml:2: data.batch: wanted integer >= 1, found \"32\"");
  EXPECT_EQ(refusal("[optimizer]\nlr = nan\n"), "e.toml:2: optimizer.lr: wanted number >= 0, found nan");
  EXPECT_EQ(refusal("[optimizer]\nlr = inf\n"), "e.toml:2: optimizer.lr: wanted number >= 0, found inf");
  EXPECT_EQ(refusal("[optimizer]\nmomentum = 1.5\n"),
            "e.toml:2: optimizer.momentum: wanted number in [0, 1], found 1.5");
  EXPECT_EQ(refusal("[optimizer]\nlr = 1979-05-27\n"),
            "e.toml:2: optimizer.lr: wanted number >= 0, found a date or time");
  EXPECT_EQ(refusal("[model]\nwidths = [1, 2.5]\n"),
            "e.toml:2: model.widths: wanted list of integers >= 1, found a list of other things");
  EXPECT_EQ(refusal("device = \"gpu\"\n"),
            "e.toml:1: device: wanted one of auto, cpu, cuda, cuda:N, reference, found \"gpu\"");
  EXPECT_EQ(refusal("", {"optimizer.lr=0,1"}),
            "argument 'optimizer.lr=0,1': optimizer.lr: wanted number >= 0, found 0,1");
  EXPECT_EQ(refusal("", {"seed"}), "argument 'seed': wanted key=value, such as train.epochs=1");
  EXPECT_EQ(refusal("[train]\nlabel_smoothing = 1\n"),
            "e.toml:2: train.label_smoothing: wanted number in [0, 1), found 1");
  EXPECT_EQ(refusal("[train]\nlabel_smoothing = -0.1\n"),
            "e.toml:2: train.label_smoothing: wanted number in [0, 1), found -0.1");
  EXPECT_EQ(refusal("[train]\nclip_norm = -1\n"), "e.toml:2: train.clip_norm: wanted number >= 0, found -1");
  EXPECT_EQ(refusal("[train]\naccumulate = 0\n"),
            "e.toml:2: train.accumulate: wanted integer in [1, 1e+09], found 0");
  // What an argument overrides is checked all the same.
  EXPECT_EQ(refusal("seed = -1\n", {"seed=1"}), "e.toml:1: seed: wanted integer >= 0, found -1");
}

TEST(Config, UnknownComponentsAndActivations) {
  EXPECT_EQ(refusal("[model]\nname = \"smal_cnn\"\n"),
            "e.toml:2: unknown model 'smal_cnn', nearest: small_cnn, mlp");
  EXPECT_EQ(refusal("", {"optimizer.name=sdg"}),
            "argument 'optimizer.name=sdg': unknown optimizer 'sdg', nearest: sgd");
  EXPECT_EQ(refusal("[model]\nactivation = \"geluu\"\n").substr(0, 15), "e.toml:2: unkno");
  EXPECT_EQ(refusal("[activation.eluu]\nalpha = 1\n").substr(0, 53),
            "e.toml:2: unknown key 'activation.eluu.alpha', neares");
  EXPECT_EQ(refusal("[activation.leaky]\nslope = 1\n").substr(0, 65),
            "e.toml:2: unknown key 'activation.leaky.slope', nearest: leaky_re")
      << "the beginning of a name";
  EXPECT_EQ(refusal("[activation.elu]\nalpa = 1\n"),
            "e.toml:2: unknown key 'activation.elu.alpa', nearest: alpha");
  EXPECT_EQ(refusal("[activation.elu]\nalpha = \"1\"\n").substr(0, 48),
            "e.toml:2: activation.elu.alpha: wanted number in");
}

TEST(Config, OptionsOfAReplacedComponentAreCheckedAndNotUsed) {
  const std::string file = "[model]\nname = \"small_cnn\"\nwidths = [8, 8]\n";
  EXPECT_EQ(refusal(file, {"model.name=mlp", "model.hidden=64"}), "no error");
  EXPECT_EQ(refusal("[model]\nwidths = [8, 8]\n", {"model.name=mlp"}), "no error");
  EXPECT_EQ(refusal("[model]\nwidths = 8.5\n", {"model.name=mlp"}).substr(0, 23), "e.toml:2: model.widths:");
  EXPECT_EQ(refusal("[model]\nwidth = [8, 8]\n", {"model.name=mlp"}).substr(0, 35),
            "e.toml:2: unknown key 'model.width'");
  // What one file or one line says itself must fit.
  EXPECT_EQ(refusal("[model]\nname = \"mlp\"\nwidths = [8, 8]\n").substr(0, 36),
            "e.toml:3: unknown key 'model.widths'");
  EXPECT_EQ(refusal("", {"model.name=mlp", "model.widths=8,8"}).substr(0, 52),
            "argument 'model.widths=8,8': unknown key 'model.widt");
}

TEST(Config, FilesThatCannotBeRead) {
  EXPECT_EQ(refusal("[train\nepochs = 1\n").substr(0, 9), "e.toml:1:");
  EXPECT_EQ(refusal("seed = 1\nseed = 2\n").substr(0, 9), "e.toml:2:");
  EXPECT_EQ(refusal("seed = 1\nlr = \xff\n").substr(0, 9), "e.toml:2:");
  EXPECT_EQ(refusal("seed = 1\n[train\n").find('\n'), std::string::npos) << "one line";
  const TemporaryFolder folder;
  const auto message = [&](const std::filesystem::path& path) -> std::string {
    try {
      load_experiment(path, {}, test_schemas());
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message(folder.path()),
            folder.path().string() + ": is a folder; wanted an experiment file (.toml)");
  EXPECT_EQ(message(folder.path() / "none.toml"),
            "cannot read " + (folder.path() / "none.toml").string() +
                ": No such file or directory; wanted an experiment file (.toml)");
}

TEST(Config, FileWithoutPermission) {
  const TemporaryFolder folder;
  const auto closed = folder.write("closed.toml", "seed = 1\n");
  std::filesystem::permissions(closed, std::filesystem::perms::none);
  if (access(closed.c_str(), R_OK) == 0) GTEST_SKIP() << "this user may read every file";
  try {
    load_experiment(closed, {}, test_schemas());
    FAIL() << "read it";
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("Permission denied"), std::string::npos) << error.what();
  }
}

TEST(Config, ResolvedFileLoadsBackToTheSame) {
  for (const auto& experiment :
       load("[activation.elu]\nalpha = 0.3\n[optimizer]\nlr = 0.1\nnesterov = true\n",
            {"name=a \"b\"", "sweep.activation=elu,gelu", "sweep.train.target=0.1,1", "schedule.name=cosine",
             "run.root=x\\y"})) {
    const auto text = to_toml(experiment);
    const auto again = load(text);
    ASSERT_EQ(again.size(), 1u);
    EXPECT_EQ(to_toml(again[0]), text);
    EXPECT_EQ(again[0].activation, experiment.activation);
    EXPECT_EQ(again[0].name, experiment.name);
    EXPECT_EQ(again[0].run_root, experiment.run_root);
  }
}

// Each file that comes with the program, with how many experiments it describes.
TEST(Config, OurOwnFilesLoad) {
  auto schemas = test_schemas();
  schemas.datasets.push_back({"fashion_mnist", "", {}});
  ComponentSchema synthetic{"synthetic", "", {}};
  for (const char* name : {"train", "test"})
    synthetic.options.push_back({.name = name, .fallback = std::int64_t{1}, .help = "", .least = 1});
  schemas.datasets.push_back(synthetic);
  const std::pair<const char*, std::size_t> files[] = {
      {"quickstart", 4}, {"cifar10_small_cnn", 35}, {"synthetic_smoke", 4}};
  for (const auto& [name, count] : files) {
    const auto file =
        std::filesystem::path(ACTLAB_SOURCE_DIR) / "experiments/configs" / (std::string(name) + ".toml");
    const auto experiments = load_experiment(file, {}, schemas);
    EXPECT_EQ(experiments.size(), count) << name;
    EXPECT_EQ(experiments[0].name, name);
    EXPECT_EQ(experiments[0].activation, "relu") << "the baseline first";
  }
}

TEST(Config, RunIdNamesTheNumbersToCome) {
  const auto id = [](const std::vector<std::string>& arguments, const char* version = "1") {
    return run_id(load("", arguments)[0], version);
  };
  EXPECT_EQ(id({}).size(), 8u);
  EXPECT_EQ(id({}).find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_EQ(id({}), id({"run.root=elsewhere", "train.checkpoint_every=2"}));
  EXPECT_EQ(id({}), id({"activation=relu", "optimizer.lr=5e-2"}));
  for (const char* change : {"name=other", "seed=1", "threads=2", "optimizer.lr=0.1", "activation=gelu",
                             "train.epochs=2", "model.widths=[32]", "train.eval_every=3", "fuse=false"})
    EXPECT_NE(id({}), id({change})) << change;
  EXPECT_NE(id({}), id({}, "2"));
}

TEST(Config, OneTargetAtMost) {
  EXPECT_EQ(load("[train]\ntarget_loss = 2\n")[0].train.target_loss, 2.0);
  EXPECT_EQ(load("[train]\ntarget = 0.5\n", {"train.target=0", "train.target_loss=2"})[0].train.target, 0.0);
  EXPECT_EQ(refusal("[train]\ntarget = 0.5\ntarget_loss = 2\n"),
            "train.target = 0.5, train.target_loss = 2: one of them says what counts as converged; leave the "
            "other at 0");
}

TEST(Config, LocaleChangesNothing) {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::string file = "seed = 1234567\n[optimizer]\nlr = 0.001\n";
  const auto plain = to_toml(load(file, {"train.target=0.5"})[0]);
  const std::locale before = std::locale::global(std::locale(std::locale(), new Comma));
  std::setlocale(LC_ALL, "de_DE.UTF-8");
  const auto experiment = load(file, {"train.target=0.5"})[0];
  std::locale::global(before);
  std::setlocale(LC_ALL, "C");
  EXPECT_EQ(experiment.optimizer.options.number("lr"), 0.001);
  EXPECT_EQ(experiment.train.target, 0.5);
  EXPECT_EQ(to_toml(experiment), plain);
}

}  // namespace
}  // namespace actlab
