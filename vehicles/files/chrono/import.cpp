#include "vehicles/files/chrono/import.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include <Eigen/Geometry>

#include "topology/quoted_names.hpp"
#include "vehicles/files/chrono/parts.hpp"
#include "vehicles/files/chrono/suspensions.hpp"

namespace semirec::chrono {

namespace {

using Eigen::Vector3d;

constexpr std::size_t kMostAxles = 20;
constexpr std::size_t kMostSteerings = 8;
/// Single wheels, then twin ones; left before right.
constexpr std::array<const char*, 6> kWheelKeys{
    "Left Wheel Input File",         "Right Wheel Input File",
    "Left Inside Wheel Input File",  "Right Inside Wheel Input File",
    "Left Outside Wheel Input File", "Right Outside Wheel Input File"};

/// Throws unless the file is of a type.
Json of_type(const Json& file, const std::string& type) {
  const Json given = file.at("Type");
  if (given.text() != type)
    given.fail("is '" + printable(given.text()) + "', expected '" + type + "'");
  (void)file.find("Name");
  return file;
}

/// All references of a vehicle file, in its order.
std::vector<Json> references(const Json& file) {
  std::vector<Json> all{file.at("Chassis").at("Input File")};
  for (const Json& axle : file.at("Axles").items(kMostAxles))
    for (const char* key :
         {"Suspension Input File", "Left Wheel Input File", "Right Wheel Input File",
          "Left Inside Wheel Input File", "Right Inside Wheel Input File",
          "Left Outside Wheel Input File", "Right Outside Wheel Input File",
          "Left Brake Input File", "Right Brake Input File", "Antirollbar Input File"})
      if (const auto reference = axle.find(key)) all.push_back(*reference);
  if (const auto steerings = file.find("Steering Subsystems"))
    for (const Json& steering : steerings->items(kMostSteerings))
      all.push_back(steering.at("Input File"));
  if (const auto driveline = file.find("Driveline")) all.push_back(driveline->at("Input File"));
  return all;
}

/// Names every file that is missing in one complaint.
void need_all(const JsonFolder& folder, const std::vector<Json>& all) {
  const Json* first = nullptr;
  std::vector<std::string> missing;
  for (const Json& reference : all) {
    if (!folder.find(reference).empty()) continue;
    if (first == nullptr) first = &reference;
    const std::string name = printable(reference.text());
    if (std::find(missing.begin(), missing.end(), name) == missing.end()) missing.push_back(name);
  }
  if (first == nullptr) return;
  std::string names;
  for (const std::string& name : missing) add_quoted(names, name);
  first->fail("names a file that is not in the data folder, expected there: " + names);
}

/// The "Template" of a file where it is none of those that are covered.
class UncoveredTemplates {
 public:
  void look_at(const Json& file, const std::vector<std::string>& covered) {
    const Json name = file.at("Template");
    if (std::find(covered.begin(), covered.end(), name.text()) != covered.end()) return;
    if (!first_) {
      first_ = name;
      covered_ = covered;
      return;
    }
    const std::string one = "'" + printable(name.text()) + "' (" + name.source().file + ":" +
                            std::to_string(name.source().line) + ")";
    if (name.source().file == first_->source().file || others_.find(one) != std::string::npos)
      return;
    others_ += (others_.empty() ? "" : ", ") + one;
  }
  /// Refuses all of them in one line.
  void refuse() const {
    if (!first_) return;
    if (others_.empty()) refuse_template(*first_, covered_);
    std::string all;
    for (const std::string& one : covered_) all += (all.empty() ? "" : ", ") + one;
    first_->fail("is '" + printable(first_->text()) + "', which is not covered, neither are " +
                 others_ + "; expected " + (covered_.size() > 1 ? "one of " : "") + all);
  }

