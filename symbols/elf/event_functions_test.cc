#include "symbols/elf/event_functions.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "symbols/elf/made_up_code.h"

namespace walkabout::symbols {
namespace {

class EventFunctionsTest : public MadeUpCode {
 protected:
  EventFunctionsTest() {
    provider_ = add_provider();
    for (const uint32_t id : {3u, 7u, 8u, 9u, 73u, 74u}) add_event(provider_, id);
    for (uint32_t id = 300; id < 410; ++id) add_event(provider_, id);
  }
  using Names = std::vector<std::pair<uint64_t, std::string>>;
  Names read() {
    finish();
    Names names;
    const ImageCode made = code();
    const std::vector<EventCell> cells = read_event_cells(made);
    const CallGraph graph(made, starts(), words_of(cells));
    for (const NamedStart& one : read_event_functions(cells, graph)) names.emplace_back(one.begin, one.name);
    return names;
  }

  uint64_t provider_ = 0;
};

class FewEventsTest : public MadeUpCode {};

TEST_F(EventFunctionsTest, WhoTellsBothBeginningAndEndHasAName) {
  const uint64_t begin = function({writer(provider_, 73)}), end = function({writer(provider_, 74)});
  const uint64_t load = function({begin, end});
  function({load}), function({load});
  const uint64_t stop = function({writer(provider_, 9), writer(provider_, 8)});
  function({stop});
  EXPECT_EQ(read(),
            (Names{{load, "ClassLoader::LoadTypeHandleForTypeKey"}, {stop, "ThreadSuspend::SuspendEE"}}));
}

TEST_F(EventFunctionsTest, WhoOnlyAsksWhetherAnEventIsWantedIsNoWriter) {
  const uint64_t stop = function({writer(provider_, 9), writer(provider_, 8)});
  function({asker(provider_, 9)});
  EXPECT_EQ(read(), (Names{{stop, "ThreadSuspend::SuspendEE"}}));
}

TEST_F(EventFunctionsTest, AnEventOfTwoPlacesNamesNothing) {
  const uint64_t begin = writer(provider_, 9);
  function({begin, writer(provider_, 8)});
  function({begin});
  EXPECT_EQ(read(), Names{});
}

TEST_F(EventFunctionsTest, BeginningAndEndThatDoNotMeetNameNothing) {
  function({writer(provider_, 7)});
  function({writer(provider_, 3)});
  EXPECT_EQ(read(), Names{});
}

TEST_F(EventFunctionsTest, EventsOfAnotherProviderAreOthers) {
  const uint64_t other = add_provider();
  add_event(other, 9), add_event(other, 8);
  function({writer(other, 9), writer(other, 8)});
  EXPECT_EQ(read(), Names{});
}

TEST_F(EventFunctionsTest, AnEventThatIsDeclaredInAnotherFormIsLeftOut) {
  const uint64_t stop_begin = writer(provider_, 9);
  function({stop_begin, writer(provider_, 8)});
  const uint64_t go_on = function({writer(provider_, 7), writer(provider_, 3)});
  spoil(provider_, 8);
  EXPECT_EQ(read(), (Names{{go_on, "ThreadSuspend::RestartEE"}}));
}

TEST_F(FewEventsTest, CodeThatDeclaresFewEventsIsNoRuntimes) {
  const uint64_t provider = add_provider();
  for (uint32_t id = 1; id < 50; ++id) add_event(provider, id);
  finish();
  EXPECT_TRUE(read_event_cells(code()).empty());
}

}  // namespace
}  // namespace walkabout::symbols
