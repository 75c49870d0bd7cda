#include "apps/cli/command.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <sstream>
#include <type_traits>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "apps/cli/terminal.hpp"
#include "topology/mechanism.hpp"
#include "topology/message_text.hpp"
#include "topology/nearest.hpp"
#include "vehicles/files/xml/read_files.hpp"

namespace semirec::cli {

namespace fs = std::filesystem;

bool is_same_place(const std::string& a, const std::string& b) {
  std::error_code error;
  return fs::equivalent(a, b, error) ||
         fs::absolute(a, error).lexically_normal() == fs::absolute(b, error).lexically_normal();
}

namespace {

constexpr std::size_t kTextColumn = 30;  // of CLI11's formatter: what options and commands are

/// Where the text of a line of help begins: behind a name and at least two blanks, or in its column
/// behind one, or behind the blanks at its begin.
std::size_t text_column(const std::string& line) {
  const std::size_t name = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t gap = line.find("  ", name);
  const bool is_option = line.starts_with("  -") && line.size() > kTextColumn;
  if (is_option && gap >= kTextColumn && line[kTextColumn - 1] == ' ') return kTextColumn;
  return gap == std::string::npos ? name : std::min(line.find_first_not_of(' ', gap), line.size());
}

/// Whether the line is text that goes on below that of an option or a command.
bool goes_on(const std::string& line) { return line.find_first_not_of(' ') == kTextColumn; }

/// Lines of at most kWidth characters, as far as blanks allow it; what is left of a line goes on
/// below its text, with the line that follows there.
std::string wrap_lines(const std::string& help) {
  constexpr std::size_t kWidth = 110;
  std::string wrapped;
  std::vector<std::string> lines;
  std::istringstream text(help);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  for (std::size_t k = 0; k < lines.size(); ++k) {
    std::string line = lines[k];
    const std::size_t column = text_column(line);
    while (line.size() > kWidth) {
      const std::size_t blank = line.rfind(' ', kWidth);
      if (blank == std::string::npos || blank <= column) break;
      wrapped += line.substr(0, blank) + '\n';
      line = std::string(column, ' ') + line.substr(blank + 1);
      const bool last = line.size() <= kWidth && column == kTextColumn;
      if (last && k + 1 < lines.size() && goes_on(lines[k + 1]))
        line += ' ' + lines[++k].substr(column);
    }
    wrapped += line + '\n';
  }
  return wrapped;
}

class WrappedHelp final : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    return wrap_lines(CLI::Formatter::make_help(app, std::move(name), mode));
  }
};

/// An empty word stands for nothing that could be meant: it is not the same as no option.
std::string refuse_empty(const std::string& text) {
  return text.empty() ? "is empty, expected a value" : "";
}

template <class Type>
struct ValueOf {
  using type = Type;
};
template <class Type>
struct ValueOf<std::optional<Type>> {
  using type = Type;
};
template <class Type>
struct ValueOf<std::vector<Type>> {
  using type = Type;
};

