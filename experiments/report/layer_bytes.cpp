// Bytes by layer, added up and ordered.
#include "experiments/report/layer_bytes.h"

#include <algorithm>
#include <cctype>

namespace actlab {
namespace {

constexpr const char* other = "other";

// "block*.norm" of "block12.norm": the number of a part that holds others.
std::string form_of(const std::string& layer) {
  std::string form;
  std::size_t begin = 0;
  for (std::size_t end; (end = layer.find('.', begin)) != std::string::npos; begin = end + 1) {
    std::string part = layer.substr(begin, end - begin);
    const std::size_t digits = part.find_last_not_of("0123456789") + 1;
    if (digits < part.size()) part = part.substr(0, digits) + "*";
    form += part + ".";
  }
  return form + layer.substr(begin);
}

}  // namespace

LayerBytes layer_bytes(const Arm& arm) {
  const ReportedRun* most = &arm.runs.front();
  for (const ReportedRun& run : arm.runs)
    if (run.stored->summary.saved_bytes > most->stored->summary.saved_bytes) most = &run;
  LayerBytes bytes;
  for (const auto& [layer, saved] : most->stored->summary.saved_bytes_by_layer)
    if (saved > 0) bytes[form_of(layer)] += static_cast<double>(saved);
  return bytes;
}

std::vector<std::string> largest_layers(const std::vector<LayerBytes>& arms, std::size_t count) {
  LayerBytes most;
  for (const LayerBytes& bytes : arms)
    for (const auto& [layer, kept] : bytes) most[layer] = std::max(most[layer], kept);
  std::vector<std::string> names;
  for (const auto& entry : most) names.push_back(entry.first);
  if (names.size() <= count) return names;
  std::stable_sort(names.begin(), names.end(),
                   [&](const std::string& a, const std::string& b) { return most[a] > most[b]; });
  names.resize(count - 1);
  std::sort(names.begin(), names.end());
  names.emplace_back(other);
  return names;
}

std::vector<double> parts_of(const LayerBytes& bytes, const std::vector<std::string>& parts) {
  std::vector<double> kept(parts.size());
  for (const auto& [layer, of_layer] : bytes) {
    const auto found = std::find(parts.begin(), parts.end(), layer);
    kept[found != parts.end() ? static_cast<std::size_t>(found - parts.begin()) : parts.size() - 1] +=
        of_layer;
  }
  return kept;
}

}  // namespace actlab
