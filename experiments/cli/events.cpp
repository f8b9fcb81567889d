// Events as records, and back.
#include "experiments/cli/events.h"

#include <cstdio>

#include "kernels/error.h"

namespace actlab {
namespace {

template <class T>
T field(const Record& event, std::string_view name, T fallback) {
  const Cell* cell = find_cell(event, name);
  const T* value = cell == nullptr ? nullptr : std::get_if<T>(cell);
  return value == nullptr ? fallback : *value;
}

double number(const Record& event, std::string_view name) {
  return field(event, name, static_cast<double>(field(event, name, std::int64_t{0})));
}

JobStatus status_from(const Record& event) {
  JobStatus status{.first_step = field(event, "first_step", std::int64_t{0}),
                   .step = field(event, "step", std::int64_t{0}),
                   .total = field(event, "total", std::int64_t{1}),
                   .loss = number(event, "loss"),
                   .accuracy = {},
                   .per_second = number(event, "per_second"),
                   .unit = field(event, "unit", std::string())};
  if (find_cell(event, "accuracy") != nullptr) status.accuracy = number(event, "accuracy");
  return status;
}

Record event_of(std::string kind, std::size_t job) {
  return {{"event", std::move(kind)}, {"job", static_cast<std::int64_t>(job)}};
}

}  // namespace

Record begin_event(std::size_t job, const std::string& name, const std::filesystem::path& folder) {
  Record event = event_of("begin", job);
  event.insert(event.end(), {{"name", name}, {"folder", folder.string()}});
  return event;
}

Record status_event(std::size_t job, const JobStatus& status) {
  Record event = event_of("status", job);
  event.insert(event.end(), {{"first_step", status.first_step},
                             {"step", status.step},
                             {"total", status.total},
                             {"loss", status.loss},
                             {"per_second", status.per_second},
                             {"unit", status.unit}});
  if (status.accuracy) event.emplace_back("accuracy", *status.accuracy);
  return event;
}

Record end_event(std::size_t job) { return event_of("end", job); }

Record log_event(LogLevel level, std::string_view text) {
  return {{"event", "log"}, {"level", std::string(name_of(level))}, {"text", std::string(text)}};
}

void print_event(const Record& event) {
  const std::string line = to_json(event) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

std::optional<std::filesystem::path> replay(std::string_view line, std::size_t job, const std::string& name,
                                            Display& display) {
  Record event;
  try {
    event = parse_json(line);
  } catch (const Error&) {
    constexpr std::string_view program = "actlab: ";
    if (line.starts_with(program)) line.remove_prefix(program.size());
    log(LogLevel::error, concat(name, ": ", line));
    return std::nullopt;
  }
  const std::string kind = field(event, "event", std::string());
  if (kind == "begin") {
    const std::filesystem::path folder = field(event, "folder", std::string());
    display.begin(job, name, folder);
    return folder;
  }
  if (kind == "status") display.show(job, status_from(event));
  if (kind == "end") display.end(job);
  if (kind == "log")
    log(parse_log_level(field(event, "level", std::string("info"))),
        concat(name, ": ", field(event, "text", std::string())));
  return std::nullopt;
}

}  // namespace actlab
