#include "cover/module_view.h"

#include <utility>

#include "clr/abi/signature_bytes.h"
#include "clr/names/signature.h"

namespace walkabout::cover {
namespace {

using precompiled::Table;

constexpr uint32_t kRowMask = 0x00ffffff;
constexpr int kMostSteps = 16;  // from a method to what it was made of, or from a type outwards

// Tags of coded references (ECMA-335 II.24.2.6).
uint32_t attributes_of_method(uint32_t row) { return row << 5; }
uint32_t attributes_of_type(uint32_t row) { return row << 5 | 3; }
uint32_t attributes_of_property(uint32_t row) { return row << 5 | 9; }
constexpr uint32_t kAttributesOfAssembly = 1u << 5 | 14;

bool excludes(std::string_view name) {
  return name == "ExcludeFromCodeCoverageAttribute" || name == "ExcludeFromCoverageAttribute";
}
bool says_made_up(std::string_view name) { return name == "CompilerGeneratedAttribute"; }

// "M" of "<M>b__0_1" and "<M>g__Local|0_1"; empty: a person wrote the name.
std::string_view name_within(std::string_view name) {
  if (name.empty() || name[0] != '<') return {};
  int open = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    open += name[i] == '<' ? 1 : name[i] == '>' ? -1 : 0;
    if (open == 0) return name.substr(1, i - 1);
  }
  return {};
}

// "<M>b__0_1": of a lambda; "<M>g__Local|0_1": of a local function.
bool is_nested_code(std::string_view name) {
  const std::string_view within = name_within(name);
  const std::string_view rest = within.empty() ? within : name.substr(within.size() + 2);
  return rest.starts_with("b__") || rest.starts_with("g__");
}

class Names final : public clr::TypeTokens {
 public:
  explicit Names(const precompiled::Metadata& metadata) : metadata_(metadata) {}
  std::string name_of(clr::mdToken token) override {
    const uint32_t row = token & kRowMask;
    if (token >> 24 == static_cast<uint32_t>(Table::kTypeDef)) {
      const auto type = metadata_.type_def(row);
      return type ? std::string(type->name) : "?";
    }
    const auto type = metadata_.type_ref(row);
    return token >> 24 == static_cast<uint32_t>(Table::kTypeRef) && type ? std::string(type->name) : "?";
  }

 private:
  const precompiled::Metadata& metadata_;
};

}  // namespace

ModuleView::ModuleView(const precompiled::Metadata& metadata, const pdb::PortablePdb& pdb)
    : metadata_(metadata), pdb_(pdb) {
  for (uint32_t row = 1; row <= metadata.rows(Table::kMethodSemantics); ++row) {
    const uint32_t of = metadata.cell(Table::kMethodSemantics, row, 2);
    if ((of & 1) != 0) property_of_[metadata.cell(Table::kMethodSemantics, row, 1)] = of >> 1;
  }
  excludes_all_ = has_attribute(kAttributesOfAssembly, excludes);
}

uint32_t ModuleView::owner_of(uint32_t method) const {
  return metadata_.has(Table::kMethodDef, method) ? metadata_.lower_bound(Table::kTypeDef, 5, method + 1) - 1
                                                  : 0;
}

uint32_t ModuleView::owner_of_field(uint32_t field) const {
  return metadata_.has(Table::kField, field) ? metadata_.lower_bound(Table::kTypeDef, 4, field + 1) - 1 : 0;
}

std::string_view ModuleView::method_name(uint32_t method) const {
  return metadata_.has(Table::kMethodDef, method)
             ? metadata_.string(metadata_.cell(Table::kMethodDef, method, 3))
             : std::string_view();
}

uint32_t ModuleView::find_method(uint32_t type, std::string_view name) const {
  const auto begin = metadata_.type_def(type);
  const auto end = metadata_.type_def(type + 1);
  const uint32_t last = end ? end->first_method : metadata_.rows(Table::kMethodDef) + 1;
  for (uint32_t row = begin ? begin->first_method : last; row < last; ++row) {
    if (method_name(row) == name) return row;
  }
  return 0;
}

