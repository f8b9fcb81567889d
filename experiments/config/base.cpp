// An experiment file together with those that it is based on.
#include <algorithm>
#include <optional>

#include "experiments/config/resolve.h"
#include "experiments/config/setting.h"
#include "kernels/error.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;

std::optional<Setting> take_base(Settings& file) {
  const auto found = std::find_if(file.settings.begin(), file.settings.end(),
                                  [](const Setting& setting) { return setting.path == "base"; });
  if (found == file.settings.end()) return std::nullopt;
  Setting base = std::move(*found);
  file.settings.erase(found);
  return base;
}

// What stands in a file replaces what stands below it.
void put_on_top(Settings& all, Settings file, const std::string& name, int layer) {
  all.settings.push_back({"name", OptionValue(name), ""});
  for (Setting& setting : file.settings) {
    end_sweep(setting.path, all);
    setting.layer = layer;
    all.settings.push_back(std::move(setting));
  }
  for (Axis& axis : file.axes) {
    if (!axis.values.empty()) {
      set_sweep(std::move(axis), all);
    } else if (!end_sweep(axis.path, all)) {
      throw ConfigError(concat(axis.where, "sweep.", axis.path, ": wanted at least one value"));
    }
  }
  all.sections.insert(all.sections.end(), file.sections.begin(), file.sections.end());
}

}  // namespace

Option base_option() {
  return {.name = "base",
          .fallback = std::string(),
          .help =
              "another experiment file, seen from this one's folder: all that it says, but for its name, "
              "holds where this file says nothing else"};
}

Settings read_with_bases(const fs::path& file) {
  std::vector<std::pair<fs::path, Settings>> chain;
  std::string named_at;
  for (std::optional<fs::path> next = file; next;) {
    for (const auto& [above, settings] : chain) {
      std::error_code ignored;
      if (fs::equivalent(above, *next, ignored))
        throw ConfigError(concat(named_at, "base: leads back to ", next->string()));
    }
    chain.emplace_back(*next, read_toml(*next, named_at));
    const std::optional<Setting> base = take_base(chain.back().second);
    next.reset();
    if (!base) continue;
    const auto name = std::get<std::string>(checked_value(*base, base_option()));
    if (name.empty()) throw ConfigError(base->where + "base: wanted an experiment file, found \"\"");
    next = (chain.back().first.parent_path() / name).lexically_normal();
    named_at = base->where;
  }
  Settings all;
  int layer = 0;
  for (auto link = chain.rbegin(); link != chain.rend(); ++link)
    put_on_top(all, std::move(link->second), link->first.stem().string(), ++layer);
  return all;
}

}  // namespace actlab
