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
  std::optional<std::string> trace;  ///< file
  bool print_config = false;
  std::string format = "table";
};
/// Trains every job of an experiment file and compares the activations; or writes the tensors of the first
/// step of its only job to the trace, and trains nothing.
int run_verb(const RunArguments& arguments);
/// Prints every key with its value and what gave it, and trains nothing: as an experiment file with comments,
/// or as a table where a format for programs is asked for.
int print_config(const RunArguments& arguments);

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
  std::string metric;  ///< empty: what the runs are judged by
  std::string format = "table";
};
/// The table of all runs below some folders.
int compare_verb(const CompareArguments& arguments);

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
