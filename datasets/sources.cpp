// The sources, and whether this build can download: the only place here that knows that option.
#include "datasets/sources.h"

#include "kernels/error.h"
#ifdef ACTLAB_WITH_DOWNLOAD
#include "datasets/download/fetch.h"
#endif

namespace actlab {

const std::vector<DataSource>& data_sources() {
  static const std::vector<DataSource> sources = {
      {.dataset = "cifar10",
       .url = "https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz",
       .sha256 = "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd",
       .folder = "cifar-10-batches-bin",
       .files = {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin",
                 "data_batch_5.bin", "test_batch.bin", "batches.meta.txt", "readme.html"}},
  };
  return sources;
}

std::filesystem::path fetch(const DataSource& source, const std::filesystem::path& to,
                            const FetchProgress& progress) {
#ifdef ACTLAB_WITH_DOWNLOAD
  return fetch_archive(source, to, progress);
#else
  static_cast<void>(to), static_cast<void>(progress);
  throw ConfigError(
      concat("this build cannot download: apt-get install libcurl4-openssl-dev libarchive-dev and "
             "build again, or get ",
             source.url, " and unpack it yourself"));
#endif
}

}  // namespace actlab
