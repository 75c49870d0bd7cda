// Fingerprints of roads and tyre laws: every number counts, and the kind does.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "vehicles/road/crg_surface.hpp"
#include "vehicles/road/layered_surface.hpp"
#include "vehicles/road/mesh_surface.hpp"
#include "vehicles/road/obstacles.hpp"
#include "vehicles/road/polyline_surface.hpp"
#include "vehicles/road/profile_surface.hpp"
#include "vehicles/road/random_road.hpp"
#include "vehicles/tyre/calspan_tyre.hpp"
#include "vehicles/tyre/fiala_tyre.hpp"
#include "vehicles/tyre/foreign_tyre.hpp"
#include "vehicles/tyre/linear_tyre.hpp"
#include "vehicles/tyre/magic_tyre.hpp"
#include "vehicles/tyre/tmeasy_tyre.hpp"

namespace semirec::test {
namespace {

using Numbers = std::vector<double>;

std::uint64_t fingerprint_of(const auto& whole) {
  Fingerprint fingerprint;
  whole.put_into(fingerprint);
  return fingerprint.value();
}

/// What is seen of all fingerprints: none may come twice.
class Seen {
 public:
  void add(const std::string& what, std::uint64_t value) {
    const auto [at, fresh] = seen_.emplace(value, what);
    EXPECT_TRUE(fresh) << what << " has the fingerprint of " << at->second;
  }

