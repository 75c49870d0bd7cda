#include "vehicles/files/xml/element.hpp"

#include <cmath>
#include <sstream>
#include <stdexcept>

namespace semirec {

namespace {

/// How far from 1 the length of an axis may be: three digits written by hand.
constexpr double kUnitTolerance = 1e-3;

std::string words(double value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

/// `attribute 'k'`, or `attribute 'k' of <stiffness>` inside a named element.
std::string place(const Element& element, const std::string& attribute) {
  std::string text = "attribute '" + attribute + "'";
  if (element.name.empty() && element.label != element.kind) text += " of <" + element.kind + ">";
  return text;
}

/// A reader that asks for what the table does not have is wrong, not the file.
const AttributeRow& row_of(const Element& element, const std::string& attribute) {
  const AttributeRow* found = element.row == nullptr ? nullptr : element.row->find(attribute);
  if (found == nullptr)
    throw std::logic_error("attribute '" + attribute + "' of <" + element.kind +
                           "> is not in the table of vehicles/files/xml");
  return *found;
}

}  // namespace

void Element::fail(const std::string& message) const { throw ModelError(source, label, message); }

void Element::fail(const std::string& attribute, const std::string& message) const {
  const Attribute* found = find(attribute);
  throw ModelError(found != nullptr ? found->source : source, label,
                   place(*this, attribute) + " " + message);
}

const Attribute* Element::find(const std::string& attribute) const {
  for (const Attribute& candidate : attributes)
    if (candidate.name == attribute) return &candidate;
  return nullptr;
}

const Element* Element::child(const std::string& child_kind) const {
  const Element* found = nullptr;
  for (const Element& candidate : children) {
    if (candidate.kind != child_kind) continue;
    if (found != nullptr)
      throw ModelError(candidate.source, label, "has a second <" + child_kind + ">, expected one");
    found = &candidate;
  }
  return found;
}

const std::string& Element::text(const std::string& attribute) const {
  const Attribute* found = find(attribute);
  if (found == nullptr)
    fail(attribute, "is missing, expected it on every <" + kind + "> like this");
  if (found->value.find_first_not_of(" \t\r\n") == std::string::npos)
    fail(attribute, "is empty, expected a value");
  return found->value;
}

Value Element::value(const std::string& attribute) const {
  try {
    return parse_value(text(attribute), *scope);
  } catch (const std::invalid_argument& error) {
    fail(attribute, error.what());
  }
}

double Element::number(const std::string& attribute) const {
  const AttributeRow& rules = row_of(*this, attribute);
  if (!has(attribute) && !rules.fallback.empty()) return parse_number(rules.fallback, Scope());
  double value = 0.0;
  const Attribute* written = find(attribute);
  try {
    value = written != nullptr && written->numbers.size() == 1
                ? written->numbers[0]
                : parse_number(text(attribute), *scope);
  } catch (const std::invalid_argument& error) {
    fail(attribute, error.what());
  }
  const std::string refusal = rules.refusal(value);
  if (!refusal.empty()) fail(attribute, refusal);
  return value;
}

double Element::number(const std::string& attribute, double fallback) const {
  return has(attribute) ? number(attribute) : fallback;
}

std::vector<double> Element::numbers(const std::string& attribute, std::size_t count) const {
  std::vector<double> values;
  const Attribute* written = find(attribute);
  try {
    values = written != nullptr && !written->numbers.empty()
                 ? written->numbers
                 : parse_numbers(text(attribute), *scope);
  } catch (const std::invalid_argument& error) {
    fail(attribute, error.what());
  }
  if (values.size() != count)
    fail(attribute, "holds " + std::to_string(values.size()) + " numbers, expected " +
                        std::to_string(count) + " separated by blanks");
  return values;
}

bool Element::flag(const std::string& attribute) const { return choice(attribute) == 1; }

std::size_t Element::choice(const std::string& attribute) const {
  const AttributeRow& rules = row_of(*this, attribute);
  const std::string& word =
      !has(attribute) && !rules.fallback.empty() ? rules.fallback : text(attribute);
  std::string all;
  for (std::size_t i = 0; i < rules.choices.size(); ++i) {
    if (rules.choices[i] == word) return i;
    all += (i == 0 ? "" : i + 1 == rules.choices.size() ? " or " : ", ") + rules.choices[i];
  }
  fail(attribute, "is '" + word + "', expected " + all);
}

Eigen::Vector3d Element::vector(const std::string& attribute) const {
  const std::vector<double> v = numbers(attribute, 3);
  return {v[0], v[1], v[2]};
}

Eigen::Vector3d Element::unit(const std::string& attribute) const {
  const Eigen::Vector3d v = vector(attribute);
  const double length = v.norm();
  if (std::abs(length - 1.0) > kUnitTolerance)
    fail(attribute, "has the length " + words(length) + ", expected a unit vector such as 0 0 1");
  return v / length;
}

Eigen::Vector3d Element::unit_across(const std::string& attribute,
                                     const Eigen::Vector3d& axis) const {
  Eigen::Vector3d across = unit(attribute);
  if (std::abs(across.dot(axis)) > 1e-3)
    fail(attribute, "is not perpendicular to 'axis', expected a right angle between them");
  return across;
}

Eigen::Vector3d Element::point(const std::string& attribute) const {
  Eigen::Vector3d v = vector(attribute);
  if (mirrored) v.y() = -v.y();
  return v;
}

Eigen::Vector3d Element::polar(const std::string& attribute) const {
  Eigen::Vector3d v = unit(attribute);
  if (mirrored) v.y() = -v.y();
  return v;
}

Eigen::Vector3d Element::axial(const std::string& attribute) const {
  const Eigen::Vector3d v = polar(attribute);
  return mirrored ? Eigen::Vector3d(-v) : v;
}

void Element::need_one_of(const std::string& one, const std::string& other) const {
  if (has(one) && has(other))
    fail(other, "stands beside '" + one + "', expected only one of the two");
  if (!has(one) && !has(other)) fail(one, "is missing, expected it or '" + other + "'");
}

}  // namespace semirec
