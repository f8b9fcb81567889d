// The verbs of the command line, each with its arguments; cli.cpp reads them. A verb prints its result on
// standard output, returns the exit code, and throws ConfigError, DataError or Error.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace actlab {

struct RunArguments {
  std::string config;
  std::vector<std::string> settings;  ///< key=value
  bool force = false;
  bool retry = false;
  std::int64_t jobs = 1;              ///< at once
  std::optional<std::int64_t> index;  ///< the only job that is meant
  bool dry_run = false;
  std::optional<std::string> plan;   ///< file
  std::optional<std::string> trace;  ///< file
  std::string progress = "auto";
  bool print_config = false;
  std::string format = "table";
};
/// Trains every job of an experiment file and compares the activations. Without training: prints what there
/// is to do, or writes it to the plan; or writes the tensors of the first step of its only job to the trace.
/// 128 + signal where one ends it.
int run_verb(const RunArguments& arguments);
/// Prints every key with its value and what gave it, and trains nothing: as an experiment file with comments,
/// or as a table where a format for programs is asked for.
int print_config(const RunArguments& arguments);

struct ResumeArguments {
  std::string run;
  std::vector<std::string> settings;  ///< refused
  std::string progress = "auto";
  std::string format = "table";
};
/// Goes on with a run from its newest checkpoint.
int resume_verb(const ResumeArguments& arguments);

struct EvaluateArguments {
  std::string run;
  std::vector<std::string> settings;
  std::string format = "table";
};
/// Scores the newest checkpoint of a run on the test split, and on the validation split where there is one.
int evaluate_verb(const EvaluateArguments& arguments);

struct CompareArguments {
  std::vector<std::string> folders;
  std::string baseline;
  std::string metric;                ///< empty: what the runs are judged by
  std::string by;                    ///< settings, separated by commas; empty: all that differ
  std::optional<double> difference;  ///< the smallest that counts, in points or nats
  std::string sort;                  ///< column, or column:desc
  bool only_changed = false;
  std::optional<int> precision;  ///< digits after the point
  std::string format = "table";
};
/// The table of all runs below some folders.
int compare_verb(const CompareArguments& arguments);

struct ReportArguments {
  std::vector<std::string> folders;
  std::string output = "report.html";
  std::string baseline;
  std::string title;  ///< empty: the names of the experiments
  std::string format = "table";
};
/// Writes the page of all runs below some folders.
int report_verb(const ReportArguments& arguments);

struct ProbeArguments {
  std::string activation;
  std::string x;      ///< values, separated by commas
  std::string input;  ///< file with a value a line
  std::string backend = "cpu";
  std::string dtype = "f32";
  std::string isa;  ///< empty: the best
  std::string format = "table";
};
/// f, f' (and f'' of the reference) at given points, by the kernels that training uses.
int probe_verb(const ProbeArguments& arguments);

struct CheckArguments {
  std::vector<std::string> activations;  ///< empty: all
  std::string format = "table";
};
/// Values against the reference, gradients against finite differences; exit code 5 on a failure.
int check_verb(const CheckArguments& arguments);

struct ClaimsArguments {
  std::string table = "claims";
  bool measure = false;                 ///< claims: time kernels too
  std::optional<std::int64_t> samples;  ///< gates: of each mean
  std::optional<std::int64_t> seed;     ///< gates
  std::string format = "table";
};
/// Claims about GELU beside what is computed and measured here; means of random gates; series.
int claims_verb(const ClaimsArguments& arguments);

struct ListArguments {
  std::string what;  ///< one of list_kinds(); empty: all
  std::string format = "table";
};
int list_verb(const ListArguments& arguments);
std::vector<std::string> list_kinds();

struct InfoArguments {
  std::string format = "table";
};
/// Version, machine, backends and libraries.
int info_verb(const InfoArguments& arguments);

struct DataFetchArguments {
  std::string dataset;
  std::string to = "data";
  std::string url;     ///< empty: the source's
  std::string sha256;  ///< empty: the source's
  std::string format = "table";
};
/// Downloads a data set; 128 + signal where one ends it.
int data_fetch_verb(const DataFetchArguments& arguments);

struct DataCheckArguments {
  std::string dataset;
  std::string root;                   ///< folder or file; empty: the default; with '=': a setting
  std::vector<std::string> settings;  ///< key=value: options of the data set
  std::string format = "table";
};
/// Reads a data set and describes it by split, images by class too; exit code 3 where files have faults.
int data_check_verb(const DataCheckArguments& arguments);

}  // namespace actlab
