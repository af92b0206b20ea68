#include "profile/model/documents.h"

#include <algorithm>
#include <utility>

namespace walkabout::profile {

std::vector<SourceDocument> one_of_each(std::vector<SourceDocument> documents) {
  std::stable_sort(documents.begin(), documents.end(),
                   [](const auto& a, const auto& b) { return a.path < b.path; });
  std::vector<SourceDocument> all;
  for (SourceDocument& document : documents) {
    if (all.empty() || all.back().path != document.path) {
      all.push_back(std::move(document));
      continue;
    }
    SourceDocument& known = all.back();
    known.several = known.several || document.several || known.hash_kind != document.hash_kind ||
                    known.hash != document.hash;
    if (known.url.empty()) known.url = std::move(document.url);
  }
  return all;
}

void add_documents(const std::vector<wire::Document>& documents, const std::set<std::string>& paths,
                   std::vector<SourceDocument>& to) {
  for (const wire::Document& document : documents) {
    if (paths.contains(document.path))
      to.push_back({document.path, document.hash_kind, document.hash, document.url});
  }
}

}  // namespace walkabout::profile
