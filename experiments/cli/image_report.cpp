// Counts, sizes, means and deviations by split and class.
#include "experiments/cli/image_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "framework/data/statistics.h"

namespace actlab {
namespace {

// Channels by name: red, green, blue.
std::span<const std::string_view> channel_names(std::int64_t channels) {
  static constexpr std::array<std::string_view, 4> names = {"grey", "red", "green", "blue"};
  return channels == 1 ? std::span(names).first(1) : std::span(names).last(3);
}

// Four digits: what a config or a paper needs.
Cell rounded(double value) { return std::isfinite(value) ? Cell(std::round(value * 1e4) / 1e4) : Cell(); }

class Report {
 public:
  explicit Report(const ImageDataset& data)
      : data_(data), table_{{{"split"}, {"class"}, {"images"}, {"size"}}, {}} {
    for (const char* what : {"mean_", "deviation_"})
      for (const std::string_view channel : channel_names(data.image.channels))
        table_.columns.push_back({concat(what, channel)});
  }

  void add_split(const std::string& name, const ImageSplit& split) {
    for (std::size_t label = 0; label < data_.class_names.size(); ++label) {
      const auto wanted = static_cast<std::int32_t>(label);
      add_images(name, data_.class_names[label], std::count(split.labels.begin(), split.labels.end(), wanted),
                 channel_statistics(split, data_.image, wanted));
    }
    add_images(name, "all", split.count(), channel_statistics(split, data_.image));
  }

  const Table& table() const { return table_; }

 private:
  void add_images(const std::string& split, const std::string& name, std::int64_t images,
                  const ChannelStatistics& statistics) {
    std::vector<Cell> row = {split, name, images, concat(data_.image.height, " x ", data_.image.width)};
    for (const auto* values : {&statistics.mean, &statistics.deviation})
      for (const double value : *values) row.push_back(rounded(value));
    table_.rows.push_back(std::move(row));
  }

  const ImageDataset& data_;
  Table table_;
};

}  // namespace

Table image_report(const ImageDataset& data) {
  Report report(data);
  report.add_split("train", data.train);
  report.add_split("test", data.test);
  if (data.validation) report.add_split("validation", *data.validation);
  return report.table();
}

}  // namespace actlab
