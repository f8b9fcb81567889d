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
  std::string format = "table";
};
/// Trains every job of an experiment file and compares the activations; or writes the tensors of the first
/// step of its only job to the trace, and trains nothing.
int run_verb(const RunArguments& arguments);

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
  std::string what;  ///< activations, models, ...; empty: all
  std::string format = "table";
};
int list_verb(const ListArguments& arguments);

struct InfoArguments {
  std::string format = "table";
};
/// Version, machine, backends and libraries.
int info_verb(const InfoArguments& arguments);

struct BenchStepArguments {
  std::string model = "small_cnn";
  std::string activation = "gelu";
  std::vector<std::string> settings;  ///< key=value: options of the model and the optimizer, and `fuse`
  std::int64_t batch = 128;           ///< images or windows
  std::int64_t window = 128;          ///< tokens
  std::int64_t vocabulary = 30522;    ///< BERT's
  std::int64_t threads = 0;
  std::string gemm = "auto";
  std::string precision = "f32";
  std::int64_t repeats = 50;
  bool by_layer = false;
  std::string format = "table";
};
/// Median time and memory of a training step, on random images of CIFAR-10's size or random text.
int bench_step_verb(const BenchStepArguments& arguments);

struct BenchFfnArguments {
  std::int64_t tokens = 512;
  std::int64_t d = 768;
  std::int64_t width = 3072;  ///< of f(x), also where it is gated
  std::string activation = "gelu";
  std::int64_t threads = 0;
  std::string gemm = "auto";
  std::string precision = "f32";
  std::int64_t repeats = 20;
  std::string format = "table";
};
/// Median time and memory of a feed-forward network's forward and backward pass.
int bench_ffn_verb(const BenchFfnArguments& arguments);

struct BenchKernelArguments {
  std::string activation = "gelu";
  std::int64_t elements = std::int64_t{1} << 25;
  std::int64_t threads = 0;
  std::string dtype = "f32";
  std::string isa;
  std::int64_t repeats = 15;
  std::string format = "table";
};
/// Bandwidth of an activation's kernels beside ReLU's, timed in turns.
int bench_kernel_verb(const BenchKernelArguments& arguments);

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
