#include "vehicles/files/xml/written_numbers.hpp"

#include <set>
#include <stdexcept>

#include "vehicles/files/xml/document.hpp"
#include "vehicles/files/xml/numbers.hpp"

namespace semirec {

namespace {

/// The attributes of an element and of those inside it; an override means the first of a name.
void add_written(const Element& element, const std::string& owner, std::set<std::string>& seen,
                 std::vector<WrittenNumbers>& found) {
  for (const Attribute& attribute : element.attributes) {
    const AttributeRow* row = element.row->find(attribute.name);
    if (row == nullptr || !row->holds_numbers() || !seen.insert(attribute.name).second) continue;
    const bool one_unit = row->unit.find(',') == std::string::npos;
    WrittenNumbers numbers{owner + '.' + attribute.name, one_unit ? row->unit : "", row->about, {}};
    try {
      numbers.numbers = parse_numbers(attribute.value, *element.scope);
    } catch (const std::invalid_argument&) {
      // a word, or a formula of time
      continue;
    }
    found.push_back(std::move(numbers));
  }
  for (const Element& child : element.children) add_written(child, owner, seen, found);
}

}  // namespace

std::vector<WrittenNumbers> find_written_numbers(const Described& described) {
  const Document document =
      load_document(described.path, {"vehicle", "mechanism", "scenario"}, described.overrides,
                    described.text ? &*described.text : nullptr);
  std::vector<WrittenNumbers> found;
  const auto add = [&](const Element& element) {
    std::set<std::string> seen;
    add_written(element, element.name.empty() ? element.kind : element.name, seen, found);
  };
  for (const Element& parameter : document.parameters) add(parameter);
  for (const Element& element : document.elements) add(element);
  return found;
}

}  // namespace semirec
