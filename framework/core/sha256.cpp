// SHA-256 through OpenSSL.
#include "framework/core/sha256.h"

#include <openssl/evp.h>

#include <array>

#include "framework/core/files.h"
#include "kernels/error.h"

namespace actlab {

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int size = 0;
  ACTLAB_CHECK(EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) == 1,
               "sha256: OpenSSL refuses to compute it");
  std::string hex;
  for (unsigned int i = 0; i < size; ++i) {
    hex += "0123456789abcdef"[digest[i] >> 4];
    hex += "0123456789abcdef"[digest[i] & 15];
  }
  return hex;
}

std::string sha256_of_file(const std::filesystem::path& path) { return sha256(read_file(path)); }

}  // namespace actlab
