#include "apps/cli/number_list.hpp"

#include <cmath>

#include "apps/cli/command.hpp"
#include "topology/mechanism.hpp"

namespace semirec::cli {

namespace {

constexpr double kMost = 10000;

std::vector<double> split(const std::string& text, char between, bool& good) {
  std::vector<double> numbers;
  std::size_t from = 0;
  while (good) {
    const std::size_t to = text.find(between, from);
    const std::string word = text.substr(from, to == std::string::npos ? to : to - from);
    double value = 0.0;
    good = !word.empty() && parse_number(word, value) && std::isfinite(value) &&
           word.find_first_of(" \t\nxX") == std::string::npos;
    numbers.push_back(value);
    if (to == std::string::npos) break;
    from = to + 1;
  }
  return numbers;
}

}  // namespace

std::vector<double> read_numbers(const std::string& option, const std::string& text) {
  bool good = true;
  const bool range = text.find(':') != std::string::npos;
  std::vector<double> numbers = split(text, range ? ':' : ',', good);
  const auto fail = [&](const std::string& what) {
    throw ModelError("option " + option + ": '" + text + "' " + what +
                     ", expected a number, several with commas between, or from:to:step");
  };
  if (!good) fail("is no list of numbers");
  if (!range) return numbers;
  if (numbers.size() != 3) fail("is no range");
  const double from = numbers[0];
  const double step = numbers[2];
  if (step == 0.0) fail("has a step of 0");
  const double count = (numbers[1] - from) / step;
  if (!(count >= 0.0)) fail("has a step that does not lead from the first to the second");
  if (count > kMost) fail("has more than 10000 numbers");
  numbers.clear();
  for (int k = 0; k <= static_cast<int>(count + 1e-9); ++k) numbers.push_back(from + k * step);
  return numbers;
}

}  // namespace semirec::cli