/// What to say of a command line that ends before a command of an app that has some; empty: it is
/// something else that is wrong.
std::string find_missing_command(const CLI::App& app, const std::string& path) {
  for (const CLI::App* inner : app.get_subcommands())
    return find_missing_command(*inner, path + " " + inner->get_name());
  std::vector<std::string> names;
  for (const CLI::App* inner : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(inner->get_name());
  if (names.empty()) return {};
  const std::vector<std::string> left = app.remaining();
  if (!left.empty() && !left.front().starts_with('-'))
    return message_text(fmt::format("{}: '{}' is no command{}", path, left.front(),
                                    nearest_hint(left.front(), names)));
  return fmt::format("{}: a command is missing, expected one of {}", path, fmt::join(names, ", "));
}

/// `--step is '0.01s', expected a number` for what CLI11 says of a word that is none.
std::string describe_conversion(const CLI::App& app, const CLI::ConversionError& error) {
  static const std::string kSaid = "Could not convert: ";
  static const std::string kIs = " = ";
  std::string said = error.what();
  const std::size_t is = said.find(kIs);
  if (!said.starts_with(kSaid) || is == std::string::npos) return said;
  const std::string name = said.substr(kSaid.size(), is - kSaid.size());
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  const CLI::Option* option = command->get_option_no_throw(name);
  const bool whole = option != nullptr && option->get_type_name().starts_with("INT");
  return message_text(
      fmt::format("{} is '{}', expected {}", name, said.substr(is + kIs.size()),
                  whole ? "a whole number" : "a number, in SI units, without a unit"));
}

ArgumentText describe_argument(const CLI::Option& option) {
  ArgumentText text;
  const bool positional = option.get_positional();
  text.name = positional ? option.get_single_name() : "--" + option.get_lnames().front();
  if (!option.get_snames().empty()) text.letter = "-" + option.get_snames().front();
  text.about = option.get_description();
  text.standard = option.get_default_str();
  text.required = option.get_required();
  if (option.get_type_size() == 0) return text;
  // `TEXT:{force,throttle}`
  text.type = option.get_type_name();
  const std::size_t open = text.type.find(":{");
  if (open == std::string::npos) return text;
  const std::size_t close = text.type.find('}', open);
  text.words = CLI::detail::split(text.type.substr(open + 2, close - open - 2), ',');
  text.type.resize(open);
  return text;
}

/// While it lives this thread reads numbers with a decimal point, whatever the locale of the
/// process, which may be another program's.
class PointForDecimals {
 public:
  PointForDecimals()
      : own_(newlocale(LC_NUMERIC_MASK, "C", nullptr)),
        before_(own_ != nullptr ? uselocale(own_) : nullptr) {}
  ~PointForDecimals() {
    if (own_ == nullptr) return;
    uselocale(before_);
    freelocale(own_);
  }
  PointForDecimals(const PointForDecimals&) = delete;
  PointForDecimals& operator=(const PointForDecimals&) = delete;

 private:
  locale_t own_, before_;
};

/// Whether a folder of results may get a file of that name: what users write is not of these kinds.
bool may_be_result(const fs::path& file) {
  static constexpr std::array kKinds{".csv", ".json", ".svg",  ".gp",   ".html",
                                     ".h5",  ".mf4",  ".mcap", ".gltf", ".glb"};
  const std::string kind = file.extension().string();
  return std::find(kKinds.begin(), kKinds.end(), kind) != kKinds.end();
}

/// Whether an option writes a file of its own kind: the folder of --out gets none of these by a
/// command that has the option.
bool is_of_own_kind(const std::string& option, const fs::path& file) {
  const std::string kind = file.extension().string();
  return option == "--report" ? kind == ".html"
                              : option == "--gltf" && (kind == ".gltf" || kind == ".glb");
}

/// Throws ModelError where a file to be written is one that is read, also by another file, or one
/// that another option writes, --overwrite or not.
void check_places(const CLI::App& app) {
  static constexpr std::array kWritten{"--out", "--report", "--gltf", "--csv", "--json", "--plot"};
  struct Place {
    std::string option, path;
  };
  std::vector<Place> read;
  std::vector<Place> written;
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() == 0 || option->get_type_size() == 0) continue;
    const std::string name = option->get_name();
    const bool is_output = std::find(kWritten.begin(), kWritten.end(), name) != kWritten.end();
    for (const std::string& path : option->results()) {
      // a word that names no file, a manoeuvre's for instance, may be the folder's name, too
      std::error_code error;
      if (is_output) {
        if (!path.empty() && path != "-") written.push_back({name, path});
      } else if (fs::is_regular_file(path, error)) {
        read.push_back({name, path});
      } else {
        // of a folder of results, these
        for (const char* file : {"results.csv", "summary.json"})
          if (fs::is_regular_file(fs::path(path) / file, error))
            read.push_back({name, (fs::path(path) / file).string()});
      }
    }
  }
  std::error_code error;
  const bool replaces = std::any_of(written.begin(), written.end(), [&](const Place& place) {
    return fs::exists(place.path, error);
  });
  // what descriptions include and name, where something is there to be replaced
  for (std::size_t k = 0; replaces && k < read.size(); ++k)
    if (fs::path(read[k].path).extension() == ".xml")
      for (const std::string& file : find_read_files(read[k].path))
        if (std::none_of(read.begin(), read.end(),
                         [&](const Place& place) { return place.path == file; }) &&
            fs::is_regular_file(file, error))
          read.push_back({read[k].option, file});
  for (std::size_t k = 0; k < written.size(); ++k) {
    for (const Place& other : read) {
      if (is_same_place(written[k].path, other.path))
        throw ModelError(written[k].option + " is '" + written[k].path +
                         "', which is read too, expected another name");
      if (written[k].option == "--out" && may_be_result(other.path) &&
          is_same_place(written[k].path, fs::absolute(other.path, error).parent_path().string()))
        throw ModelError("--out is '" + written[k].path + "', in which '" + other.path +
                         "' is read, expected another folder");
    }
    for (std::size_t j = 0; j < k; ++j)
      if (is_same_place(written[k].path, written[j].path))
        throw ModelError(written[k].option + " is '" + written[k].path + "' as " +
                         written[j].option + " is, expected two names");
    // where a link leads
    const fs::path file = fs::weakly_canonical(written[k].path, error);
    for (const Place& folder : written)
      if (folder.option == "--out" && written[k].option != "--out" &&
          !is_of_own_kind(written[k].option, file) &&
          is_same_place(folder.path, file.parent_path().string()))
        throw ModelError(written[k].option + " is '" + written[k].path + "', in the folder of " +
                         "--out, which is for the command's own files, expected another folder" +
                         (written[k].option == "--report" ? " or a name that ends in .html" : ""));
  }
}

