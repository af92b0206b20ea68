// Why a body is left as it is. Pure; any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace walkabout::il {

enum class [[nodiscard]] Cause : uint8_t{
    kNone = 0,  // all is well
    // It cannot be read.
    kHeader,
    kCut,
    kInstruction,
    kBranch,
    kSection,
    kClause,
    kSignature,
    // It cannot be changed as asked.
    kPlace,
    kBehindTailCall,
    kJmp,
    kReturnInClause,
    kRuntimeAsync,
    kMoreLocals,
    kMoreStack,
    // It cannot be written.
    kTooLarge,
    kLabel,
    kCount,
};

// "the body branches to where no instruction begins"
std::string_view sentence_of(Cause cause);

}  // namespace walkabout::il
