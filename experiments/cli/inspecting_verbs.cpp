// Arguments of the verbs that look at activations and at the program itself.
#include <CLI/CLI.hpp>
#include <limits>

#include "experiments/cli/grammar.h"
#include "experiments/cli/verbs.h"

namespace actlab {

void add_inspecting_verbs(CLI::App& app, Action& action) {
  const auto [probe, p] =
      add_verb(app, action, "probe", "Print f and f' of an activation at given points",
               "  actlab probe gelu --x=-5.5,0,1.5 --format csv\n"
               "  actlab probe 'swish(beta=0.5)' --x=0x1.8p+1,-inf --backend reference --dtype bf16",
               probe_verb);
  probe->add_option("activation", p->activation, "name, with parameters if wanted: 'elu(alpha=0.5)'")
      ->type_name("ACTIVATION")
      ->required();
  probe->add_option("--x", p->x, "points, separated by commas: decimal or C hex floats, inf, nan");
  probe->add_option("--input", p->input, "file with one point a line")->type_name("FILE");
  probe->add_option("--backend", p->backend, "cpu, cuda or reference (which gives f'' too)")
      ->type_name("DEVICE")
      ->capture_default_str();
  probe->add_option("--dtype", p->dtype, "f32, bf16, f16; reference: f64 too")->capture_default_str();
  probe->add_option("--isa", p->isa, "cpu: baseline, avx2 or avx512; the best that there is without it");

  const auto [check, k] = add_verb(
      app, action, "check", "Hold every activation on every backend and type against its exact values",
      "  actlab check\n  actlab check gelu 'elu(alpha=0.5)' --format csv", check_verb);
  check->add_option("activations", k->activations, "names; all without them")->type_name("ACTIVATION");

  const auto [claims, c] = add_verb(
      app, action, "claims", "Hold claims about GELU that circulate against what is found here",
      "  actlab claims --measure --format md\n  actlab claims gates --samples 100000 --seed 1", claims_verb);
  claims
      ->add_option("table", c->table,
                   "claims; gates: means of random gates, sampled beside the activations that they are; "
                   "series: GELU's Taylor series and asymptotes beside it")
      ->capture_default_str();
  claims->add_flag("--measure", c->measure, "claims: time kernels for those of speed, in a few seconds");
  claims->add_option("--samples", c->samples, "gates: numbers drawn for each mean; a million without it")
      ->check(CLI::Range(std::int64_t{2}, std::int64_t{1} << 32));
  claims->add_option("--seed", c->seed, "gates: of the random numbers; 0 without it")
      ->check(CLI::Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max()));

  const auto [list, l] =
      add_verb(app, action, "list",
               "List activations, models, datasets, optimizers, schedules, keys of experiment files, devices",
               "  actlab list keys\n  actlab list activations --format json", list_verb);
  CLI::Option* what = list->add_option("what", l->what, "one of these; all without it")->type_name("KIND");
  take_one_of(*what, "kind of thing", list_kinds());

  add_verb(app, action, "info", "Show version, machine, backends and libraries",
           "  actlab info\n  actlab info --format json", info_verb);
}

}  // namespace actlab
