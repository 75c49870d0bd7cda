#include "vehicles/files/xml/expansion.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

#include "topology/ascii.hpp"
#include "topology/nearest.hpp"
#include "vehicles/files/xml/conditions.hpp"
#include "vehicles/files/xml/expansion_record.hpp"
#include "vehicles/files/xml/formula_text.hpp"
#include "vehicles/files/xml/overrides.hpp"
#include "vehicles/files/xml/xml_file.hpp"

namespace semirec {

namespace {

/// A description with more elements than this is a template that explodes.
constexpr std::size_t kMostElements = 200000;
/// Templates within templates, includes within includes.
constexpr std::size_t kDeepestNesting = 100;

template <typename Visit>
void for_each_child(const XmlNode& node, Visit visit) {
  for (const XmlNode& child : node.children)
    if (!child.is_text()) visit(child);
}

/// Names are words of outputs, overrides and suffixes.
void check_name(const Element& element) {
  for (const char c : element.text("name"))
    if (!ascii::is_letter_or_digit(c) && c != '_' && c != '-' && c != '.')
      element.fail("name", "is '" + element.name +
                               "', expected letters, digits, underscores, hyphens and points only");
}

/// `words`, separated by blanks, with a suffix to those that are `local`.
std::string with_suffix(const std::string& words, const std::set<std::string>& local,
                        const std::string& suffix) {
  std::istringstream in(words);
  std::string changed;
  bool any = false;
  for (std::string word; in >> word;) {
    const bool own = local.count(word) != 0;
    any = any || own;
    changed += (changed.empty() ? "" : " ") + word + (own ? suffix : "");
  }
  return any ? changed : words;
}

/// The kind of a default and the words of `choices` bind what is given.
void check_choice(const Element& argument, const Element& given, const std::string& attribute,
                  const Value& value) {
  if (argument.has("choices")) {
    std::istringstream words(argument.text("choices"));
    std::string expected;
    std::string word;
    while (words >> word) {
      if (value == Value(word)) return;
      expected += (expected.empty() ? "" : " or ") + word;
    }
    given.fail(attribute, "is " + describe(value) + ", expected " + expected);
  }
  if (!argument.has("default")) return;
  const Value ordinary = argument.value("default");
  if (value.index() == ordinary.index()) return;
  const std::array<const char*, 3> kinds{"a number", "a point", "a word"};
  given.fail(attribute, "is " + describe(value) + ", expected " + kinds.at(ordinary.index()) +
                            " as the default of this argument");
}

/// The name of those known that ends in this one after an underscore, such as `strut_top` for
/// `top`; the name itself where there is none.
std::string find_longer_name(const std::string& name, const std::vector<std::string>& known) {
  const auto found = std::ranges::find_if(
      known, [&](const std::string& one) { return one.ends_with("_" + name); });
  return found == known.end() ? name : *found;
}

struct Template {
  const XmlNode* node = nullptr;
  std::string file;
};

/// Where the elements being read end up.
struct Place {
  std::string file;
  std::shared_ptr<Scope> scope;
  std::string suffix;  ///< of the uses around, for overrides of parameters
  double side = 1.0;   ///< -1 inside an odd number of mirrors
};

class Expander {
 public:
  Expander(OverrideSet& changes, std::vector<std::string> roots)
      : changes_(changes), roots_(std::move(roots)), global_(std::make_shared<Scope>()) {
    global_->define("side", 1.0);
  }

  Document run(const std::string& path) {
    if (record_ != nullptr) record_->add_scope(global_);
    read_file(path, {});
    for (Element& element : elements_) document_.elements.push_back(std::move(element));
    if (record_ != nullptr) record_->finish();
    return std::move(document_);
  }
  void set_text(const std::string* text) { text_ = text; }
  void set_files(const std::vector<XmlFile>* files) { parsed_files_ = files; }
  void set_record(ExpansionRecord* record) { record_ = record; }

