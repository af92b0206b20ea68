#include "agent/linux/session/images.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <link.h>
#include <stdlib.h>
#include <time.h>

#include "unwind/cfi/cfi_interpret.h"

namespace walkabout::agent {
namespace {

// Small libraries of glibc that nothing here is linked with; placed one after the other they often get the
// same address.
constexpr const char* kLibraries[] = {"libthread_db.so.1", "libanl.so.1", "libutil.so.1",
                                      "libnss_compat.so.2", "libBrokenLocale.so.1"};

class ImagesTest : public ::testing::Test {
 protected:
  ImagesTest() { images_.refresh_native(); }

  // The path of the image that holds pc; "" if none does.
  std::string path_at(uint64_t pc) {
    base::CodeId code;
    {
      const unwind::ReaderGate::Reader inside(gate_);
      const unwind::Image* image = registry_.images().find(pc);
      if (image == nullptr) return "";
      code = image->code;
    }
    wire::Module module;
    return registry_.module(code, &module) ? module.path : "?";
  }
  static void* open_one() {
    void* library = nullptr;
    for (const char* name : kLibraries) {
      if (library == nullptr) library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    }
    return library;
  }
  // Its first executable address, and the loader's name of it.
  static uint64_t code_of(void* library, std::string* name) {
    const auto* map = static_cast<const link_map*>(library);
    *name = map->l_name;
    struct Wanted {
      uint64_t bias, code;
    } wanted{map->l_addr, 0};
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, size_t, void* data) {
          auto* w = static_cast<Wanted*>(data);
          for (int i = 0; info->dlpi_addr == w->bias && i < info->dlpi_phnum; ++i) {
            const ElfW(Phdr)& h = info->dlpi_phdr[i];
            if (h.p_type == PT_LOAD && (h.p_flags & PF_X) != 0) w->code = w->bias + h.p_vaddr;
          }
          return 0;
        },
        &wanted);
    return wanted.code;
  }

  unwind::ReaderGate gate_;
  CodeRegistry registry_{gate_};
  DescriptorHost host_;  // not started
  Images images_{registry_, host_};
};

TEST_F(ImagesTest, KnowsTheProgramItsLibrariesAndTheVdso) {
  const std::string own = path_at(reinterpret_cast<uint64_t>(&find_new_module));
  EXPECT_NE(own.find("agent_test"), std::string::npos) << own;
  EXPECT_NE(path_at(reinterpret_cast<uint64_t>(::dlsym(RTLD_DEFAULT, "qsort"))).find("libc.so"),
            std::string::npos);
  bool vdso = false;
  for (const unwind::Image* image : registry_.all_images()) {
    wire::Module module;
    ASSERT_TRUE(registry_.module(image->code, &module));
    EXPECT_LT(image->begin, image->end);
    EXPECT_FALSE(image->managed);
    vdso |= module.kind == wire::ModuleKind::kVdso;
  }
  EXPECT_TRUE(vdso);
}

TEST_F(ImagesTest, NothingChangesWhileTheLoaderLoadsNothing) {
  const uint32_t generation = registry_.generation();
  const size_t count = registry_.all_images().size();
  images_.refresh_native();
  EXPECT_EQ(registry_.generation(), generation);
  EXPECT_EQ(registry_.all_images().size(), count);
}

TEST_F(ImagesTest, ALibraryIsThereFromItsLoadToItsUnload) {
  for (const char* name : kLibraries) {
    void* library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) continue;  // not on this system
    std::string path;
    const uint64_t code = code_of(library, &path);
    images_.refresh_native();
    EXPECT_EQ(path_at(code), path);
    unwind::CfiSection cfi;
    EXPECT_TRUE(find_new_module(code, &cfi));
    ::dlclose(library);
    images_.refresh_native();
    EXPECT_NE(path_at(code), path);
  }
}

TEST_F(ImagesTest, AnotherLibraryAtTheSamePlaceIsNotTakenForTheFirst) {
  int loaded = 0;
  for (const char* name : kLibraries) {
    void* library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) continue;
    std::string path;
    const uint64_t code = code_of(library, &path);
    images_.refresh_native();
    EXPECT_EQ(path_at(code), path);
    ::dlclose(library);  // unseen: the next may come at once
    ++loaded;
  }
  if (loaded < 2) GTEST_SKIP() << "too few libraries to load";
}

