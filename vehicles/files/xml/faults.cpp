#include "vehicles/files/xml/faults.hpp"

#include <algorithm>
#include <string>

namespace semirec {

namespace {

/// What is told in one call: a screen of lines.
constexpr std::size_t kMostTold = 20;

/// What an error says without the element's name: the same for all uses of a template, and for all
/// elements that an override changes.
std::string without_name(const ModelError& error) {
  const std::string words = error.what();
  const std::string before = "element '";
  const std::size_t begin = words.find(before);
  const std::size_t end = begin == std::string::npos ? begin : words.find("': ", begin);
  return end == std::string::npos ? words : words.substr(0, begin) + words.substr(end);
}

/// Errors as one, with a line each.
class SeveralErrors final : public ModelError {
 public:
  explicit SeveralErrors(const std::vector<ModelError>& errors) : ModelError(errors.front()) {
    for (const ModelError& error : errors)
      lines_ += (lines_.empty() ? "" : "\n") + std::string(error.what());
  }
  const char* what() const noexcept override { return lines_.c_str(); }

 private:
  std::string lines_;
};

}  // namespace

void Faults::add(const ModelError& error) {
  const std::string words = without_name(error);
  const bool told = std::any_of(errors_.begin(), errors_.end(), [&](const ModelError& other) {
    return without_name(other) == words;
  });
  if (told) return;
  if (errors_.size() < kMostTold)
    errors_.push_back(error);
  else
    ++untold_;
}

void Faults::tell() const {
  if (errors_.empty()) return;
  if (untold_ == 0) throw SeveralErrors(errors_);
  std::vector<ModelError> errors = errors_;
  errors.emplace_back("and " + std::to_string(untold_) + " more errors, expected none");
  throw SeveralErrors(errors);
}

}  // namespace semirec
