// The files of a folder of images: SPLIT/CLASS/*.png.
#pragma once

#include <string>
#include <vector>

#include "datasets/source_files.h"

namespace actlab {

struct LabelledFile {
  std::filesystem::path path;
  std::int32_t label = 0;
};

/// One split: its classes are folders in the order of their names' bytes, as are the files of each class.
struct ImageTree {
  std::vector<std::string> classes;
  std::vector<LabelledFile> images;
  std::vector<std::string> notes;  ///< what was passed over: one sentence a kind
};

/// Finds .png, .jpg and .jpeg, in any case. Hidden entries, files beside the class folders, folders in them
/// and files of other names are passed over; links are followed. Throws DataError where there is no class, or
/// a class has no image.
ImageTree find_images(const SourceFiles& files, const std::filesystem::path& split);

}  // namespace actlab