TEST_F(ImagesTest, FindNewModuleKnowsOnlyLoadedCode) {
  unwind::CfiSection cfi;
  ASSERT_TRUE(find_new_module(reinterpret_cast<uint64_t>(::dlsym(RTLD_DEFAULT, "qsort")), &cfi));
  unwind::CfiRule rule;
  EXPECT_EQ(unwind::cfi_interpret(cfi, reinterpret_cast<uint64_t>(::dlsym(RTLD_DEFAULT, "qsort")), &rule),
            unwind::CfiStatus::kOk);
  // What a PLT stub is read off. (Without it a tick in a stub of a library that was just loaded had no
  // caller.)
  const auto pc = reinterpret_cast<uint64_t>(::dlsym(RTLD_DEFAULT, "qsort")) + 5;
  ASSERT_TRUE(find_new_module(pc, &cfi));
  EXPECT_EQ(cfi.code[0].part(pc & ~uint64_t{15}, 16).size, 16u);
  EXPECT_FALSE(find_new_module(8, &cfi));
  const int local = 0;
  EXPECT_FALSE(find_new_module(reinterpret_cast<uint64_t>(&local), &cfi)) << "the stack";
}

TEST_F(ImagesTest, CfiIsCompiledOnceWalksHaveMetAModuleOften) {
  unwind::Image* libc = nullptr;
  const auto qsort_at = reinterpret_cast<uint64_t>(::dlsym(RTLD_DEFAULT, "qsort"));
  for (unwind::Image* image : registry_.all_images()) {
    if (qsort_at >= image->begin && qsort_at < image->end) libc = image;
  }
  ASSERT_NE(libc, nullptr);
  images_.compile_met();
  EXPECT_EQ(libc->table.load(), nullptr) << "nobody walked it";
  libc->interpreted = 1000;
  images_.compile_met();
  ASSERT_NE(libc->table.load(), nullptr);
  EXPECT_NE(libc->table.load()->find(qsort_at), nullptr);
}

// Of a program that loads and unloads for days.
TEST_F(ImagesTest, OfLibrariesThatAreUnloadedNothingIsKept) {
  const size_t held = registry_.images().held();
  for (int i = 0; i < 20; ++i) {
    void* library = open_one();
    if (library == nullptr) GTEST_SKIP() << "none of the libraries is on this system";
    std::string name;
    const uint64_t code = code_of(library, &name);
    images_.refresh_native();
    EXPECT_EQ(registry_.images().held(), held + 1);
    for (unwind::Image* image : registry_.all_images()) {
      if (code >= image->begin && code < image->end) image->interpreted = 1000;
    }
    images_.compile_met();
    ::dlclose(library);
    images_.refresh_native();
    images_.maintain();
    EXPECT_EQ(registry_.images().held(), held);
  }
}

// Its unwind table stays under the hands of a walk that began before it was unloaded.
TEST_F(ImagesTest, AWalkMayBeInTheTableOfALibraryThatIsUnloaded) {
  void* library = open_one();
  if (library == nullptr) GTEST_SKIP() << "none of the libraries is on this system";
  std::string name;
  const uint64_t code = code_of(library, &name);
  images_.refresh_native();
  const size_t held = registry_.images().held();
  {
    const unwind::ReaderGate::Reader inside(gate_);
    const unwind::Image* image = registry_.images().find(code);
    ASSERT_NE(image, nullptr);
    image->interpreted = 1000;
    images_.compile_met();
    const unwind::CfiTable* table = image->table.load();
    ASSERT_NE(table, nullptr);
    const unwind::CompactRule* const rule = table->find(table->text_begin());
    ::dlclose(library);
    images_.refresh_native();
    for (int i = 0; i < 5; ++i) images_.maintain();
    EXPECT_EQ(registry_.images().held(), held);
    EXPECT_EQ(table->find(table->text_begin()), rule) << "reads the table's memory";
  }
  images_.maintain();
  EXPECT_EQ(registry_.images().held(), held - 1);
}

TEST_F(ImagesTest, AManagedModuleWithoutAnImageIsNoProblem) {
  const size_t count = registry_.all_images().size();
  images_.module_loaded(1, 0, false, "dynamic");
  images_.module_loaded(2, 8, false, "/nowhere.dll");
  images_.find_wanted_pe();
  images_.module_unloaded(1);
  images_.module_unloaded(99);
  EXPECT_EQ(registry_.all_images().size(), count);
}

}  // namespace
}  // namespace walkabout::agent
