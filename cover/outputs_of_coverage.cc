#include "cover/outputs_of_coverage.h"

namespace walkabout::cover {

WriteCoverage format_of_coverage(std::string_view path) {
  if (path.ends_with(".xml")) return write_cobertura;
  if (path.ends_with(".info")) return write_lcov;
  if (path.ends_with(".html")) return write_cover_page;
  if (path.ends_with(".cover")) return write_cover;
  return nullptr;
}

}  // namespace walkabout::cover
