#include "symbols/elf/runtime_functions.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <tuple>
#include <utility>

#include "symbols/elf/call_graph.h"
#include "symbols/elf/call_tables.h"
#include "symbols/elf/entry_code.h"
#include "symbols/elf/event_cells.h"
#include "symbols/elf/event_functions.h"
#include "symbols/elf/function_starts.h"
#include "symbols/elf/gc_phases.h"
#include "symbols/elf/image_code.h"
#include "symbols/elf/jit_helpers.h"
#include "symbols/elf/later_helpers.h"
#include "symbols/elf/loaded_data.h"

namespace walkabout::symbols {
namespace {

constexpr size_t kMostNames = 3;  // of one function that several share

bool is_before(const NamedStart& a, const NamedStart& b) {
  return std::tie(a.begin, a.name) < std::tie(b.begin, b.name);
}

// Debuggers find a CLR's data by this symbol, so every release has it, a single-file program too.
bool is_runtime(const ElfFile& file) {
  constexpr std::string_view kSymbol("\0g_dacTable\0", 12);  // with the zeros around it
  return ElfFile::bytes(file.section(".dynstr")).find(kSymbol) != std::string_view::npos;
}

}  // namespace

RuntimeFunctions RuntimeFunctions::read(const ElfFile& file) {
  if (!is_runtime(file)) return {};
  const LoadedData data = LoadedData::read(file, ".data.rel.ro");
  const ImageCode code = ImageCode::read(file);
  std::vector<NamedStart> found = read_call_tables(data);
  const auto add = [&found](std::vector<NamedStart> more) {
    std::move(more.begin(), more.end(), std::back_inserter(found));
  };
  const JitHelpers helpers = read_jit_helpers(data);
  for (const auto& [name, begin] : helpers.functions) found.push_back({begin, name});
  const LoadedData variables = LoadedData::read(file, ".data");
  add(read_later_helpers(code, variables, helpers));
  const std::vector<uint32_t> starts = read_function_starts(file);
  add(read_entry_code(code, starts));
  const std::vector<EventCell> events = read_event_cells(code);
  if (!events.empty()) {
    const CallGraph graph(code, starts, words_of(events));
    add(read_event_functions(events, graph));
    add(read_gc_phases(code, events, graph, data, variables));
  }
  return RuntimeFunctions(std::move(found));
}

RuntimeFunctions::RuntimeFunctions(std::vector<NamedStart> found) {
  std::sort(found.begin(), found.end(), is_before);
  size_t names = 0;
  for (NamedStart& function : found) {
    const bool another = !functions_.empty() && functions_.back().begin == function.begin;
    names = another ? names + 1 : 1;
    if (!another) {
      functions_.push_back(std::move(function));
    } else if (names <= kMostNames) {
      functions_.back().name += " or " + function.name;
    } else if (names == kMostNames + 1) {
      functions_.back().name += " or others";
    }
  }
}

const std::string* RuntimeFunctions::at(uint64_t begin) const {
  const auto found = std::lower_bound(functions_.begin(), functions_.end(), begin,
                                      [](const NamedStart& f, uint64_t at) { return f.begin < at; });
  return found != functions_.end() && found->begin == begin ? &found->name : nullptr;
}

}  // namespace walkabout::symbols
