// A locale whose decimal mark is a comma, compiled where the machine has localedef and the locales' sources.
#pragma once

#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <locale>
#include <string>

#include "tests/support/temporary_folder.h"

namespace actlab {

class CommaLocale {
 public:
  CommaLocale() {
    const std::string command =
        std::string("localedef -i de_DE -f UTF-8 '") + (folder_.path() / name).string() + "' >/dev/null 2>&1";
    made_ = std::system(command.c_str()) == 0;
  }

  /// False: the test is to be skipped, with the words of `absent`.
  bool made() const { return made_; }
  static constexpr const char* absent = "localedef cannot make de_DE.UTF-8 here: apt-get install locales";
  /// Shell commands after which a program starts in it.
  std::string setup() const {
    return "export LOCPATH='" + folder_.path().string() + "' LC_ALL=" + name + ";";
  }

  /// This process in the locale, of C and of C++, as long as it lives.
  class Scope {
   public:
    explicit Scope(const CommaLocale& locale) {
      setenv("LOCPATH", locale.folder_.path().c_str(), 1);
      before_ = std::locale::global(std::locale(name));  // C's too, since it has a name
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope() {
      std::locale::global(before_);
      std::setlocale(LC_ALL, "C");
      unsetenv("LOCPATH");
    }

   private:
    std::locale before_;
  };

 private:
  static constexpr const char* name = "de_DE.UTF-8";

  TemporaryFolder folder_;
  bool made_ = false;
};

}  // namespace actlab
