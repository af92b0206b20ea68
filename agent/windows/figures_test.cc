#include "agent/windows/figures.h"

#include <gtest/gtest.h>

#include "clr/abi/hresults.h"

namespace walkabout::agent {
namespace {

TEST(Figures, AnswersAreCountedByNameAndBySeed) {
  Figures figures;
  for (int i = 0; i < 3; ++i) figures.answered(clr::S_OK, true);
  figures.answered(clr::CORPROF_E_STACKSNAPSHOT_UNSAFE, true);
  figures.answered(clr::E_FAIL, false);
  const std::vector<std::string> sentences = figures.sentences();
  ASSERT_EQ(sentences.size(), 3u);
  const std::string all = sentences[0] + "|" + sentences[1] + "|" + sentences[2];
  EXPECT_NE(all.find("with a seed: S_OK 3"), std::string::npos) << all;
  EXPECT_NE(all.find("with a seed: CORPROF_E_STACKSNAPSHOT_UNSAFE 1"), std::string::npos) << all;
  EXPECT_NE(all.find("without a seed: E_FAIL 1"), std::string::npos) << all;
}

TEST(Figures, AnAnswerWithoutAName) { EXPECT_EQ(snapshot_answer(clr::hresult(0x80131399)), "0x80131399"); }

TEST(Figures, TimesArePercentilesOfTheWalks) {
  Figures figures;
  for (uint64_t i = 1; i <= 100; ++i) figures.walked({i * 1000, i * 2000, 0});
  const std::string sentence = figures.sentences().back();
  EXPECT_NE(sentence.find("100 walks"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("in all p50 150.0 us, p99 297.0 us"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("the system's calls p50 50.0 us"), std::string::npos) << sentence;
  EXPECT_EQ(sentence.find("the CLR's walk"), std::string::npos) << sentence;
}

}  // namespace
}  // namespace walkabout::agent
