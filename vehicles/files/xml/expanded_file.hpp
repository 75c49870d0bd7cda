#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vehicles/files/xml/document.hpp"
#include "vehicles/files/xml/expansion_record.hpp"

namespace semirec {

struct Redefinition;

/// A file that is loaded many times, with other overrides: it is parsed once and, but where an
/// override may decide which elements there are, its includes and templates are written out once.
/// Files must stay as they are meanwhile. Nothing changes it: threads may share it.
class ExpandedFile {
 public:
  /// Throws nothing: what is wrong with the file load() says.
  ExpandedFile(std::string path, std::vector<std::string> roots);
  /// As load_document().
  Document load(const std::vector<Override>& overrides) const;

 private:
  /// The file without overrides.
  struct Plain {
    Document document;
    std::vector<std::vector<std::size_t>> reads;  ///< of the elements, definitions of the record
    std::vector<std::size_t> root_reads;
    bool faultless = false;
  };
  void record_plain();
  std::vector<std::size_t> write_values(const Redefinition& redefined, Document& document) const;
  std::optional<Document> load_plain(const std::vector<Override>& overrides) const;

  std::string path_;
  std::vector<std::string> roots_;
  ExpansionRecord record_;
  std::optional<Plain> plain_;  ///< none: it cannot be read without overrides
};

}  // namespace semirec
