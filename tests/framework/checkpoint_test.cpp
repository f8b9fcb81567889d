// Checkpoints are complete or absent, whatever happens to the disk or the process.
#include "framework/train/checkpoint.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <locale>
#include <nlohmann/json.hpp>
#include <random>

#include "framework/core/files.h"
#include "framework/core/sha256.h"
#include "framework/nn/layers.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/training.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;

constexpr const char* file_names[] = {"model.safetensors", "optimizer.safetensors", "state.json"};

// A model of `out` x 3 weights with SGD, so that its files are a few hundred bytes.
struct Tiny {
  explicit Tiny(std::uint64_t seed = 0, std::int64_t out = 2) {
    Initializer init(seed, InitScheme::kaiming, find_backend("cpu"));
    model.add("head", std::make_unique<Linear>(3, out, init, 1.0));
    const auto& sgd = find_component("optimizer", "sgd", optimizer_types());
    optimizer = sgd.make(Options(sgd.options), model.parameters());
  }
  void save(const fs::path& folder, std::int64_t step) const {
    save_checkpoint(folder, model, *optimizer, progress_of(step));
  }
  static Progress progress_of(std::int64_t step) {
    return {.step = step,
            .evaluations =
                {{.step = 1, .epoch = 0.1, .train_loss = 1.0 / 3, .test = {2.0 / 3, 0.25}, .lr = 0.05}},
            .loss_sum = 0.1,
            .loss_labels = 7};
  }

  Sequential model;
  std::unique_ptr<Optimizer> optimizer;
};

