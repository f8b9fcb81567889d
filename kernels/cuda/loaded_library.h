// NVIDIA's libraries, loaded when they are first asked for: a program that knows them starts without them,
// and at once (cuBLASLt takes a tenth of a second and 100 MB).
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>

namespace actlab::cuda {

/// What errors say of a library.
struct LibraryTexts {
  std::string name;       ///< "cuDNN 9"
  std::string wanted_by;  ///< the setting that asks for it
  std::string otherwise;  ///< what to do without
};

/// A library that stays open as long as the process.
class LoadedLibrary {
 public:
  /// From where the system's loader finds libraries, or the folder of the toolkit that this was built with.
  /// Throws ConfigError with the loader's reason.
  LoadedLibrary(const std::string& file, LibraryTexts texts);

  /// A function, of the type that it is assigned to; where the library lacks it, that throws ConfigError.
  class Symbol {
   public:
    template <class F>
    operator F*() const {
      return reinterpret_cast<F*>(library_.find(name_));
    }

   private:
    friend LoadedLibrary;
    Symbol(const LoadedLibrary& library, const char* name) : library_(library), name_(name) {}
    const LoadedLibrary& library_;
    const char* name_;
  };
  Symbol operator[](const char* name) const { return {*this, name}; }

 private:
  void* find(const char* name) const;

  LibraryTexts texts_;
  void* opened_;
};

/// An object of a library, destroyed by that member of the table of functions that library() gives.
template <class Pointer, auto library, auto destroy>
struct Destroy {
  using pointer = Pointer;
  void operator()(Pointer object) const noexcept { (library().*destroy)(object); }
};
template <class Pointer, auto library, auto destroy>
using Owned = std::unique_ptr<std::remove_pointer_t<Pointer>, Destroy<Pointer, library, destroy>>;

/// "cuDNN 9.19.0", or why it is not loaded after "no: "; version() loads it and gives 91900.
std::string version_text(const char* name, std::size_t (*version)());

}  // namespace actlab::cuda
