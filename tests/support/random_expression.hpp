#pragma once

#include <random>
#include <string>
#include <vector>

namespace semirec::test {

/// Text of random operations on x, y, z and numbers: brackets where they change the meaning, and
/// where they do not.
class RandomExpression {
 public:
  explicit RandomExpression(unsigned seed) : random_(seed) {}

  std::string operator()(int depth) {
    if (depth == 0 || roll(8) == 0) return leaf();
    switch (roll(9)) {
      case 0:
        return "(" + (*this)(depth - 1) + ")";
      case 1:
        return "-" + leaf();
      case 2:
        return one_of({"sin", "cos", "tan", "atan", "tanh", "exp", "abs", "sqrt", "ln", "log10",
                       "rint", "sign"}) +
               "(" + (*this)(depth - 1) + ")";
      case 3:
        return one_of({"min", "max", "sum", "avg"}) + "(" + (*this)(depth - 1) + ", " +
               (*this)(depth - 1) + ", " + leaf() + ")";
      case 4:
        return "atan2(" + (*this)(depth - 1) + "," + (*this)(depth - 1) + ")";
      case 5:
        return "(" + (*this)(depth - 1) + " ? " + (*this)(depth - 1) + " : " + (*this)(depth - 1) +
               ")";
      case 6:
        return leaf() + "^" + one_of({"2", "3", "-1", "0.5", "y"});
      default:
        return (*this)(depth - 1) +
               one_of({" + ", "-", "*", " / ", "<", " <= ", ">", ">=", "==", "!=", " && ", "||"}) +
               (*this)(depth - 1);
    }
  }

 private:
  int roll(int sides) { return std::uniform_int_distribution<int>(0, sides - 1)(random_); }
  std::string one_of(const std::vector<std::string>& choices) {
    return choices[static_cast<std::size_t>(roll(static_cast<int>(choices.size())))];
  }
  std::string leaf() { return one_of({"x", "y", "z", "2", "0.25", "1e-3", ".5", "3.", "17"}); }

  std::mt19937 random_;
};

}  // namespace semirec::test
