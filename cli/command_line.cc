#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <charconv>
#include <sstream>
#include <utility>

#include "base/error_line.h"
#include "cli/usage.h"
#include "console/exit_codes.h"

namespace walkabout::cli {
namespace {

KnownVerb known(const CLI::App& app) {
  KnownVerb verb{app.get_name(), app.get_group().empty(), {}};
  for (const CLI::Option* option : app.get_options()) {
    KnownOption one{{}, option->get_items_expected_max()};
    for (const std::string& name : option->get_lnames()) one.names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) one.names.push_back("-" + name);
    verb.options.push_back(std::move(one));
  }
  return verb;
}

template <typename Number>
CLI::Validator number(const char* kind) {
  const auto wrong = [kind](const std::string& value) -> std::string {
    Number number{};
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error == std::errc::result_out_of_range) return value + " is too large";
    if (error == std::errc() && end == value.data() + value.size()) return {};
    return "'" + value + "' is no " + kind;
  };
  return CLI::Validator(wrong, "");
}

// As the help calls what stands there.
std::string shown_name(const CLI::Option& argument) {
  std::string type = argument.get_type_name();
  if (type != "TEXT") return type;
  std::string name = argument.get_name();
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return name;
}

// The parser's message ("pid is required") names neither the verb nor what to write.
std::string missing_argument(const CLI::App* verb) {
  if (verb == nullptr)
    return "a verb is missing: walkabout run -- COMMAND profiles a command (walkabout --help lists all "
           "verbs)";
  for (const CLI::Option* option : verb->get_options()) {
    if (!option->get_required() || option->count() > 0) continue;
    return "walkabout " + verb->get_name() + " needs " + shown_name(*option) + ": " +
           option->get_description() + " (" + help_of(verb->get_name()) + " has examples)";
  }
  return {};
}

std::string sentence_of(const CLI::ParseError& error, const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  const CLI::App* verb = chosen.empty() ? nullptr : chosen[0];
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    if (std::string missing = missing_argument(verb); !missing.empty()) return missing;
  }
  return error.what() + (" (" + help_of(verb != nullptr ? verb->get_name() : "") + " lists what there is)");
}

}  // namespace

Option& Option::required() { return option_->required(), *this; }
Option& Option::hidden() { return option_->group(""), *this; }
Option& Option::shown_as(const std::string& value) { return option_->type_name(value), *this; }
Option& Option::one_value_each() { return option_->allow_extra_args(false), *this; }
Option& Option::one_of(const std::vector<std::string>& values) {
  return option_->check(CLI::IsMember(values)), *this;
}
Option& Option::between(uint32_t least, uint32_t most) {
  return option_->check(CLI::Range(least, most)), *this;
}
Option& Option::between(double least, double most) { return option_->check(CLI::Range(least, most)), *this; }
Option& Option::existing_folder() { return option_->check(CLI::ExistingDirectory), *this; }
Option& Option::checked(std::string (*wrong)(const std::string&), const std::string& kind) {
  return option_->check(CLI::Validator([wrong](std::string& value) { return wrong(value); }, kind)), *this;
}

Option Verb::flag(const std::string& names, bool& value, const std::string& help) {
  return Option(app_->add_flag(names, value, help));
}
Option Verb::option(const std::string& names, std::string& value, const std::string& help) {
  return Option(app_->add_option(names, value, help));
}
Option Verb::option(const std::string& names, std::vector<std::string>& values, const std::string& help) {
  return Option(app_->add_option(names, values, help));
}
Option Verb::option(const std::string& names, uint32_t& value, const std::string& help) {
  return Option(app_->add_option(names, value, help)->check(number<uint32_t>("whole number")));
}
Option Verb::option(const std::string& names, uint64_t& value, const std::string& help) {
  return Option(app_->add_option(names, value, help)->check(number<uint64_t>("whole number")));
}
Option Verb::option(const std::string& names, double& value, const std::string& help) {
  return Option(app_->add_option(names, value, help)->check(number<double>("number")));
}
Option Verb::option(const std::string& names, const std::function<void(const std::string&)>& take,
                    const std::string& help) {
  return Option(app_->add_option_function<std::string>(names, take, help));
}
void Verb::footer(const std::string& text) { app_->footer(text); }
void Verb::hide() { app_->group(""); }
void Verb::action(std::function<int()> run) {
  app_->callback([run = std::move(run), exit_code = exit_code_] { *exit_code = run(); });
}

CommandLine::CommandLine(const std::string& description, const std::string& name)
    : app_(std::make_unique<CLI::App>(description, name)) {}
CommandLine::~CommandLine() = default;

void CommandLine::version(const std::string& text) { app_->set_version_flag("--version", text); }
void CommandLine::footer(const std::string& text) { app_->footer(text); }
Verb CommandLine::verb(const std::string& name, const std::string& description) {
  app_->require_subcommand(1);
  return {app_->add_subcommand(name, description), &exit_code_};
}
Verb CommandLine::without_verb() { return {app_.get(), &exit_code_}; }

CommandLine::Result CommandLine::run(const std::vector<std::string>& arguments) {
  try {
    app_->parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // the last first
    return {exit_code_, {}, {}, true};
  } catch (const CLI::ParseError& error) {  // --help and --version are such errors too
    std::ostringstream out, err;
    if (app_->exit(error, out, err) == 0) return {kSuccess, out.str(), err.str(), false};
    return {kUsage, {}, base::error_line(sentence_of(error, *app_)), false};
  }
}

std::optional<std::string> CommandLine::misunderstood(const std::vector<std::string>& arguments) const {
  std::vector<KnownVerb> verbs;
  for (const CLI::App* verb : std::as_const(*app_).get_subcommands([](const CLI::App*) { return true; }))
    verbs.push_back(known(*verb));
  return cli::misunderstood(known(*app_), verbs, arguments);
}

}  // namespace walkabout::cli
