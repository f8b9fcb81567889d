// A data set from its source to its folder.
#pragma once

#include "datasets/sources.h"

namespace actlab {

/// See fetch of datasets/sources.h.
std::filesystem::path fetch_archive(const DataSource& source, const std::filesystem::path& to,
                                    const FetchProgress& progress);

}  // namespace actlab
