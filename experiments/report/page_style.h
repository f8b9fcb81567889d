// The style sheet of a report's page.
#pragma once

#include <cstddef>
#include <string>

namespace actlab {

/// For a screen in light and dark, from the width of a phone on, and for paper. What stands for one of `arms`
/// series, anywhere on the page, shows its lines by the others' fading while it is pointed at.
std::string page_style(std::size_t arms);

}  // namespace actlab
