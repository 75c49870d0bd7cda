#pragma once

#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "topology/mechanism.hpp"
#include "vehicles/files/xml/numbers.hpp"
#include "vehicles/files/xml/table.hpp"

namespace semirec {

/// One attribute as written, or as an override left it.
struct Attribute {
  std::string name;
  std::string value;
  Source source;
  std::vector<double> numbers{};  ///< that the words stand for, where they are worked out already
  std::string braces{};  ///< `{form}`, where `value` is the word that this name has stood for
};

/// An element of a description after includes and templates, with its attributes still in words.
/// The functions below turn them into numbers, within the range and with the default that the
/// attribute's row of the table has, and throw ModelError at the attribute's own line.
struct Element {
  std::string kind;   ///< `body`, `joint`, ...
  std::string name;   ///< with the suffix of its template; empty for a nameless child
  std::string label;  ///< how messages call it: its name, its owner's, or its kind
  Source source;
  const ElementRow* row = nullptr;
  std::vector<Attribute> attributes;
  std::vector<Element> children;
  std::shared_ptr<const Scope> scope;
  bool mirrored = false;  ///< reflected in the plane y = 0

  [[noreturn]] void fail(const std::string& message) const;
  [[noreturn]] void fail(const std::string& attribute, const std::string& message) const;

  const Attribute* find(const std::string& attribute) const;
  bool has(const std::string& attribute) const { return find(attribute) != nullptr; }
  const Element* child(const std::string& child_kind) const;

  /// The words; a missing attribute is an error.
  const std::string& text(const std::string& attribute) const;
  /// A number, a point or a word, as parameters and arguments hold them.
  Value value(const std::string& attribute) const;
  /// A number in its range; where it is not written, the default of its row.
  double number(const std::string& attribute) const;
  /// The same with a default that depends on something.
  double number(const std::string& attribute, double fallback) const;
  std::vector<double> numbers(const std::string& attribute, std::size_t count) const;
  /// `yes` or `no`; where it is not written, the default of its row.
  bool flag(const std::string& attribute) const;
  /// Index of the word among those of its row; where it is not written, that of the default.
  std::size_t choice(const std::string& attribute) const;
  /// The same as an enumeration that has its values in the order of the table.
  template <typename Enumeration>
  Enumeration choice_as(const std::string& attribute) const {
    return static_cast<Enumeration>(choice(attribute));
  }

  /// Three numbers as written, not mirrored.
  Eigen::Vector3d vector(const std::string& attribute) const;
  /// A unit vector as written, not mirrored; 1e-3 off is accepted and made exact.
  Eigen::Vector3d unit(const std::string& attribute) const;
  /// The same at a right angle to `axis`; fails otherwise.
  Eigen::Vector3d unit_across(const std::string& attribute, const Eigen::Vector3d& axis) const;
  /// A point, mirrored where the element is.
  Eigen::Vector3d point(const std::string& attribute) const;
  /// A unit vector mirrored as an arrow: y changes sign.
  Eigen::Vector3d polar(const std::string& attribute) const;
  /// A unit vector mirrored as a turn: x and z change sign.
  Eigen::Vector3d axial(const std::string& attribute) const;

  /// Exactly one of the two attributes; fails otherwise.
  void need_one_of(const std::string& one, const std::string& other) const;
};

}  // namespace semirec