 private:
  std::optional<Json> first_;
  std::vector<std::string> covered_;
  std::string others_;
};

/// All files that a vehicle file names have templates that are covered.
void need_templates(const JsonFolder& folder, const Json& file, const std::optional<Json>& tyre,
                    bool with_drive, const std::optional<Json>& engine,
                    const std::optional<Json>& transmission) {
  UncoveredTemplates uncovered;
  const auto look = [&](const Json& reference, const char* type,
                        const std::vector<std::string>& covered) {
    uncovered.look_at(of_type(folder.open(reference), type), covered);
  };
  look(file.at("Chassis").at("Input File"), "Chassis", {"RigidChassis"});
  if (const auto steerings = file.find("Steering Subsystems"))
    for (const Json& steering : steerings->items(kMostSteerings))
      look(steering.at("Input File"), "Steering", steering_templates());
  for (const Json& axle : file.at("Axles").items(kMostAxles)) {
    look(axle.at("Suspension Input File"), "Suspension", suspension_templates());
    for (const char* key : kWheelKeys)
      if (const auto wheel = axle.find(key)) look(*wheel, "Wheel", {"Wheel"});
    if (with_drive)
      for (const char* key : {"Left Brake Input File", "Right Brake Input File"})
        if (const auto brake = axle.find(key)) look(*brake, "Brake", brake_templates());
    if (const auto bar = axle.find("Antirollbar Input File"))
      look(*bar, "Antirollbar", {"AntirollBarRSD"});
  }
  if (tyre) uncovered.look_at(*tyre, tyre_templates());
  if (with_drive && engine && transmission) {
    if (const auto driveline = file.find("Driveline"))
      look(driveline->at("Input File"), "Driveline", driveline_templates());
    uncovered.look_at(*engine, engine_templates());
    uncovered.look_at(*transmission, transmission_templates());
  }
  uncovered.refuse();
}

/// `f` and `r` on two axles, else their numbers.
std::string axle_name(std::size_t index, std::size_t count) {
  if (count <= 2) return index == 0 ? "f" : "r";
  return std::to_string(index + 1);
}

std::string steering_suffix(std::size_t index) {
  return index == 0 ? "" : std::to_string(index + 1);
}

/// What an axle of the vehicle file says, as far as it stands before anything is built.
struct AxleData {
  Json entry;
  Json suspension;
  Vector3d location;
  Vector3d centre;  ///< of the left spindle in the chassis frame, m
};

std::vector<AxleData> read_axles(const JsonFolder& folder, const Json& file) {
  std::vector<AxleData> axles;
  for (const Json& entry : file.at("Axles").items(kMostAxles)) {
    for (const char* key : {"Chassis Index", "Subchassis Index"})
      if (const auto other = entry.find(key); other && other->number() >= 0.0)
        other->fail("is not covered, expected an axle on the one chassis");
    const Json suspension = of_type(folder.open(entry.at("Suspension Input File")), "Suspension");
    const Vector3d location = entry.at("Suspension Location").vector();
    const Vector3d centre = location + suspension.at("Spindle").at("COM").vector();
    axles.push_back({entry, suspension, location, centre});
  }
  if (axles.empty()) file.at("Axles").fail("is empty, expected axles");
  return axles;
}

/// The chassis is free. Axles of different height in the chassis frame let it start inclined, so
/// that the tyres of the first and the last axle touch the ground.
XmlNode chassis_joint(const std::vector<AxleData>& axles, double radius, const Vector3d& com) {
  XmlNode joint = element("joint");
  joint.set("name", "chassis_joint").set("type", "free").set("a", "ground").set("b", "chassis");
  const Vector3d base = axles.front().centre - axles.back().centre;
  if (std::abs(base.z()) < 1e-6 || std::abs(base.z()) > 0.5 * std::abs(base.x())) return joint;
  const double pitch = std::atan(base.z() / base.x());
  const Eigen::AngleAxisd turn(pitch, Vector3d::UnitY());
  const double height = radius - (turn * axles.front().centre).z();
  const Vector3d place = turn * com + Vector3d(0.0, 0.0, height);
  return joint.set("position", in_words(place) + " 0 " + in_words(pitch) + " 0");
}

/// A wheel at a distance from the middle of its corner, to the left.
void add_one_wheel(Car& car, const Corner& corner, const std::string& name, double across,
                   const Tyre& tyre, bool rolls) {
  XmlNode wheel = element("wheel");
  wheel.set("name", name).set("body", corner.carrier);
  // also where no tyre law turns it: it starts with the car's speed
  wheel.set("rim", corner.spindle);
  wheel.set("centre", Vector3d(car.origin + corner.centre + across * corner.axis));
  wheel.set("axis", corner.axis);
  if (rolls)
    wheel.set("tyre", "tyre");
  else
    wheel.set("radius", tyre.radius).set("stiffness", tyre.stiffness).set("damping", tyre.damping);
  car.elements.push_back(std::move(wheel));
}

/// The wheel of a corner, or the outer and the inner one, which share a rim.
void add_wheels(Car& car, const Corner& corner, const Side& side, const Tyre& tyre, bool rolls) {
  const std::string name = join("wheel", corner.suffix);
  const double half = 0.5 * side.sign * side.separation;
  add_one_wheel(car, corner, name, half, tyre, rolls);
  if (side.twin) add_one_wheel(car, corner, name + "_inner", -half, tyre, rolls);
}

void add_brakes(Car& car, const JsonFolder& folder, const Json& entry, const Axle& axle,
                bool written) {
  const std::array<const char*, 2> keys{"Left Brake Input File", "Right Brake Input File"};
  for (std::size_t s = 0; s < 2; ++s) {
    const auto reference = entry.find(keys[s]);
    if (!reference) continue;
    const double torque = read_brake(car, of_type(folder.open(*reference), "Brake"));
    if (!written || torque == 0.0) continue;
    add_input(car, "brake");
    XmlNode brake = element("brake");
    brake.set("name", join("brake", axle[s].suffix)).set("wheel", join("wheel", axle[s].suffix));
    car.elements.push_back(brake.set("torque", torque).set("input", "brake"));
  }
}

/// The vehicle file itself; one that only names it is followed once.
Json open_vehicle(const JsonFolder& folder, const ImportOptions& options, Car& car,
                  std::optional<Json>& tyre) {
  Json file = of_type(folder.open_path(options.vehicle), "Vehicle");
  if (const auto inner = file.find("Vehicle")) {
    if (const auto named = file.find("Tire"); named && options.tyre.empty())
      tyre = folder.open(named->at("Input File"));
    if (const auto powertrain = file.find("Powertrain"))
      car.important.push_back(
          powertrain->note("not covered: Powertrain; give the files of engine and transmission"));
    (void)file.find("Template");
    file = of_type(folder.open(inner->at("Input File")), "Vehicle");
  }
  const Json name = file.at("Template");
  if (name.text() != "WheeledVehicle")
    name.fail("is '" + printable(name.text()) + "', which is not covered, expected WheeledVehicle");
  if (!options.tyre.empty() && !is_property_file(options.tyre))
    tyre = folder.open_path(options.tyre);
  if (tyre) (void)of_type(*tyre, "Tire");
  return file;
}

std::vector<std::string> add_steerings(Car& car, const JsonFolder& folder, const Json& file) {
  std::vector<std::string> links;
  const auto list = file.find("Steering Subsystems");
  if (!list) return links;
  for (const Json& place : list->items(kMostSteerings))
    links.push_back(add_steering(car, of_type(folder.open(place.at("Input File")), "Steering"),
                                 place, steering_suffix(links.size())));
  return links;
}

AxlePlace place_axle(const JsonFolder& folder, const AxleData& data, const std::string& name,
                     const std::vector<std::string>& links, const Tyre& tyre) {
  AxlePlace place;
  place.suffix = name;
  place.location = data.location;
  place.tierod_body = "chassis";
  if (const auto steering = data.entry.find("Steering Index"); steering && steering->number() >= 0)
    place.tierod_body = [&] {
      if (links.empty()) steering->fail("is given without 'Steering Subsystems', expected one");
      return links[static_cast<std::size_t>(steering->index(static_cast<int>(links.size()) - 1))];
    }();
  for (std::size_t s = 0; s < 2; ++s) {
    Side& side = place.sides[s];
    side.suffix = name + (s == 0 ? "l" : "r");
    side.sign = s == 0 ? 1.0 : -1.0;
    side.location = data.location;
    side.twin = data.entry.has(kWheelKeys[2 + s]);
    if (side.twin) side.separation = data.entry.at("Wheel Separation").positive();
    for (const std::size_t k : side.twin ? std::vector{2 + s, 4 + s} : std::vector{s}) {
      const Rolling wheel = read_wheel(of_type(folder.open(data.entry.at(kWheelKeys[k])), "Wheel"));
      side.rolling.mass += wheel.mass + tyre.rolling.mass;
      side.rolling.inertia += wheel.inertia + tyre.rolling.inertia;
    }
  }
  return place;
}

/// A file of the command line, or none.
std::optional<Json> open_if_given(const JsonFolder& folder, const std::string& path,
                                  const char* type) {
  if (path.empty()) return std::nullopt;
  return of_type(folder.open_path(path), type);
}

void add_drive(Car& car, const JsonFolder& folder, const ImportOptions& options, const Json& file,
               const std::optional<Json>& engine, const std::optional<Json>& transmission,
               const std::vector<std::pair<std::string, Axle>>& axles, bool rolls) {
  const auto driveline = file.find("Driveline");
  if (!driveline) return;
  if (!options.with_drive) {
    car.notes.push_back(file.note("as asked without tyre laws, brakes and driveline"));
    return;
  }
  if (!rolls || !engine || !transmission) {
    car.important.push_back(
        driveline->note("not covered: Driveline; it needs an engine, a transmission and a tyre "
                        "whose law is covered"));
    return;
  }
  std::vector<std::pair<std::string, Axle>> driven;
  for (const Json& item : driveline->at("Suspension Indexes").items(kMostAxles))
    driven.push_back(
        axles[static_cast<std::size_t>(item.index(static_cast<int>(axles.size()) - 1))]);
  add_driveline(car, of_type(folder.open(driveline->at("Input File")), "Driveline"), *engine,
                *transmission, driven);
}

/// What a driver of manoeuvres holds.
void add_controls(Car& car) {
  const auto has_input = [&](const std::string& name) {
    return std::any_of(car.elements.begin(), car.elements.end(), [&](const XmlNode& node) {
      return node.tag == "input" && node.attributes.front().second == name;
    });
  };
  XmlNode controls = element("controls");
  bool any = false;
  if (!car.steering.empty()) {
    controls.set("steering", car.steering).set("steering_ratio", car.steering_ratio);
    any = true;
  }
  for (const char* name : {"throttle", "brake", "gear"}) {
    if (!has_input(name)) continue;
    controls.set(name, std::string(name));
    any = true;
  }
  if (any) car.elements.push_back(std::move(controls));
}

/// Each note once: what makes the car drive otherwise, what else is not as in the files, and a line
/// for each file with keys that nobody asked for.
std::vector<std::string> all_notes(const Car& car, const JsonFolder& folder) {
  std::vector<std::string> notes;
  for (const auto* kind : {&car.important, &car.notes})
    for (const std::string& text : *kind)
      if (std::find(notes.begin(), notes.end(), text) == notes.end()) notes.push_back(text);
  for (const auto& [key, file] : folder.files()) {
    if (!file) continue;
    std::string keys;
    for (const std::string& path : unused_paths(*file)) keys += (keys.empty() ? "" : ", ") + path;
    if (keys.size() > 2000) keys = keys.substr(0, 2000) + " ...";
    if (!keys.empty()) notes.push_back(file->name + ": not used: " + keys);
  }
  return notes;
}

std::string height_in_words(const Car& car, bool has_tyre) {
  return "Design position: Chrono's, with the chassis reference frame at z = " +
         in_words(car.origin.z()) + " m" +
         (has_tyre ? ", so that the lowest tyre touches z = 0 with its unloaded radius."
                   : "; without a tyre file the lowest wheel centre is at z = 0.");
}

}  // namespace

std::string find_data_folder(const std::string& vehicle) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path path = fs::absolute(vehicle, error);
  const JsonFolder beside(path.parent_path().string());
  const Json file = beside.open_path(path.string());
  const auto inner = file.find("Vehicle");
  const Json reference = (inner ? *inner : file.at("Chassis")).at("Input File");
  for (fs::path folder = path.parent_path();; folder = folder.parent_path()) {
    if (!JsonFolder(folder.string()).find(reference).empty()) return folder.string();
    if (folder == folder.parent_path()) break;
  }
  reference.fail("names '" + printable(reference.text()) +
                 "', which is in none of the folders above '" + printable(vehicle, 300) +
                 "', expected --data with the folder in which it is");
}

