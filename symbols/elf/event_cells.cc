#include "symbols/elf/event_cells.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>

#include "base/byte_pattern.h"

namespace walkabout::symbols {
namespace {

constexpr size_t kFewestEvents = 100;  // of the function that adds them
constexpr uint64_t kMostBytes = 128;   // of code for one event
constexpr uint64_t kBytesOfCall = 5;
// mov [word], rax; what takes two arguments off the stack before
constexpr std::string_view kStore = "488905........", kDropTwo = "4883c410";
constexpr uint64_t kBytesOfStore = 7, kOperandOfStore = 3;

// What there is between two stores: instructions that put arguments into their places.
constexpr std::string_view kProvider = "488b3d........";  // mov rdi, [word]
constexpr std::string_view kNumber = "be........";        // mov esi, number
constexpr std::string_view kArguments[] = {
    kProvider,
    kNumber,
    // mov edx, number; ecx
    "ba........",
    "b9........",
    // xor edx, edx; ecx, esi, edi
    "31d2",
    "31c9",
    "31f6",
    "31ff",
    // push number
    "6a..",
    // mov r8d, number; r9d
    "41b8........",
    "41b9........",
    // xor r8d, r8d; r9d
    "4531c0",
    "4531c9",
    kDropTwo,
    // mov rdx, address; rsi
    "48ba................",
    "48be................",
    // mov rbx, address; r12, r13, r14, r15, rax: kept for several
    "48bb................",
    "49bc................",
    "49bd................",
    "49be................",
    "49bf................",
    "48b8................",
    // mov ebx, number; r12d, r13d, r14d, r15d, eax: kept for several
    "bb........",
    "41bc........",
    "41bd........",
    "41be........",
    "41bf........",
    "b8........",
    // mov rdx, rbx; r12, r13, r14, r15, rax: a number that was kept
    "4889da",
    "4c89e2",
    "4c89ea",
    "4c89f2",
    "4c89fa",
    "4889c2",
    // mov edx, ebx; r12d, r13d, r14d, r15d, eax
    "89da",
    "4489e2",
    "4489ea",
    "4489f2",
    "4489fa",
    "89c2",
    // mov ecx, ebx; r12d, r13d, r14d, r15d
    "89d9",
    "4489e1",
    "4489e9",
    "4489f1",
    "4489f9",
};

// A call whose result is kept.
struct KeptResult {
  uint64_t call = 0;  // address of the instruction
  uint64_t callee = 0;
  uint64_t end = 0;  // of the store
  uint64_t word = 0;
};

std::vector<KeptResult> kept_results(const ImageCode& code) {
  std::vector<KeptResult> found;
  for (uint64_t at = code.begin(); at + kBytesOfCall + kBytesOfStore < code.end(); ++at) {
    const std::optional<uint64_t> callee = code.call(at);
    if (!callee || !code.contains(*callee)) continue;
    uint64_t store = at + kBytesOfCall;
    if (code.is(kDropTwo, store)) store += base::pattern_size(kDropTwo);
    if (!code.is(kStore, store)) continue;
    found.push_back({at, *callee, store + kBytesOfStore, code.target(store + kOperandOfStore).value_or(0)});
  }
  return found;
}

// Nothing where it is none, or several.
std::optional<uint64_t> adder_of(const std::vector<KeptResult>& results) {
  std::map<uint64_t, size_t> calls;
  for (const KeptResult& one : results) ++calls[one.callee];
  const auto most = std::max_element(calls.begin(), calls.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most != calls.end() && most->second >= kFewestEvents ? std::optional(most->first) : std::nullopt;
}

// Of the instructions from `at` to the call.
std::optional<EventCell> arguments_of(const ImageCode& code, uint64_t at, const KeptResult& added) {
  EventCell cell{0, 0, added.word};
  while (at < added.call) {
    if (code.is(kProvider, at)) cell.provider = code.target(at + 3).value_or(0);
    if (code.is(kNumber, at)) cell.id = code.number(at + 1);
    const auto* const known =
        std::find_if(std::begin(kArguments), std::end(kArguments),
                     [&code, at](std::string_view instruction) { return code.is(instruction, at); });
    if (known == std::end(kArguments)) return std::nullopt;
    at += base::pattern_size(*known);
  }
  return at == added.call && cell.provider != 0 && cell.id != 0 ? std::optional(cell) : std::nullopt;
}

}  // namespace

std::vector<EventCell> read_event_cells(const ImageCode& code) {
  const std::vector<KeptResult> results = kept_results(code);
  const std::optional<uint64_t> adder = adder_of(results);
  std::vector<EventCell> cells;
  if (!adder) return cells;
  for (size_t i = 1; i < results.size(); ++i) {
    const KeptResult& added = results[i];
    const uint64_t before = results[i - 1].end;
    if (added.callee != *adder || before > added.call || added.call - before > kMostBytes) continue;
    if (const std::optional<EventCell> cell = arguments_of(code, before, added)) cells.push_back(*cell);
  }
  return cells;
}

std::set<uint64_t> words_of(const std::vector<EventCell>& cells) {
  std::set<uint64_t> words;
  for (const EventCell& cell : cells) words.insert(cell.word);
  return words;
}

}  // namespace walkabout::symbols
