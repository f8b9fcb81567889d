// actlab data fetch: a data set from its source.
#include <chrono>
#include <iostream>

#include "datasets/sources.h"
#include "experiments/cli/output.h"
#include "experiments/cli/terminal_line.h"
#include "experiments/cli/verbs.h"
#include "experiments/runner/stop.h"
#include "kernels/error.h"

namespace actlab {
namespace {

const DataSource& find_source(const std::string& dataset) {
  std::string known;
  for (const DataSource& source : data_sources()) {
    if (source.dataset == dataset) return source;
    known += (known.empty() ? "" : ", ") + source.dataset;
  }
  throw ConfigError(concat("data fetch: no source is known for '", dataset, "'; there is one for ", known));
}

// In lower case, as checksums are compared; refused before anything is downloaded.
std::string read_checksum(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
  if (text.size() != 64 || text.find_first_not_of("0123456789abcdef") != std::string::npos)
    throw ConfigError(concat("--sha256: wanted 64 hexadecimal digits, found '", text, "'"));
  return text;
}

}  // namespace

int data_fetch_verb(const DataFetchArguments& arguments) {
  parse_table_format(arguments.format);
  DataSource source = find_source(arguments.dataset);
  if (!arguments.url.empty()) source.url = arguments.url;
  if (!arguments.sha256.empty()) source.sha256 = read_checksum(arguments.sha256);

  // A signal ends the fetch at its next report, so that nothing is left behind.
  catch_stop_signals();
  const auto start = std::chrono::steady_clock::now();
  const auto report = [&](std::int64_t bytes, std::int64_t total) {
    if (total > 0 && can_draw_line()) {
      const double share = static_cast<double>(bytes) / static_cast<double>(total);
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      draw_line(progress_line(source.dataset, share,
                              {time_left(share, seconds), readable(Cell(bytes), Unit::bytes)}, line_width()));
    }
    return stop_signal() == 0;
  };
  try {
    const std::filesystem::path folder = fetch(source, arguments.to, report);
    clear_line();
    print({{"dataset", source.dataset}, {"folder", folder.string()}, {"sha256", source.sha256}},
          {{"dataset"}, {"folder"}, {"sha256"}}, arguments.format);
    return 0;
  } catch (const DataError&) {
    clear_line();
    if (stop_signal() == 0) throw;
    std::cerr << "actlab: interrupted: nothing of " << source.dataset << " was kept\n";
    return 128 + stop_signal();
  }
}

}  // namespace actlab
