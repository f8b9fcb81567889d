// Counts of tokens by split.
#include "experiments/cli/text_report.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace actlab {
namespace {

constexpr std::size_t listed = 10;

std::string list_most_frequent(const Vocabulary& vocabulary, const std::vector<std::int64_t>& counts) {
  std::vector<std::int32_t> order(counts.size());
  std::iota(order.begin(), order.end(), 0);
  std::erase_if(order, [&](std::int32_t token) { return counts[static_cast<std::size_t>(token)] == 0; });
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return counts[static_cast<std::size_t>(a)] > counts[static_cast<std::size_t>(b)];
  });
  std::string text;
  for (std::size_t i = 0; i < std::min(listed, order.size()); ++i)
    text += (i == 0 ? "" : " ") + escaped_symbol(vocabulary.kind(), vocabulary.spelling(order[i]));
  return text;
}

}  // namespace

Table text_report(const TextDataset& data) {
  Table table{
      {{"split"}, {"tokens"}, {"windows"}, {"vocabulary"}, {"distinct"}, {"unknown"}, {"most_frequent"}}, {}};
  const Vocabulary& vocabulary = data.vocabulary();
  for (const auto& [name, split] : {std::pair{"train", SplitName::train},
                                    {"validation", SplitName::validation},
                                    {"test", SplitName::test}}) {
    const auto tokens = data.tokens(split);
    if (tokens.empty()) continue;
    std::vector<std::int64_t> counts(static_cast<std::size_t>(vocabulary.size()));
    for (const std::int32_t token : tokens) ++counts[static_cast<std::size_t>(token)];
    const auto symbols = counts.begin() + vocabulary.symbols();
    const std::int64_t unknown = vocabulary.unknown() ? *symbols : 0;
    const double share = static_cast<double>(unknown) / static_cast<double>(tokens.size());
    table.rows.push_back({std::string(name), std::ssize(tokens), data.count(split), vocabulary.size(),
                          symbols - counts.begin() - std::count(counts.begin(), symbols, 0),
                          std::round(share * 1e4) / 1e4, list_most_frequent(vocabulary, counts)});
  }
  return table;
}

}  // namespace actlab
