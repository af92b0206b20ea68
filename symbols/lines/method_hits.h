// Which managed methods a recording hit, by their assemblies: those that want source lines. Feed it every
// record (recording::RecordVisitor), then ask. One thread. About 50 bytes a method.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "recording/visitor.h"
#include "wire/records.h"

namespace walkabout::symbols {

struct AssemblyHits {
  wire::Assembly assembly;
  std::set<uint32_t> methods;  // tokens
};

class MethodHits : public recording::RecordVisitor {
 public:
  void on_assembly(const wire::Assembly& record) override { hits_[record.id].assembly = record; }
  // The agent declares what was hit.
  void on_method(const wire::Method& record) override {
    const auto of = hits_.find(record.assembly);
    if (of != hits_.end() && record.token != 0) of->second.methods.insert(record.token);
  }

  // The recording was asked for source lines: then, and only then, the agent says what methods are of.
  bool has_lines() const { return !hits_.empty(); }
  // In order of their ids.
  std::vector<AssemblyHits> hits() const {
    std::vector<AssemblyHits> all;
    for (const auto& [id, hits] : hits_) all.push_back(hits);
    return all;
  }

 private:
  std::map<base::AssemblyId, AssemblyHits> hits_;
};

}  // namespace walkabout::symbols