CommandText describe_command(const CLI::App& app) {
  CommandText text{app.get_name(), app.get_description(), app.get_footer(), {}, {}};
  for (const CLI::Option* option : app.get_options())
    text.arguments.push_back(describe_argument(*option));
  for (const CLI::App* inner : app.get_subcommands([](const CLI::App*) { return true; }))
    text.commands.push_back(describe_command(*inner));
  return text;
}

}  // namespace

Argument* Argument::required() {
  option_.required();
  return this;
}

Argument* Argument::capture_default_str() {
  option_.capture_default_str();
  return this;
}

Argument* Argument::take_all() {
  option_.take_all();
  return this;
}

Argument* Argument::delimiter(char between) {
  option_.delimiter(between);
  return this;
}

Argument* Argument::choices(const std::vector<std::string>& words) {
  option_.check(CLI::IsMember(words));
  return this;
}

Argument* Argument::between(double least, double most) {
  CLI::Option* option = &option_;
  option_.check([option, least, most](const std::string& text) {
    double number = 0.0;
    if (parse_number(text, number) && !(number >= least && number <= most))
      throw ModelError(
          fmt::format("{} is {}, expected {:g} to {:g}", option->get_name(), text, least, most));
    return std::string();
  });
  return this;
}

Argument* Argument::one_each_time() {
  option_.allow_extra_args(false);
  return this;
}

Argument* Argument::type_name(const std::string& words) {
  option_.type_name(words);
  return this;
}

Argument* Argument::excludes(Argument* other) {
  option_.excludes(&other->option_);
  return this;
}

Argument* Argument::needs(Argument* other) {
  option_.needs(&other->option_);
  return this;
}

Command* Command::add_subcommand(const std::string& name, const std::string& about) {
  commands_.push_back(std::make_unique<Command>(*app_.add_subcommand(name, about)));
  return commands_.back().get();
}

void Command::require_subcommand(int count) { app_.require_subcommand(count); }

