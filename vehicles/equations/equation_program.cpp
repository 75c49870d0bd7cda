#include "vehicles/equations/equation_program.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "topology/indices.hpp"
#include "vehicles/expressions/margin.hpp"

namespace semirec {

namespace {

/// A value by the list that it stands in, until the lists have their lengths.
struct CodePlace {
  enum class List { outside, stored, number, term } list = List::number;
  int index = 0;
};

class Joiner {
 public:
  explicit Joiner(const Equations& equations) : equations_(equations) {
    for (std::size_t e = 0; e < equations.size(); ++e) {
      const Equation& equation = equations[e];
      if (!index_of_.emplace(equation.name, e).second)
        throw ModelError(equation.source, equation.name,
                         "this name is used twice, expected one equation for each name");
      if (!equation.is_stored()) continue;
      place_.emplace(e,
                     CodePlace{CodePlace::List::stored, static_cast<int>(program_.stored.size())});
      program_.stored.push_back(static_cast<int>(e));
      if (equation.kind == Equation::Kind::state) program_.states.push_back(static_cast<int>(e));
    }
  }

  EquationProgram run() {
    std::vector<CodePlace> formulas;
    std::vector<CodePlace> offs;
    std::vector<std::array<CodePlace, 2>> margins;
    for (std::size_t e = 0; e < equations_.size(); ++e) {
      const Equation& equation = equations_[e];
      formulas.push_back(equation.is_stored() ? add_code(equation.formula.code) : value_of(e));
      const bool decides = equation.kind == Equation::Kind::logic;
      offs.push_back(decides ? add_code(equation.off.code) : CodePlace{});
      margins.push_back({});
      if (equation.has_margins)
        margins.back() = {add_code(margin_of(equation.formula.code)),
                          add_code(margin_of(equation.off.code))};
      if (!equation.formula.code.tables.empty()) program_.tables = equation.formula.code.tables;
    }
    sort_terms();
    for (std::size_t e = 0; e < equations_.size(); ++e) {
      program_.value.push_back(resolve(value_of(e)));
      program_.formula.push_back(resolve(formulas[e]));
      program_.off.push_back(equations_[e].kind == Equation::Kind::logic ? resolve(offs[e]) : -1);
      const bool located = equations_[e].has_margins;
      program_.margin_on.push_back(located ? resolve(margins[e][0]) : -1);
      program_.margin_off.push_back(located ? resolve(margins[e][1]) : -1);
    }
    find_followers();
    return std::move(program_);
  }

 private:
  struct Pending {
    Operation operation;
    int table;
    std::array<CodePlace, 3> operands;
  };

  /// Adds the code of a variable behind that of those it needs.
  CodePlace value_of(std::size_t e) {
    if (const auto found = place_.find(e); found != place_.end()) return found->second;
    if (const auto begin = std::find(open_.begin(), open_.end(), e); begin != open_.end()) {
      std::string circle;
      for (auto member = begin; member != open_.end(); ++member)
        circle += "'" + equations_[*member].name + "', which needs ";
      const Equation& first = equations_[e];
      throw ModelError(first.formula.source, first.name,
                       "needs itself: " + circle + "'" + first.name +
                           "', expected a state, a hold or a delay somewhere in the circle");
    }
    open_.push_back(e);
    const CodePlace place = add_code(equations_[e].formula.code);
    open_.pop_back();
    place_.emplace(e, place);
    return place;
  }

  CodePlace outside(const std::string& name) {
    const auto [found, is_new] = outside_.emplace(name, static_cast<int>(program_.outside.size()));
    if (is_new) program_.outside.push_back(name);
    return {CodePlace::List::outside, found->second};
  }

  CodePlace add_code(const Expression& code) {
    std::vector<CodePlace> places;
    for (const std::string& name : code.names) {
      const auto own = index_of_.find(name);
      places.push_back(own == index_of_.end() ? outside(name) : value_of(own->second));
    }
    for (const double number : code.numbers) {
      places.push_back({CodePlace::List::number, static_cast<int>(program_.numbers.size())});
      program_.numbers.push_back(number);
    }
    for (const Term& term : code.terms) {
      places.push_back({CodePlace::List::term, static_cast<int>(pending_.size())});
      pending_.push_back({term.operation,
                          term.table,
                          {places[at(term.a)], places[at(term.b)], places[at(term.c)]}});
    }
    return places[at(code.result)];
  }

