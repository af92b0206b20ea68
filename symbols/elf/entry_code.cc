#include "symbols/elf/entry_code.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/byte_pattern.h"

namespace walkabout::symbols {
namespace {

struct CodePart {
  std::string_view word;
  std::string_view code;
};
// Registers of arguments and those that a function keeps, pushed and popped; of floats at the top of the
// stack, or above one word.
constexpr CodePart kCodeParts[] = {
    {"push", "41574156415541544151415051525657"},
    {"pop", "5f5e5a5941584159415c415d415e415f5b5d"},
    {"drop", "4883c430415c415d415e415f5b5d"},
    {"save",
     "660f7f0424660f7f4c2410660f7f542420660f7f5c2430660f7f642440660f7f6c2450660f7f742460660f7f7c2470"},
    {"load",
     "660f6f0424660f6f4c2410660f6f542420660f6f5c2430660f6f642440660f6f6c2450660f6f742460660f6f7c2470"},
    {"save+",
     "660f7f442410660f7f4c2420660f7f542430660f7f5c2440660f7f642450660f7f6c2460660f7f742470"
     "660f7fbc2480000000"},
    {"load+",
     "660f6f442410660f6f4c2420660f6f542430660f6f5c2440660f6f642450660f6f6c2460660f6f742470"
     "660f6fbc2480000000"},
    {"frame", "554889e553"},
    {"cell", "488b4c245048895c2450488b54245848896c2458488d6c2458"},  // who pushed: section and module
    {"down", "488da42478ffffff"},
    {"up", "488da42488000000"},
    {"block", "488dbc2488000000"},  // the first argument: the registers in memory
    {"call", "e8........"},
    {"go", "48ffe0"},
};

// Code: words of the table, or hexadecimal digits.
struct EntryCode {
  std::string_view name;
  std::string_view callee;  // empty: it calls nothing of its own
  std::string_view code;
};
constexpr EntryCode kEntries[] = {
    {"ThePreStub", "PreStubWorker", "frame push down save block 4c89d6 call load up pop go"},
    {"ThePreStub", "PreStubWorker",
     "frame push 488da42468ffffff save+ 48890424 488dbc2498000000 4c89d6 call 4989c2488b0424 load+ "
     "488da42498000000 pop 41ffe2"},
    {"OnCallCountThresholdReachedStub", "OnCallCountThresholdReached",
     "frame push down save block 4889c6 call load up pop go"},
    {"DelayLoad_MethodCall", "ExternalMethodFixupWorker",
     "push cell down save block 4889c6 call load up pop go"},
    {"DelayLoad_Helper", "DynamicHelperWorker",
     "push cell down save 49c7c000000000 block 4889c6 call 4885c0751f488b842488000000 up drop c3 load up pop "
     "go"},
    {"DelayLoad_Helper", "DynamicHelperWorker",
     "push cell down save 49c7c000000000 block 4889c6 call 4885c07523488b842488000000 up pop c3 load up pop "
     "go"},
    {"DelayLoad_Helper_Obj", "DynamicHelperWorker",
     "push cell down save 49c7c001000000 block 4889c6 call 4885c0751f488b842488000000 up drop c3 load up pop "
     "go"},
    {"DelayLoad_Helper_Obj", "DynamicHelperWorker",
     "push cell down save 49c7c001000000 block 4889c6 call 4885c07523488b842488000000 up pop c3 load up pop "
     "go"},
    {"DelayLoad_Helper_ObjObj", "DynamicHelperWorker",
     "push cell down save 49c7c003000000 block 4889c6 call 4885c0751f488b842488000000 up drop c3 load up pop "
     "go"},
    {"DelayLoad_Helper_ObjObj", "DynamicHelperWorker",
     "push cell down save 49c7c003000000 block 4889c6 call 4885c07523488b842488000000 up pop c3 load up pop "
     "go"},
    {"ResolveWorkerAsmStub", "VSD_ResolveWorker",
     "53 push 488b54245848896c2458488d6c2458 down save block 4c89de4889f14883e1074829ce call load up pop go"},
    {"ResolveWorkerChainLookupAsmStub", "",
     "48c7c0010000004c21d8587536488b40184885c0742d483b1075f24c3b500875ec488d15........"
     "48832a017c07488b40105aff"
     "e048c702000100004983cb024989c25a4152e9........"},
    {"TheUMEntryPrestub", "TheUMEntryPrestubWorker",
     "4151415051525657415350 down save 4c89d7 call 4989c2 load up 58415b5f5e5a594158415941ffe2"},
    // only its beginning: whether the target is in the heap, then whether source and target overlap
    {"InlinedMemmoveGCRefsHelper", "",
     "554889e5415653488d05........483b380f92c1488d05........483b380f93c008c84889f94829f14839d10f83........"
     "4c8d04"
     "174801d64889d1"},
    {"RhpNewObject", "RhpGcAlloc",
     "55534157415641554154488d6424c8488d4c24084889fb31d2 call 4885c07410488d642438415c415d415e415f5b5dc3"
     "4889df31f6488d642438415c415d415e415f5b5de9........"},
    {"RhpNewObject", "RhpGcAlloc",
     "55534157415641554154488da424c8ffffff488d4c24084889fb31d2 call "
     "4885c07410488d642438415c415d415e415f5b5dc3"
     "4889df31f6488d642438415c415d415e415f5b5de9........"},
};

struct EntryPattern {
  std::string bytes;
  size_t call = 0;  // where the distance of the call is
};

EntryPattern expanded_entry(std::string_view code) {
  EntryPattern pattern;
  while (!code.empty()) {
    const size_t end = std::min(code.find(' '), code.size());
    const std::string_view item = code.substr(0, end);
    const auto* const word = std::find_if(std::begin(kCodeParts), std::end(kCodeParts),
                                          [item](const CodePart& known) { return known.word == item; });
    if (item == "call") pattern.call = base::pattern_size(pattern.bytes) + 1;
    pattern.bytes += word != std::end(kCodeParts) ? word->code : item;
    code.remove_prefix(std::min(end + 1, code.size()));
  }
  return pattern;
}

// By name the one address; nothing: there are several.
using EntriesFound = std::map<std::string_view, std::optional<uint64_t>>;

void add_entry(std::string_view name, std::optional<uint64_t> begin, bool may_repeat, EntriesFound& found) {
  const auto [known, added] = found.try_emplace(name, begin);
  if (!added && !(may_repeat && known->second == begin)) known->second = std::nullopt;
}

void look_for(const EntryCode& entry, const ImageCode& code, const std::vector<uint32_t>& starts,
              EntriesFound& found) {
  const EntryPattern pattern = expanded_entry(entry.code);
  for (const uint32_t start : starts) {
    if (!code.is(pattern.bytes, start)) continue;
    add_entry(entry.name, start, false, found);
    // Several entries call the same function.
    if (!entry.callee.empty()) add_entry(entry.callee, code.target(start + pattern.call), true, found);
  }
}

}  // namespace

std::vector<NamedStart> read_entry_code(const ImageCode& code, const std::vector<uint32_t>& starts) {
  EntriesFound found;
  for (const EntryCode& entry : kEntries) look_for(entry, code, starts, found);
  std::vector<NamedStart> names;
  for (const auto& [name, begin] : found) {
    if (begin && code.contains(*begin)) names.push_back({*begin, std::string(name)});
  }
  return names;
}

}  // namespace walkabout::symbols
