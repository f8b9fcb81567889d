// Whether the elements of markup close as they open.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace actlab {

/// The first fault: "</g> closes <svg>"; empty where there is none. Of HTML's elements without an end `meta`
/// and `link` are known.
inline std::string markup_fault(std::string_view text) {
  std::vector<std::string> open;
  for (std::size_t at; (at = text.find('<')) != text.npos;) {
    if (text.substr(0, at).find('>') != text.npos) return "a stray >";
    text.remove_prefix(at + 1);
    const std::size_t end = text.find('>');
    if (end == text.npos) return "a tag without an end";
    const std::string_view tag = text.substr(0, end);
    if (tag.find('<') != tag.npos) return "a < within a tag";
    const std::string name(tag.substr(0, tag.find_first_of(" \n")));
    text.remove_prefix(end + 1);
    if (name.starts_with('/')) {
      if (open.empty() || open.back() != name.substr(1))
        return "<" + name + "> closes " + (open.empty() ? "nothing" : open.back());
      open.pop_back();
    } else if (!tag.ends_with('/') && name != "!DOCTYPE" && name != "meta" && name != "link") {
      open.push_back(name);
    }
    if (name == "style") text.remove_prefix(text.find("</style>"));
  }
  return open.empty() ? "" : open.back() + " is not closed";
}

/// How often a text holds another.
inline std::size_t count_of(std::string_view text, std::string_view wanted) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(wanted, at)) != text.npos; at += wanted.size()) ++count;
  return count;
}

}  // namespace actlab