 private:
  void read_file(const std::string& path, const Source& asked_by);
  void read_root(const XmlFile& file, bool included);
  void read_include(const XmlNode& node, const Place& place);
  void read_template(const XmlNode& node, const Place& place);
  Element read_parameter(const XmlNode& node, const Place& place, const ElementRow& row);
  bool is_given_above(const XmlNode& node, const Place& place) const;
  bool is_left_out(const XmlNode& node, const Place& place) const;
  void check_left_out(const XmlNode& node, const Place& place, const ElementRow& row,
                      const std::string& owner) const;
  void read_child(const XmlNode& node, const Place& place, const ElementRow& row,
                  std::vector<Element>& out);
  void use_template(const XmlNode& node, const Place& place, std::vector<Element>& out);
  void bind_arguments(const Element& use, const Template& chosen, const Place& inside);
  Element make_header(const XmlNode& node, const Place& place, const ElementRow& row,
                      const std::string& owner) const;
  Element make_element(const XmlNode& node, const Place& place, const ElementRow& row,
                       const std::string& owner) const;
  void define(const Place& place, const Element& element, const std::string& attribute,
              const Element* argument, Value value) const;
  XmlFile open_file(const std::string& path, const Source& asked_by) const;

  OverrideSet& changes_;
  const std::string* text_ = nullptr;  ///< of the first file, if it is not to be opened
  const std::vector<XmlFile>* parsed_files_ = nullptr;
  ExpansionRecord* record_ = nullptr;
  std::vector<std::string> roots_;
  std::shared_ptr<Scope> global_;
  std::vector<XmlFile> files_;
  std::vector<std::string> open_files_;
  std::set<std::string> read_files_;
  std::map<std::string, std::string> parameter_files_;  ///< file of each parameter outside of uses
  std::map<std::string, Template> templates_;
  std::vector<const XmlNode*> open_templates_;
  std::size_t element_count_ = 0;
  std::vector<Element> elements_;  ///< of the document, on their way
  Document document_;
};

/// The element without its children.
Element Expander::make_header(const XmlNode& node, const Place& place, const ElementRow& row,
                              const std::string& owner) const {
  Element element;
  element.kind = node.name;
  element.source = {place.file, node.line};
  element.row = &row;
  element.scope = place.scope;
  for (const XmlAttribute& a : node.attributes)
    if (const AttributeRow* known = row.find(a.name);
        known != nullptr && known->kind != Kind::condition)
      element.attributes.push_back({known->name, on_one_line(a.value), {place.file, a.line}});
  // a word in braces stands for itself; numbers and points are evaluated where they are used
  for (Attribute& attribute : element.attributes)
    if (const std::string* word = find_word(attribute.value, *place.scope)) {
      attribute.braces = attribute.value;
      attribute.value = *word;
    }
  if (const Attribute* name = element.find("name")) element.name = name->value;
  element.label = !element.name.empty() ? element.name : owner.empty() ? element.kind : owner;
  return element;
}

Element Expander::make_element(const XmlNode& node, const Place& place, const ElementRow& row,
                               const std::string& owner) const {
  Element element = make_header(node, place, row, owner);
  for_each_child(node, [&](const XmlNode& child) {
    const ElementRow& child_row = *row.child(child.name);
    if (is_left_out(child, place))
      check_left_out(child, place, child_row, element.label);
    else
      element.children.push_back(make_element(child, place, child_row, element.label));
  });
  return element;
}

/// Whether a file that includes this one has written the parameter above: this one is its default.
bool Expander::is_given_above(const XmlNode& node, const Place& place) const {
  const auto found = parameter_files_.find(attribute_of(node, "name"));
  return node.name == "parameter" && place.scope == global_ && found != parameter_files_.end() &&
         found->second != open_files_.back() &&
         std::find(open_files_.begin(), open_files_.end(), found->second) != open_files_.end();
}

/// Whether the element's condition does not hold.
bool Expander::is_left_out(const XmlNode& node, const Place& place) const {
  const XmlAttribute* when = node.find("when");
  if (when == nullptr) return false;
  try {
    const std::string words = on_one_line(when->value);
    if (record_ != nullptr) record_->add_condition(words, *place.scope);
    return !holds(words, *place.scope);
  } catch (const std::invalid_argument& error) {
    const std::string name = attribute_of(node, "name");
    throw ModelError({place.file, when->line}, name.empty() ? node.name : name,
                     std::string("attribute 'when' ") + error.what());
  }
}

/// What a condition leaves out is not read, but it is to be whole for the day when the condition
/// holds: throws ModelError where a required attribute is missing in it.
void Expander::check_left_out(const XmlNode& node, const Place& place, const ElementRow& row,
                              const std::string& owner) const {
  const Element header = make_header(node, place, row, owner);
  for (const AttributeRow& attribute : row.attributes)
    if (attribute.required) (void)header.text(attribute.name);
  for_each_child(node, [&](const XmlNode& child) {
    check_left_out(child, place, *row.child(child.name), header.label);
  });
}

/// `attribute` holds the value in words; `argument` has a default of its kind, or is null.
void Expander::define(const Place& place, const Element& element, const std::string& attribute,
                      const Element* argument, Value value) const {
  const std::string& name = element.text("name");
  if (!is_parameter_name(name) || name == "side")
    element.fail("name", "is '" + name +
                             "', expected letters, digits and underscores that no function, pi or "
                             "side of expressions has taken");
  if (record_ != nullptr) {
    Definition definition;
    definition.called = element.name + place.suffix;
    definition.scope = place.scope;
    definition.element = element;
    definition.attribute = attribute;
    if (argument != nullptr) definition.argument = *argument;
    // it stands among the elements, too
    definition.decides = element.kind == "value";
    record_->add_definition(std::move(definition));
  }
  if (!place.scope->define(name, std::move(value)))
    element.fail("this name is used twice, expected one value for each parameter");
  if (record_ != nullptr) record_->add_value(place.scope->find(name));
}

/// Makes its value known to expressions.
Element Expander::read_parameter(const XmlNode& node, const Place& place, const ElementRow& row) {
  Element parameter = make_element(node, place, row, "");
  OverrideSet::Reached reached;
  for (Attribute& attribute : parameter.attributes)
    if (attribute.name == "value")
      reached = changes_.apply_to_parameter(parameter.name + place.suffix, attribute, *place.scope);
  Value value = parameter.value("value");
  if (parameter.kind == "point" && !std::holds_alternative<Eigen::Vector3d>(value))
    parameter.fail("value", "is " + describe(value) + ", expected the three numbers of a point");
  if (parameter.kind == "value" && !std::holds_alternative<double>(value))
    parameter.fail("value", "is " + describe(value) + ", expected a number");
  define(place, parameter, "value", nullptr, std::move(value));
  changes_.remember(place.scope, parameter.name, std::move(reached));
  return parameter;
}

void Expander::read_include(const XmlNode& node, const Place& place) {
  const Element include = make_element(node, place, *find_row("include"), "");
  const std::filesystem::path folder = std::filesystem::path(place.file).parent_path();
  read_file((folder / include.text("file")).lexically_normal().string(), include.source);
}

void Expander::read_template(const XmlNode& node, const Place& place) {
  const Element header = make_header(node, place, *find_row("template"), "");
  if (!templates_.emplace(header.text("name"), Template{&node, place.file}).second)
    header.fail("this template is written twice, expected a unique name");
}

void Expander::read_child(const XmlNode& node, const Place& place, const ElementRow& row,
                          std::vector<Element>& out) {
  const std::string& kind = node.name;
  if (++element_count_ > kMostElements)
    make_header(node, place, *row.child(kind), "")
        .fail("is element number " + std::to_string(element_count_) + ", expected no more than " +
              std::to_string(kMostElements));
  if (is_left_out(node, place) || is_given_above(node, place))
    return check_left_out(node, place, *row.child(kind), "");
  if (kind == "parameter" || kind == "point" || kind == "value") {
    Element parameter = read_parameter(node, place, *row.child(kind));
    // a manoeuvre's values are for its method too
    if (kind == "value")
      out.push_back(std::move(parameter));
    else if (place.scope == global_) {
      if (kind == "parameter") parameter_files_.emplace(parameter.text("name"), open_files_.back());
      if (record_ != nullptr) record_->definitions.back().parameter = document_.parameters.size();
      document_.parameters.push_back(std::move(parameter));
    }
    return;
  }
  if (kind == "include") return read_include(node, place);
  if (kind == "template") return read_template(node, place);
  if (kind == "argument") return;
  if (kind == "use") return use_template(node, place, out);
  Element element = make_element(node, place, *row.child(kind), "");
  if (element.row->allows("name")) check_name(element);
  out.push_back(std::move(element));
}

/// Values given by a use, or the defaults; those with a default are of its kind.
void Expander::bind_arguments(const Element& use, const Template& chosen, const Place& inside) {
  std::set<std::string> given;
  std::vector<std::string> known;
  for_each_child(*chosen.node, [&](const XmlNode& child) {
    if (child.name != "argument") return;
    Element argument = make_element(child, inside, *find_row("argument"), "");
    known.push_back(argument.text("name"));
    const Element* source = &argument;
    std::string attribute = "default";
    Element last;
    for (const Element& with : use.children) {
      if (with.text("name") != argument.name) continue;
      if (!given.insert(with.name).second)
        with.fail("this name is used twice, expected one value for each argument");
      last = with;
      source = &last;
      attribute = "value";
    }
    if (source == &argument && !argument.has("default"))
      use.fail("gives no value for the argument '" + argument.name + "', expected <with name=\"" +
               argument.name + "\" value=\"...\"/>");
    // an override comes last
    Element changed = *source;
    OverrideSet::Reached reached;
    for (Attribute& written : changed.attributes)
      if (written.name == attribute)
        reached =
            changes_.apply_to_parameter(argument.name + inside.suffix, written, *changed.scope);
    Value value = changed.value(attribute);
    check_choice(argument, changed, attribute, value);
    define(inside, changed, attribute, argument.has("default") ? &argument : nullptr,
           std::move(value));
    changes_.remember(inside.scope, argument.name, std::move(reached));
  });
  for (const Element& with : use.children)
    if (given.count(with.text("name")) == 0)
      with.fail("is no argument of template '" + use.text("template") + "'" +
                nearest_hint(find_longer_name(with.name, known), known));
}

void Expander::use_template(const XmlNode& node, const Place& place, std::vector<Element>& out) {
  const Element use = make_element(node, place, *find_row("use"), "");
  if (use.has("name")) check_name(use);
  const auto found = templates_.find(use.text("template"));
  if (found == templates_.end()) {
    std::vector<std::string> names;
    for (const auto& [name, unused] : templates_) names.push_back(name);
    use.fail("template", "is '" + use.text("template") +
                             "', expected a template that is written above" +
                             nearest_hint(use.text("template"), names));
  }
  const Template& chosen = found->second;
  if (std::find(open_templates_.begin(), open_templates_.end(), chosen.node) !=
      open_templates_.end())
    use.fail("uses template '" + found->first + "' inside itself, expected no such circle");

  if (open_templates_.size() >= kDeepestNesting)
    use.fail("stands " + std::to_string(open_templates_.size()) +
             " templates deep, expected no more than " + std::to_string(kDeepestNesting));

  // the content, named as inside
  const bool mirror = use.flag("mirror");
  const double side = mirror ? -place.side : place.side;
  const std::string suffix = use.name.empty() ? "" : "_" + use.name;
  const Place inside{chosen.file, std::make_shared<Scope>(global_), suffix + place.suffix, side};
  inside.scope->define("side", side);
  if (record_ != nullptr) record_->add_scope(inside.scope);
  bind_arguments(use, chosen, inside);
  std::vector<Element> content;
  open_templates_.push_back(chosen.node);
  for_each_child(*chosen.node, [&](const XmlNode& child) {
    read_child(child, inside, *find_row("template"), content);
  });
  open_templates_.pop_back();

  // the suffix goes to the names and to what refers to them
  std::set<std::string> local;
  for (const Element& element : content) local.insert(element.name);
  for (Element& element : content) {
    const auto finish = [&](auto&& self, Element& part) -> void {
      for (Attribute& attribute : part.attributes)
        if (is_formula(attribute.value))
          attribute.value = with_suffix_in_formula(attribute.value, local, suffix);
        else if (part.row->find(attribute.name)->is_reference())
          attribute.value = with_suffix(attribute.value, local, suffix);
      if (mirror) part.mirrored = !part.mirrored;
      if (part.label == element.name || &part == &element) part.label = element.name + suffix;
      for (Element& child : part.children) self(self, child);
    };
    finish(finish, element);
    element.name += suffix;
    out.push_back(std::move(element));
  }
}

void Expander::read_root(const XmlFile& file, bool included) {
  const ElementRow& row = *find_row(file.root->name);
  const Place place{file.path, global_, "", 1.0};
  Element root = make_header(*file.root, place, row, "");
  root.text("name");
  if (included && root.has("gravity"))
    root.fail("gravity", "is written in an included file, expected it in the including one only");
  if (!included) document_.root = std::move(root);
  for_each_child(*file.root,
                 [&](const XmlNode& child) { read_child(child, place, row, elements_); });
}

XmlFile Expander::open_file(const std::string& path, const Source& asked_by) const {
  if (parsed_files_ != nullptr)
    for (const XmlFile& file : *parsed_files_)
      if (file.path == path) return file;
  return open_xml_file(path, roots_, asked_by);
}

void Expander::read_file(const std::string& path, const Source& asked_by) {
  std::error_code error;
  const std::string identity = std::filesystem::weakly_canonical(path, error).string();
  if (std::find(open_files_.begin(), open_files_.end(), identity) != open_files_.end())
    throw ModelError(asked_by, "include",
                     "file '" + path + "' includes itself in a circle, expected no such circle");
  // what two templates need may be included by both
  if (!read_files_.insert(identity).second) return;
  const bool included = !open_files_.empty();
  if (open_files_.size() >= kDeepestNesting)
    throw ModelError(asked_by, "include",
                     "file '" + path + "' is included " + std::to_string(open_files_.size()) +
                         " deep, expected no more than " + std::to_string(kDeepestNesting));
  files_.push_back(included || text_ == nullptr ? open_file(path, asked_by)
                                                : parse_xml_text(*text_, path, roots_));
  if (record_ != nullptr) record_->files.push_back(files_.back());
  open_files_.push_back(identity);
  document_.files.push_back(path);
  // a copy: further includes move the vector's entries
  const XmlFile file = files_.back();
  document_.notes.insert(document_.notes.end(), file.notes.begin(), file.notes.end());
  read_root(file, included);
  open_files_.pop_back();
}

}  // namespace

Document expand_file(const std::string& path, const std::vector<std::string>& roots,
                     OverrideSet& changes, const std::string* text) {
  Expander expander(changes, roots);
  expander.set_text(text);
  return expander.run(path);
}

Document expand_file(const std::string& path, const std::vector<std::string>& roots,
                     OverrideSet& changes, const std::vector<XmlFile>& files) {
  Expander expander(changes, roots);
  expander.set_files(&files);
  return expander.run(path);
}

Document expand_file(const std::string& path, const std::vector<std::string>& roots,
                     ExpansionRecord& record) {
  OverrideSet none({});
  Expander expander(none, roots);
  expander.set_record(&record);
  return expander.run(path);
}

}  // namespace semirec
