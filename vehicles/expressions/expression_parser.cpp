#include <algorithm>
#include <array>
#include <charconv>
#include <numbers>
#include <unordered_map>

#include "topology/ascii.hpp"
#include "topology/nearest.hpp"
#include "vehicles/expressions/expression.hpp"
#include "vehicles/expressions/table.hpp"

namespace semirec {

namespace {

/// Brackets, signs and choices within each other.
constexpr int kDeepestExpression = 200;
/// Names, numbers and operations: more than anyone writes.
constexpr std::size_t kLargestExpression = 100000;

struct Function {
  std::string_view name;
  Operation operation;
  int arguments;  ///< 1, 2, or any number where it is 0
};

constexpr std::array<Function, 26> kFunctions{{{"abs", Operation::absolute, 1},
                                               {"acos", Operation::arc_cosine, 1},
                                               {"acosh", Operation::area_cosine, 1},
                                               {"asin", Operation::arc_sine, 1},
                                               {"asinh", Operation::area_sine, 1},
                                               {"atan", Operation::arc_tangent, 1},
                                               {"atan2", Operation::arc_tangent_2, 2},
                                               {"atanh", Operation::area_tangent, 1},
                                               {"avg", Operation::divide, 0},
                                               {"cos", Operation::cosine, 1},
                                               {"cosh", Operation::hyperbolic_cosine, 1},
                                               {"exp", Operation::exponential, 1},
                                               {"ln", Operation::logarithm, 1},
                                               {"log", Operation::logarithm, 1},
                                               {"log10", Operation::logarithm_10, 1},
                                               {"log2", Operation::logarithm_2, 1},
                                               {"max", Operation::maximum, 0},
                                               {"min", Operation::minimum, 0},
                                               {"rint", Operation::round, 1},
                                               {"sign", Operation::sign, 1},
                                               {"sin", Operation::sine, 1},
                                               {"sinh", Operation::hyperbolic_sine, 1},
                                               {"sqrt", Operation::square_root, 1},
                                               {"sum", Operation::add, 0},
                                               {"tan", Operation::tangent, 1},
                                               {"tanh", Operation::hyperbolic_tangent, 1}}};

struct Operator {
  std::string_view sign;
  int rank;  ///< higher binds tighter
  Operation operation;
};

/// Longer signs before those that they begin with.
constexpr std::array<Operator, 12> kOperators{{{"||", 1, Operation::either},
                                               {"&&", 2, Operation::both},
                                               {"<=", 3, Operation::less_or_equal},
                                               {">=", 3, Operation::greater_or_equal},
                                               {"==", 3, Operation::equal},
                                               {"!=", 3, Operation::unequal},
                                               {"<", 3, Operation::less},
                                               {">", 3, Operation::greater},
                                               {"+", 4, Operation::add},
                                               {"-", 4, Operation::subtract},
                                               {"*", 5, Operation::multiply},
                                               {"/", 5, Operation::divide}}};

const Function* find_function(std::string_view name) {
  const auto found = std::find_if(kFunctions.begin(), kFunctions.end(),
                                  [&](const Function& f) { return f.name == name; });
  return found == kFunctions.end() ? nullptr : &*found;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_start(char c) { return ascii::is_letter(c) || c == '_'; }
bool is_in_name(char c) { return is_name_start(c) || is_digit(c) || c == '.'; }

/// A value by the list that it stands in: their lengths are known at the end only.
struct Operand {
  enum class List { name, number, term } list = List::number;
  int index = 0;
};

class Compiler {
 public:
  Compiler(std::string_view text, const std::vector<NamedTable>& tables)
      : text_(text), tables_(tables) {}

  Expression run() {
    const Operand result = read_choice();
    if (!at_end()) fail(text_[at_] == ',' ? "a comma beside functions" : unexpected());
    finish(result);
    return std::move(expression_);
  }

 private:
  // what the terms mean until they are all there
  struct Pending {
    Operation operation;
    std::array<Operand, 3> operands;
    std::size_t column;
    int table = 0;
  };

  [[noreturn]] void fail(const std::string& what) const { throw ExpressionError(what, at_ + 1); }

  std::string unexpected() const {
    if (at_ >= text_.size()) return "it ends where a value is expected";
    return std::string("unexpected '") + text_[at_] + "'";
  }

  void skip_blanks() {
    while (at_ < text_.size() && ascii::is_blank(text_[at_])) ++at_;
  }
  bool at_end() {
    skip_blanks();
    return at_ == text_.size();
  }
  bool take(std::string_view sign) {
    skip_blanks();
    if (text_.substr(at_, sign.size()) != sign) return false;
    at_ += sign.size();
    return true;
  }
  void expect(std::string_view sign) {
    if (!take(sign)) fail("'" + std::string(sign) + "' is missing");
  }

  void count_one_more() {
    if (expression_.value_count() + terms_.size() >= kLargestExpression)
      fail("more than " + std::to_string(kLargestExpression) + " names, numbers and operations");
  }
  Operand add_number(double value) {
    count_one_more();
    expression_.numbers.push_back(value);
    return {Operand::List::number, static_cast<int>(expression_.numbers.size()) - 1};
  }
  /// `begin`: of the sign or function in the text.
  Operand add_term(std::size_t begin, Operation operation, Operand a, Operand b, Operand c) {
    count_one_more();
    terms_.push_back({operation, {a, b, c}, begin + 1});
    return {Operand::List::term, static_cast<int>(terms_.size()) - 1};
  }

  void go_down() {
    if (++depth_ > kDeepestExpression)
      fail("more than " + std::to_string(kDeepestExpression) + " brackets, signs or choices deep");
  }

  // choice := binary [? choice : choice]
  Operand read_choice() {
    go_down();
    const Operand condition = read_binary(1);
    Operand value = condition;
    skip_blanks();
    const std::size_t begin = at_;
    if (take("?")) {
      const Operand yes = read_choice();
      expect(":");
      value = add_term(begin, Operation::choose, condition, yes, read_choice());
    }
    --depth_;
    return value;
  }

  const Operator* next_operator(int lowest) {
    skip_blanks();
    for (const Operator& known : kOperators)
      if (text_.substr(at_, known.sign.size()) == known.sign)
        return known.rank >= lowest ? &known : nullptr;
    return nullptr;
  }

  // operators of one rank from left to right
  Operand read_binary(int lowest) {
    Operand left = read_signed();
    while (const Operator* next = next_operator(lowest)) {
      const std::size_t begin = at_;
      at_ += next->sign.size();
      const Operand right = read_binary(next->rank + 1);
      left = add_term(begin, next->operation, left, right, right);
    }
    return left;
  }

  // a sign takes the power behind it along
  Operand read_signed() {
    skip_blanks();
    const std::size_t begin = at_;
    if (take("-")) {
      go_down();
      const Operand value = read_signed();
      --depth_;
      return add_term(begin, Operation::negate, value, value, value);
    }
    if (take("+")) {
      go_down();
      const Operand value = read_signed();
      --depth_;
      return value;
    }
    const Operand base = read_value();
    skip_blanks();
    const std::size_t sign = at_;
    if (!take("^")) return base;
    go_down();
    const Operand exponent = read_signed();
    --depth_;
    return add_term(sign, Operation::power, base, exponent, exponent);
  }

  Operand read_value() {
    if (at_end()) fail(unexpected());
    if (take("(")) {
      const Operand value = read_choice();
      expect(")");
      return value;
    }
    const char c = text_[at_];
    if (is_digit(c) || c == '.') return read_number();
    if (is_name_start(c)) return read_name();
    fail(unexpected());
  }

  Operand read_number() {
    double value = 0.0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range) fail("a number out of range");
    if (error != std::errc()) fail(unexpected());
    at_ += static_cast<std::size_t>(end - begin);
    if (at_ < text_.size() && is_in_name(text_[at_])) fail(unexpected());
    return add_number(value);
  }

  Operand read_name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_in_name(text_[at_])) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (const Function* function = find_function(name)) return read_call(*function, begin);
    if (name == "pi" || name == "_pi") return add_number(std::numbers::pi);
    if (name == "_e") return add_number(std::numbers::e);
    for (std::size_t k = 0; k < tables_.size(); ++k)
      if (tables_[k].name == name) return read_look_up(k, begin);
    skip_blanks();
    if (at_ < text_.size() && text_[at_] == '(') {
      at_ = begin;
      fail("unknown function '" + std::string(name) + "'" +
           nearest_hint(std::string(name), callable_names()));
    }
    const auto [known, is_new] =
        name_index_.try_emplace(name, static_cast<int>(expression_.names.size()));
    if (is_new) {
      count_one_more();
      expression_.names.emplace_back(name);
    }
    return {Operand::List::name, known->second};
  }

