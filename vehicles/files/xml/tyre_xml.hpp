#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "vehicles/files/xml/elements.hpp"
#include "vehicles/tyre/read_tyre.hpp"
#include "vehicles/tyre/wheel.hpp"

namespace semirec {

/// The tyres that a description declares, made into laws as wheels call for them.
class TyreShelf {
 public:
  /// `kept`, if given, is that of the same files without overrides: its laws serve where both lists
  /// share the tyre's element. Lists and shelf outlive this one.
  explicit TyreShelf(const Elements& elements, const TyreShelf* kept = nullptr);

  /// Law of the tyre that the wheel's attribute `tyre` names, for its side of the car; the same one
  /// for all wheels of a side. Files are looked up beside the description. What a file asks for and
  /// does not get is added to `notes` once. Throws ModelError.
  std::shared_ptr<const TyreLaw> find(const Element& wheel, Side mounted,
                                      std::vector<std::string>& notes);
  /// Size of the tyre that the wheel's attribute `tyre` names, as its file has it; after find().
  TyreSize size_of(const Element& wheel) const;

 private:
  struct Made {
    std::shared_ptr<const TyreLaw> law;
    TyreSize size;
    std::vector<std::string> notes;
  };
  Made make(const Element& tyre, Side mounted) const;

  const TyreShelf* kept_;
  std::map<std::string, const Element*> tyres_;
  std::map<std::pair<std::string, Side>, Made> made_;
};

}  // namespace semirec
