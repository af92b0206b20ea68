#include "base/linux/tick_filter_types.h"

#include <linux/btf.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace walkabout::base {
namespace {

constexpr uint32_t kWord = 8, kSignals = 64;

// Types are numbered from 1 in the order in which they are added.
class Description {
 public:
  struct Member {
    const char* name;
    uint32_t type;
    uint32_t offset;
  };

  Description() { text(""); }

  uint32_t text(std::string_view value) {
    const auto at = static_cast<uint32_t>(texts_.size());
    texts_.append(value).push_back('\0');
    return at;
  }
  uint32_t unsigned_long() {
    const uint32_t id = add(BTF_KIND_INT, "unsigned long", kWord);
    types_.push_back(kWord * 8);  // bits
    return id;
  }
  uint32_t structure(std::string_view name, uint32_t size, std::initializer_list<Member> members) {
    const uint32_t id = add(BTF_KIND_STRUCT, name, size, static_cast<uint32_t>(members.size()));
    for (const Member& m : members) types_.insert(types_.end(), {text(m.name), m.type, m.offset * 8});
    return id;
  }
  uint32_t array(uint32_t of, uint32_t index, uint32_t count) {
    const uint32_t id = add(BTF_KIND_ARRAY, "", 0);
    types_.insert(types_.end(), {of, index, count});
    return id;
  }
  uint32_t pointer(uint32_t to) { return add(BTF_KIND_PTR, "", to); }
  uint32_t function(std::string_view name, uint32_t result) {
    return add(BTF_KIND_FUNC, name, add(BTF_KIND_FUNC_PROTO, "", result));
  }

  std::string bytes() const {
    btf_header header{};
    header.magic = BTF_MAGIC;
    header.version = BTF_VERSION;
    header.hdr_len = sizeof header;
    header.type_len = static_cast<uint32_t>(types_.size() * sizeof(uint32_t));
    header.str_off = header.type_len;
    header.str_len = static_cast<uint32_t>(texts_.size());
    std::string all(reinterpret_cast<const char*>(&header), sizeof header);
    all.append(reinterpret_cast<const char*>(types_.data()), header.type_len);
    return all += texts_;
  }

 private:
  uint32_t add(uint32_t kind, std::string_view name, uint32_t size_or_type, uint32_t members = 0) {
    types_.insert(types_.end(), {name.empty() ? 0 : text(name), kind << 24 | members, size_or_type});
    return ++last_;
  }

  std::string texts_;
  std::vector<uint32_t> types_;
  uint32_t last_ = 0;
};

}  // namespace

FilterTypes filter_types(const std::vector<FieldRead>& reads) {
  Description d;
  const uint32_t word = d.unsigned_long();
  const uint32_t set = d.structure("", kWord, {{"sig", word, 0}});
  const uint32_t action = d.structure("sigaction", kWord, {{"sa_handler", d.pointer(0), 0}});
  const uint32_t kernel_action = d.structure("k_sigaction", kWord, {{"sa", action, 0}});
  const uint32_t actions = d.array(kernel_action, word, kSignals);
  const uint32_t sighand = d.structure("sighand_struct", kWord * kSignals, {{"action", actions, 0}});
  const uint32_t thread = d.structure("thread_struct", kWord, {{"fsbase", word, 0}});
  const uint32_t task = d.structure("task_struct", 3 * kWord,
                                    {{"blocked", set, kBlockedAt},
                                     {"sighand", d.pointer(sighand), kSighandAt},
                                     {"thread", thread, kThreadPointerAt}});
  const auto handler_of = [](int signal) { return "0:0:" + std::to_string(signal - 1) + ":0:0"; };
  FilterTypes types;
  types.function = {0, d.function("tick_filter", word)};
  // A field is named by its path from a structure: the structure itself, then the number of each member.
  for (const auto& [instruction, field] : reads) {
    const bool of_task = field == kBlockedAt || field == kSighandAt || field == kThreadPointerAt;
    const std::string way = field == kBlockedAt         ? "0:0"
                            : field == kSighandAt       ? "0:1"
                            : field == kThreadPointerAt ? "0:2:0"
                            : field == kTrapHandlerAt   ? handler_of(SIGTRAP)
                                                        : handler_of(kLateTrapSignal);
    types.fields.push_back({instruction * static_cast<uint32_t>(sizeof(bpf_insn)), of_task ? task : sighand,
                            d.text(way), BPF_CORE_FIELD_BYTE_OFFSET});
  }
  types.description = d.bytes();
  return types;
}

}  // namespace walkabout::base