uint32_t ModuleView::written_method(uint32_t method) const {
  for (int step = 0; step < kMostSteps; ++step) {
    if (const uint32_t kickoff = pdb_.kickoff_method(method);
        kickoff != 0 && metadata_.has(Table::kMethodDef, kickoff)) {
      method = kickoff;
      continue;
    }
    const std::string_view name = method_name(method);
    if (!is_nested_code(name)) return method;
    // Lambdas lie in a type of the compiler's, or beside the method.
    uint32_t type = owner_of(method), found = 0;
    for (int outwards = 0; outwards < kMostSteps && type != 0 && found == 0; ++outwards) {
      found = find_method(type, name_within(name));
      type = metadata_.outer_of(type);
    }
    if (found == 0 || found == method) return method;
    method = found;
  }
  return method;
}

std::string ModuleView::full_name(uint32_t type) const {
  std::string name;
  for (int step = 0; step < kMostSteps && type != 0; ++step) {
    const auto row = metadata_.type_def(type);
    if (!row) break;
    const uint32_t outer = metadata_.outer_of(type);
    if (outer == 0 || !row->name.starts_with('<')) {  // of the compiler's types the one around them is said
      std::string whole(row->space);
      if (!whole.empty()) whole += '.';
      whole += row->name;
      if (!name.empty()) whole.append("/").append(name);
      name = std::move(whole);
    }
    type = outer;
  }
  return name;
}

Method ModuleView::name_of(uint32_t method) const {
  const auto row = metadata_.method_def(method);
  if (!row) return {};
  Names names(metadata_);
  clr::MethodSignature signature;
  clr::read_method_signature(row->signature, names, {}, &signature);
  return {full_name(row->owner), std::string(row->name), signature.parameters};
}

bool ModuleView::has_attribute(uint32_t parent, bool (*is)(std::string_view name)) const {
  constexpr Table kTable = Table::kCustomAttribute;
  for (uint32_t row = metadata_.lower_bound(kTable, 0, parent);
       metadata_.has(kTable, row) && metadata_.cell(kTable, row, 0) == parent; ++row) {
    const uint32_t constructor = metadata_.cell(kTable, row, 1);
    const Table table = (constructor & 7) == 2 ? Table::kMethodDef : Table::kMemberRef;
    if (is(called(static_cast<uint32_t>(table) << 24 | constructor >> 3).type)) return true;
  }
  return false;
}

bool ModuleView::is_made_up(uint32_t type) const {
  for (int step = 0; step < kMostSteps && type != 0; ++step, type = metadata_.outer_of(type)) {
    if (has_attribute(attributes_of_type(type), says_made_up)) return true;
  }
  return false;
}

bool ModuleView::is_excluded(uint32_t method) const {
  if (excludes_all_) return true;
  const uint32_t written = written_method(method);
  for (const uint32_t row : {method, written}) {
    if (has_attribute(attributes_of_method(row), excludes)) return true;
    const auto property = property_of_.find(row);
    if (property != property_of_.end() && has_attribute(attributes_of_property(property->second), excludes))
      return true;
    uint32_t type = owner_of(row);
    for (int step = 0; step < kMostSteps && type != 0; ++step, type = metadata_.outer_of(type)) {
      if (has_attribute(attributes_of_type(type), excludes)) return true;
    }
  }
  // One that was made of another that was made of it: a lambda's state machine, of a lambda that is left out.
  const uint32_t kickoff = pdb_.kickoff_method(method);
  return kickoff != 0 && has_attribute(attributes_of_method(kickoff), excludes);
}

bool ModuleView::implements(uint32_t type, std::string_view interface_name) const {
  constexpr Table kTable = Table::kInterfaceImpl;
  for (uint32_t row = metadata_.lower_bound(kTable, 0, type);
       metadata_.has(kTable, row) && metadata_.cell(kTable, row, 0) == type; ++row) {
    const uint32_t coded = metadata_.cell(kTable, row, 1);
    const auto reference = (coded & 3) == 1 ? metadata_.type_ref(coded >> 2) : std::nullopt;
    if (reference && reference->name == interface_name) return true;
  }
  return false;
}

