// Walks a split's folder.
#include "datasets/image_tree.h"

#include <algorithm>
#include <array>

#include "kernels/error.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;

// Entries that are no images, counted by kind in the order of their first.
class PassedOver {
 public:
  void add(const char* kind, const fs::path& path) {
    for (Kind& known : kinds_)
      if (known.name == kind) return void(++known.count);
    kinds_.push_back({kind, 1, path});
  }

  std::vector<std::string> notes(const fs::path& split) const {
    std::vector<std::string> notes;
    for (const Kind& kind : kinds_)
      notes.push_back(concat(split.string(), ": passed over ", kind.count, ' ', kind.name, ", the first is ",
                             kind.first.lexically_relative(split).string()));
    return notes;
  }

 private:
  struct Kind {
    std::string name;
    std::int64_t count;
    fs::path first;
  };
  std::vector<Kind> kinds_;
};

// By their names' bytes.
std::vector<fs::path> entries_of(const SourceFiles& files, const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    entries.push_back(it->path());
  if (error) files.fail(folder, "cannot read the folder: " + error.message());
  std::sort(entries.begin(), entries.end(),
            [](const fs::path& a, const fs::path& b) { return a.native() < b.native(); });
  return entries;
}

bool is_hidden(const fs::path& path) { return path.filename().native().starts_with('.'); }

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

// By its name; a link to nowhere is one too, and is refused when it is read. A pipe is none.
bool is_image(const fs::path& path) {
  constexpr std::array<std::string_view, 3> extensions = {".png", ".jpg", ".jpeg"};
  std::string extension = path.extension().string();
  for (char& c : extension)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  std::error_code ignored;
  return std::find(extensions.begin(), extensions.end(), extension) != extensions.end() &&
         !fs::is_other(path, ignored);
}

}  // namespace

ImageTree find_images(const SourceFiles& files, const fs::path& split) {
  ImageTree tree;
  PassedOver passed_over;
  for (const fs::path& folder : entries_of(files, split)) {
    if (is_hidden(folder)) {
      passed_over.add("hidden files or folders", folder);
    } else if (!is_folder(folder)) {
      passed_over.add("files beside the class folders", folder);
    } else {
      const auto label = static_cast<std::int32_t>(tree.classes.size());
      tree.classes.push_back(folder.filename().string());
      const std::size_t before = tree.images.size();
      for (const fs::path& path : entries_of(files, folder)) {
        if (is_hidden(path)) {
          passed_over.add("hidden files or folders", path);
        } else if (is_folder(path)) {
          passed_over.add("folders inside classes", path);
        } else if (!is_image(path)) {
          passed_over.add("files that are not called .png, .jpg or .jpeg", path);
        } else {
          tree.images.push_back({path, label});
        }
      }
      if (tree.images.size() == before)
        files.fail(folder,
                   "a class without images; remove the folder, or fill it with .png, .jpg or .jpeg files");
    }
  }
  if (tree.classes.empty()) files.fail(split, "no class folders in it");
  tree.notes = passed_over.notes(split);
  return tree;
}

}  // namespace actlab
