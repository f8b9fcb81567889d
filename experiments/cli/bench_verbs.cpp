// Arguments of the benchmarks.
#include <CLI/CLI.hpp>

#include "experiments/cli/bench.h"
#include "experiments/cli/grammar.h"

namespace actlab {
namespace {

// A count from 1 to `most`.
void add_count(CLI::App& verb, const std::string& name, std::int64_t& value, const std::string& help,
               std::int64_t most = 1 << 20) {
  verb.add_option(name, value, help)->check(CLI::Range(std::int64_t{1}, most))->capture_default_str();
}

// A benchmark with what all of them take.
template <class Arguments>
std::pair<CLI::App*, std::shared_ptr<Arguments>> add_bench(CLI::App& parent, Action& action,
                                                           const std::string& name, const std::string& help,
                                                           const std::string& examples,
                                                           int (*verb)(const Arguments&)) {
  const auto [app, a] = add_verb(parent, action, name, help, examples, verb);
  app->add_option("--threads", a->threads, "0: all cores")->check(CLI::Range(0, 4096))->capture_default_str();
  add_count(*app, "--repeats", a->repeats, "timed passes");
  app->add_option("--device", a->device, "auto, cpu, cuda, cuda:N or reference")
      ->type_name("DEVICE")
      ->capture_default_str();
  app->add_flag("--roofline", a->roofline,
                "measure bandwidth beyond the caches and the rate of a large product too, and the share of "
                "them that is "
                "reached");
  app->add_option("--compare", a->compare, "file with the JSON of an earlier run, to print ratios to it")
      ->type_name("FILE");
  if constexpr (requires { a->gemm; })
    app->add_option("--gemm", a->gemm, "auto, onednn, openblas or reference; on CUDA devices auto or cudnn")
        ->type_name("GEMM")
        ->capture_default_str();
  if constexpr (requires { a->precision; })
    app->add_option("--precision", a->precision,
                    "f32; bf16, where there are instructions for it; bf16_emulated, on any CPU, by f32 "
                    "arithmetic; or, on CUDA devices, f16 or tf32")
        ->type_name("PRECISION")
        ->capture_default_str();
  if constexpr (requires { a->activation; })
    app->add_option("--activation", a->activation, "activation")
        ->type_name("ACTIVATION")
        ->capture_default_str();
  return {app, a};
}

}  // namespace

void add_bench_verbs(CLI::App& app, Action& action) {
  CLI::App* bench = app.add_subcommand(
      "bench", "Time a training step, a feed-forward network, an activation, a product or a convolution");
  bench->require_subcommand(1);
  bench->footer(
      "Examples:\n  actlab bench step --model small_cnn --activation gelu\n"
      "  actlab bench kernel --activation gelu --elements 33554432 --roofline");

  const auto [step, s] = add_bench(
      *bench, action, "step", "Median time and memory of a training step",
      "  actlab bench step --model small_cnn --activation gelu --batch 128 --format json\n"
      "  actlab bench step --model bert_ffn --activation geglu --batch 4 model.d=768 model.d_ff=3072",
      bench_step_verb);
  step->add_option("--model", s->model, "model")->type_name("MODEL")->capture_default_str();
  step->add_option("settings", s->settings,
                   "options of the model and the optimizer, such as model.widths=[8,8], and fuse=false")
      ->type_name("KEY=VALUE");
  add_count(*step, "--batch", s->batch, "images, or windows of text, a step");
  add_count(*step, "--window", s->window, "tokens of a window, for models of text", 1 << 16);
  step->add_option("--vocabulary", s->vocabulary, "tokens that there are in text")
      ->check(CLI::Range(2, 1 << 20))
      ->capture_default_str();
  step->add_flag("--by-layer", s->by_layer, "print the bytes that each layer saves for backward instead");

  const auto [ffn, f] = add_bench(
      *bench, action, "ffn", "Median time and memory of a feed-forward network, forward and backward",
      "  actlab bench ffn --tokens 512 --d 768 --width 3072 --activation gelu --format json\n"
      "  actlab bench ffn --width 2048 --activation geglu --threads 1",
      bench_ffn_verb);
  add_count(*ffn, "--tokens", f->tokens, "rows of the input");
  add_count(*ffn, "--d", f->d, "their width");
  add_count(*ffn, "--width", f->width, "width between the layers; a gated form has gate and up of it");

  const auto [kernel, k] =
      add_bench(*bench, action, "kernel", "Bandwidth of an activation beside ReLU's, timed in turns",
                "  actlab bench kernel --activation gelu --elements 33554432 --format json\n"
                "  actlab bench kernel --activation geglu --isa avx2 --dtype bf16",
                bench_kernel_verb);
  add_count(*kernel, "--elements", k->elements, "array length", std::int64_t{1} << 32);
  kernel->add_option("--dtype", k->dtype, "f32, bf16 or f16")->capture_default_str();
  kernel->add_option("--isa", k->isa, "baseline, avx2 or avx512; the best that there is without it");

  const auto [matmul, m] = add_bench(*bench, action, "matmul", "Rate of a product (m, k) times (k, n)",
                                     "  actlab bench matmul --m 512 --n 3072 --k 768 --transpose-b\n"
                                     "  actlab bench matmul --gemm openblas --roofline",
                                     bench_matmul_verb);
  add_count(*matmul, "--m", m->m, "rows of the product");
  add_count(*matmul, "--n", m->n, "columns of the product");
  add_count(*matmul, "--k", m->k, "terms of a sum");
  matmul->add_flag("--transpose-a", m->transpose_a, "the left factor is stored (k, m)");
  matmul->add_flag("--transpose-b", m->transpose_b, "the right factor is stored (n, k)");

  const auto [conv, c] = add_bench(*bench, action, "conv", "Rates of a convolution's three passes",
                                   "  actlab bench conv --batch 128 --size 32 --in 3 --out 32\n"
                                   "  actlab bench conv --size 16 --in 32 --out 64 --gemm openblas",
                                   bench_conv_verb);
  add_count(*conv, "--batch", c->batch, "images");
  add_count(*conv, "--size", c->size, "pixels of a side", 1 << 16);
  add_count(*conv, "--in", c->in, "channels of the images");
  add_count(*conv, "--out", c->out, "channels of the result");
  add_count(*conv, "--kernel", c->kernel, "pixels of a filter's side", 1 << 8);
  add_count(*conv, "--stride", c->stride, "pixels from one place of the filter to the next", 1 << 8);
  conv->add_option("--padding", c->padding, "zeros around the images")
      ->check(CLI::Range(0, 1 << 8))
      ->capture_default_str();
}

}  // namespace actlab