void overwrite(const fs::path& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

// The newest sound checkpoint's name, and the messages about others.
std::pair<std::string, std::vector<std::string>> newest(const fs::path& folder) {
  std::vector<std::string> messages;
  const auto found =
      newest_checkpoint(folder, [&](const std::string& message) { messages.push_back(message); });
  return {found ? found->filename().string() : "none", messages};
}

std::vector<std::string> entries(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

TEST(Checkpoint, ReadsBackWhatItSaved) {
  const TemporaryFolder folder;
  Tiny saved(1), loaded(2);
  saved.optimizer->state()[0].tensor.mutable_data().as<float>()[1] = 1e-40F;
  saved.save(folder.path() / "deep" / "er", 5);
  const fs::path checkpoint = folder.path() / "deep" / "er" / "step-5";
  const Progress progress = load_checkpoint(checkpoint, loaded.model, loaded.optimizer.get());
  EXPECT_EQ(weights_of(loaded.model), weights_of(saved.model));
  EXPECT_EQ(elements_of(loaded.optimizer->state()), elements_of(saved.optimizer->state()));
  EXPECT_EQ(progress.step, 5);
  EXPECT_EQ(progress.loss_sum, 0.1);
  EXPECT_EQ(progress.loss_labels, 7);
  ASSERT_EQ(progress.evaluations.size(), 1u);
  EXPECT_EQ(progress.evaluations[0].train_loss, 1.0 / 3);
  EXPECT_EQ(progress.evaluations[0].test.loss, 2.0 / 3);
  EXPECT_EQ(progress.evaluations[0].test.accuracy, 0.25);
  EXPECT_EQ(progress.evaluations[0].epoch, 0.1);
}

TEST(Checkpoint, KeepsValidationScores) {
  const TemporaryFolder folder;
  Tiny tiny;
  Progress progress = Tiny::progress_of(2);
  progress.evaluations.push_back(progress.evaluations[0]);
  progress.evaluations[1].validation = Score{.loss = 0.1, .accuracy = 1.0 / 3};
  save_checkpoint(folder.path(), tiny.model, *tiny.optimizer, progress);
  const Progress loaded = load_checkpoint(folder.path() / "step-2", tiny.model, tiny.optimizer.get());
  ASSERT_EQ(loaded.evaluations.size(), 2u);
  EXPECT_FALSE(loaded.evaluations[0].validation);
  ASSERT_TRUE(loaded.evaluations[1].validation);
  EXPECT_EQ(loaded.evaluations[1].validation->loss, 0.1);
  EXPECT_EQ(loaded.evaluations[1].validation->accuracy, 1.0 / 3);
}

// Sound checkpoints of other format numbers.
TEST(Checkpoint, ReadsTheFormatBeforeAndRefusesOthers) {
  const TemporaryFolder folder;
  Tiny tiny;
  tiny.save(folder.path(), 1);
  const fs::path file = folder.path() / "step-1" / "state.json";
  const auto with_version = [&](int version) {
    auto state = nlohmann::json::parse(read_file(file));
    state["version"] = version;
    state["sha256"].erase("state.json");
    state["sha256"]["state.json"] = sha256(state.dump());
    overwrite(file, state.dump(2) + "\n");
    return message_of([&] { load_checkpoint(folder.path() / "step-1", tiny.model, tiny.optimizer.get()); });
  };
  EXPECT_EQ(with_version(2), "no error");
  EXPECT_EQ(with_version(3), "no error");
  EXPECT_EQ(with_version(1), file.string() + ": checkpoint format 1, this program reads 2 to 4");
  EXPECT_EQ(with_version(5), file.string() + ": checkpoint format 5, this program reads 2 to 4");
}

TEST(Checkpoint, HoldsRunningStatistics) {
  const TemporaryFolder folder;
  Training saved({.seed = 1, .batch_norm = true}), loaded({.seed = 2, .batch_norm = true});
  saved.run({.steps = 2, .batch = 16, .checkpoints = folder.path()});
  EXPECT_NE(elements_of(saved.model->buffers()), elements_of(loaded.model->buffers()));
  load_checkpoint(folder.path() / "step-2", *loaded.model, loaded.optimizer.get());
  EXPECT_EQ(weights_of(*loaded.model), weights_of(*saved.model));
  EXPECT_EQ(elements_of(loaded.model->buffers()), elements_of(saved.model->buffers()));
  Training plain;
  EXPECT_NE(message_of([&] {
              load_checkpoint(folder.path() / "step-2", *plain.model, nullptr);
            }).find("tensors, the model has"),
            std::string::npos);
}

TEST(Checkpoint, CutAtAnyLengthIsPassedOver) {
  const TemporaryFolder folder;
  const Tiny tiny;
  tiny.save(folder.path(), 1);
  tiny.save(folder.path(), 2);
  for (const char* name : file_names) {
    const fs::path file = folder.path() / "step-2" / name;
    const std::string whole = read_file(file);
    for (std::size_t length = 0; length < whole.size(); ++length) {
      overwrite(file, std::string_view(whole).substr(0, length));
      const auto [found, messages] = newest(folder.path());
      ASSERT_EQ(found, "step-1") << name << " cut at " << length;
      ASSERT_EQ(messages.size(), 1u);
      ASSERT_EQ(messages[0].find('\n'), std::string::npos) << messages[0];
      ASSERT_NE(messages[0].find(file.string()), std::string::npos) << messages[0];
    }
    overwrite(file, whole);
    ASSERT_EQ(newest(folder.path()).first, "step-2");
  }
}

TEST(Checkpoint, AnyChangedByteIsNoticed) {
  const TemporaryFolder folder;
  const Tiny tiny;
  tiny.save(folder.path(), 1);
  tiny.save(folder.path(), 2);
  for (const char* name : file_names) {
    const fs::path file = folder.path() / "step-2" / name;
    const std::string whole = read_file(file);
    for (std::size_t i = 0; i < whole.size(); ++i) {
      std::string changed = whole;
      changed[i] = static_cast<char>(changed[i] ^ (i % 2 == 0 ? 1 : 0x80));
      overwrite(file, changed);
      const auto [found, messages] = newest(folder.path());
      ASSERT_EQ(found, "step-1") << name << " changed at " << i;
      ASSERT_NE(messages.at(0).find(file.string()), std::string::npos) << messages[0];
    }
    overwrite(file, whole);
  }
  overwrite(folder.path() / "step-2" / "state.json",
            read_file(folder.path() / "step-2" / "state.json") + " ");
  EXPECT_EQ(newest(folder.path()).first, "step-1");
}

TEST(Checkpoint, MissingFilesAndStrangersArePassedOver) {
  const TemporaryFolder folder;
  EXPECT_EQ(newest(folder.path() / "none").first, "none");
  EXPECT_EQ(newest(folder.path()).first, "none");
  const Tiny tiny;
  tiny.save(folder.path(), 9);
  tiny.save(folder.path(), 10);
  for (const char* name : {"step-11.tmp", "step-", "step-x", "step-12a", "latest"})
    fs::copy(folder.path() / "step-10", folder.path() / name);
  EXPECT_EQ(newest(folder.path()), (std::pair{std::string("step-10"), std::vector<std::string>{}}));
  for (const char* name : file_names) {
    fs::rename(folder.path() / "step-10" / name, folder.path() / "aside");
    const auto [found, messages] = newest(folder.path());
    EXPECT_EQ(found, "step-9");
    EXPECT_NE(messages.at(0).find(name), std::string::npos) << messages[0];
    fs::rename(folder.path() / "aside", folder.path() / "step-10" / name);
  }
  overwrite(folder.path() / "step-13", "");
  EXPECT_EQ(newest(folder.path()).first, "step-10");
}

TEST(Checkpoint, NamesDoNotDependOnTheLocale) {
  struct Grouped : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const TemporaryFolder folder;
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Grouped));
  Tiny().save(folder.path(), 12345);
  const std::string found = newest(folder.path()).first;
  std::locale::global(before);
  EXPECT_EQ(found, "step-12345");
}

TEST(Checkpoint, TheNewestTwoAreKept) {
  const TemporaryFolder folder;
  const Tiny tiny;
  for (const std::int64_t step : {1, 2, 9, 10}) tiny.save(folder.path(), step);
  EXPECT_EQ(entries(folder.path()), (std::vector<std::string>{"step-10", "step-9"}));
}

