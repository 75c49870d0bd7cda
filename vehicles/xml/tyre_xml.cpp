#include "vehicles/xml/tyre_xml.hpp"

#include <filesystem>

#include "vehicles/xml/nearest.hpp"

namespace semirec {

TyreShelf::TyreShelf(const std::vector<Element>& elements) {
  for (const Element& element : elements)
    if (element.kind == "tyre") tyres_[element.name] = &element;
}

std::shared_ptr<const TyreLaw> TyreShelf::find(const Element& wheel, Side mounted,
                                               std::vector<std::string>& notes) {
  const std::string& name = wheel.text("tyre");
  const auto found = tyres_.find(name);
  if (found == tyres_.end()) {
    std::vector<std::string> names{"none", "calspan"};
    for (const auto& [known, unused] : tyres_) names.push_back(known);
    wheel.fail("tyre", "is '" + name + "', expected none, calspan or the name of a <tyre>" +
                           nearest_hint(name, names));
  }
  const auto made = laws_.find({name, mounted});
  if (made != laws_.end()) return made->second;
  const Element& tyre = *found->second;
  const Attribute& file = *tyre.find("file");
  const std::filesystem::path beside =
      std::filesystem::path(file.source.file).parent_path() / file.value;
  std::vector<std::string> said;
  const bool first =
      laws_.find({name, mounted == Side::left ? Side::right : Side::left}) == laws_.end();
  std::shared_ptr<const TyreLaw> law = read_tyre_file(beside.string(), mounted, &said);
  if (first) notes.insert(notes.end(), said.begin(), said.end());
  laws_[{name, mounted}] = law;
  return law;
}

}  // namespace semirec
