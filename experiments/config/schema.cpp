// The keys of experiment files, each declared once.
#include "experiments/config/schema.h"

#include "kernels/error.h"

namespace actlab {
namespace {

using Field = ExperimentKey::Field;
using std::int64_t;

Option text(std::string name, std::string fallback, std::string help, std::vector<std::string> choices = {}) {
  return {.name = std::move(name),
          .fallback = std::move(fallback),
          .help = std::move(help),
          .choices = std::move(choices)};
}

// Products of such counts fit 64 bits.
constexpr double most_count = 1e9;

Option integer(std::string name, int64_t fallback, std::string help, double least, double most = 1e308) {
  return {
      .name = std::move(name), .fallback = fallback, .help = std::move(help), .least = least, .most = most};
}

std::vector<ExperimentKey> make_keys() {
  const Experiment d;
  return {
      {"", text("name", d.name, "names the runs' folder; without it the file's name"),
       [](Experiment& e) -> Field { return &e.name; }},
      {"", integer("seed", d.seed, "fixes initial weights, sample order and augmentation", 0),
       [](Experiment& e) -> Field { return &e.seed; }},
      {"",
       text("device", d.device,
            "where it computes; auto: on a CUDA device where there is one, else on the CPU",
            {"auto", "cpu", "cuda", "cuda:N", "reference"}),
       [](Experiment& e) -> Field { return &e.device; }},
      {"", integer("threads", d.threads, "0: all cores", 0, 4096),
       [](Experiment& e) -> Field { return &e.threads; }},
      {"",
       text("gemm", d.gemm,
            "the CPU's library of matmul and convolution; cudnn: convolutions of CUDA devices by cuDNN 9, "
            "which "
            "has not been measured yet; auto takes actlab's own there",
            {"auto", "onednn", "openblas", "reference", "cudnn"}),
       [](Experiment& e) -> Field { return &e.gemm; }},
      {"",
       text("precision", d.precision,
            "bf16: linear layers, convolutions and activations in bfloat16, everything else in f32; where "
            "the CPU has no instructions for it a warning says so and it is f32. bf16_emulated: the same "
            "roundings by f32 arithmetic, on any CPU. On CUDA devices too: f16, with a dynamic scale of the "
            "loss, and tf32, which is f32 but for the factors of matmul and of cuDNN's convolution: these "
            "have 11 bits",
            {"f32", "tf32", "bf16", "bf16_emulated", "f16"}),
       [](Experiment& e) -> Field { return &e.precision; }},
      {"",
       {.name = "fuse",
        .fallback = d.fuse,
        .help = "activations in one pass with the pooling or the linear layer after them; false: apart, with "
                "the same results in more time and memory"},
       [](Experiment& e) -> Field { return &e.fuse; }},
      {"model", text("name", d.model.name, "the model"),
       [](Experiment& e) -> Field { return &e.model.name; }},
      {"model", text("activation", d.activation, "such as gelu, elu(alpha=0.5) or swish(learned=channel)"),
       [](Experiment& e) -> Field { return &e.activation; }},
      {"data", text("name", d.data.name, "the data set"),
       [](Experiment& e) -> Field { return &e.data.name; }},
      {"data",
       integer("batch", d.batch, "images, or windows of text, of an update; train.accumulate parts them", 1),
       [](Experiment& e) -> Field { return &e.batch; }},
      {"data",
       {.name = "augment", .fallback = d.augment, .help = "random crops and flips of training images"},
       [](Experiment& e) -> Field { return &e.augment; }},
      {"data",
       {.name = "validation",
        .fallback = d.validation,
        .help =
            "share of the training part held out, of images the same of every class, the same for every seed "
            "and activation; the best evaluation and convergence are then chosen by it",
        .least = 0,
        .most = 0.5},
       [](Experiment& e) -> Field { return &e.validation; }},
      {"train", integer("epochs", d.train.epochs, "passes over the training split", 1, most_count),
       [](Experiment& e) -> Field { return &e.train.epochs; }},
      {"train",
       integer("steps", d.train.steps, "ends after this many steps instead; 0: by epochs", 0, most_count),
       [](Experiment& e) -> Field { return &e.train.steps; }},
      {"train",
       integer("eval_every", d.train.eval_every, "steps between evaluations; 0: every epoch", 0, most_count),
       [](Experiment& e) -> Field { return &e.train.eval_every; }},
      {"train",
       {.name = "target",
        .fallback = d.train.target,
        .help =
            "accuracy that counts as converged, of the validation split where there is one, else of the test "
            "split; 0: none",
        .least = 0,
        .most = 1},
       [](Experiment& e) -> Field { return &e.train.target; }},
      {"train",
       {.name = "target_loss",
        .fallback = d.train.target_loss,
        .help = "loss in nats that counts as converged, at or below it, in place of an accuracy; 0: none",
        .least = 0},
       [](Experiment& e) -> Field { return &e.train.target_loss; }},
      {"train",
       integer("accumulate", d.train.accumulate,
               "equal parts of a batch that run one after the other and make one update: the same training "
               "but for rounding and for what an activation observes, in less memory; steps count updates",
               1, most_count),
       [](Experiment& e) -> Field { return &e.train.accumulate; }},
      {"train",
       {.name = "clip_norm",
        .fallback = d.train.clip_norm,
        .help = "gradients are scaled down where the norm of all of them is above this; 0: never",
        .least = 0},
       [](Experiment& e) -> Field { return &e.train.clip_norm; }},
      {"train",
       {.name = "label_smoothing",
        .fallback = d.train.label_smoothing,
        .help = "share of the wanted probability spread over all classes; evaluations have none",
        .least = 0,
        .most = 1,
        .below_most = true},
       [](Experiment& e) -> Field { return &e.train.label_smoothing; }},
      {"train",
       integer("checkpoint_every", d.train.checkpoint_every, "epochs between checkpoints", 1, most_count),
       [](Experiment& e) -> Field { return &e.train.checkpoint_every; }},
      {"optimizer", text("name", d.optimizer.name, "the optimizer"),
       [](Experiment& e) -> Field { return &e.optimizer.name; }},
      {"schedule", text("name", d.schedule.name, "how the learning rate changes"),
       [](Experiment& e) -> Field { return &e.schedule.name; }},
      {"run", text("root", d.run_root, "folder of the runs' folders"),
       [](Experiment& e) -> Field { return &e.run_root; }},
  };
}

}  // namespace

const std::vector<ExperimentKey>& experiment_keys() {
  static const std::vector<ExperimentKey> keys = make_keys();
  return keys;
}

OptionValue read_field(const ExperimentKey& key, const Experiment& experiment) {
  Experiment copy = experiment;
  return std::visit([](const auto* field) { return OptionValue(*field); }, key.field(copy));
}

void write_field(const ExperimentKey& key, Experiment& experiment, const OptionValue& value) {
  std::visit([&](auto* field) { *field = std::get<std::remove_pointer_t<decltype(field)>>(value); },
             key.field(experiment));
}

const std::vector<ComponentSection>& component_sections() {
  static const std::vector<ComponentSection> sections = {
      {"model", "model", &Experiment::model, &Schemas::models},
      {"data", "data set", &Experiment::data, &Schemas::datasets},
      {"optimizer", "optimizer", &Experiment::optimizer, &Schemas::optimizers},
      {"schedule", "schedule", &Experiment::schedule, &Schemas::schedules},
  };
  return sections;
}

void check_options(const Schemas& schemas) {
  for (const auto& section : component_sections())
    for (const auto& component : schemas.*section.schemas)
      for (const auto& option : component.options)
        for (const auto& key : experiment_keys())
          ACTLAB_CHECK(key.path() != section.section + "." + option.name, section.kind, " '", component.name,
                       "': its option '", option.name, "' is a key of every experiment, ", key.path(),
                       ": give it another name");
}

}  // namespace actlab
