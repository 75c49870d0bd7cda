#include "vehicles/files/xml/conditions.hpp"

#include <stdexcept>
#include <vector>

#include "topology/ascii.hpp"
#include "topology/nearest.hpp"

namespace semirec {

namespace {

constexpr std::size_t kLongestCondition = 2000;

[[noreturn]] void refuse_condition(const std::string& text, const std::string& why) {
  throw std::invalid_argument("is '" + text + "', " + why);
}

bool is_space(char c) { return ascii::is_blank(c); }
bool is_operator(char c) { return c == '=' || c == '!' || c == '<' || c == '>'; }

/// Operators, expressions in braces, and what stands between them and blanks.
std::vector<std::string> find_tokens(const std::string& text) {
  std::vector<std::string> tokens;
  std::size_t i = 0;
  while (i < text.size()) {
    const std::size_t begin = i;
    if (is_space(text[i])) {
      ++i;
      continue;
    }
    if (text[i] == '{') {
      i = text.find('}', i);
      if (i == std::string::npos)
        refuse_condition(text,
                         "whose brace is not closed, expected a condition such as form = bushing");
      ++i;
    } else if (is_operator(text[i])) {
      while (i < text.size() && is_operator(text[i])) ++i;
    } else {
      while (i < text.size() && !is_space(text[i]) && !is_operator(text[i]) && text[i] != '{') ++i;
    }
    tokens.push_back(text.substr(begin, i - begin));
  }
  return tokens;
}

class Condition {
 public:
  Condition(const std::string& text, const Scope& scope)
      : text_(text), scope_(scope), tokens_(find_tokens(text)) {}

  bool evaluate() {
    bool any = all_of_and();
    while (next_ < tokens_.size()) {
      if (tokens_[next_] != "or")
        refuse_condition(text_,
                         "which has '" + tokens_[next_] + "' after a comparison, expected and, or");
      ++next_;
      any = all_of_and() || any;
    }
    return any;
  }

 private:
  bool all_of_and() {
    bool all = comparison();
    while (next_ < tokens_.size() && tokens_[next_] == "and") {
      ++next_;
      all = comparison() && all;
    }
    return all;
  }

  bool comparison() {
    const Value left = operand(false);
    if (next_ >= tokens_.size())
      refuse_condition(text_,
                       "which compares nothing, expected a condition such as form = bushing");
    const std::string compare = tokens_[next_++];
    const Value right = operand(true);
    if (left.index() != right.index())
      refuse_condition(text_, "which compares " + describe(left) + " with " + describe(right) +
                                  ", expected two of one kind");
    if (std::holds_alternative<Eigen::Vector3d>(left))
      refuse_condition(text_, "which compares points, expected numbers or words");
    if (compare == "=") return left == right;
    if (compare == "!=") return !(left == right);
    if (compare != "<" && compare != "<=" && compare != ">" && compare != ">=")
      refuse_condition(text_, "which has '" + compare + "', expected one of = != < <= > >=");
    const auto* a = std::get_if<double>(&left);
    const auto* b = std::get_if<double>(&right);
    if (a == nullptr || b == nullptr)
      refuse_condition(text_, "which orders words, expected = or != between them");
    if (compare == "<") return *a < *b;
    if (compare == "<=") return *a <= *b;
    return compare == ">" ? *a > *b : *a >= *b;
  }

  Value operand(bool may_be_a_word) {
    if (next_ >= tokens_.size())
      refuse_condition(text_, "which ends too early, expected a condition such as form = bushing");
    const std::string& token = tokens_[next_++];
    if (is_operator(token[0]))
      refuse_condition(text_, "which has '" + token +
                                  "' in the place of a name, number or word, expected a "
                                  "condition such as form = bushing");
    if (const Value* value = scope_.find(token)) return *value;
    Value value;
    try {
      value = parse_value(token, scope_);
    } catch (const std::invalid_argument& error) {
      refuse_condition(text_, "in which a part " + std::string(error.what()));
    }
    const bool written_as_word = token[0] != '{' && std::holds_alternative<std::string>(value);
    if (written_as_word && !may_be_a_word)
      refuse_condition(text_, "which uses the unknown name '" + token + "'" +
                                  nearest_hint(token, scope_.names()));
    return value;
  }

  const std::string& text_;
  const Scope& scope_;
  std::vector<std::string> tokens_;
  std::size_t next_ = 0;
};

}  // namespace

bool holds(const std::string& condition, const Scope& scope) {
  if (condition.size() > kLongestCondition)
    refuse_condition(condition.substr(0, 40) + "...",
                     "which is " + std::to_string(condition.size()) +
                         " characters long, expected at most " + std::to_string(kLongestCondition));
  return Condition(condition, scope).evaluate();
}

}  // namespace semirec
