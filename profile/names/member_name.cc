#include "profile/names/member_name.h"

#include <array>
#include <utility>

#include "profile/names/fsharp_name.h"
#include "profile/names/operator_name.h"
#include "profile/names/readable_type.h"

namespace walkabout::profile {
namespace {

// "System.IDisposable.Dispose": {"System.IDisposable", "Dispose"}. A dot within brackets or at the begin
// parts nothing.
std::pair<std::string_view, std::string_view> explicit_parts(std::string_view name) {
  int depth = 0;
  for (size_t i = name.size(); i-- > 1;) {
    if (name[i] == '>') ++depth;
    if (name[i] == '<') --depth;
    if (name[i] == '.' && depth == 0) {
      const bool is_constructor = name[i - 1] == '.';  // "IFace..ctor" is nobody's
      return is_constructor ? std::pair(std::string_view(), name)
                            : std::pair(name.substr(0, i), name.substr(i + 1));
    }
  }
  return {{}, name};
}

std::string type_in(std::string_view text, bool whole) { return whole ? whole_type(text) : short_type(text); }

// "Item" of indexers; others have their name, which is another one in the source only of C#.
std::string indexer(std::string_view property, const std::vector<std::string_view>& indices, size_t count,
                    bool whole) {
  const std::vector<std::string_view> shown(indices.begin(), indices.begin() + static_cast<ptrdiff_t>(count));
  return (property == "Item" ? "this" : std::string(property)) + "[" +
         (whole ? whole_types(shown) : short_types(shown)) + "]";
}

// Empty: it is no accessor.
MemberName accessor(std::string_view name, const std::vector<std::string_view>& parameters, bool whole) {
  const auto property = [&](std::string_view prefix, const char* word, size_t values) {
    MemberName out;
    if (!name.starts_with(prefix) || name.size() == prefix.size() || parameters.size() < values) return out;
    out.index_parameters = parameters.size() - values;
    out.name = out.index_parameters == 0
                   ? std::string(name.substr(prefix.size()))
                   : indexer(name.substr(prefix.size()), parameters, out.index_parameters, whole);
    out.name += word;
    return out;
  };
  const auto event = [&](std::string_view prefix, const char* word) {
    const bool fits = name.starts_with(prefix) && name.size() > prefix.size() && parameters.size() == 1;
    return fits ? MemberName{std::string(name.substr(prefix.size())) + word, 0} : MemberName();
  };
  for (MemberName& found : std::array{property("get_", ".get", 0), property("set_", ".set", 1),
                                      event("add_", ".add"), event("remove_", ".remove")}) {
    if (!found.name.empty()) return std::move(found);
  }
  return {};
}

MemberName own_name(const Member& member, std::string_view name, bool whole) {
  if (member.is_plain) return {std::string(name), 0};
  if (!member.is_generic) {
    if (MemberName found = accessor(name, member.parameters, whole); !found.name.empty()) return found;
  }
  const std::string to = member.returns.empty() ? "" : type_in(member.returns, whole);
  const std::string op = operator_name(name, to);
  return {op.empty() ? fsharp_member(name) : op, 0};
}

}  // namespace

MemberName member_name(const Member& member, bool whole) {
  const bool has_owner = !member.owner.empty();  // else nobody wrote a constructor
  if (member.name == ".ctor" && has_owner) return {std::string(member.owner), 0};
  if (member.name == ".cctor" && has_owner) return {"static " + std::string(member.owner), 0};
  const auto [interface, name] = explicit_parts(member.name);
  MemberName out = own_name(member, name, whole);
  if (!interface.empty()) out.name.insert(0, type_in(interface, whole) + ".");
  return out;
}

std::string enclosing_name(std::string_view name, std::string_view owner, bool is_plain) {
  Member member{name, owner, {}, {}, is_plain, false};
  const std::string_view own = explicit_parts(name).second;
  if (own.starts_with("set_") || own.starts_with("add_") || own.starts_with("remove_"))
    member.parameters = {"value"};
  return member_name(member, false).name;
}

}  // namespace walkabout::profile
