#include "pdb/await_points.h"

#include <gtest/gtest.h>

#include "pdb/test_pdb.h"

namespace walkabout::pdb {
namespace {

using testing::Data;
using testing::u1;
using testing::u4;

constexpr uint8_t kLdarg0 = 0x02, kLdcI40 = 0x16, kLdcI4S = 0x1f, kLdcI4 = 0x20, kDup = 0x25, kStloc0 = 0x0a,
                  kStlocS = 0x13, kStfld = 0x7d, kRet = 0x2a;

// A method that stores states and says where it yields.
class Method {
 public:
  void code(Data bytes) { il_.insert(il_.end(), bytes.begin(), bytes.end()); }
  void store_field() { code({kStfld, 1, 0, 0, 4}); }
  // this.<>1__state = local = n, as the C# compiler has it.
  void suspend(const Data& constant) {
    code({kLdarg0});
    code(constant);
    code({kDup, kStloc0});
    store_field();
    yield();
    code({kLdarg0, kRet});
  }
  void yield() { u4(steps_, il_.size()), u4(steps_, il_.size() + 1), u1(steps_, 1); }

  std::vector<uint64_t> awaits() const { return awaits_of(steps_, il_); }
  Data& steps() { return steps_; }
  Data& il() { return il_; }

 private:
  Data steps_ = {0, 0, 0, 0};
  Data il_;
};

using Awaits = std::vector<uint64_t>;

TEST(AwaitPoints, AreByTheStateThatIsStored) {
  Method method;
  method.suspend({kLdcI40 + 1});  // 9 bytes to the yield, 2 behind it
  method.suspend({kLdcI40});
  EXPECT_EQ(method.awaits(), (Awaits{21, 10}));
}

TEST(AwaitPoints, StatesOfAnySizeWithALocalOrWithout) {
  Method method;
  method.suspend({kLdcI4S, 3});
  const size_t second = method.il().size();
  method.code({kLdarg0, kLdcI4, 2, 0, 0, 0});
  method.store_field();
  method.yield();
  const size_t third = method.il().size();
  method.code({kLdarg0, kLdcI40 + 1, kDup, kStlocS, 7});
  method.store_field();
  method.yield();
  EXPECT_EQ(method.awaits(), (Awaits{0, third + 10 + 1, second + 11 + 1, 11}));
}

TEST(AwaitPoints, NothingIsSaidOfWhatStoresNoState) {
  Method method;
  method.code({kLdarg0, kLdarg0});
  method.store_field();  // no constant
  method.yield();
  method.code({kLdarg0, kLdcI4S, 0xfc});  // -4: an iterator's yield
  method.store_field();
  method.yield();
  method.code({kLdcI40, kStloc0});
  method.yield();
  EXPECT_TRUE(method.awaits().empty());
}

TEST(AwaitPoints, OfTwoThatStoreOneNothingIsSaid) {
  Method method;
  for (int i = 0; i < 3; ++i) method.suspend({kLdcI40 + 1});
  EXPECT_EQ(method.awaits(), (Awaits{0, 0}));
}

TEST(AwaitPoints, AYieldWithinAnInstructionIsNone) {
  Method method;
  method.code({kLdarg0, kLdcI40, kDup, kStloc0, kStfld, 1, 0});
  method.yield();
  method.code({0, 4, kRet});
  EXPECT_TRUE(method.awaits().empty());
}

TEST(AwaitPoints, HostileBytes) {
  Method method;
  method.suspend({kLdcI40});
  for (size_t size = 0; size < method.steps().size(); ++size) {
    const Data cut(method.steps().begin(), method.steps().begin() + static_cast<ptrdiff_t>(size));
    EXPECT_TRUE(awaits_of(cut, method.il()).empty()) << size;
  }
  EXPECT_TRUE(awaits_of(method.steps(), {}).empty());
  Method huge;
  huge.suspend({kLdcI4, 0xff, 0xff, 0xff, 0x7f});
  EXPECT_TRUE(huge.awaits().empty());
}

}  // namespace
}  // namespace walkabout::pdb
