#include "vehicles/files/xml/row_words.hpp"

namespace semirec {

namespace {

std::string with_article(const std::string& noun) {
  const bool vowel = std::string("aeiou").find(noun.empty() ? 'b' : noun[0]) != std::string::npos;
  return (vowel ? "an " : "a ") + noun;
}

std::string list_of(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

}  // namespace

std::string kind_words(const AttributeRow& attribute) {
  switch (attribute.kind) {
    case Kind::number:
      return attribute.range.whole ? "whole number" : "number";
    case Kind::over_time:
      return "number, or `= ...` of time";
    case Kind::point:
      return "point";
    case Kind::direction:
      return "unit vector";
    case Kind::vector:
      return "three numbers";
    case Kind::numbers:
      return "one to six numbers";
    case Kind::six_numbers:
      return "six numbers";
    case Kind::flag:
    case Kind::choice:
      return list_of(attribute.choices);
    case Kind::reference:
      return "name of " + with_article(attribute.refers_to) +
             (attribute.refers_to != "input" ? ""
              : attribute.needs_rates        ? ", or `= ...` of time"
                                             : ", or `= ...`");
    case Kind::references:
      return "names of " + attribute.refers_to + "s";
    case Kind::name:
    case Kind::identifier:
    case Kind::pattern:
      return "name";
    case Kind::value:
      return "number, point or word";
    case Kind::word:
    case Kind::column:
      return "word";
    case Kind::file:
      return "path";
    case Kind::formula:
      return "expression of the run, `= ...`";
    case Kind::condition:
      return "condition";
    case Kind::version:
      return "1";
    case Kind::text:
      return "text";
  }
  return "text";
}

std::string range_words(const AttributeRow& attribute) {
  const std::string expected = attribute.expected();
  for (const char* prefix : {"a number ", "a whole number "})
    if (expected.rfind(prefix, 0) == 0) return expected.substr(std::string(prefix).size());
  return {};
}

std::string default_words(const AttributeRow& attribute) {
  std::string text = attribute.fallback.empty() ? attribute.fallback_words : attribute.fallback;
  if (text.size() > 2 && text.front() == '{') text = text.substr(1, text.size() - 2);
  return text;
}

std::string sentence_of(const AttributeRow& attribute) {
  std::string text = attribute.about;
  if (!attribute.unit.empty()) text += " Unit: " + attribute.unit + ".";
  const std::string range = range_words(attribute);
  if (!range.empty()) text += " Range: " + range + ".";
  if (!attribute.refers_to.empty()) text += " Names: " + attribute.refers_to + ".";
  const std::string ordinary = default_words(attribute);
  if (!ordinary.empty()) text += " Default: " + ordinary + ".";
  return text;
}

}  // namespace semirec
