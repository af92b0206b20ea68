#include "net/shared_library.h"

#include <gmock/gmock.h>

#include <cmath>

namespace walkabout::net {
namespace {

TEST(SharedLibrary, TheFirstThatIsThereIsTaken) {
  const auto library = SharedLibrary::load({"libno-such-thing.so.7", "libm.so.6"}, "nothing");
  ASSERT_TRUE(library.ok()) << library.message();
  double (*cosine)(double) = nullptr;
  ASSERT_TRUE(library->find("cos", &cosine));
  EXPECT_EQ(cosine(0), 1.0);
  EXPECT_FALSE(library->find("no_such_function_at_all", &cosine));
}

TEST(SharedLibrary, MissingOneReportsWhatToInstall) {
  const auto library = SharedLibrary::load({"libno-such-thing.so.7"}, "libthing7");
  ASSERT_FALSE(library.ok());
  EXPECT_THAT(library.message(), testing::AllOf(testing::HasSubstr("libno-such-thing.so.7"),
                                                testing::HasSubstr("package libthing7")));
}

}  // namespace
}  // namespace walkabout::net
