#include "vehicles/equations/equation_program.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <map>
#include <utility>

#include "topology/indices.hpp"
#include "vehicles/expressions/margin.hpp"

namespace semirec {

namespace {

/// A value by the list that it stands in, until the lists have their lengths.
struct CodePlace {
  enum class List { outside, stored, number, term } list = List::number;
  int index = 0;

  auto operator<=>(const CodePlace&) const = default;
};

/// Variables of which each needs the next: as deep the search for what is needed goes.
constexpr std::size_t kLongestChain = 1000;

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
    for (const Pending& term : pending_)
      program_.terms.push_back({term.operation, resolve(term.operands[0]),
                                resolve(term.operands[1]), resolve(term.operands[2]), term.table});
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

    auto operator<=>(const Pending&) const = default;
  };

  /// Adds the code of a variable behind that of those it needs.
  CodePlace value_of(std::size_t e) {
    if (const auto found = place_.find(e); found != place_.end()) return found->second;
    if (const auto begin = std::find(open_.begin(), open_.end(), e); begin != open_.end()) {
      // of a long one the two ends
      constexpr std::ptrdiff_t kShown = 4;
      const std::ptrdiff_t left_out = open_.end() - begin - 2 * kShown;
      std::string circle;
      for (auto member = begin; member != open_.end(); ++member) {
        if (left_out > 1 && member - begin == kShown) {
          circle += std::to_string(left_out) + " more, of which the last needs ";
          member += left_out;
        }
        circle += "'" + equations_[*member].name + "', which needs ";
      }
      const Equation& first = equations_[e];
      throw ModelError(first.formula.source, first.name,
                       "needs itself: " + circle + "'" + first.name +
                           "', expected a state, a hold or a delay somewhere in the circle");
    }
    if (open_.size() >= kLongestChain)
      throw ModelError(equations_[e].formula.source, equations_[e].name,
                       "is needed by '" + equations_[open_.front()].name + "' through a chain of " +
                           std::to_string(kLongestChain) +
                           " variables, expected fewer one behind the other, or each behind those "
                           "that it needs");
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
    for (const double number : code.numbers) places.push_back(add_number(number));
    for (const Term& term : code.terms)
      places.push_back(add_term({term.operation,
                                 term.table,
                                 {places[at(term.a)], places[at(term.b)], places[at(term.c)]}}));
    return places[at(code.result)];
  }

  /// One place for each number. That of -0 is its own: 1/0 has a sign.
  CodePlace add_number(double number) {
    const auto [found, is_new] = number_places_.emplace(std::pair{number, std::signbit(number)},
                                                        static_cast<int>(program_.numbers.size()));
    if (is_new) program_.numbers.push_back(number);
    return {CodePlace::List::number, found->second};
  }

  /// What several formulas have in common is computed once.
  CodePlace add_term(Pending term) {
    const CodePlace& exponent = term.operands[1];
    if (term.operation == Operation::power && exponent.list == CodePlace::List::number &&
        program_.numbers[at(exponent.index)] == 2.0) {
      const CodePlace base = term.operands[0];
      term = {Operation::multiply, term.table, {base, base, base}};  // a square is a product
    }
    const auto [found, is_new] = term_places_.emplace(term, static_cast<int>(pending_.size()));
    if (is_new) pending_.push_back(term);
    return {CodePlace::List::term, found->second};
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
        return static_cast<int>(program_.leaf_count()) + operand.index;
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
  std::map<std::pair<double, bool>, int> number_places_;  ///< of a number and its sign
  std::map<Pending, int> term_places_;
};

/// [value] 1 where one of `of` needs it.
std::vector<char> find_needed(const EquationProgram& program, const std::vector<int>& of) {
  std::vector<char> needed(program.value_count(), 0);
  for (const int index : of) needed[at(index)] = 1;
  const std::size_t leaves = program.leaf_count();
  for (std::size_t k = program.terms.size(); k-- > 0;) {
    if (needed[leaves + k] == 0) continue;
    const Term& term = program.terms[k];
    for (const int operand : {term.a, term.b, term.c}) needed[at(operand)] = 1;
  }
  return needed;
}

}  // namespace

EquationProgram make_equation_program(const Equations& equations) {
  return Joiner(equations).run();
}

void arrange(EquationProgram& program, const std::vector<char>& moving) {
  enum Part { kFixed, kMoving, kLive, kAfter, kLate, kParts };
  const std::size_t leaves = program.leaf_count();
  std::vector<int> rates;
  for (const int state : program.states) rates.push_back(program.formula[at(state)]);
  const std::vector<char> needed_by_rates = find_needed(program, rates);
  std::vector<int> in_the_step = program.value;
  in_the_step.insert(in_the_step.end(), rates.begin(), rates.end());
  const std::vector<char> needed = find_needed(program, in_the_step);

  std::vector<Part> parts(leaves, kFixed);
  for (std::size_t k = 0; k < program.outside.size(); ++k)
    if (moving[k] != 0) parts[k] = kMoving;
  for (const int state : program.states) parts[at(program.value[at(state)])] = kLive;
  std::array<std::vector<std::size_t>, kParts> members;
  for (std::size_t k = 0; k < program.terms.size(); ++k) {
    const Term& term = program.terms[k];
    Part part = std::max({parts[at(term.a)], parts[at(term.b)], parts[at(term.c)]});
    if (part == kLive && needed_by_rates[leaves + k] == 0) part = kAfter;
    if (needed[leaves + k] == 0) part = kLate;
    parts.push_back(part);
    members[part].push_back(k);
  }

  std::vector<int> place;  // [value] after
  for (std::size_t k = 0; k < leaves; ++k) place.push_back(static_cast<int>(k));
  place.resize(program.value_count());
  std::vector<Term> terms;
  for (const std::vector<std::size_t>& part : members)
    for (const std::size_t k : part) {
      place[leaves + k] = static_cast<int>(leaves + terms.size());
      const Term& term = program.terms[k];
      terms.push_back(
          {term.operation, place[at(term.a)], place[at(term.b)], place[at(term.c)], term.table});
    }
  program.terms = std::move(terms);
  program.first_moving = members[kFixed].size();
  program.first_live = program.first_moving + members[kMoving].size();
  program.first_after = program.first_live + members[kLive].size();
  program.first_late = program.first_after + members[kAfter].size();
  for (std::vector<int>* all :
       {&program.value, &program.formula, &program.off, &program.margin_on, &program.margin_off})
    for (int& index : *all)
      if (index >= 0) index = place[at(index)];
}

std::vector<char> find_dependence(const EquationProgram& program, int index) {
  std::vector<char> needed = find_needed(program, {index});
  needed.resize(program.leaf_count());
  return needed;
}

}  // namespace semirec