bool ModuleView::has_field(uint32_t type, std::string_view name) const {
  if (!metadata_.has(Table::kTypeDef, type)) return false;
  const bool is_last = !metadata_.has(Table::kTypeDef, type + 1);
  const uint32_t last =
      is_last ? metadata_.rows(Table::kField) + 1 : metadata_.cell(Table::kTypeDef, type + 1, 4);
  for (uint32_t row = metadata_.cell(Table::kTypeDef, type, 4);
       row < last && metadata_.has(Table::kField, row); ++row) {
    if (metadata_.string(metadata_.cell(Table::kField, row, 1)) == name) return true;
  }
  return false;
}

bool ModuleView::is_async(uint32_t method) const {
  const uint32_t type = owner_of(method);
  return method_name(method) == "MoveNext" && is_made_up(type) && implements(type, "IAsyncStateMachine");
}

bool ModuleView::is_iterator(uint32_t method) const {
  const uint32_t type = owner_of(method);
  return method_name(method) == "MoveNext" && has_attribute(attributes_of_type(type), says_made_up) &&
         implements(type, "IEnumerator");
}

bool ModuleView::is_async_iterator(uint32_t method) const {
  return is_async(method) && has_field(owner_of(method), "<>w__disposeMode");
}

std::string_view ModuleView::type(uint32_t token) const {
  const uint32_t row = token & kRowMask;
  switch (static_cast<Table>(token >> 24)) {
    case Table::kTypeDef: {
      const auto type = metadata_.type_def(row);
      return type ? type->name : std::string_view();
    }
    case Table::kTypeRef: {
      const auto type = metadata_.type_ref(row);
      return type ? type->name : std::string_view();
    }
    case Table::kTypeSpec: {  // a generic one's instance: GENERICINST, CLASS or VALUETYPE, what it is of
      if (!metadata_.has(Table::kTypeSpec, row)) return {};
      const precompiled::Bytes blob = metadata_.blob(metadata_.cell(Table::kTypeSpec, row, 0));
      if (blob.size() < 3 || blob[0] != 0x15) return {};
      clr::SignatureBytes from(blob.subspan(2));
      const clr::mdToken of = from.token();
      return from.ok() && of >> 24 != static_cast<uint32_t>(Table::kTypeSpec) ? this->type(of)
                                                                              : std::string_view();
    }
    default:
      return {};
  }
}

ModuleView::Called ModuleView::called(uint32_t token) const {
  const uint32_t row = token & kRowMask;
  switch (static_cast<Table>(token >> 24)) {
    case Table::kMethodDef:
      return {type(static_cast<uint32_t>(Table::kTypeDef) << 24 | owner_of(row)), method_name(row)};
    case Table::kMemberRef: {
      if (!metadata_.has(Table::kMemberRef, row)) return {};
      const uint32_t parent = metadata_.cell(Table::kMemberRef, row, 0);
      constexpr Table kParents[] = {Table::kTypeDef, Table::kTypeRef, Table::kModule, Table::kMethodDef,
                                    Table::kTypeSpec};
      const std::string_view name = metadata_.string(metadata_.cell(Table::kMemberRef, row, 1));
      if ((parent & 7) >= std::size(kParents)) return {{}, name};
      return {type(static_cast<uint32_t>(kParents[parent & 7]) << 24 | parent >> 3), name};
    }
    case Table::kMethodSpec: {
      if (!metadata_.has(Table::kMethodSpec, row)) return {};
      const uint32_t coded = metadata_.cell(Table::kMethodSpec, row, 0);
      const Table table = (coded & 1) == 0 ? Table::kMethodDef : Table::kMemberRef;
      return called(static_cast<uint32_t>(table) << 24 | (coded >> 1 & kRowMask));
    }
    default:
      return {};
  }
}

std::string_view ModuleView::field(uint32_t token) const {
  const uint32_t row = token & kRowMask;
  if (token >> 24 == static_cast<uint32_t>(Table::kMemberRef)) return called(token).name;
  const bool is_field = token >> 24 == static_cast<uint32_t>(Table::kField);
  return is_field && metadata_.has(Table::kField, row)
             ? metadata_.string(metadata_.cell(Table::kField, row, 1))
             : std::string_view();
}

std::string_view ModuleView::type_of_field(uint32_t token) const {
  if (token >> 24 == static_cast<uint32_t>(Table::kMemberRef)) return called(token).type;
  return type(static_cast<uint32_t>(Table::kTypeDef) << 24 | owner_of_field(token & kRowMask));
}

}  // namespace walkabout::cover
