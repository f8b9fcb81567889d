// actlab data check: what a data set holds, by split and class, and what is wrong with it.
#include <array>
#include <cmath>
#include <span>

#include "datasets/datasets.h"
#include "experiments/cli/log.h"
#include "experiments/cli/output.h"
#include "experiments/cli/verbs.h"
#include "framework/data/statistics.h"

namespace actlab {
namespace {

constexpr int exit_data = 3;

// As the [data] section of an experiment file would set them.
Options read_options(const DatasetType& type, const DataCheckArguments& arguments) {
  Options options(type.options);
  const auto set = [&](const std::string& name, const std::string& text) {
    const Option& option = find_component("option of " + type.name, name, type.options);
    const auto value = option.read(text);
    if (!value)
      throw ConfigError(concat("data.", name, ": wanted ", option.wanted(), ", found '", text, "'"));
    options.set(name, *value);
  };
  if (!arguments.root.empty()) set("root", arguments.root);
  for (const std::string& setting : arguments.settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos) throw ConfigError(concat("'", setting, "': wanted key=value"));
    const std::size_t key = setting.starts_with("data.") ? 5 : 0;
    set(setting.substr(key, equals - key), setting.substr(equals + 1));
  }
  return options;
}

// Channels by name: red, green, blue.
std::span<const std::string_view> channel_names(std::int64_t channels) {
  static constexpr std::array<std::string_view, 4> names = {"grey", "red", "green", "blue"};
  return channels == 1 ? std::span(names).first(1) : std::span(names).last(3);
}

class Report {
 public:
  explicit Report(const ImageDataset& data)
      : data_(data), table_{{{"split"}, {"class"}, {"images"}, {"size"}}, {}} {
    for (const char* what : {"mean_", "deviation_"})
      for (const std::string_view channel : channel_names(data.spec.channels))
        table_.columns.push_back({concat(what, channel)});
    table_.columns.push_back({"fault"});
  }

  void add_split(const std::string& name, const ImageSplit& split) {
    for (std::size_t label = 0; label < data_.class_names.size(); ++label) {
      const auto wanted = static_cast<std::int32_t>(label);
      add_images(name, data_.class_names[label], std::count(split.labels.begin(), split.labels.end(), wanted),
                 channel_statistics(split, data_.spec, wanted));
    }
    add_images(name, "all", split.count(), channel_statistics(split, data_.spec));
  }

  void add_fault(const std::string& fault) {
    table_.rows.emplace_back(table_.columns.size());
    table_.rows.back().back() = fault;
  }

  const Table& table() const { return table_; }

 private:
  // Four digits: what a config or a paper needs.
  static Cell rounded(double value) {
    return std::isfinite(value) ? Cell(std::round(value * 1e4) / 1e4) : Cell();
  }

  void add_images(const std::string& split, const std::string& name, std::int64_t images,
                  const ChannelStatistics& statistics) {
    std::vector<Cell> row = {split, name, images, concat(data_.spec.height, " x ", data_.spec.width)};
    for (const auto* values : {&statistics.mean, &statistics.deviation})
      for (const double value : *values) row.push_back(rounded(value));
    row.emplace_back();
    table_.rows.push_back(std::move(row));
  }

  const ImageDataset& data_;
  Table table_;
};

}  // namespace

int data_check_verb(const DataCheckArguments& arguments) {
  parse_table_format(arguments.format);
  const DatasetType& type = find_component("data set", arguments.dataset, dataset_types());
  const Options options = read_options(type, arguments);
  std::shared_ptr<const ImageDataset> data;
  std::vector<std::string> faults;
  try {
    data = type.make(options);
  } catch (const FaultyFiles& faulty) {
    data = faulty.rest();
    faults = faulty.faults();
  }

  for (const std::string& note : data->notes) log_info(note);
  Report report(*data);
  report.add_split("train", data->train);
  report.add_split("test", data->test);
  if (data->validation) report.add_split("validation", *data->validation);
  for (const std::string& fault : faults) report.add_fault(fault);
  print(report.table(), arguments.format);
  if (faults.empty()) return 0;
  log_warning(concat(faults.size(), " files cannot be used"));
  return exit_data;
}

}  // namespace actlab