 private:
  std::map<std::uint64_t, std::string> seen_;
};

/// Things of one kind made of numbers: two of the same ones agree, and each number counts.
template <typename Make>
void check_numbers(Seen& seen, const std::string& kind, const Numbers& numbers, const Make& make) {
  EXPECT_EQ(fingerprint_of(*make(numbers)), fingerprint_of(*make(numbers))) << kind;
  seen.add(kind, fingerprint_of(*make(numbers)));
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    Numbers other = numbers;
    // the smallest change that there is
    other[k] = std::nextafter(other[k], 1e9);
    seen.add(kind + " " + std::to_string(k), fingerprint_of(*make(other)));
  }
}

TEST(Fingerprints, OfRoadsHoldEachNumberAndTheKind) {
  Seen seen;
  const auto lane = [](const Numbers& n, std::size_t k) { return Lane{n[k], n[k + 1]}; };
  // alike as far as they go: the kind makes the difference
  check_numbers(seen, "plane", {0.5, 0.25, 0.125},
                [](const Numbers& n) { return std::make_unique<InclinedPlane>(n[0], n[1], n[2]); });
  check_numbers(seen, "plank", {1, 2, 0.5, 0.25, -1, 1}, [&](const Numbers& n) {
    return std::make_unique<Plank>(n[0], n[1], n[2], n[3], lane(n, 4));
  });
  check_numbers(seen, "ramp", {1, 2, 0.5, -1, 1}, [&](const Numbers& n) {
    return std::make_unique<Ramp>(n[0], n[1], n[2], lane(n, 3));
  });
  check_numbers(seen, "cosine bump", {1, 2, 0.5, -1, 1}, [&](const Numbers& n) {
    return std::make_unique<CosineBump>(n[0], n[1], n[2], lane(n, 3));
  });
  check_numbers(seen, "roof", {1, 2, 0.5, -1, 1}, [&](const Numbers& n) {
    return std::make_unique<Roof>(n[0], n[1], n[2], lane(n, 3));
  });
  check_numbers(seen, "sine road", {0.5, 2, 1, 3, -1, 1}, [&](const Numbers& n) {
    return std::make_unique<SineRoad>(n[0], n[1], n[2], n[3], lane(n, 4));
  });
  check_numbers(seen, "half round", {1, 2, -1, 1}, [&](const Numbers& n) {
    return std::make_unique<HalfRound>(n[0], n[1], lane(n, 2));
  });
  check_numbers(seen, "polyline", {1, 2, 3, 4, 5, 6}, [](const Numbers& n) {
    return std::make_unique<PolylineSurface>(
        std::vector<PolylineSurface::Point>{{n[0], n[1], n[2]}, {n[3], n[4], n[5]}});
  });
  check_numbers(seen, "profile", {1, 2, 3, 4, 0.5, 6}, [](const Numbers& n) {
    Curve left = Curve::table({{n[0], n[1]}, {n[2], n[3]}});
    left.add_sine({n[4], n[5]});
    return std::make_unique<ProfileSurface>(left, Curve());
  });
  check_numbers(seen, "profile, right", {1, 2, 3, 4}, [](const Numbers& n) {
    return std::make_unique<ProfileSurface>(Curve(), Curve::table({{n[0], n[1]}, {n[2], n[3]}}));
  });
  check_numbers(seen, "mesh", {0, 0, 1, 2, 0, 3, 0, 4, 5, 0.5}, [](const Numbers& n) {
    return std::make_unique<MeshSurface>(
        std::vector<Eigen::Vector3d>{{n[0], n[1], n[2]}, {n[3], n[4], n[5]}, {n[6], n[7], n[8]}},
        std::vector<MeshSurface::Triangle>{{{0, 1, 2}, n[9]}});
  });
  check_numbers(seen, "layers", {0.5, -1, 1, -2, 2}, [](const Numbers& n) {
    return std::make_unique<LayeredSurface>(
        std::vector<std::shared_ptr<const RoadSurface>>{},
        std::vector<FrictionPatch>{{n[0], n[1], n[2], n[3], n[4]}});
  });
  const auto plane = [](double z) { return std::make_shared<InclinedPlane>(z, 0.0, 0.0); };
  check_numbers(seen, "layers of two", {1, 2}, [&](const Numbers& n) {
    return std::make_unique<LayeredSurface>(
        std::vector<std::shared_ptr<const RoadSurface>>{plane(n[0]), plane(n[1])},
        std::vector<FrictionPatch>{});
  });
  check_numbers(seen, "placed", {1, 2, 3, 0.5, 0.25}, [&](const Numbers& n) {
    return std::make_unique<PlacedSurface>(plane(n[4]), n[0], n[1], n[2], n[3]);
  });
}

// A random road keeps its heights, not what it was drawn from.
TEST(Fingerprints, OfRandomRoadsFollowWhatTheyAreDrawnFrom) {
  Seen seen;
  const auto add = [&](const std::string& what, const auto& change) {
    RandomRoadSettings settings;
    settings.length = 50.0;
    change(settings);
    seen.add(what, fingerprint_of(RandomRoad(settings)));
    EXPECT_EQ(fingerprint_of(RandomRoad(settings)), fingerprint_of(RandomRoad(settings))) << what;
  };
  add("as it is", [](RandomRoadSettings&) {});
  add("class", [](RandomRoadSettings& s) { s.road_class = 'D'; });
  add("seed", [](RandomRoadSettings& s) { s.seed = 2; });
  add("length", [](RandomRoadSettings& s) { s.length = 51.0; });
  add("coherence", [](RandomRoadSettings& s) { s.coherence = 0.3; });
  add("track", [](RandomRoadSettings& s) { s.track = 1.6; });
}

CrgFile bend() {
  CrgFile file;
  file.u_increment = 1.0;
  file.rows = 4;
  file.v = {-1.0, 1.0};
  file.phi = {0.0, 0.1, 0.2, 0.3};
  file.slope = {0.0, 0.01, 0.02, 0.03};
  file.bank = {0.0, 0.01, 0.02, 0.03};
  file.z = {0.0F, 0.1F, 0.2F, 0.3F, 0.4F, 0.5F, 0.6F, 0.7F};
  return file;
}

TEST(Fingerprints, OfMeasuredRoadsHoldLineHeightsAndBorders) {
  Seen seen;
  const auto add = [&](const std::string& what, const auto& change) {
    CrgFile file = bend();
    change(file);
    seen.add(what, fingerprint_of(CrgSurface(file)));
    EXPECT_EQ(fingerprint_of(CrgSurface(file)), fingerprint_of(CrgSurface(file))) << what;
  };
  add("as it is", [](CrgFile&) {});
  add("increment", [](CrgFile& f) { f.u_increment = 1.001; });
  add("start x", [](CrgFile& f) { f.start_x = 0.1; });
  add("start y", [](CrgFile& f) { f.start_y = 0.1; });
  add("start z", [](CrgFile& f) { f.start_z = 0.1; });
  add("heading", [](CrgFile& f) { f.phi[2] += 1e-6; });
  add("slope", [](CrgFile& f) { f.slope[2] += 1e-6; });
  add("bank", [](CrgFile& f) { f.bank[2] += 1e-6; });
  add("column", [](CrgFile& f) { f.v[1] = 1.001; });
  for (std::size_t k = 0; k < bend().z.size(); ++k)
    add("height " + std::to_string(k), [k](CrgFile& f) { f.z[k] += 1e-3F; });
  add("border u", [](CrgFile& f) { f.options.border_u = CrgBorder::zero; });
  add("border v", [](CrgFile& f) { f.options.border_v = CrgBorder::zero; });
  add("offset u", [](CrgFile& f) { f.options.offset_u = 0.1; });
  add("offset v", [](CrgFile& f) { f.options.offset_v = 0.1; });
  add("smooth begin", [](CrgFile& f) { f.options.smooth_begin = 0.1; });
  add("smooth end", [](CrgFile& f) { f.options.smooth_end = 0.1; });
}

/// Parameters that are doubles and nothing else, one after the other in memory.
template <typename Parameters>
Numbers numbers_of(const Parameters& parameters) {
  using All = std::array<double, sizeof(Parameters) / sizeof(double)>;
  const All all = std::bit_cast<All>(parameters);
  return {all.begin(), all.end()};
}

template <typename Parameters>
Parameters made_of(const Numbers& numbers) {
  std::array<double, sizeof(Parameters) / sizeof(double)> all{};
  std::copy(numbers.begin(), numbers.end(), all.begin());
  return std::bit_cast<Parameters>(all);
}

RadialTyre radial_numbers() { return {0.32, 2.2e5, 500.0, 4000.0, 0.4, 0.01, 0.2, 0.5}; }

int no_force(const ForeignTyreState*, ForeignTyreForces*, void*) { return 0; }

TEST(Fingerprints, OfTyreLawsHoldEachNumberAndTheKind) {
  Seen seen;
  LinearTyreParameters linear;
  linear.radial = radial_numbers();
  check_numbers(seen, "linear", numbers_of(linear), [](const Numbers& n) {
    return std::make_unique<LinearTyre>(made_of<LinearTyreParameters>(n));
  });
  FialaTyreParameters fiala;
  fiala.radial = radial_numbers();
  check_numbers(seen, "fiala", numbers_of(fiala), [](const Numbers& n) {
    return std::make_unique<FialaTyre>(made_of<FialaTyreParameters>(n));
  });
  TmeasyTyreParameters tmeasy;
  tmeasy.radial = radial_numbers();
  for (TmeasyCurve* curve : {&tmeasy.x[1], &tmeasy.y[1]})
    *curve = {1.8e5, 0.11, 7500.0, 0.55, 7000.0};
  tmeasy.maximum_load = 12000.0;
  check_numbers(seen, "tmeasy", numbers_of(tmeasy), [](const Numbers& n) {
    return std::make_unique<TmeasyTyre>(made_of<TmeasyTyreParameters>(n));
  });
  CalspanCoefficients calspan{8000, 50, 6000, 1, 3900, -1e-5, 1.0, 2e-11, 1.0, -6e-6, 1e-6};
  check_numbers(seen, "calspan", numbers_of(calspan), [](const Numbers& n) {
    return std::make_unique<CalspanTyre>(radial_numbers(), made_of<CalspanCoefficients>(n));
  });
  check_numbers(seen, "calspan on another spring", numbers_of(RadialTyre{}), [&](const Numbers& n) {
    return std::make_unique<CalspanTyre>(made_of<RadialTyre>(n), calspan);
  });
  check_numbers(seen, "foreign", numbers_of(radial_numbers()), [](const Numbers& n) {
    return std::make_unique<ForeignTyre>(made_of<RadialTyre>(n), "one", no_force, nullptr);
  });
  seen.add("foreign by another name",
           fingerprint_of(ForeignTyre(radial_numbers(), "two", no_force, nullptr)));
}

MagicParameters magic_numbers() {
  MagicParameters p;
  p.R0 = 0.32;
  p.Fz0 = 4000.0;
  p.vertical_stiffness = 2e5;
  p.load_min = 100.0;
  p.load_max = 9000.0;
  p.c.PCX1 = p.c.PDX1 = p.c.PCY1 = p.c.PDY1 = 1.2;
  p.c.PKX1 = 20.0;
  p.c.PKY1 = -15.0;
  return p;
}

TEST(Fingerprints, OfMagicFormulaTyresHoldEachParameter) {
  Seen seen;
  const auto add = [&](const std::string& what,
                       const std::function<void(MagicParameters&)>& change) {
    MagicParameters p = magic_numbers();
    change(p);
    seen.add(what, fingerprint_of(MagicTyre(p)));
    EXPECT_EQ(fingerprint_of(MagicTyre(p)), fingerprint_of(MagicTyre(p))) << what;
  };
  add("as it is", [](MagicParameters&) {});
  const Numbers coefficients = numbers_of(MagicCoefficients{});
  ASSERT_FALSE(coefficients.empty());
  for (std::size_t k = 0; k < coefficients.size(); ++k)
    add("coefficient " + std::to_string(k), [k](MagicParameters& p) {
      Numbers numbers = numbers_of(p.c);
      numbers[k] += 1e-3;
      p.c = made_of<MagicCoefficients>(numbers);
    });
  const std::vector<double MagicParameters::*> numbers{&MagicParameters::R0,
                                                       &MagicParameters::Fz0,
                                                       &MagicParameters::vertical_stiffness,
                                                       &MagicParameters::vertical_damping,
                                                       &MagicParameters::longitudinal_stiffness,
                                                       &MagicParameters::lateral_stiffness,
                                                       &MagicParameters::pressure_change,
                                                       &MagicParameters::V0,
                                                       &MagicParameters::low_speed,
                                                       &MagicParameters::kappa_min,
                                                       &MagicParameters::kappa_max,
                                                       &MagicParameters::alpha_min,
                                                       &MagicParameters::alpha_max,
                                                       &MagicParameters::gamma_min,
                                                       &MagicParameters::gamma_max,
                                                       &MagicParameters::load_min,
                                                       &MagicParameters::load_max};
  for (std::size_t k = 0; k < numbers.size(); ++k)
    add("number " + std::to_string(k), [&](MagicParameters& p) { p.*numbers[k] += 1e-3; });
  const std::vector<bool MagicParameters::*> flags{
      &MagicParameters::longitudinal, &MagicParameters::lateral,   &MagicParameters::combined,
      &MagicParameters::weighted,     &MagicParameters::turn_slip, &MagicParameters::mirrored};
  for (std::size_t k = 0; k < flags.size(); ++k)
    add("flag " + std::to_string(k), [&](MagicParameters& p) { p.*flags[k] = !(p.*flags[k]); });
  add("version", [](MagicParameters& p) { p.version = MagicVersion::pac2002; });
  add("load curve", [](MagicParameters& p) { p.load_curve = {{0.0, 0.0}, {0.01, 2000.0}}; });
  add("load of the curve", [](MagicParameters& p) { p.load_curve = {{0.0, 0.0}, {0.01, 2001.0}}; });
}

}  // namespace
}  // namespace semirec::test