  bool is_live(const CodePlace& operand, const std::vector<char>& live) const {
    if (operand.list == CodePlace::List::term) return live[at(operand.index)] != 0;
    return operand.list == CodePlace::List::stored &&
           equations_[at(program_.stored[at(operand.index)])].kind == Equation::Kind::state;
  }

  /// What depends on no state first, both parts in the order in which they were written.
  void sort_terms() {
    std::vector<char> live;
    for (const Pending& term : pending_)
      live.push_back(std::any_of(term.operands.begin(), term.operands.end(),
                                 [&](const CodePlace& o) { return is_live(o, live); })
                         ? 1
                         : 0);
    new_place_.resize(pending_.size());
    int next = 0;
    for (const char part : {char{0}, char{1}}) {
      if (part == 1) program_.first_live = at(next);
      for (std::size_t k = 0; k < pending_.size(); ++k)
        if (live[k] == part) new_place_[k] = next++;
    }
    program_.terms.resize(pending_.size());
    for (std::size_t k = 0; k < pending_.size(); ++k) {
      const Pending& term = pending_[k];
      program_.terms[at(new_place_[k])] = {term.operation, resolve(term.operands[0]),
                                           resolve(term.operands[1]), resolve(term.operands[2]),
                                           term.table};
    }
  }

  int resolve(const CodePlace& operand) const {
    const auto lists = static_cast<int>(program_.outside.size());
    const auto numbers = lists + static_cast<int>(program_.stored.size());
    switch (operand.list) {
      case CodePlace::List::outside:
        return operand.index;
      case CodePlace::List::stored:
        return lists + operand.index;
      case CodePlace::List::number:
        return numbers + operand.index;
      case CodePlace::List::term:
        return static_cast<int>(program_.leaf_count()) + new_place_[at(operand.index)];
    }
    return 0;
  }

  /// A hold or delay that does not come back to itself by way of others may follow at once.
  void find_followers() {
    program_.may_follow.assign(equations_.size(), 0);
    const auto follows = [&](int e) {
      const Equation::Kind kind = equations_[at(e)].kind;
      return kind == Equation::Kind::hold || kind == Equation::Kind::delay;
    };
    std::map<int, std::vector<int>> needs;  // of stored ones, by place among them
    for (const int e : program_.stored) {
      if (!follows(e)) continue;
      const std::vector<char> on = find_dependence(program_, program_.formula[at(e)]);
      for (const int other : program_.stored)
        if (follows(other) && on[at(program_.value[at(other)])] != 0) needs[e].push_back(other);
    }
    for (const int e : program_.stored) {
      if (!follows(e)) continue;
      std::vector<int> reached = needs[e];
      for (std::size_t k = 0; k < reached.size(); ++k)
        for (const int next : needs[reached[k]])
          if (std::find(reached.begin(), reached.end(), next) == reached.end())
            reached.push_back(next);
      if (std::find(reached.begin(), reached.end(), e) == reached.end())
        program_.may_follow[at(e)] = 1;
    }
  }

  const Equations& equations_;
  EquationProgram program_;
  std::map<std::string, std::size_t> index_of_;
  std::map<std::string, int> outside_;
  std::map<std::size_t, CodePlace> place_;  ///< [equation] of its value, once its code is there
  std::vector<std::size_t> open_;           ///< variables whose code is being added
  std::vector<Pending> pending_;
  std::vector<int> new_place_;
};

}  // namespace

EquationProgram make_equation_program(const Equations& equations) {
  return Joiner(equations).run();
}

std::vector<char> find_dependence(const EquationProgram& program, int index) {
  std::vector<char> needed(program.value_count(), 0);
  needed[at(index)] = 1;
  const std::size_t leaves = program.leaf_count();
  for (std::size_t k = program.terms.size(); k-- > 0;) {
    if (needed[leaves + k] == 0) continue;
    const Term& term = program.terms[k];
    for (const int operand : {term.a, term.b, term.c}) needed[at(operand)] = 1;
  }
  needed.resize(leaves);
  return needed;
}

}  // namespace semirec
