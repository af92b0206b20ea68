// The command line: verbs, their options, and the help that lists them. CLI11 does the work. Its header is
// slow to compile, so command_line.cc alone includes it.
// Values are written when the arguments are parsed, and must live until the verb has run.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace walkabout::cli {

class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option& required();
  Option& hidden();                            // in no help
  Option& shown_as(const std::string& value);  // what the help calls its value
  Option& one_value_each();                    // repeatable: what follows the value is not one more
  Option& one_of(const std::vector<std::string>& values);
  Option& between(uint32_t least, uint32_t most);
  Option& between(double least, double most);
  Option& existing_folder();
  // wrong: empty, or the sentence to refuse a value with.
  Option& checked(std::string (*wrong)(const std::string& value), const std::string& kind);

 private:
  CLI::Option* option_;
};

// names: "-o,--output", or "file" for an argument without a dash.
class Verb {
 public:
  Option flag(const std::string& names, bool& value, const std::string& help);
  Option option(const std::string& names, std::string& value, const std::string& help);
  Option option(const std::string& names, std::vector<std::string>& values, const std::string& help);
  Option option(const std::string& names, uint32_t& value, const std::string& help);
  Option option(const std::string& names, uint64_t& value, const std::string& help);
  Option option(const std::string& names, double& value, const std::string& help);
  Option option(const std::string& names, const std::function<void(const std::string&)>& take,
                const std::string& help);
  void footer(const std::string& text);
  void hide();
  // Runs when the verb was chosen; gives the exit code.
  void action(std::function<int()> run);

 private:
  friend class CommandLine;
  Verb(CLI::App* app, int* exit_code) : app_(app), exit_code_(exit_code) {}

  CLI::App* app_;
  int* exit_code_;
};

class CommandLine {
 public:
  CommandLine(const std::string& description, const std::string& name);
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;
  ~CommandLine();

  void version(const std::string& text);
  void footer(const std::string& text);
  Verb verb(const std::string& name, const std::string& description);
  Verb without_verb();  // the options of a program that has no verbs

  struct Result {
    int exit_code = 0;
    std::string out, err;  // help and version; what is wrong
    bool ran = false;      // the verb: exit_code is its own
  };
  // Runs the verb. arguments: behind the program's name.
  Result run(const std::vector<std::string>& arguments);

  // cli/usage.h
  std::optional<std::string> misunderstood(const std::vector<std::string>& arguments) const;

 private:
  std::unique_ptr<CLI::App> app_;
  int exit_code_ = 0;
};

}  // namespace walkabout::cli