ImportedVehicle import_vehicle(const JsonFolder& folder, const ImportOptions& options) {
  Car car;
  std::optional<Json> tyre_file;
  const Json file = open_vehicle(folder, options, car, tyre_file);
  need_all(folder, references(file));
  const auto engine = open_if_given(folder, options.engine, "Engine");
  const auto transmission = open_if_given(folder, options.transmission, "Transmission");
  if (engine.has_value() != transmission.has_value())
    (engine ? *engine : *transmission)
        .fail(engine ? "is given without a transmission, expected the files of both"
                     : "is given without an engine, expected the files of both");
  need_templates(folder, file, tyre_file, options.with_drive, engine, transmission);
  const bool has_tyre = tyre_file.has_value() || !options.tyre.empty();
  Tyre tyre;
  if (tyre_file)
    tyre = read_tyre(car, *tyre_file, folder, options.xml_folder, options.property_file);
  else if (has_tyre)
    tyre = read_property_file(car, folder, options.tyre, options.xml_folder, /*brings_mass=*/true);
  const bool rolls = options.with_drive && tyre.law.has_value();

  const std::vector<AxleData> data = read_axles(folder, file);
  double lowest = data.front().centre.z();
  for (const AxleData& axle : data) lowest = std::min(lowest, axle.centre.z());
  car.origin.z() = tyre.radius - lowest;

  const Vector3d com =
      add_chassis(car, of_type(folder.open(file.at("Chassis").at("Input File")), "Chassis"));
  car.elements.push_back(chassis_joint(data, tyre.radius, com));
  const std::vector<std::string> links = add_steerings(car, folder, file);
  if (rolls) car.elements.push_back(*tyre.law);
  std::vector<std::pair<std::string, Axle>> axles;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const std::string name = axle_name(i, data.size());
    const AxlePlace place = place_axle(folder, data[i], name, links, tyre);
    car.elements.push_back(comment("axle " + name));
    const Axle axle = add_suspension(car, data[i].suspension, place);
    if (const auto bar = data[i].entry.find("Antirollbar Input File"))
      add_antirollbar(car, of_type(folder.open(*bar), "Antirollbar"),
                      data[i].entry.at("Antirollbar Location").vector(), axle, name);
    if (has_tyre) {
      for (std::size_t s = 0; s < 2; ++s) add_wheels(car, axle[s], place.sides[s], tyre, rolls);
    } else {
      for (const Corner& corner : axle)
        car.elements.push_back(element("marker")
                                   .set("name", join("wheel", corner.suffix))
                                   .set("body", corner.carrier)
                                   .set("point", Vector3d(car.origin + corner.centre)));
    }
    add_brakes(car, folder, data[i].entry, axle, rolls);
    if (options.with_drive && !rolls && data[i].entry.has("Left Brake Input File"))
      car.important.push_back(
          file.note("not covered: brakes; they need a tyre whose law is covered"));
    axles.emplace_back(name, axle);
  }
  if (!has_tyre)
    car.important.push_back(
        file.note("no tyre is given; markers stand in the place of the wheels"));
  add_drive(car, folder, options, file, engine, transmission, axles, rolls);
  add_controls(car);

  ImportedVehicle result;
  result.mass = car.mass;
  result.property_text = rolls ? tyre.property_text : std::string();
  result.notes = all_notes(car, folder);
  const auto given = file.find("Name");
  std::string head = "From Chrono::Vehicle JSON '" +
                     printable(given ? given->text() : std::string()) + "'.\n" +
                     height_in_words(car, has_tyre);
  for (const std::string& note : result.notes) head += "\n" + note;
  XmlNode root = element("vehicle");
  root.set("name", as_name(given ? given->text() : "", "vehicle")).set("version", "1");
  root.add(comment(head));
  for (XmlNode& node : car.elements) root.add(std::move(node));
  result.xml = write_xml(root);
  return result;
}

}  // namespace semirec::chrono
