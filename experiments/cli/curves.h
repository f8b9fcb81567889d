// What the verbs of `curves` take.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace actlab {

/// What all of them take.
struct CurvesArguments {
  std::vector<std::string> activations;
  double from = -5, to = 5;  ///< of what is on the horizontal axis
  std::string svg;           ///< file; empty: none
  std::string title;         ///< of the chart; empty: one that says what it is
  std::string format = "table";
};

struct CurvesValuesArguments : CurvesArguments {
  std::int64_t points = 501;
  std::string what = "f,df,d2f";
  std::string y_range;  ///< "LOW,HIGH" of the chart; empty: by the values
};
/// f, f', f'' on a grid, in double.
int curves_values_verb(const CurvesValuesArguments& arguments);

struct CurvesErrorsArguments : CurvesArguments {
  std::string exact = "gelu";
  double sigma = 1;
};
/// How far approximations lie from the exact form; of those named after it where none are named.
int curves_errors_verb(const CurvesErrorsArguments& arguments);

struct CurvesMomentsArguments {
  std::vector<std::string> activations;  ///< empty: all
  double sigma = 1;
  std::int64_t samples = 1'000'000;
  std::uint64_t seed = 0;
  std::string format = "table";
};
/// Mean and variance of f(x), x ~ N(0, sigma^2): of a sample by the float kernels, and exact.
int curves_moments_verb(const CurvesMomentsArguments& arguments);

struct CurvesHistogramArguments : CurvesArguments {
  double sigma = 1;
  std::int64_t samples = 1'000'000;
  std::uint64_t seed = 0;
  std::int64_t bins = 50;
};
/// The distribution of f(x), likewise.
int curves_histogram_verb(const CurvesHistogramArguments& arguments);

}  // namespace actlab
