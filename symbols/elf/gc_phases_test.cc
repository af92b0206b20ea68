#include "symbols/elf/gc_phases.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "symbols/elf/made_up_code.h"

namespace walkabout::symbols {
namespace {

// A collector whose phases tell their events through a table, as the CLR's.
class GcPhasesTest : public MadeUpCode {
 protected:
  static constexpr uint64_t kTable = 0x90000, kSink = 0xa0000;
  static constexpr size_t kPlaces = 28;

  GcPhasesTest() {
    runtime_ = add_provider();
    hidden_ = add_provider();
    for (const uint32_t id : {73u, 202u, 209u}) add_event(runtime_, id);
    for (const uint32_t id : {199u, 11u, 12u, 13u, 26u, 14u, 15u, 16u, 17u}) add_event(hidden_, id);
    for (uint32_t id = 300; id < 410; ++id) add_event(runtime_, id);
    const uint64_t nothing = function({});
    table_.assign(kPlaces, {nothing, true});
    table_[10] = told(runtime_, 202), table_[16] = told(hidden_, 199), table_[19] = told(runtime_, 209);
    size_t place = 20;
    for (const uint32_t id : {11u, 12u, 13u, 26u, 14u, 15u, 16u, 17u}) table_[place++] = told(hidden_, id);
    getter_ = begin_function();
    put("554889e5488d05"), distance(kSink), put("5dc3");
    roots_ = function({}), handles_ = function({});
    promote_ = function({}), move_ = function({});
  }
  LoadedData::Word told(uint64_t provider, uint32_t id) { return {function({writer(provider, id)}), true}; }
  void tell(size_t place) {
    put("e8"), distance(getter_), put("4889c7488b00");
    if (place * 8 < 128) {
      put("ff50"), put_byte(place * 8);
    } else {
      put("ff90"), number(static_cast<uint32_t>(place * 8));
    }
  }
  void put_byte(size_t byte) {
    constexpr const char* kDigits = "0123456789abcdef";
    put(std::string{kDigits[byte / 16], kDigits[byte % 16]});
  }
  uint64_t telling(const std::vector<size_t>& places) {
    const uint64_t begin = begin_function();
    for (const size_t place : places) tell(place);
    put("c3");
    return begin;
  }
  uint64_t scanning(uint64_t with, size_t marks) {
    const uint64_t begin = begin_function();
    for (const uint64_t scan : {roots_, handles_}) {
      put("488d3d"), distance(with), put("89de"), put("e8"), distance(scan);
    }
    for (size_t i = 0; i < marks; ++i) tell(10);
    put("c3");
    return begin;
  }
  uint64_t planning(uint64_t relocate) {
    const uint64_t begin = begin_function();
    tell(16), tell(19), put("e8"), distance(relocate), put("c3");
    return begin;
  }
  uint64_t collecting(const std::vector<uint64_t>& phases) {
    const uint64_t begin = begin_function();
    tell(20);
    for (const uint64_t phase : phases) put("e8"), distance(phase);
    put("c3");
    return begin;
  }
  std::map<std::string, uint64_t> read() {
    finish();
    const ImageCode made = code();
    const std::vector<EventCell> cells = read_event_cells(made);
    const CallGraph graph(made, starts(), words_of(cells));
    const std::pair<uint64_t, uint64_t> bounds{kBegin, kBegin + made.bytes().size()};
    const LoadedData constants(kTable, table_, bounds, 0, {});
    const LoadedData data(kSink, {{kTable, true}}, bounds, 0, {});
    std::map<std::string, uint64_t> names;
    for (const NamedStart& one : read_gc_phases(made, cells, graph, constants, data))
      names[one.name] = one.begin;
    return names;
  }

  uint64_t runtime_ = 0, hidden_ = 0, getter_ = 0;
  uint64_t roots_ = 0, handles_ = 0, promote_ = 0, move_ = 0;
  std::vector<LoadedData::Word> table_;
};

TEST_F(GcPhasesTest, PhasesHaveNames) {
  const uint64_t mark = scanning(promote_, 8), relocate = scanning(move_, 0), plan = planning(relocate);
  const uint64_t background = telling({21, 22, 24}), sweep = telling({23, 25, 26, 27});
  const uint64_t gc1 = collecting({mark, plan, background, sweep});
  EXPECT_EQ(read(), (std::map<std::string, uint64_t>{{"gc_heap::gc1", gc1},
                                                     {"gc_heap::mark_phase", mark},
                                                     {"gc_heap::plan_phase", plan},
                                                     {"gc_heap::relocate_phase", relocate},
                                                     {"gc_heap::background_mark_phase", background},
                                                     {"gc_heap::background_sweep", sweep}}));
}

TEST_F(GcPhasesTest, OneThatIsMissingLeavesAllWithoutNames) {
  const uint64_t mark = scanning(promote_, 8), plan = planning(scanning(move_, 0));
  collecting({mark, plan, telling({21, 22, 24})});
  EXPECT_TRUE(read().empty());
}

TEST_F(GcPhasesTest, TwoThatCouldBeItLeaveAllWithoutNames) {
  const uint64_t plan = planning(scanning(move_, 0));
  collecting(
      {scanning(promote_, 8), scanning(promote_, 8), plan, telling({21, 22, 24}), telling({23, 25, 26, 27})});
  EXPECT_TRUE(read().empty());
}

TEST_F(GcPhasesTest, WhatDoesTheSameWithRootsAsMarkingDoesNotRelocate) {
  const uint64_t plan = planning(scanning(promote_, 0));
  collecting({scanning(promote_, 8), plan, telling({21, 22, 24}), telling({23, 25, 26, 27})});
  const std::map<std::string, uint64_t> names = read();
  EXPECT_EQ(names.size(), 5u);
  EXPECT_FALSE(names.contains("gc_heap::relocate_phase"));
}

TEST_F(GcPhasesTest, AnotherOrderOfTheTableNamesNothing) {
  std::swap(table_[21], table_[22]);
  const uint64_t plan = planning(scanning(move_, 0));
  collecting({scanning(promote_, 8), plan, telling({21, 22, 24}), telling({23, 25, 26, 27})});
  EXPECT_TRUE(read().empty());
}

}  // namespace
}  // namespace walkabout::symbols
