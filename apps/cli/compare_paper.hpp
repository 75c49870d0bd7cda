#pragma once

#include <functional>
#include <string>

#include <nlohmann/json.hpp>

namespace semirec::cli {

/// Tables 1 to 4 of the hybrid paper, measured again.
struct PaperComparison {
  std::string text;
  std::string csv;
  nlohmann::ordered_json json;
};

/// `folder` holds models/ and scenarios/. A table whose files cannot be read says so in a line; the
/// others are made.
PaperComparison compare_with_paper(const std::string& folder, int repeat,
                                   const std::function<bool()>& interrupted);

/// Shows what is being measured, on a terminal only.
class CompareProgress {
 public:
  CompareProgress();
  ~CompareProgress();
  void show(const std::string& what);

 private:
  bool terminal_;
  bool shown_ = false;
};

}  // namespace semirec::cli