Argument* Command::keep(CLI::Option* option) {
  arguments_.push_back(std::make_unique<Argument>(*option));
  return arguments_.back().get();
}

template <class Type>
Argument* Command::add_option(const std::string& name, Type& value, const std::string& about) {
  CLI::Option* option = app_.add_option(name, value, about);
  option->check(refuse_empty);
  if constexpr (std::is_floating_point_v<typename ValueOf<Type>::type>)
    option->check([option](const std::string& text) {
      double number = 0.0;
      if (parse_number(text, number) && !std::isfinite(number))
        throw ModelError(option->get_name() + " is " + text + ", expected a finite number");
      return std::string();
    });
  return keep(option);
}

template Argument* Command::add_option(const std::string&, std::string&, const std::string&);
template Argument* Command::add_option(const std::string&, int&, const std::string&);
template Argument* Command::add_option(const std::string&, unsigned&, const std::string&);
template Argument* Command::add_option(const std::string&, long&, const std::string&);
template Argument* Command::add_option(const std::string&, unsigned long&, const std::string&);
template Argument* Command::add_option(const std::string&, double&, const std::string&);
template Argument* Command::add_option(const std::string&, std::optional<int>&, const std::string&);
template Argument* Command::add_option(const std::string&, std::optional<unsigned long>&,
                                       const std::string&);
template Argument* Command::add_option(const std::string&, std::optional<double>&,
                                       const std::string&);
template Argument* Command::add_option(const std::string&, std::optional<std::string>&,
                                       const std::string&);
template Argument* Command::add_option(const std::string&, std::vector<std::string>&,
                                       const std::string&);
template Argument* Command::add_option(const std::string&, std::vector<double>&,
                                       const std::string&);

Argument* Command::add_flag(const std::string& name, bool& value, const std::string& about) {
  return keep(app_.add_flag(name, value, about));
}

void Command::add_print_flag(const std::string& name, std::function<void()> print,
                             const std::string& about) {
  const auto end = [print = std::move(print)] {
    print();
    throw CLI::Success();
  };
  app_.add_flag_callback(name, end, about)->trigger_on_parse();
}

void Command::footer(const std::string& text) { app_.footer(text); }

void Command::callback(std::function<void()> call) {
  app_.callback([app = &app_, call = std::move(call)] {
    check_places(*app);
    call();
  });
}

Program::Program(const std::string& name, const std::string& about, const std::string& version)
    : app_(std::make_unique<CLI::App>(about, name)), root_(std::make_unique<Command>(*app_)) {
  app_->formatter(std::make_shared<WrappedHelp>());
  app_->set_help_flag("-h,--help", "print this help");
  app_->set_version_flag("--version", version);
}

Program::~Program() = default;

CommandText Program::describe() const { return describe_command(*app_); }

std::optional<bool> Program::parse(int argc, char** argv) {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::RequiredError& error) {
    const std::string missing = find_missing_command(*app_, app_->get_name());
    if (missing.empty()) return app_->exit(error) == 0;
    complain("{}\n", missing);
    return false;
  } catch (const CLI::ConversionError& error) {
    complain("{}\n", describe_conversion(*app_, error));
    return false;
  } catch (const CLI::ParseError& error) {
    return app_->exit(error) == 0;
  }
  return {};
}

std::string parse_words(const std::string& command, const std::vector<std::string>& words,
                        const std::function<void(Command&)>& add) {
  CLI::App app("", command);
  app.set_help_flag();
  Command facade(app);
  add(facade);
  const PointForDecimals point;
  // CLI11 takes them last first
  std::vector<std::string> reversed(words.rbegin(), words.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    return error.what();
  } catch (const ModelError& error) {
    return error.what();
  }
  return {};
}

void report_missing(const std::string& argument) { throw CLI::RequiredError(argument); }

bool parse_number(const std::string& text, double& value) {
  const PointForDecimals point;
  return CLI::detail::lexical_cast(text, value);
}

}  // namespace semirec::cli
