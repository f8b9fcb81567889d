// Creates run folders and writes their files.
#include "experiments/results/run_folder.h"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <ctime>
#include <system_error>

#include "framework/core/files.h"
#include "kernels/error.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;

std::string utc(const char* format) {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, format, &parts)};
}

// "elu(alpha=0.5)" as "elu_alpha_0.5": letters, digits, dots, minus signs and single underscores.
std::string file_safe(std::string_view text) {
  constexpr std::size_t most = 80;
  std::string safe;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || (c == '.' && !safe.empty());
    if (plain) {
      safe += c;
    } else if (safe.empty() || safe.back() != '_') {
      safe += '_';
    }
  }
  if (safe.size() > 1 && safe.back() == '_') safe.pop_back();
  return safe.empty() ? "_" : safe.substr(0, most);
}

constexpr std::string_view other_folder = " choose another folder with run.root=FOLDER";

[[noreturn]] void refuse(const fs::path& path, std::string_view what, const std::error_code& reason) {
  const bool full = reason == std::errc::no_space_on_device || reason == std::errc::file_too_large;
  throw Error(concat(path.string(), ": ", what, ": ", reason.message(), full ? "; free some space or" : ";",
                     other_folder));
}

void create_parents(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) refuse(folder, "cannot create the folder", error);
}

// Makes a folder that was not there before, with a number at its end where the name is taken.
fs::path create_folder(const fs::path& parent, const std::string& name) {
  create_parents(parent);
  std::error_code error;
  for (int number = 1;; ++number) {
    const auto path = parent / (number == 1 ? name : name + "-" + std::to_string(number));
    if (fs::create_directory(path, error)) return path;
    if (error) refuse(path, "cannot create the folder", error);
  }
}

// What `write` throws, with the remedy.
void with_remedy(const auto& write) {
  try {
    write();
  } catch (const Error& error) {
    throw Error(concat(error.what(), "; free some space or", other_folder));
  }
}

void write_file(const fs::path& file, std::string_view text) {
  with_remedy([&] { write_file_atomically(file, text); });
}

// PARENT/latest leads to the folder, where the file system has such links.
void point_latest(const fs::path& folder) {
  const fs::path latest = folder.parent_path() / "latest";
  const fs::path temporary = concat(latest.string(), ".", ::getpid(), ".tmp");
  std::error_code error;
  if (fs::exists(fs::symlink_status(latest, error)) && !fs::is_symlink(latest, error)) return;
  fs::create_directory_symlink(folder.filename(), temporary, error);
  if (!error) fs::rename(temporary, latest, error);
  if (error) fs::remove(temporary, error);
}

}  // namespace

std::string utc_now() { return utc("%Y-%m-%dT%H:%M:%SZ"); }

fs::path RunFolder::prepare(const Experiment& experiment) {
  const fs::path folder = fs::path(experiment.run_root) / file_safe(experiment.name);
  create_parents(folder);
  if (::access(folder.c_str(), W_OK) != 0)
    refuse(folder, "cannot be written to", {errno, std::generic_category()});
  return folder;
}

RunFolder RunFolder::create(const Experiment& experiment, const std::string& id) {
  const std::string name = utc("%Y%m%d-%H%M%S-") + file_safe(experiment.activation) + "-s" +
                           std::to_string(experiment.seed) + "-" + id;
  RunFolder folder(create_folder(prepare(experiment), name));
  write_file(folder.config(), to_toml(experiment));
  point_latest(folder.path());
  return folder;
}

void RunFolder::write(const std::string& name, std::string_view content) const {
  write_file(path_ / name, content);
}

void RunFolder::write_environment(const Record& environment) const {
  write_file(path_ / "environment.json", to_json(environment, Layout::lines) + "\n");
}

Record RunFolder::environment() const {
  const auto file = path_ / "environment.json";
  if (!fs::exists(file)) return {};
  const std::string text = read_file(file);
  try {
    return parse_json(text);
  } catch (const Error& error) {
    throw Error(concat(file.string(), ": ", error.what()));
  }
}

void RunFolder::append_metrics(const Record& line) const {
  with_remedy([&] { append_to_file(path_ / "metrics.jsonl", to_json(line) + "\n"); });
}

std::vector<Record> RunFolder::metrics() const {
  const auto file = path_ / "metrics.jsonl";
  std::vector<Record> records;
  if (!fs::exists(file)) return records;
  const std::string text = read_file(file);
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    try {
      records.push_back(parse_json(std::string_view(text).substr(begin, end - begin)));
    } catch (const Error& error) {
      throw Error(concat(file.string(), ":", records.size() + 1, ": ", error.what()));
    }
  }
  return records;
}

std::int64_t RunFolder::rewind_metrics(std::int64_t step) const {
  const auto file = path_ / "metrics.jsonl";
  const std::string text = fs::exists(file) ? read_file(file) : "";
  std::string kept;
  std::int64_t damaged = 0;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const std::string line = text.substr(begin, end - begin);
    try {
      const Record record = parse_json(line);
      const Cell* cell = find_cell(record, "step");
      const auto* at = cell ? std::get_if<std::int64_t>(cell) : nullptr;
      if (!at || *at <= step) kept += line + "\n";
    } catch (const Error&) {
      ++damaged;
    }
  }
  write_file(file, kept);
  return damaged;
}

void RunFolder::clear_leftovers() const {
  std::error_code error;
  std::vector<fs::path> leftovers;
  for (const auto& folder : {path_, checkpoints()})
    for (const auto& entry : fs::directory_iterator(folder, error))
      if (entry.path().extension() == ".tmp") leftovers.push_back(entry.path());
  for (const auto& path : leftovers) fs::remove_all(path, error);
}

void RunFolder::write_summary(const RunSummary& summary) const {
  write_file(path_ / "summary.json", to_json(summary));
}

RunSummary RunFolder::summary() const {
  const auto file = path_ / "summary.json";
  const std::string text = read_file(file);
  try {
    return parse_summary(text);
  } catch (const Error& error) {
    throw Error(concat(file.string(), ": ", error.what()));
  }
}

}  // namespace actlab
