#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <sstream>
#include <stdexcept>

#include "topology/ascii.hpp"
#include "topology/matches_pattern.hpp"
#include "vehicles/files/xml/document.hpp"
#include "vehicles/files/xml/overrides.hpp"
#include "vehicles/study/study.hpp"

namespace semirec {

namespace {

/// Cutting further out than this makes no difference that 1000 samples show.
constexpr double kTailDeviations = 4.0;
/// Halton sequences in large primes fill the space too late.
constexpr std::size_t kMostHalton = 16;

std::vector<std::string> split(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

/// Words of a command line; blanks between quotes do not separate.
std::vector<std::string> split_command(const Element& element) {
  std::vector<std::string> words;
  char quote = '\0';
  bool inside = false;
  for (const char c : element.text("command")) {
    if (quote != '\0') {
      if (c == quote)
        quote = '\0';
      else
        words.back() += c;
      continue;
    }
    if (ascii::is_blank(c)) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    if (c == '\'' || c == '"')
      quote = c;
    else
      words.back() += c;
  }
  if (quote != '\0')
    element.fail("command", "has a quote that is not closed, expected a second one");
  return words;
}

std::string read_column_name(const Element& element, const std::string& fallback) {
  if (!element.has("as")) return fallback;
  const std::string& name = element.text("as");
  for (const char c : name)
    if (!ascii::is_letter_or_digit(c) && c != '_' && c != '.')
      element.fail("as", "is '" + name +
                             "', expected letters, digits, underscores and points only, as in the "
                             "head of a column");
  return name;
}

void refuse(const Element& element, const std::vector<std::string>& attributes,
            const std::string& beside) {
  for (const std::string& attribute : attributes)
    if (element.has(attribute))
      element.fail(attribute, "stands beside " + beside + ", expected only one of the two");
}

/// Whether a text is a list of words such as `ideal bushing`, or of paths, not of numbers.
bool holds_words(const std::string& text) {
  const std::vector<std::string> words = split(text);
  return !words.empty() && std::all_of(words.begin(), words.end(), [](const std::string& word) {
    if (word.starts_with("/") || word.starts_with("./") || word.starts_with("../")) return true;
    return ascii::is_letter(word[0]) && word != "nan" && word != "inf" && word != "infinity";
  });
}

void read_values(const Element& element, Vary& vary) {
  refuse(element, {"from", "to", "count", "spacing", "min", "max", "mean", "deviation"},
         "'values'");
  const std::string& text = element.text("values");
  if (holds_words(text)) {
    vary.words = split(text);
    if (vary.factor)
      element.fail("values", "is '" + text + "' beside factor=\"yes\", expected numbers there");
    for (std::size_t k = 0; k < vary.words.size(); ++k)
      vary.levels.push_back(static_cast<double>(k));
    std::vector<std::string> sorted = vary.words;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end())
      element.fail("values", "holds '" + *twice + "' twice, expected each value once");
    return;
  }
  try {
    vary.levels = parse_numbers(text, *element.scope);
  } catch (const std::invalid_argument& error) {
    element.fail("values", error.what());
  }
  std::vector<double> sorted = vary.levels;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    std::ostringstream number;
    number << *twice;
    element.fail("values", "holds " + number.str() + " twice, expected each value once");
  }
}

void read_range(const Element& element, Vary& vary) {
  refuse(element, {"min", "max", "mean", "deviation"}, "'from'");
  const double from = element.number("from");
  const double to = element.number("to");
  const auto count = static_cast<std::size_t>(element.number("count"));
  const bool log = element.choice("spacing") == 1;
  if (from == to) element.fail("to", "is the same as 'from', expected two ends that differ");
  if (log && !(from > 0.0 && to > 0.0))
    element.fail("spacing", "is 'log' between ends that are not both above zero, expected linear");
  for (std::size_t k = 0; k < count; ++k) {
    const double part = static_cast<double>(k) / static_cast<double>(count - 1);
    const double level = log ? from * std::pow(to / from, part) : from + (to - from) * part;
    vary.levels.push_back(k + 1 == count ? to : level);
  }
  if (!std::all_of(vary.levels.begin(), vary.levels.end(),
                   [](double level) { return std::isfinite(level); }))
    element.fail("to", "is too far from 'from', expected finite levels between them");
}

void read_distribution(const Element& element, Vary& vary) {
  refuse(element, {"from", "to", "count", "spacing"}, "'distribution'");
  const std::size_t kind = element.choice("distribution");
  vary.distribution = static_cast<Distribution>(kind + 1);
  if (vary.distribution == Distribution::normal) {
    vary.mean = element.number("mean");
    vary.deviation = element.number("deviation");
    vary.minimum = element.number("min", vary.mean - kTailDeviations * vary.deviation);
    vary.maximum = element.number("max", vary.mean + kTailDeviations * vary.deviation);
    const double away = std::max(vary.minimum - vary.mean, vary.mean - vary.maximum);
    if (away > 8.0 * vary.deviation)
      element.fail(vary.minimum > vary.mean ? "min" : "max",
                   "leaves only what lies more than 8 deviations from the mean, expected bounds "
                   "around or near it");
  } else {
    for (const char* other : {"mean", "deviation"})
      if (element.has(other))
        element.fail(other, "stands without distribution=\"normal\", expected it there only");
    vary.minimum = element.number("min");
    vary.maximum = element.number("max");
    if (vary.distribution == Distribution::log_uniform && !(vary.minimum > 0.0))
      element.fail("min", "is not above zero, expected that of a log_uniform distribution to be");
  }
  if (!(vary.maximum > vary.minimum) || !std::isfinite(vary.maximum - vary.minimum))
    element.fail(element.has("max") ? "max" : "deviation",
                 "leaves nothing between 'min' and 'max', expected min below max");
}

Vary read_vary(const Element& element) {
  Vary vary;
  vary.source = element.source;
  vary.elements = split(element.text("element"));
  vary.attribute = element.text("attribute");
  if (vary.attribute == "name" || vary.attribute == "when")
    element.fail("attribute", "is '" + vary.attribute +
                                  "', which holds the description together, expected a value of "
                                  "the vehicle such as mass");
  vary.factor = element.flag("factor");
  vary.name = read_column_name(element, element.text("element") + "." + vary.attribute);
  const int given =
      int(element.has("values")) + int(element.has("from")) + int(element.has("distribution"));
  if (given == 0)
    element.fail("values",
                 "is missing, expected 'values', 'from' with 'to' and 'count', or "
                 "'distribution'");
  if (element.has("values") && given > 1)
    element.fail("values", "stands beside 'from' or 'distribution', expected only one of them");
  if (element.has("values"))
    read_values(element, vary);
  else if (element.has("distribution"))
    read_distribution(element, vary);
  else
    read_range(element, vary);
  return vary;
}

void read_sample(const Element& element, Study& study) {
  study.grid = false;
  study.count = static_cast<std::size_t>(element.number("count"));
  study.method = element.choice_as<SampleMethod>("method");
  if (element.has("seed")) {
    if (study.method == SampleMethod::halton)
      element.fail("seed", "stands beside method=\"halton\", which has no chance in it");
    study.seed = static_cast<std::uint64_t>(element.number("seed"));
  }
}

StudyResponse read_response(const Element& element) {
  StudyResponse response;
  response.source = element.source;
  response.words = split_command(element);
  response.quantities = split(element.text("quantities"));
  response.name = read_column_name(element, response.words[0]);
  if (std::count(response.words.begin(), response.words.end(), "VEHICLE") != 1)
    element.fail("command", "is '" + element.text("command") +
                                "', expected the word VEHICLE in it once, for the study's vehicle");
  return response;
}

/// Grid and sample exclude each other; counts the grid.
void check_design(const Element& root, const std::vector<Element>& varied, Study& study) {
  double product = 1.0;
  for (std::size_t k = 0; k < study.varied.size(); ++k) {
    const bool grid = study.varied[k].distribution == Distribution::grid;
    if (grid && !study.grid)
      varied[k].fail("has values of a grid beside <sample>, expected a 'distribution'");
    if (!grid && study.grid)
      varied[k].fail("has a distribution, expected a <sample> with the count of samples");
    if (grid) product *= static_cast<double>(study.varied[k].levels.size());
  }
  if (study.method == SampleMethod::halton && study.varied.size() > kMostHalton)
    root.fail("varies " + std::to_string(study.varied.size()) +
              " parameters, expected at most 16 with method=\"halton\", or another method");
  if (!study.grid) return;
  if (product > static_cast<double>(kMostSamples))
    root.fail("has a grid of more than " + std::to_string(kMostSamples) +
              " samples, expected fewer levels, or a <sample>");
  study.count = static_cast<std::size_t>(product);
}

/// Whether both name one element, as far as names tell: one of them is written out, or they are
/// alike.
bool share_element(const Vary& a, const Vary& b) {
  for (const std::string& one : a.elements)
    for (const std::string& other : b.elements)
      if (matches_pattern(one, other) || matches_pattern(other, one)) return true;
  return false;
}

void check_columns(const std::vector<Element>& varied, const std::vector<Element>& responses,
                   const Study& study) {
  std::set<std::string> seen;
  // the later one of two would replace the number of the first, which its column still told
  for (std::size_t k = 1; k < study.varied.size(); ++k)
    for (std::size_t j = 0; j < k; ++j)
      if (study.varied[j].attribute == study.varied[k].attribute && !study.varied[k].factor &&
          study.varied[j].name != study.varied[k].name &&
          share_element(study.varied[j], study.varied[k]))
        varied[k].fail("replaces what '" + study.varied[j].name +
                       "' varies, expected each attribute varied once, or factor=\"yes\" here");
  for (std::size_t k = 0; k < study.varied.size(); ++k)
    if (study.varied[k].name == "index" || study.varied[k].name == "status")
      varied[k].fail("is column '" + study.varied[k].name +
                     "', which every study has, expected another name by 'as'");
  for (std::size_t k = 0; k < study.varied.size(); ++k)
    if (!seen.insert(study.varied[k].name).second)
      varied[k].fail("is column '" + study.varied[k].name +
                     "' a second time, expected each parameter once, or another name by 'as'");
  seen.clear();
  for (std::size_t k = 0; k < study.responses.size(); ++k)
    if (!seen.insert(study.responses[k].name).second)
      responses[k].fail("is called '" + study.responses[k].name +
                        "' as another response is, expected a name of its own by 'as'");
}

Study make_study(const Document& document, const std::string& path) {
  namespace fs = std::filesystem;
  Study study;
  study.source = document.root.source;
  study.name = document.root.name;
  study.folder = fs::path(path).parent_path().string();
  study.vehicle =
      (fs::path(study.folder) / document.root.text("vehicle")).lexically_normal().string();
  std::vector<Element> varied;
  std::vector<Element> responses;
  bool sampled = false;
  for (const Element& element : document.elements) {
    if (element.kind == "vary") {
      varied.push_back(element);
      study.varied.push_back(read_vary(element));
    }
    if (element.kind == "sample") {
      if (sampled) element.fail("<sample> stands a second time, expected one");
      sampled = true;
      read_sample(element, study);
    }
    if (element.kind == "response") {
      responses.push_back(element);
      study.responses.push_back(read_response(element));
    }
  }
  if (study.varied.empty()) document.root.fail("varies nothing, expected at least one <vary>");
  if (study.responses.empty())
    document.root.fail("asks nothing, expected at least one <response> with a command");
  check_design(document.root, varied, study);
  check_columns(varied, responses, study);
  return study;
}

}  // namespace

Study read_study(const std::string& path) {
  return make_study(load_document(path, {"study"}, {}), path);
}

Study read_study_text(const std::string& text, const std::string& path) {
  return make_study(load_document(path, {"study"}, {}, &text), path);
}

}  // namespace semirec
