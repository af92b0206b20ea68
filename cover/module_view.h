// What an assembly's metadata say of its code, as far as coverage asks: whose code a method is, what is left
// out of it, and what instructions name. Hostile bytes: chains are bounded. One thread (it remembers).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cover/line_coverage.h"
#include "pdb/portable_pdb.h"
#include "precompiled/metadata_tables.h"

namespace walkabout::cover {

class ModuleView {
 public:
  // Both must outlive this.
  ModuleView(const precompiled::Metadata& metadata, const pdb::PortablePdb& pdb);

  const precompiled::Metadata& metadata() const { return metadata_; }

  // Rows of MethodDef. The method that a person wrote and this one was made of; itself, if it is one.
  uint32_t written_method(uint32_t method) const;
  Method name_of(uint32_t method) const;
  // [ExcludeFromCodeCoverage] is at it, its property, a type around it, the assembly, or at what it was made
  // of.
  bool is_excluded(uint32_t method) const;

  // It is the MoveNext that the compiler made of an async method, of an iterator, of an async iterator.
  bool is_async(uint32_t method) const;
  bool is_iterator(uint32_t method) const;
  bool is_async_iterator(uint32_t method) const;

  // Of the tokens of instructions; empty: they name nothing known here.
  struct Called {
    std::string_view type, name;  // "TaskAwaiter`1", "get_IsCompleted"
  };
  Called called(uint32_t token) const;
  std::string_view field(uint32_t token) const;
  // The type that has it.
  std::string_view type_of_field(uint32_t token) const;
  std::string_view type(uint32_t token) const;

 private:
  bool has_attribute(uint32_t parent, bool (*is)(std::string_view name)) const;
  bool is_made_up(uint32_t type) const;  // by the compiler
  bool implements(uint32_t type, std::string_view interface_name) const;
  bool has_field(uint32_t type, std::string_view name) const;
  std::string full_name(uint32_t type) const;
  uint32_t owner_of(uint32_t method) const;
  uint32_t owner_of_field(uint32_t field) const;
  uint32_t find_method(uint32_t type, std::string_view name) const;
  std::string_view method_name(uint32_t method) const;

  const precompiled::Metadata& metadata_;
  const pdb::PortablePdb& pdb_;
  std::unordered_map<uint32_t, uint32_t> property_of_;  // by accessor
  bool excludes_all_ = false;
};

}  // namespace walkabout::cover
