// Which values of a method's calls are taken, and how: made once for a method, from its metadata, when its
// body is rewritten or its calls are hooked.
//
// Asks the CLR for metadata; one thread. What is left out by --redact is never read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "clr/abi/metadata.h"
#include "clr/names/module_names.h"

namespace walkabout::values {

enum class Take : uint8_t {
  kNothing,     // it cannot be told
  kHidden,      // it is not to be read
  kBits,        // a number, or an address
  kReal,        // a float or a double
  kObject,      // a reference
  kValue,       // a value type, or a generic parameter's
  kCharacters,  // a span of characters
};

struct PlannedValue {
  std::string name;                // "id", "this"; of the result empty
  std::string type;                // as declared: "int", "List<T>"
  std::vector<uint8_t> signature;  // of it, behind ref and modifiers
  uint16_t argument = 0;           // IL's number
  clr::mdFieldDef field = 0;       // of an async method: of its state machine
  uint8_t element = 0;             // the first byte of the signature
  Take take = Take::kNothing;
  bool by_ref = false;     // the argument is where it lies
  bool at_end = false;     // an out parameter: there is none before
  bool is_result = false;  // the last one
  bool is_this = false;
};

struct ValuePlan {
  std::vector<PlannedValue> values;
  // Of the MoveNext of the state machine of an async method or an iterator: the arguments are those of that
  // method. What it does not use its state machine does not have: that is not known.
  std::vector<uint8_t> own_type;  // the state machine, with its generic parameters
  // Of an async method: the field that says where it is; below 0 it begins.
  clr::mdFieldDef state = 0;
  bool hides_all = false;  // what it throws says nothing either
};

// What is not to be shown: globs, letters count as the same in both cases. One that matches a parameter's
// name, its type ("string", "App.Secret") or a field's name leaves out that; one that matches
// "Namespace.Type.Method" all of the method's values.
class Redaction {
 public:
  Redaction() = default;
  explicit Redaction(std::vector<std::string> globs);
  // A line each.
  static Redaction of_lines(std::string_view lines);
  bool hides(std::string_view name) const;
  bool empty() const { return globs_.empty(); }

 private:
  std::vector<std::string> globs_;  // in small letters
};

// Slots are one byte, and one is not the plan's: what a method has more of is not taken.
inline constexpr size_t kMostValues = 254;

// Empty where the method's signature cannot be read.
ValuePlan plan_values(clr::IMetaDataImport2& import, clr::ModuleNames& names, clr::mdMethodDef method,
                      const Redaction& redaction);

}  // namespace walkabout::values
