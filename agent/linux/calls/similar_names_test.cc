#include "agent/linux/calls/similar_names.h"

#include <gtest/gtest.h>

namespace walkabout::agent {
namespace {

std::string similar_of(std::string_view pattern) {
  SimilarNames names(pattern);
  for (const char* name : {"Shop.Orders.Cart.Add", "Shop.Orders.Cart.AddRange", "Shop.Orders.Cart.Remove",
                           "Shop.Repository.Save", "Shop.Repository.SaveAll", "System.String.Concat"})
    names.offer(name);
  return names.all();
}

TEST(SimilarNames, AWrongLetterOrCaseIsForgiven) {
  EXPECT_EQ(similar_of("*.Repository.Safe"), "Shop.Repository.Save, Shop.Repository.SaveAll");
  EXPECT_EQ(similar_of("shop.repository.save"), "Shop.Repository.Save, Shop.Repository.SaveAll");
  EXPECT_EQ(similar_of("*.Repositry.*"), "Shop.Repository.Save, Shop.Repository.SaveAll");
}

TEST(SimilarNames, ANameWithoutItsTypeIsFound) {
  EXPECT_EQ(similar_of("Concat"), "System.String.Concat");
  EXPECT_EQ(similar_of("Cart.Remove"), "Shop.Orders.Cart.Remove");
}

TEST(SimilarNames, NothingIsLikeSomethingElse) {
  EXPECT_EQ(similar_of("*.Quux.*"), "");
  EXPECT_EQ(similar_of("*"), "");
  EXPECT_EQ(similar_of("X.*"), "");
  EXPECT_EQ(similar_of("*Ad*"), "");
}

TEST(SimilarNames, EditDistanceCountsChangesUpToItsBound) {
  EXPECT_EQ(edit_distance("save", "save", 2), 0u);
  EXPECT_EQ(edit_distance("save", "safe", 2), 1u);
  EXPECT_EQ(edit_distance("save", "saves", 2), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting", 5), 3u);
  EXPECT_EQ(edit_distance("save", "remove", 2), 3u);
}

}  // namespace
}  // namespace walkabout::agent
