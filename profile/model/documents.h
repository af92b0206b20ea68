// The source files of assemblies and processes as those of one profile. Any thread, no state.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "profile/model/profile.h"
#include "wire/records.h"

namespace walkabout::profile {

// By path, each once. Those whose checksums differ are of one path and not the same file: `several` says so.
std::vector<SourceDocument> one_of_each(std::vector<SourceDocument> documents);

// Those of an assembly or a library with these paths, in the order that they have there.
void add_documents(const std::vector<wire::Document>& documents, const std::set<std::string>& paths,
                   std::vector<SourceDocument>& to);

}  // namespace walkabout::profile
