// Arguments of the verbs that draw activations.
#include <CLI/CLI.hpp>

#include "experiments/cli/curves.h"
#include "experiments/cli/grammar.h"

namespace actlab {
namespace {

template <class Arguments>
CLI::Option* add_activations(CLI::App& verb, Arguments& a, const std::string& without) {
  return verb.add_option("activations", a.activations,
                         "names, with parameters if wanted: 'elu(alpha=0.5)'" + without);
}

void add_chart(CLI::App& verb, CurvesArguments& a, const std::string& axis) {
  verb.add_option("--from", a.from, axis + " where it begins")->capture_default_str();
  verb.add_option("--to", a.to, axis + " where it ends")->capture_default_str();
  verb.add_option("--svg", a.svg, "file for a chart of it, replaced where there is one")->type_name("FILE");
  verb.add_option("--title", a.title, "title of the chart")->needs("--svg");
}

template <class Arguments>
void add_sample(CLI::App& verb, Arguments& a) {
  verb.add_option("--sigma", a.sigma, "inputs are drawn from N(0, sigma^2), 0.001 to 100")
      ->capture_default_str();
  verb.add_option("--samples", a.samples, "how many")
      ->check(CLI::Range(std::int64_t{2}, std::int64_t{10'000'000}))
      ->capture_default_str();
  verb.add_option("--seed", a.seed, "of the drawing")->capture_default_str();
}

}  // namespace

void add_curves_verbs(CLI::App& app, Action& action) {
  CLI::App* curves = app.add_subcommand(
      "curves",
      "Draw activations: their curves, the errors of approximations, what they make of Gaussian inputs");
  curves->require_subcommand(1);
  curves->footer(
      "Examples:\n  actlab curves values gelu silu --what f,df --svg curves.svg --format csv > curves.csv\n"
      "  actlab curves errors --exact gelu");

  const auto [values, v] =
      add_verb(*curves, action, "values", "f, f' and f'' on a grid, in double",
               "  actlab curves values gelu silu mish relu --what f,df --from -4 --to 4 --svg curves.svg\n"
               "  actlab curves values gelu 'elu(alpha=0.5)' --points 11 --format csv",
               curves_values_verb);
  add_activations(*values, *v, "")->required();
  add_chart(*values, *v, "x");
  values->add_option("--points", v->points, "how many, the ends included")
      ->check(CLI::Range(2, 100'001))
      ->capture_default_str();
  values->add_option("--what", v->what, "curves, separated by commas: f, df, d2f")->capture_default_str();
  values->add_option("--y", v->y_range, "LOW,HIGH: what the chart shows, such as --y=-1,4; all without it")
      ->needs("--svg");

  const auto [errors, e] = add_verb(
      *curves, action, "errors", "How far approximations lie from the exact form: the most, where, rms",
      "  actlab curves errors --svg errors.svg\n"
      "  actlab curves errors gelu_tanh 'gelu_sigmoid(beta=1.772)' --exact gelu --from -8 --to 8",
      curves_errors_verb);
  add_activations(*errors, *e, "; those named after the exact form without them");
  errors->add_option("--exact", e->exact, "what they approximate")->capture_default_str();
  errors->add_option("--sigma", e->sigma, "rms is for x from N(0, sigma^2), 0.001 to 100")
      ->capture_default_str();
  add_chart(*errors, *e, "x");

  const auto [moments, m] =
      add_verb(*curves, action, "moments",
               "Mean and variance of f(x) for Gaussian x: of a sample, by the kernels of training, and exact",
               "  actlab curves moments gelu relu silu\n  actlab curves moments --sigma 2 --format md",
               curves_moments_verb);
  add_activations(*moments, *m, "; all without them");
  add_sample(*moments, *m);

  const auto [histogram, h] = add_verb(
      *curves, action, "histogram", "The distribution of f(x) for Gaussian x: of a sample, and exact",
      "  actlab curves histogram gelu silu --from -0.5 --to 3 --svg histogram.svg\n"
      "  actlab curves histogram relu --bins 20 --samples 10000 --format csv",
      curves_histogram_verb);
  add_activations(*histogram, *h, "")->required();
  add_chart(*histogram, *h, "f(x)");
  histogram->add_option("--bins", h->bins, "bins between these two")
      ->check(CLI::Range(1, 10'000))
      ->capture_default_str();
  add_sample(*histogram, *h);
}

}  // namespace actlab
