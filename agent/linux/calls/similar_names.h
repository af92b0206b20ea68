// For a pattern that matches no method: names that look like it, those that differ least. Letters' case does
// not count. Plain code; one thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace walkabout::agent {

class SimilarNames {
 public:
  static constexpr size_t kMost = 5;

  // Its longest part between wildcards is what is looked for, as so many parts between dots of a name as it
  // has itself.
  explicit SimilarNames(std::string_view pattern);

  void offer(const std::string& name);
  // "Orders.Cart.Add, Orders.Cart.Sum": the most similar first.
  std::string all() const;

 private:
  std::string wanted_;
  size_t parts_ = 1;
  size_t most_ = 0;  // letters that may differ
  std::vector<std::pair<size_t, std::string>> best_;
};

// Letters to insert, to leave out or to change until one text is the other, if there are at most so many;
// else more than these.
size_t edit_distance(std::string_view a, std::string_view b, size_t most);

}  // namespace walkabout::agent
