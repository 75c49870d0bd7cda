#include "vehicles/study/study_files.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>

#include "topology/hash.hpp"
#include "topology/matches_pattern.hpp"
#include "vehicles/files/xml/document.hpp"
#include "vehicles/files/xml/overrides.hpp"
#include "vehicles/files/xml/read_files.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec {

namespace {

namespace fs = std::filesystem;

/// Unit of the attribute, if it is written in the element or a child and has one for all uses.
std::optional<std::string> unit_of(const Element& element, const std::string& attribute) {
  if (const AttributeRow* row = element.row->find(attribute); row && element.has(row->name))
    return row->unit.find(',') == std::string::npos ? row->unit : "";
  for (const Element& child : element.children)
    if (auto unit = unit_of(child, attribute)) return unit;
  return std::nullopt;
}

class FilesPrint {
 public:
  explicit FilesPrint(Fnv64& fingerprint) : print_(fingerprint) {}

  /// The file, and if it is a description, what it includes and names.
  void put(const std::string& path) {
    if (!put_bytes(path) || fs::path(path).extension() != ".xml") return;
    const WrittenFiles written = find_written_files(path);
    for (const std::string& file : written.files) put_bytes(file);
    worked_out_ = worked_out_ || written.worked_out;
    put_read(path, {});
  }
  /// Whether some that were put name files by values in braces.
  bool worked_out() const { return worked_out_; }
  /// What a description includes and names with these replacements.
  void put_read(const std::string& path, const std::vector<Override>& overrides) {
    for (const std::string& file : find_read_files(path, overrides)) put_bytes(file);
  }

 private:
  bool put_bytes(const std::string& path) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) return false;
    if (!seen_.insert(fs::weakly_canonical(path, error).string()).second) return false;
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    print_.put(std::string_view(text.str()));
    return true;
  }

  Fnv64& print_;
  bool worked_out_ = false;
  std::set<std::string> seen_;
};

}  // namespace

std::vector<double> find_chosen_words(const Study& study, const std::vector<double>& values) {
  std::vector<double> words;
  for (std::size_t k = 0; k < study.varied.size(); ++k)
    if (!study.varied[k].words.empty()) words.push_back(values[k]);
  return words;
}

std::vector<std::size_t> find_first_of_words(const Study& study, const Design& design) {
  std::set<std::vector<double>> seen;
  std::vector<std::size_t> first;
  for (std::size_t i = 0; i < design.values.size(); ++i) {
    if (seen.insert(find_chosen_words(study, design.values[i])).second) first.push_back(i);
  }
  return first;
}

namespace {

/// What a command replaces of its vehicle, by `--set NAME=VALUE`.
std::vector<Override> replaced_by(const std::vector<std::string>& words) {
  constexpr std::string_view kSet = "--set";
  std::vector<Override> replaced;
  bool set = false;  // what follows, up to the next option
  for (const std::string& word : words) {
    std::string text;
    if (word.starts_with("-")) {
      set = word == kSet;
      if (word.starts_with("--set=")) text = word.substr(kSet.size() + 1);
    } else if (set) {
      text = word;
    }
    if (text.empty()) continue;
    try {
      replaced.push_back(parse_override(text));
    } catch (const ModelError&) {
      // whoever asks will say what is wrong with it
    }
  }
  return replaced;
}

/// That no number reaches an attribute twice where it acts twice, or in the place of another.
void check_patterns(const Study& study, const std::vector<Override>& replaced) {
  const Document document = load_document(study.vehicle, {"vehicle", "mechanism"}, {});
  struct Setter {
    std::size_t vary;
    std::string pattern;
  };
  std::map<OverrideTarget, Setter> setters;
  for (std::size_t k = 0; k < study.varied.size(); ++k) {
    const Vary& vary = study.varied[k];
    for (const std::string& pattern : vary.elements)
      for (const OverrideTarget& target :
           find_targets(document, {pattern, vary.attribute, "", vary.source})) {
        const auto [known, is_new] = setters.insert({target, {k, pattern}});
        if (is_new) continue;
        const Setter& other = known->second;
        if (other.vary == k && vary.factor && other.pattern != pattern)
          throw ModelError(vary.source, vary.name,
                           "multiplies '" + target.name + "' by '" + other.pattern + "' and by '" +
                               pattern + "', expected each element once");
        if (other.vary != k && !vary.factor)
          throw ModelError(vary.source, vary.name,
                           "replaces what '" + study.varied[other.vary].name + "' varies of '" +
                               target.name +
                               "', expected each attribute varied once, or factor=\"yes\" here");
      }
  }
  for (const Override& change : replaced)
    for (const OverrideTarget& target : find_targets(document, change)) {
      const auto known = setters.find(target);
      if (known == setters.end() || study.varied[known->second.vary].factor) continue;
      const Vary& vary = study.varied[known->second.vary];
      throw ModelError(vary.source, vary.name,
                       "varies '" + target.name + "', which a response replaces by --set " +
                           change.element + "." + change.attribute + "=" + change.value +
                           ", too, expected one of the two, or factor=\"yes\" here");
    }
}

}  // namespace

