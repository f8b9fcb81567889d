// Unpacking through zlib; memory grows with what was really unpacked, never with what a header promises.
#include "datasets/gzip.h"

#include <zlib.h>

#include <algorithm>

#include "kernels/error.h"

namespace actlab {
namespace {

constexpr std::size_t chunk = std::size_t{1} << 20;

class Inflater {
 public:
  explicit Inflater(std::string_view packed) {
    constexpr int gzip_only = 16 + MAX_WBITS;
    ACTLAB_CHECK(inflateInit2(&stream_, gzip_only) == Z_OK, "zlib does not start");
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(packed.size());
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream_); }

  /// Appends up to `room` bytes; false at the stream's end.
  bool append(std::string& out, std::size_t room) {
    const std::size_t size = out.size();
    out.resize(size + room);
    stream_.next_out = reinterpret_cast<Bytef*>(out.data() + size);
    stream_.avail_out = static_cast<uInt>(room);
    const int result = inflate(&stream_, Z_NO_FLUSH);
    out.resize(out.size() - stream_.avail_out);
    if (result == Z_OK) return true;
    ACTLAB_CHECK(result != Z_BUF_ERROR, "truncated: the .gz stream stops after ", out.size(),
                 " unpacked bytes");
    ACTLAB_CHECK(result == Z_STREAM_END,
                 "damaged .gz stream: ", stream_.msg != nullptr ? stream_.msg : zError(result));
    ACTLAB_CHECK(stream_.avail_in == 0, stream_.avail_in, " bytes follow the .gz stream");
    return false;
  }

 private:
  z_stream stream_ = {};
};

}  // namespace

std::string gunzip(std::string_view packed, std::size_t most) {
  ACTLAB_CHECK(packed.size() <= chunk * 2048, "more than 2 GiB");
  Inflater inflater(packed);
  std::string out;
  while (out.size() < most && inflater.append(out, std::min(chunk, most - out.size()))) {
  }
  return out;
}

}  // namespace actlab