// Damaged ones of later steps must not push out the sound one that the run went back to.
TEST(Checkpoint, DamagedOnesDoNotCountAsKept) {
  const TemporaryFolder folder;
  const Tiny tiny;
  tiny.save(folder.path(), 20);
  tiny.save(folder.path(), 30);
  for (const char* name : {"step-20", "step-30"}) overwrite(folder.path() / name / "state.json", "{");
  tiny.save(folder.path(), 10);
  EXPECT_EQ(newest(folder.path()).first, "step-10");
  tiny.save(folder.path(), 20);
  EXPECT_EQ(newest(folder.path()).first, "step-20");
}

TEST(Checkpoint, LeftoversOfAKilledSaveAreReplaced) {
  const TemporaryFolder folder;
  fs::create_directories(folder.path() / "step-3.tmp" / "model.safetensors");
  Tiny().save(folder.path(), 3);
  EXPECT_EQ(entries(folder.path()), (std::vector<std::string>{"step-3"}));
}

TEST(Checkpoint, OtherModelsAreRefusedBeforeAnythingChanges) {
  const TemporaryFolder folder;
  Tiny(1).save(folder.path(), 1);
  const fs::path checkpoint = folder.path() / "step-1";
  Tiny wider(2, 4);
  const auto before = weights_of(wider.model);
  const auto refusal = [&](Module& model, Optimizer* optimizer) {
    return message_of([&] { load_checkpoint(checkpoint, model, optimizer); });
  };
  EXPECT_EQ(refusal(wider.model, wider.optimizer.get()),
            (checkpoint / "model.safetensors").string() +
                ": 'head.weight' is f32 (2, 3), the model has f32 (4, 3)");
  EXPECT_EQ(weights_of(wider.model), before);

  // Another optimizer's state, or another model for the same optimizer's: neither may be half taken over.
  Tiny same(3);
  const auto weights = weights_of(same.model), velocities = elements_of(same.optimizer->state());
  EXPECT_NE(refusal(same.model, wider.optimizer.get()).find("'head.weight.velocity'"), std::string::npos);
  EXPECT_EQ(weights_of(same.model), weights);
  EXPECT_NE(refusal(wider.model, same.optimizer.get()).find("'head.weight'"), std::string::npos);
  EXPECT_EQ(elements_of(same.optimizer->state()), velocities);

  Initializer init(0, InitScheme::kaiming, find_backend("cpu"));
  Sequential other;
  other.add("tail", std::make_unique<Linear>(3, 2, init, 1.0));
  EXPECT_NE(refusal(other, nullptr).find("has no 'tail.weight'"), std::string::npos);
  EXPECT_NE(refusal(*std::make_unique<Sequential>(), nullptr).find("has 2 tensors, the model has 0"),
            std::string::npos);
}

TEST(Checkpoint, FullDiskLeavesTheOldOne) {
  const TemporaryFolder folder;
  const Tiny tiny;
  tiny.save(folder.path(), 1);
  const auto size = fs::file_size(folder.path() / "step-1" / "model.safetensors");
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, size - 1}) {
    const rlimit small{bytes, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    const std::string message = message_of([&] { tiny.save(folder.path(), 2); });
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_NE(
        message.find((folder.path() / "step-2.tmp" / "model.safetensors").string() + ": File too large"),
        std::string::npos)
        << message;
    EXPECT_EQ(entries(folder.path()), (std::vector<std::string>{"step-1"}));
  }
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(newest(folder.path()).first, "step-1");
}

TEST(Checkpoint, FolderThatCannotBeMadeIsNamed) {
  const TemporaryFolder folder;
  const fs::path file = folder.write("file", "");
  EXPECT_EQ(
      message_of([&] { Tiny().save(file / "checkpoints", 1); }),
      "checkpoint: cannot create " + (file / "checkpoints" / "step-1.tmp").string() + ": Not a directory");
}

// Kills a process that saves one checkpoint after the other, at 20 moments.
TEST(Checkpoint, KilledSavesLeaveALoadableOne) {
  const TemporaryFolder folder;
  Tiny tiny;
  tiny.save(folder.path(), 0);
  std::mt19937 random(1);
  useconds_t latest = 20'000;  // moment of a kill in microseconds; rises where the disk is slower
  std::int64_t reached = 0;
  for (int kill_number = 0; kill_number < 20; ++kill_number) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      try {
        for (std::int64_t step = reached + 1;; ++step) tiny.save(folder.path(), step);
      } catch (...) {
        _exit(1);
      }
    }
    usleep(std::uniform_int_distribution<useconds_t>(1000, latest)(random));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "a save failed";
    const auto found =
        newest_checkpoint(folder.path(), [](const std::string& text) { ADD_FAILURE() << text; });
    ASSERT_TRUE(found) << kill_number;
    Tiny loaded(7);
    const std::int64_t step = load_checkpoint(*found, loaded.model, loaded.optimizer.get()).step;
    EXPECT_GE(step, reached);
    EXPECT_EQ(weights_of(loaded.model), weights_of(tiny.model));
    if (step == reached && latest < 500'000) latest *= 2;
    reached = step;
  }
  EXPECT_GT(reached, 0) << "no save was ever finished";
}

}  // namespace
}  // namespace actlab