  std::vector<std::string> callable_names() const {
    std::vector<std::string> names;
    for (const Function& function : kFunctions) names.emplace_back(function.name);
    for (const NamedTable& table : tables_) names.push_back(table.name);
    return names;
  }

  /// `count` arguments, or any number where it is 0.
  std::vector<Operand> read_arguments(const std::string& name, int count) {
    if (!take("(")) fail("'" + name + "' without arguments");
    std::vector<Operand> given;
    do {
      given.push_back(read_choice());
    } while (take(","));
    expect(")");
    if (count != 0 && given.size() != static_cast<std::size_t>(count))
      fail("'" + name + "' is given " + std::to_string(given.size()) +
           " arguments where it takes " + std::to_string(count));
    return given;
  }

  Operand read_call(const Function& function, std::size_t begin) {
    const std::vector<Operand> given =
        read_arguments(std::string(function.name), function.arguments);
    if (function.arguments == 0) return fold(function, given, begin);
    return add_term(begin, function.operation, given[0], given.back(), given.back());
  }

  Operand read_look_up(std::size_t table, std::size_t begin) {
    const int count = tables_[table].table->arguments();
    const std::vector<Operand> given = read_arguments(tables_[table].name, count);
    const Operation operation = count == 1 ? Operation::look_up_1 : Operation::look_up_2;
    const Operand value = add_term(begin, operation, given[0], given.back(), given.back());
    terms_.back().table = static_cast<int>(table);
    return value;
  }

