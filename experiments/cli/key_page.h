// The keys of experiment files as pages to read.
#pragma once

#include <string>

#include "experiments/config/schema.h"

namespace actlab {

/// Markdown: a section for each of the file's, with a table of its keys and one of each component's options.
/// experiments/configs/README.md ends with it.
std::string key_page(const Schemas& schemas);

/// For the help: every key with its default, a line a section and a component.
std::string key_overview(const Schemas& schemas);

}  // namespace actlab