std::vector<std::string> find_units(const Study& study) {
  const Document document = load_document(study.vehicle, {"vehicle", "mechanism"}, {});
  std::vector<std::string> units;
  for (const Vary& vary : study.varied) {
    std::string unit = vary.factor ? "1" : "";
    const auto look_at = [&](const Element& element) {
      if (!unit.empty() || !matches_pattern(vary.elements[0], element.name)) return;
      unit = unit_of(element, vary.attribute).value_or("");
    };
    look_at(document.root);
    for (const Element& element : document.elements) look_at(element);
    units.push_back(unit);
  }
  return units;
}

namespace {

/// That a value can be read in the vehicle: in the first car that has it, or by itself where it is
/// the others of that car which do not go with it; or where it is of what a response makes of it.
void check_end(const Study& study, const Design& design, const VehicleFile& file,
               const std::vector<Override>& replaced, std::size_t parameter, double end) {
  const auto is_read = [&](std::vector<Override> overrides, bool with_replaced) {
    if (with_replaced) overrides.insert(overrides.begin(), replaced.begin(), replaced.end());
    try {
      static_cast<void>(file.read(overrides));
    } catch (const ModelError&) {
      return false;
    }
    return true;
  };
  // of each combination of words the first car that has it
  Design having = design;
  std::erase_if(having.values,
                [&](const std::vector<double>& values) { return values[parameter] != end; });
  std::vector<std::vector<Override>> cars;
  for (const std::size_t i : find_first_of_words(study, having))
    cars.push_back(overrides_of(study, having.values[i]));
  Study alone = study;
  alone.varied = {study.varied[parameter]};
  const std::vector<Override> by_itself = overrides_of(alone, {end});
  cars.push_back(by_itself);
  for (const bool with_replaced : {false, true})
    for (const std::vector<Override>& car : cars)
      if (is_read(car, with_replaced)) return;
  static_cast<void>(file.read(cars.front()));
}

}  // namespace

void check_vehicle(const Study& study, const Design& design,
                   const std::vector<std::string>& words) {
  const std::vector<Override> replaced = replaced_by(words);
  check_patterns(study, replaced);
  const VehicleFile file(study.vehicle);
  for (std::size_t k = 0; k < study.varied.size(); ++k) {
    std::vector<double> ends;
    for (const std::vector<double>& values : design.values) {
      if (!study.varied[k].words.empty()) {
        if (std::find(ends.begin(), ends.end(), values[k]) == ends.end()) ends.push_back(values[k]);
      } else if (ends.empty()) {
        ends = {values[k], values[k]};
      } else {
        ends = {std::min(ends[0], values[k]), std::max(ends[1], values[k])};
      }
    }
    for (const double end : ends) check_end(study, design, file, replaced, k, end);
  }
}

std::uint64_t fingerprint(const Study& study, const Design& design,
                          const std::vector<std::string>& words,
                          const std::vector<std::string>& read,
                          const std::vector<std::string>& columns, const std::string& program) {
  Fnv64 fingerprint;
  fingerprint.put(std::string_view(program));
  for (const Vary& vary : study.varied) fingerprint.put(std::string_view(vary.name));
  for (const std::vector<double>& values : design.values)
    for (const Override& change : overrides_of(study, values))
      for (const std::string& text : {change.element, change.attribute, change.value})
        fingerprint.put(std::string_view(text));
  for (const auto* list : {&words, &columns})
    for (const std::string& text : *list) fingerprint.put(std::string_view(text));
  FilesPrint files(fingerprint);
  files.put(study.vehicle);
  for (const std::string& word : words) files.put(word);
  for (const std::string& file : read) files.put(file);
  // files that values name, or make the names of
  const std::vector<Override> replaced = replaced_by(words);
  std::vector<std::size_t> cars = find_first_of_words(study, design);
  if (files.worked_out()) {
    cars.resize(design.values.size());
    std::iota(cars.begin(), cars.end(), std::size_t{0});
  }
  for (const std::size_t i : cars) {
    std::vector<Override> overrides = overrides_of(study, design.values[i]);
    files.put_read(study.vehicle, overrides);
    overrides.insert(overrides.begin(), replaced.begin(), replaced.end());
    if (!replaced.empty()) files.put_read(study.vehicle, overrides);
  }
  // of a vehicle that cannot be read, too
  for (const Vary& vary : study.varied)
    for (const std::string& word : vary.words) files.put((fs::path(study.folder) / word).string());
  for (const std::string& word : words)
    if (const std::size_t sign = word.find('='); sign != std::string::npos)
      files.put((fs::path(study.vehicle).parent_path() / word.substr(sign + 1)).string());
  return fingerprint.value();
}

}  // namespace semirec
