#include "vehicles/files/xml/value_check.hpp"

#include "vehicles/files/xml/formula_text.hpp"

namespace semirec {

namespace {

/// Reads an attribute that is written as its reader would. What hangs on more than the attribute
/// itself (a count of numbers, a name that must exist) is the reader's.
void try_value(const Element& element, const AttributeRow& row) {
  switch (row.kind) {
    case Kind::number:
      static_cast<void>(element.number(row.name));
      return;
    case Kind::over_time:
      if (!is_formula(element.text(row.name))) static_cast<void>(element.number(row.name));
      return;
    case Kind::point:
    case Kind::vector:
      static_cast<void>(element.vector(row.name));
      return;
    case Kind::direction:
      static_cast<void>(element.unit(row.name));
      return;
    case Kind::six_numbers:
      static_cast<void>(element.numbers(row.name, 6));
      return;
    case Kind::flag:
    case Kind::choice:
      static_cast<void>(element.choice(row.name));
      return;
    case Kind::numbers:
    case Kind::reference:
    case Kind::references:
    case Kind::name:
    case Kind::identifier:
    case Kind::value:
    case Kind::word:
    case Kind::column:
    case Kind::pattern:
    case Kind::file:
    case Kind::formula:
    case Kind::condition:
    case Kind::version:
    case Kind::text:
      static_cast<void>(element.text(row.name));
      return;
  }
}

}  // namespace

void check_values(const Element& element, Faults& faults) {
  for (const AttributeRow& row : element.row->attributes)
    if (row.required || element.has(row.name)) faults.gather([&] { try_value(element, row); });
  for (const Element& child : element.children) check_values(child, faults);
}

}  // namespace semirec
