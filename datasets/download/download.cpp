// Downloads by libcurl.
#include "datasets/download/download.h"

#include <curl/curl.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include "kernels/error.h"

namespace actlab {
namespace {

// What libcurl's callbacks see.
struct Transfer {
  std::FILE* file;
  const FetchProgress& progress;
  int write_error = 0;
};

std::size_t write_bytes(char* bytes, std::size_t, std::size_t count, void* data) {
  auto& transfer = *static_cast<Transfer*>(data);
  const std::size_t written = std::fwrite(bytes, 1, count, transfer.file);
  if (written != count) transfer.write_error = errno;
  return written;
}

int report(void* data, curl_off_t total, curl_off_t now, curl_off_t, curl_off_t) {
  return static_cast<const Transfer*>(data)->progress(now, total) ? 0 : 1;
}

void check(CURLcode code) { ACTLAB_CHECK(code == CURLE_OK, curl_easy_strerror(code)); }

std::string message_of(int error) { return std::generic_category().message(error); }

}  // namespace

void download(const std::string& url, const std::filesystem::path& file, const FetchProgress& progress) {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  check(started);
  const std::unique_ptr<CURL, void (*)(CURL*)> curl(curl_easy_init(), curl_easy_cleanup);
  ACTLAB_CHECK(curl != nullptr, "libcurl does not start");
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(std::fopen(file.c_str(), "wbxe"), std::fclose);
  ACTLAB_CHECK(out != nullptr, "cannot write ", file.string(), ": ", message_of(errno));

  Transfer transfer{out.get(), progress};
  std::array<char, CURL_ERROR_SIZE> reason = {};
  const auto set = [&](CURLoption option, auto value) { check(curl_easy_setopt(curl.get(), option, value)); };
  set(CURLOPT_URL, url.c_str());
  set(CURLOPT_USERAGENT, "actlab");
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_FOLLOWLOCATION, 1L);
  set(CURLOPT_MAXREDIRS, 5L);
  set(CURLOPT_FAILONERROR, 1L);
  set(CURLOPT_CONNECTTIMEOUT, 30L);
  set(CURLOPT_LOW_SPEED_LIMIT, 1L);  // bytes a second, for a minute: the other side is gone
  set(CURLOPT_LOW_SPEED_TIME, 60L);
  set(CURLOPT_ERRORBUFFER, reason.data());
  set(CURLOPT_WRITEFUNCTION, &write_bytes);
  set(CURLOPT_WRITEDATA, static_cast<void*>(&transfer));
  set(CURLOPT_NOPROGRESS, 0L);
  set(CURLOPT_XFERINFOFUNCTION, &report);
  set(CURLOPT_XFERINFODATA, static_cast<void*>(&transfer));
  const CURLcode code = curl_easy_perform(curl.get());
  if (std::fclose(out.release()) != 0 && transfer.write_error == 0) transfer.write_error = errno;
  ACTLAB_CHECK(transfer.write_error == 0, "cannot write ", file.string(), ": ",
               message_of(transfer.write_error));
  ACTLAB_CHECK(code == CURLE_OK, reason[0] != '\0' ? reason.data() : curl_easy_strerror(code));
}

}  // namespace actlab
