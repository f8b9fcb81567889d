// The programs of experiments/peers: errors of our kernels and of values from elsewhere at the same floats.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "kernels/activation.h"
#include "tests/support/actlab_program.h"

namespace actlab {
namespace {

using nlohmann::json;

json rows_of(const ActlabProgram& actlab, const std::string& program, const std::string& arguments) {
  const Outcome outcome = actlab.run_program(program, arguments + " --format json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return json::parse(outcome.out, nullptr, false);
}

std::vector<float> floats_of(const std::filesystem::path& path) {
  std::vector<float> floats(std::filesystem::file_size(path) / sizeof(float));
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(floats.data()),
            static_cast<std::streamsize>(floats.size() * sizeof(float)));
  return floats;
}

void write_floats(const std::filesystem::path& path, const std::vector<float>& floats) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(floats.data()),
             static_cast<std::streamsize>(floats.size() * sizeof(float)));
}

TEST(CliPeers, ErrorsOfKernelsAndOfValues) {
  const ActlabProgram actlab;
  ASSERT_EQ(actlab.run_program("peer_errors", "--stride 100003 --points points").code, 0);
  const std::vector<float> x = floats_of(actlab.folder() / "points");
  EXPECT_EQ(x.size(), 2u * (0x7f800000u / 100003 + 1));
  // relu and its derivative, but for one value that is a unit off.
  std::vector<float> values;
  for (const float at : x) values.push_back(at > 0 ? at : 0);
  for (const float at : x) values.push_back(at > 0 ? 1 : 0);
  const std::size_t off = x.size() / 4 * 2;  // of a positive number
  values[off] = std::nextafter(values[off], 1e30f);
  write_floats(actlab.folder() / "values", values);
  const json rows = rows_of(actlab, "peer_errors", "--activation relu --stride 100003 --values values");
  ASSERT_GE(rows.size(), 2u);
  for (const json& row : rows) {
    const bool ours = row["by"] != "values";
    EXPECT_EQ(row["f"].get<double>(), ours ? 0 : 1) << row;
    EXPECT_EQ(row["df"].get<double>(), 0) << row;
  }
  EXPECT_EQ(rows.back()["by"], "values");
  EXPECT_FLOAT_EQ(rows.back()["f_at"].get<float>(), x[off]);
  for (const json& row : rows_of(actlab, "peer_errors", "--activation 'swish(beta=0.05)' --stride 100003")) {
    EXPECT_LE(row["f"].get<double>(), 3) << row;
    EXPECT_LE(row["df"].get<double>(), 4) << row;
  }
}

TEST(CliPeers, ValuesOfAnotherLengthAreRefused) {
  const ActlabProgram actlab;
  write_floats(actlab.folder() / "short", {1, 2, 3});
  const Outcome outcome =
      actlab.run_program("peer_errors", "--activation relu --stride 100003 --values short");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("short has 12 bytes, not the "), std::string::npos) << outcome.err;
}

TEST(CliPeers, OnednnBesideOurs) {
  if (!std::filesystem::exists(ACTLAB_BINARY_DIR "/peer_onednn_eltwise"))
    GTEST_SKIP() << "built without oneDNN";
  const ActlabProgram actlab;
  const json rows = rows_of(actlab, "peer_onednn_eltwise",
                            "--activation relu,gelu,hardswish --elements 1000 --rounds 3 --stride 100003");
  ASSERT_EQ(rows.size(), 3u);
  for (const json& row : rows) {
    for (const char* time : {"ns_forward", "onednn_ns_forward", "ns_backward", "onednn_ns_backward"})
      EXPECT_GT(row[time].get<double>(), 0) << row;
    EXPECT_LE(row["f"].get<double>(), 3) << row;
    EXPECT_LE(row["df"].get<double>(), 4) << row;
  }
  EXPECT_EQ(rows[0]["onednn_f"], 0);
  // The same function: what oneDNN's GELU loses is its tail.
  EXPECT_GT(rows[1]["onednn_f"].get<double>(), 3);
}

}  // namespace
}  // namespace actlab
