#pragma once

#include <limits>
#include <string>
#include <vector>

namespace semirec {

/// What the value of an attribute is.
enum class Kind {
  number,       ///< one number or an expression in braces
  over_time,    ///< the same, or an expression of time that begins with `=`
  point,        ///< three numbers: a point of the design position; mirrored
  direction,    ///< three numbers: a unit vector; mirrored
  vector,       ///< three numbers as written
  numbers,      ///< one to six numbers
  six_numbers,  ///< six numbers
  flag,         ///< `yes` or `no`
  choice,       ///< one of a list of words
  reference,    ///< the name of another element
  references,   ///< names of other elements, separated by blanks
  name,         ///< the element's own name
  identifier,   ///< a name that expressions know
  value,        ///< a number, a point or a word
  word,         ///< letters, digits, `_`, `-`, `.`
  column,       ///< a word for the head of a column
  pattern,      ///< the name of an element, in which `*` stands for any characters
  file,         ///< a path, relative to the file in which it is written
  formula,      ///< an expression of the run: begins with `=`
  condition,    ///< a condition that leaves an element out
  version,      ///< of the form of a file: 1
  text          ///< anything
};

/// Numbers that an attribute takes, with the words for those that it refuses where these are not
/// the ordinary ones.
struct Range {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool above_least = false;  ///< `least` itself is refused
  bool whole = false;
  bool not_zero = false;
  std::string too_low, too_high, not_whole, zero;
};

/// One attribute: all that a reader, an override, a template, a schema and a page need to know.
/// The functions below fill it; those that end in && are called in a row.
struct AttributeRow {
  std::string name;
  Kind kind = Kind::text;
  std::string unit;   ///< `1` for a pure number; empty where there is none
  std::string about;  ///< one sentence
  bool required = false;
  Range range;                          ///< of a number
  std::vector<std::string> choices;     ///< in the order of their enumeration
  std::string refers_to;                ///< kind of element, for a reference
  std::string fallback;                 ///< the value where it is not written
  std::string fallback_words;           ///< the same where it is computed
  std::string hint;                     ///< beside what is expected: `a <law> may fall`
  std::vector<std::string> formerly{};  ///< names that are still read, with a note
  bool needs_rates = false;             ///< of an input: what it moves has velocities by its rates

  AttributeRow needed() &&;
  AttributeRow above(double least) &&;
  AttributeRow at_least(double least, const std::string& refusal = "") &&;
  AttributeRow at_most(double most, const std::string& refusal = "") &&;
  AttributeRow whole(const std::string& refusal = "") &&;
  AttributeRow not_zero(const std::string& refusal) &&;
  AttributeRow otherwise(const std::string& value) &&;
  AttributeRow otherwise_as(const std::string& words) &&;
  AttributeRow hinting(const std::string& words) &&;
  AttributeRow was(const std::string& old_name) &&;
  AttributeRow needing_rates() &&;

  /// Whether the value is a name that follows the suffix of its template.
  bool is_reference() const { return kind == Kind::reference || kind == Kind::references; }
  /// Whether the value holds the description together, so that an override leaves it alone.
  bool is_fixed() const { return kind == Kind::name || kind == Kind::condition; }
  /// Whether the value is one number or several, or an expression of them.
  bool holds_numbers() const;
  /// `a number above zero`, `a whole number from 1 to 1000`.
  std::string expected() const;
  /// What is wrong with the number, as `is -1, expected a number above zero`; empty if nothing is.
  std::string refusal(double value) const;
};

using Attributes = std::vector<AttributeRow>;
Attributes operator+(Attributes a, const Attributes& b);

// one function a kind
AttributeRow number(const char* name, const char* unit, const char* about);
AttributeRow flag(const char* name, const char* about);
AttributeRow choice(const char* name, const std::vector<std::string>& words, const char* about);
AttributeRow reference(const char* name, const char* to, const char* about);
AttributeRow references(const char* name, const char* to, const char* about);
AttributeRow point(const char* name, const char* about);
AttributeRow direction(const char* name, const char* about);
/// Any other kind.
AttributeRow entry(const char* name, Kind kind, const char* about, const char* unit = "");
/// The name of a body, joint, ...: required.
AttributeRow own_name();
/// Name, `a` and `b` of what connects two bodies.
Attributes name_and_bodies();
/// The coordinate of a joint.
AttributeRow joint_coordinate();

/// As often as one likes, in Content::most.
inline constexpr int kMany = -1;

/// What stands inside an element: a kind of child, one of several, or several in a row.
struct Content {
  enum class Form { child, one_of, in_order };
  Form form = Form::one_of;
  std::string kind;   ///< of a child
  std::string row;    ///< whose rules the child follows
  std::string group;  ///< name under which several elements share it; empty: none
  int least = 1, most = 1;
  std::vector<Content> parts;

  Content times(int at_least, int at_most) &&;
  Content shared_as(const std::string& name) &&;
  bool empty() const { return form != Form::child && parts.empty(); }
};

/// `row` where an element of that kind follows other rules here than elsewhere (a table of a road,
/// of a force law, of time).
Content child(const std::string& kind, const std::string& row = "");
Content one_of(const std::vector<Content>& parts);
Content in_order(const std::vector<Content>& parts);

/// What one kind of element may hold, and what it is.
struct ElementRow {
  std::string name;
  std::string about;
  Attributes attributes;
  Content content{};
  std::string section{};                ///< of the page that lists them
  bool in_vehicle = false;              ///< may stand in the root of a vehicle and in templates
  bool once = false;                    ///< stands once in a file at most
  std::vector<std::string> formerly{};  ///< kinds that are still read, with a note

  ElementRow standing_once() &&;
  ElementRow was(const std::string& old_name) &&;
  /// By its name or a former one; null without such an attribute.
  const AttributeRow* find(const std::string& attribute) const;
  bool allows(const std::string& attribute) const { return find(attribute) != nullptr; }
  std::vector<std::string> attribute_names() const;
  /// Rules for a child of this kind, or of one that was called so; null if there may be none.
  const ElementRow* child(const std::string& kind) const;
  /// What a child of this kind is called now.
  std::string current_kind(const std::string& kind) const;
  /// Kinds of the children.
  std::vector<std::string> child_kinds() const;
};

/// A kind of element that stands in the root of a vehicle, where a condition may leave it out.
ElementRow element(const char* name, const char* about, Attributes attributes,
                   Content content = {});
/// A part of one that a condition may leave out.
ElementRow conditional_part(const char* name, const char* about, Attributes attributes,
                            Content content = {});
/// A part of one, or an element of another file.
ElementRow part(const char* name, const char* about, Attributes attributes, Content content = {});

/// The row of a root element (`vehicle`, `mechanism`, `scenario`, `manoeuvre`, `study`) or any
/// other; null if there is none.
const ElementRow* find_row(const std::string& name);
const std::vector<ElementRow>& all_rows();

// the parts of the table, each in a file of its own
std::vector<ElementRow> frame_rows();
std::vector<ElementRow> mechanism_rows();
std::vector<ElementRow> force_rows();
std::vector<ElementRow> wheel_rows();
std::vector<ElementRow> drive_rows();
std::vector<ElementRow> equation_rows();
std::vector<ElementRow> shape_rows();
std::vector<ElementRow> function_rows();
std::vector<ElementRow> scenario_rows();
std::vector<ElementRow> road_rows();
std::vector<ElementRow> manoeuvre_rows();
std::vector<ElementRow> study_rows();
/// A constant, a ramp, a kerb or a table, and sines.
Content time_functions();
/// The value of an input: a number or a formula of time.
AttributeRow value_over_time();

}  // namespace semirec
