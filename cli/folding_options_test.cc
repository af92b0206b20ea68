#include "cli/folding_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace walkabout::cli {
namespace {

using profile::Folding;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

FoldingOptions mine(const char* name) {
  FoldingOptions options;
  options.rules.mine = {name};
  return options;
}

TEST(FoldingOptions, WhereNothingIsAskedForItIsAsUsual) {
  EXPECT_EQ(FoldingOptions().folding(), Folding::kNone);
  EXPECT_EQ(FoldingOptions().folding(Folding::kAsync), Folding::kAsync);
  EXPECT_EQ(FoldingOptions{.all_frames = true}.folding(Folding::kAsync), Folding::kNone);
  EXPECT_EQ(FoldingOptions{.async = true}.folding(), Folding::kAsync);
  EXPECT_EQ((FoldingOptions{.my_code = true, .async = true}).folding(), Folding::kMyCode);
  EXPECT_EQ(mine("Contoso").folding(Folding::kAsync), Folding::kMyCode);
}

TEST(FoldingOptions, WhatDoesNotFitTogetherIsRefused) {
  FoldingOptions options = mine("Contoso");
  EXPECT_TRUE(options.check().ok());
  options.async = true;
  EXPECT_THAT(options.check().message(), HasSubstr("--fold-async"));
  options.async = false;
  options.all_frames = true;
  EXPECT_THAT(options.check().message(), HasSubstr("--all-frames"));
  EXPECT_FALSE((FoldingOptions{.async = true, .all_frames = true}).check().ok());
  EXPECT_TRUE((FoldingOptions{.my_code = true, .async = true}).check().ok());
}

TEST(FoldingOptions, WhoIsSurprisedIsTold) {
  profile::Profile profile;
  profile.frames = {{"System.Linq.Where()", "", "System.Linq.dll", profile::Kind::kManaged, true, 0,
                     profile::Origin::kFramework}};
  profile.nodes = {{}, {0, 0}};
  EXPECT_THAT(unknown_names(mine("System.Linq"), profile), IsEmpty());
  EXPECT_THAT(unknown_names(mine("Typo"), profile), ElementsAre(HasSubstr("--mine 'Typo'")));
  EXPECT_THAT(nothing_mine({.my_code = true}, profile), ElementsAre(HasSubstr("--mine NAME")));
  EXPECT_THAT(nothing_mine({}, profile), IsEmpty());
  profile.frames[0].origin = profile::Origin::kMine;
  EXPECT_THAT(nothing_mine({.my_code = true}, profile), IsEmpty());
}

}  // namespace
}  // namespace walkabout::cli
