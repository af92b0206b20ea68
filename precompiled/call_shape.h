// How many arguments a call takes, by the signature that its token names. Hostile bytes. Any thread, no
// state. Source: ECMA-335 II.23.2.1 to II.23.2.3, II.23.2.15.
#pragma once

#include <cstdint>
#include <optional>

#include "il/stack_depth.h"
#include "precompiled/metadata_tables.h"

namespace walkabout::precompiled {

// Of a MethodDef, MemberRef, MethodSpec or StandAloneSig; none: of anything else.
std::optional<il::CallShape> call_shape(const Metadata& metadata, uint32_t token);

}  // namespace walkabout::precompiled
