// A file for one test, removed with it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace walkabout::recording::testing {

class TestFile {
 public:
  TestFile() {
    static std::atomic<int> serial{0};
    path_ = ::testing::TempDir() + "walkabout-" + std::to_string(::getpid()) + "-" +
            std::to_string(serial++) + ".walk";
  }
  explicit TestFile(std::string_view content) : TestFile() { write(content); }
  TestFile(const TestFile&) = delete;
  TestFile& operator=(const TestFile&) = delete;
  ~TestFile() { ::unlink(path_.c_str()); }

  const std::string& path() const { return path_; }
  void write(std::string_view content) const {
    std::ofstream(path_, std::ios::binary)
        .write(content.data(), static_cast<std::streamsize>(content.size()));
  }
  std::string read() const {
    std::ostringstream out;
    out << std::ifstream(path_, std::ios::binary).rdbuf();
    return out.str();
  }

 private:
  std::string path_;
};

}  // namespace walkabout::recording::testing
