// The keys of experiment files as a page to read.
#pragma once

#include <string>

#include "experiments/config/schema.h"

namespace actlab {

/// Markdown: a section for each of the file's, with a table of its keys and one of each component's options.
/// experiments/configs/README.md ends with it.
std::string key_page(const Schemas& schemas);

}  // namespace actlab
