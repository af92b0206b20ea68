#include "wire/client_data.h"

#include <gtest/gtest.h>

namespace walkabout::wire {
namespace {

using namespace std::literals;

TEST(ClientData, ValuesComeBackByName) {
  std::string data;
  add_client_value("A", "1", &data);
  add_client_value("AB", "two words = x", &data);
  add_client_value("EMPTY", "", &data);
  EXPECT_EQ(client_value(data, "A"), "1");
  EXPECT_EQ(client_value(data, "AB"), "two words = x");
  EXPECT_EQ(client_value(data, "EMPTY"), "");
  EXPECT_EQ(client_value(data, "B"), "");
  EXPECT_EQ(client_value(data, "1"), "");
}

TEST(ClientData, AnyBytesAreRead) {
  EXPECT_EQ(client_value("A=1"sv, "A"), "1");  // cut off behind the value
  EXPECT_EQ(client_value("A"sv, "A"), "");
  EXPECT_EQ(client_value("\0\0=\0A=1\0A=2\0"sv, "A"), "1");
  EXPECT_EQ(client_value(""sv, "A"), "");
}

}  // namespace
}  // namespace walkabout::wire