  /// min, max, sum, avg of any number of values, from the left.
  Operand fold(const Function& function, const std::vector<Operand>& given, std::size_t begin) {
    const bool mean = function.operation == Operation::divide;
    const Operation each = mean ? Operation::add : function.operation;
    Operand value = given[0];
    for (std::size_t k = 1; k < given.size(); ++k)
      value = add_term(begin, each, value, given[k], given[k]);
    if (!mean) return value;
    const Operand count = add_number(static_cast<double>(given.size()));
    return add_term(begin, Operation::divide, value, count, count);
  }

  int place_of(Operand operand) const {
    const auto names = static_cast<int>(expression_.names.size());
    const auto numbers = static_cast<int>(expression_.numbers.size());
    switch (operand.list) {
      case Operand::List::name:
        return operand.index;
      case Operand::List::number:
        return names + operand.index;
      case Operand::List::term:
        break;
    }
    return names + numbers + operand.index;
  }

  void finish(Operand result) {
    for (const Pending& term : terms_) {
      expression_.terms.push_back({term.operation, place_of(term.operands[0]),
                                   place_of(term.operands[1]), place_of(term.operands[2]),
                                   term.table});
      expression_.columns.push_back(term.column);
    }
    for (const NamedTable& table : tables_) expression_.tables.push_back(table.table);
    expression_.result = place_of(result);
  }

  std::string_view text_;
  const std::vector<NamedTable>& tables_;
  std::unordered_map<std::string_view, int> name_index_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::vector<Pending> terms_;
  Expression expression_;
};

}  // namespace

bool is_expression_function(std::string_view name) { return find_function(name) != nullptr; }
bool is_expression_constant(std::string_view name) {
  return name == "pi" || name == "_pi" || name == "_e";
}
bool is_expression_name(std::string_view name) {
  return !name.empty() && is_name_start(name.front()) &&
         std::all_of(name.begin(), name.end(), is_in_name);
}

Expression compile_expression(std::string_view text) { return compile_expression(text, {}); }

Expression compile_expression(std::string_view text, const std::vector<NamedTable>& tables) {
  return Compiler(text, tables).run();
}

}  // namespace semirec
