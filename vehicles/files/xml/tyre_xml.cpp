#include "vehicles/files/xml/tyre_xml.hpp"

#include <filesystem>

#include "topology/nearest.hpp"
#include "vehicles/tyre/fiala_tyre.hpp"
#include "vehicles/tyre/foreign_registry.hpp"
#include "vehicles/tyre/linear_tyre.hpp"
#include "vehicles/tyre/tir_file.hpp"
#include "vehicles/tyre/tmeasy_tyre.hpp"

namespace semirec {

namespace {

/// What the laws without a file share.
RadialTyre read_radial(const Element& law) {
  RadialTyre radial;
  radial.radius = law.number("radius");
  radial.stiffness = law.number("stiffness");
  radial.damping = law.number("damping");
  radial.nominal_load = law.number("nominal_load");
  radial.rolling_resistance = law.number("rolling_resistance");
  radial.deflection_share = law.number("deflection_share");
  radial.relaxation_x = law.number("relaxation_x");
  radial.relaxation_y = law.number("relaxation_y");
  return radial;
}

std::shared_ptr<const TyreLaw> read_linear(const Element& law) {
  LinearTyreParameters p;
  p.radial = read_radial(law);
  p.slip_stiffness = law.number("slip_stiffness");
  p.cornering_stiffness = law.number("cornering_stiffness");
  p.camber_stiffness = law.number("camber_stiffness");
  p.trail = law.number("trail");
  return std::make_shared<LinearTyre>(p);
}

std::shared_ptr<const TyreLaw> read_fiala(const Element& law) {
  FialaTyreParameters p;
  p.radial = read_radial(law);
  p.slip_stiffness = law.number("slip_stiffness");
  p.cornering_stiffness = law.number("cornering_stiffness");
  p.camber_stiffness = law.number("camber_stiffness");
  p.friction = law.number("friction");
  p.friction_fall = law.number("friction_fall");
  p.contact_half_length = law.number("contact_half_length");
  return std::make_shared<FialaTyre>(p);
}

/// A law that the program around brings: only who links the library has one.
std::shared_ptr<const TyreLaw> read_foreign(const Element& law) {
  const RadialTyre radial = read_radial(law);
  const std::string& name = law.text("function");
  const auto registered = find_foreign_tyre(name);
  if (!registered)
    law.fail("function", "is '" + name +
                             "', which is not registered, expected a tyre that the program has "
                             "registered before it reads the file" +
                             nearest_hint(name, foreign_tyre_names()));
  return std::make_shared<ForeignTyre>(radial, name, registered->function, registered->user);
}

TmeasyCurve read_curve(const Element& law, const std::string& axis, const std::string& load) {
  TmeasyCurve curve;
  curve.initial_slope = law.number("dF" + axis + "0" + load);
  curve.slip_at_maximum = law.number("s" + axis + "M" + load);
  curve.maximum = law.number("F" + axis + "M" + load);
  curve.slip_at_sliding = law.number("s" + axis + "S" + load);
  curve.sliding = law.number("F" + axis + "S" + load);
  return curve;
}

std::shared_ptr<const TyreLaw> read_tmeasy(const Element& law, std::vector<std::string>& notes) {
  TmeasyTyreParameters p;
  p.radial = read_radial(law);
  const char* const loads[2] = {"", "_2"};
  for (std::size_t k = 0; k < 2; ++k) {
    p.x[k] = read_curve(law, "x", loads[k]);
    p.y[k] = read_curve(law, "y", loads[k]);
    const std::string load = loads[k];
    p.trail[k].share = law.number("nL0" + load);
    p.trail[k].slip_at_zero = law.number("sy0" + load);
    p.trail[k].slip_at_end = law.number("syE" + load);
  }
  p.camber_slip = law.number("camber_slip");
  if (law.has("maximum_load")) p.maximum_load = law.number("maximum_load");
  // the patch follows where slope and carcass balance
  if (!law.has("relaxation_x") && law.has("stiffness_x"))
    p.radial.relaxation_x = p.x[0].initial_slope / law.number("stiffness_x");
  if (!law.has("relaxation_y") && law.has("stiffness_y"))
    p.radial.relaxation_y = p.y[0].initial_slope / law.number("stiffness_y");
  std::string unused;
  for (const char* name :
       {"stiffness_2", "damping_x", "damping_y", "radius_weight", "radius_weight_2",
        "rolling_resistance_2", "friction", "width", "rim_radius"})
    if (law.has(name)) unused += (unused.empty() ? "" : ", ") + std::string(name);
  if (!unused.empty())
    notes.push_back(law.source.file + ":" + std::to_string(law.source.line) +
                    ": element 'tmeasy': read and not used: " + unused);
  return std::make_shared<TmeasyTyre>(p);
}

std::shared_ptr<const TyreLaw> read_inline(const Element& tyre, std::vector<std::string>& notes) {
  const Element& law = tyre.children.front();
  try {
    if (law.kind == "linear") return read_linear(law);
    if (law.kind == "fiala") return read_fiala(law);
    if (law.kind == "foreign") return read_foreign(law);
    return read_tmeasy(law, notes);
  } catch (const ModelError& error) {
    // a law's own complaint, of check_tyre_number(), knows no place
    const std::string text = error.what();
    const std::string begin = "tyre '";
    const std::size_t end = text.find("' ", begin.size());
    if (text.rfind(begin, 0) != 0 || end == std::string::npos) throw;
    const std::string name = text.substr(begin.size(), end - begin.size());
    // some names stand for what several attributes make
    if (law.has(name)) law.fail(name, text.substr(end + 2));
    law.fail("'" + name + "' " + text.substr(end + 2));
  }
}

TyreSize read_size(const TirFile& tir) {
  const auto length = [&](const char* name) {
    const TirKey* key = tir.find(name);
    return key != nullptr && key->is_number && key->value > 0.0 ? key->value : 0.0;
  };
  return {length("WIDTH"), length("RIM_RADIUS")};
}

}  // namespace

TyreShelf::TyreShelf(const Elements& elements, const TyreShelf* kept) : kept_(kept) {
  for (const Element& element : elements)
    if (element.kind == "tyre") tyres_[element.name] = &element;
}

TyreShelf::Made TyreShelf::make(const Element& tyre, Side mounted) const {
  if (kept_ != nullptr) {
    const auto made = kept_->made_.find({tyre.name, mounted});
    // what a program registers may have changed
    if (made != kept_->made_.end() && kept_->tyres_.at(tyre.name) == &tyre &&
        tyre.child("foreign") == nullptr)
      return made->second;
  }
  if (tyre.has("file") == !tyre.children.empty() || tyre.children.size() > 1)
    tyre.fail(
        "has not one law, expected file=\"....tir\" or one of <linear>, <fiala>, <tmeasy>, "
        "<foreign>");
  Made made;
  if (tyre.has("file")) {
    const Attribute& file = *tyre.find("file");
    // what the command line names lies beside the description
    const std::string& from = file.source.line > 0 ? file.source.file : tyre.source.file;
    const std::string path = (std::filesystem::path(from).parent_path() / file.value).string();
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
      tyre.fail("file", "is '" + file.value + "', but '" + path +
                            "' is no file, expected a tyre property file (.tir), its path "
                            "relative to this one");
    const std::string text = read_tir_text(path);
    made.law = read_tyre_text(text, path, mounted, &made.notes);
    made.size = read_size(parse_tir(text, path));
  } else {
    // each number is one, also where the law has no use for it
    const Element& written = tyre.children.front();
    for (const Attribute& attribute : written.attributes)
      if (written.row->find(attribute.name)->kind == Kind::number)
        static_cast<void>(written.number(attribute.name));
    made.law = read_inline(tyre, made.notes);
  }
  return made;
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
  const auto known = made_.find({name, mounted});
  if (known != made_.end()) return known->second.law;
  const Made& made = made_[{name, mounted}] = make(*found->second, mounted);
  const Side other = mounted == Side::left ? Side::right : Side::left;
  if (made_.find({name, other}) == made_.end())
    notes.insert(notes.end(), made.notes.begin(), made.notes.end());
  return made.law;
}

TyreSize TyreShelf::size_of(const Element& wheel) const {
  for (const Side side : {Side::left, Side::right}) {
    const auto found = made_.find({wheel.text("tyre"), side});
    if (found != made_.end()) return found->second.size;
  }
  return {};
}

}  // namespace semirec
