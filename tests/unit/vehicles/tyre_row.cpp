#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "vehicles/tyre/fiala_tyre.hpp"
#include "vehicles/tyre/laws_in_lanes.hpp"
#include "vehicles/tyre/linear_tyre.hpp"
#include "vehicles/tyre/read_tyre.hpp"
#include "vehicles/tyre/tir_file.hpp"
#include "vehicles/tyre/tmeasy_tyre.hpp"

namespace semirec {
namespace {

const std::string kFolder = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/tyres/";
const std::string kTouring = kFolder + "touring_225.tir";
const std::string kPac2002 = kFolder + "touring_pac2002.tir";

using Laws = std::vector<std::shared_ptr<const TyreLaw>>;

constexpr std::array<TyreContact, 4> kContacts{{{0.02, 0.1, 60.0, 0.03},
                                                {0.017, -0.2, 61.0, -0.05},
                                                {-0.01, 0.0, 59.0, 0.0},
                                                {1e-3, 0, 0, 0}}};
constexpr std::array<TyreSlip, 4> kSlips{{{4500.0, 0.02, -0.05, 0.03, 0.01, 20.0, 1.0},
                                          {2900.0, -0.3, 0.12, -0.02, 0.0, 20.5, 0.7},
                                          {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0},
                                          {50.0, 5.0, -2.0, 0.4, 0.1, -0.5, 1.0}}};

TyreContactOf<Pack> in_lanes(const std::array<TyreContact, 4>& c) {
  const auto pack = [&](double TyreContact::*which) {
    return Pack{c[0].*which, c[1].*which, c[2].*which, c[3].*which};
  };
  return {pack(&TyreContact::deflection), pack(&TyreContact::deflection_rate),
          pack(&TyreContact::omega), pack(&TyreContact::gamma)};
}
TyreContactOf<Pack> in_lanes(const TyreContact& c) { return in_lanes({c, c, c, c}); }
TyreSlipOf<Pack> in_lanes(const std::array<TyreSlip, 4>& s) {
  const auto pack = [&](double TyreSlip::*which) {
    return Pack{s[0].*which, s[1].*which, s[2].*which, s[3].*which};
  };
  return {pack(&TyreSlip::load),    pack(&TyreSlip::kappa),     pack(&TyreSlip::tan_alpha),
          pack(&TyreSlip::gamma),   pack(&TyreSlip::turn_slip), pack(&TyreSlip::speed),
          pack(&TyreSlip::friction)};
}

/// Bit by bit: how many stand beside one another must not be seen in an answer.
void expect_each_alone(const Laws& laws) {
  const std::size_t n = laws.size();
  const auto row = make_tyre_row(laws);
  const TyreRollingOf<Pack> rolling = row->roll(in_lanes(kContacts));
  PackMask clamped{};
  const TyreForcesOf<Pack> forces = row->forces(in_lanes(kSlips), nullptr, clamped);
  for (std::size_t k = 0; k < n; ++k) {
    SCOPED_TRACE(k);
    const auto l = static_cast<int>(k);
    const TyreContact& c = kContacts[k];
    TyreLoad load = laws[k]->load(c.deflection, c.deflection_rate, c.omega);
    const double growth = laws[k]->free_radius(c.omega) - laws[k]->unloaded_radius();
    if (c.deflection + growth <= 0.0 || load.load <= 0.0) load = {};
    EXPECT_EQ(rolling.load.load[l], load.load);
    EXPECT_EQ(rolling.load.stiffness[l], load.stiffness);
    EXPECT_EQ(rolling.load.damping[l], load.damping);
    EXPECT_EQ(rolling.radius[l], laws[k]->effective_radius(load.load, c.omega));
    EXPECT_EQ(rolling.relaxation_x[l], laws[k]->relaxation_x(load.load, c.gamma));
    EXPECT_EQ(rolling.relaxation_y[l], laws[k]->relaxation_y(load.load, c.gamma));
    if (kSlips[k].load <= 0.0) continue;
    const TyreForces f = laws[k]->forces(kSlips[k]);
    EXPECT_EQ(forces.Fx[l], f.Fx);
    EXPECT_EQ(forces.Fy[l], f.Fy);
    EXPECT_EQ(forces.Mx[l], f.Mx);
    EXPECT_EQ(forces.My[l], f.My);
    EXPECT_EQ(forces.Mz[l], f.Mz);
    EXPECT_EQ(forces.Fx_kappa[l], f.Fx_kappa);
    EXPECT_EQ(forces.Fx_tan_alpha[l], f.Fx_tan_alpha);
    EXPECT_EQ(forces.Fy_kappa[l], f.Fy_kappa);
    EXPECT_EQ(forces.Fy_tan_alpha[l], f.Fy_tan_alpha);
    EXPECT_EQ(clamped[l], static_cast<long>(f.clamped));
  }
}

TEST(TyreRow, SaysWhatEachTyreSaysAlone) {
  for (const std::string& file : {kTouring, kPac2002}) {
    SCOPED_TRACE(file);
    const auto left = read_tyre_file(file, Side::left);
    const auto right = read_tyre_file(file, Side::right);
    expect_each_alone({left, right, left, right});
    expect_each_alone({right, left, right});
    expect_each_alone({right});
  }
}

TEST(TyreRow, OfDifferentLawsSaysWhatEachSays) {
  const auto linear = std::make_shared<LinearTyre>(LinearTyreParameters{});
  const auto touring = read_tyre_file(kTouring, Side::left);
  expect_each_alone({linear, touring, linear, read_tyre_file(kPac2002, Side::right)});
}

// A fast tyre has grown by R0 (Q_RE0 - 1 + Q_V1 (v/V0)^2), V0 = 16 m/s: it carries down to the
// radius of this speed, where its load has come to zero, alone and beside another law.
TEST(TyreRow, LoadEndsWhereTheGrownTyreLeavesTheRoad) {
  struct Growing {
    std::string keys;
    double by_size, by_speed;
  };
  const std::string curve = "[DEFLECTION_LOAD_CURVE]\n{pen fz}\n0 0\n0.01 1800\n0.03 6500\n";
  const std::vector<Growing> tyres{
      {"", 0.0, 0.0006},
      {"\n[VERTICAL]\nQ_V1=0.0015\n", 0.0, 0.0015},
      {"\n[VERTICAL]\nQ_RE0=1.01\nQ_V1=0\n", 0.01, 0.0},
      {"\n[VERTICAL]\nQ_RE0=0.99\nQ_V1=0\n", -0.01, 0.0},
      {"\n[VERTICAL]\nQ_RE0=1.01\nQ_V1=0.0015\n" + curve, 0.01, 0.0015}};
  const std::string text = read_tir_text(kTouring);
  const auto linear = std::make_shared<LinearTyre>(LinearTyreParameters{});
  for (const Growing& g : tyres) {
    const auto tyre = read_tyre_text(text + g.keys, kTouring, Side::left);
    const auto alone = make_tyre_row({tyre});
    const auto beside = make_tyre_row({linear, tyre});
    for (const double speed : {0.0, 20.0, 40.0}) {
      SCOPED_TRACE(g.keys + " at " + std::to_string(speed));
      const double v = speed / 16.0;
      const double growth = 0.3284 * (g.by_size + g.by_speed * v * v);
      const auto at = [&](double into_the_road) {
        TyreContact contact;
        contact.deflection = into_the_road - growth;
        contact.omega = speed / 0.3284;
        const double load = alone->roll(in_lanes(contact)).load.load[0];
        EXPECT_EQ(load, beside->roll(in_lanes(contact)).load.load[1]);
        return load;
      };
      EXPECT_EQ(at(-1e-9), 0.0);
      EXPECT_EQ(at(-5e-3), 0.0);
      double before = 0.0;
      for (int k = 1; k <= 1000; ++k) {
        const double load = at(1e-5 * k);
        // slopes are from 1.5e5 to 5e5 N/m
        ASSERT_GT(load - before, 1.0) << k;
        ASSERT_LT(load - before, 5.0) << k;
        before = load;
      }
    }
  }
}

// Whatever the law, alone and beside others, at rest and where it has grown by its speed: the load
// of a tyre that touches down begins at zero however fast it falls, has the slopes that it tells,
// dissipates, and is the law's own from 0.5 % of the radius on, and wherever it leaves.
TEST(TyreRow, TouchesDownWithoutAJump) {
  RadialTyre radial;
  radial.damping = 9000.0;  // half of what is critical of 400 kg on 2e5 N/m: 27 kN at 3 m/s
  LinearTyreParameters linear;
  linear.radial = radial;
  FialaTyreParameters fiala;
  fiala.radial = radial;
  TmeasyTyreParameters tmeasy;
  tmeasy.radial = radial;
  for (TmeasyCurve* curve : {&tmeasy.x[1], &tmeasy.y[1]}) {
    curve->maximum *= 1.9;
    curve->sliding *= 1.9;
    curve->initial_slope *= 1.9;
  }
  const std::string hard = "\n[VERTICAL]\nVERTICAL_DAMPING=9000\n";
  const std::string text = read_tir_text(kTouring);
  const Laws laws{std::make_shared<LinearTyre>(linear), std::make_shared<FialaTyre>(fiala),
                  std::make_shared<TmeasyTyre>(tmeasy),
                  read_tyre_text(text + hard, kTouring, Side::left),
                  read_tyre_text(text + hard, kTouring, Side::right)};
  const auto magic_beside = make_tyre_row({laws[3], laws[4]});
  for (std::size_t which = 0; which < laws.size(); ++which)
    for (const double omega : {0.0, 100.0})
      for (const double rate : {-0.2, 0.5, 3.0}) {
        SCOPED_TRACE(::testing::Message() << which << " at " << omega << " with " << rate);
        const TyreLaw& law = *laws[which];
        const auto alone = make_tyre_row({laws[which]});
        const double growth = law.free_radius(omega) - law.unloaded_radius();
        const auto roll = [&](double pressed, double at_rate) {
          const TyreContact contact{pressed - growth, at_rate, omega, 0.0};
          const TyreLoadOf<Pack> found = alone->roll(in_lanes(contact)).load;
          if (which >= 3) {
            const Pack beside = magic_beside->roll(in_lanes(contact)).load.load;
            EXPECT_EQ(beside[static_cast<int>(which) - 3], found.load[0]);
          }
          return TyreLoad{found.load[0], found.stiffness[0], found.damping[0]};
        };
        EXPECT_NEAR(roll(0.0, rate).load, 0.0, 1e-9);  // rounding of the deflection, 4e5 N/m
        const double depth = 0.005 * law.unloaded_radius();
        // 2e5 to 4e5 N/m of the spring, 1.5 c/depth of the damping as it sets in
        const double steepest = 4e5 + 1.5 * 9000.0 * std::abs(rate) / depth;
        const double way = 1e-3 * depth;
        double before = 0.0;
        for (int k = 1; k <= 1500; ++k) {
          const TyreLoad load = roll(k * way, rate);
          ASSERT_GE(load.load, 0.0);
          ASSERT_LE(std::abs(load.load - before), steepest * way) << k;
          before = load.load;
          ASSERT_GE(load.damping, 0.0);
          if (load.load <= 0.0 || k % 100 != 50) continue;
          // central differences; the cubic's third derivative is 12 c v/depth^3
          const double h = 1e-4 * depth;
          EXPECT_NEAR((roll(k * way + h, rate).load - roll(k * way - h, rate).load) / (2.0 * h),
                      load.stiffness, 1e-6 * steepest);
          EXPECT_NEAR((roll(k * way, rate + 1e-3).load - roll(k * way, rate - 1e-3).load) / 2e-3,
                      load.damping, 1e-6 * 9000.0);
        }
        const double deep = rate > 0.0 ? 1.01 * depth : 0.7 * depth;
        const TyreLoad own = law.load(deep - growth, rate, omega);
        EXPECT_EQ(roll(deep, rate).load, std::max(own.load, 0.0));
        if (own.load > 0.0) {
          EXPECT_EQ(roll(deep, rate).stiffness, own.stiffness);
          EXPECT_EQ(roll(deep, rate).damping, own.damping);
        }
      }
}

TEST(TyreRow, TyresOfOtherNumbersAreNotWorkedOutTogether) {
  const auto touring = read_tyre_file(kTouring, Side::left);
  const Laws mixed{touring, read_tyre_file(kPac2002, Side::left)};
  const Laws pair{touring, read_tyre_file(kTouring, Side::right)};
  EXPECT_EQ(touring->make_row(mixed), nullptr);
  EXPECT_NE(touring->make_row(pair), nullptr);
}

/// Stiffness and peaks as the law alone says them, slip by slip.
void expect_patch_of(const TyreLaw& law) {
  TyreSlip slip;
  slip.load = law.nominal_load();
  slip.speed = 20.0;
  const TyreForces straight = law.forces(slip);
  double peak_x = 0.0, peak_y = 0.0;
  for (int k = -100; k <= 100; ++k) {
    slip.kappa = 0.01 * k;
    slip.tan_alpha = 0.0;
    peak_x = std::max(peak_x, std::abs(law.forces(slip).Fx));
    slip.kappa = 0.0;
    slip.tan_alpha = 0.01 * k;
    peak_y = std::max(peak_y, std::abs(law.forces(slip).Fy));
  }
  const auto c = [](double stiffness, double peak) {
    return 1.0 / std::clamp(3.0 * peak / std::max(stiffness, 1.0), 0.02, 2.0);
  };
  EXPECT_EQ(law.patch().c_x, c(straight.Fx_kappa, peak_x));
  EXPECT_EQ(law.patch().c_y, c(-straight.Fy_tan_alpha, peak_y));
  EXPECT_GT(law.patch().d_x, 0.0);
  EXPECT_EQ(law.patch().per_least_load, 1.0 / (0.01 * law.nominal_load()));
  EXPECT_EQ(&law.patch(), &law.patch());
}

TEST(TyreRow, FindsWhatAPatchTakesAsOneTyreAloneDoes) {
  for (const Side side : {Side::left, Side::right})
    for (const std::string& file : {kTouring, kPac2002})
      expect_patch_of(*read_tyre_file(file, side));
  LinearTyreParameters linear;
  linear.radial.radius = 0.3;
  linear.radial.stiffness = 2e5;
  linear.radial.nominal_load = 4000.0;
  linear.radial.relaxation_x = 0.2;
  linear.radial.relaxation_y = 0.4;
  linear.slip_stiffness = 1e5;
  linear.cornering_stiffness = 8e4;
  expect_patch_of(LinearTyre(linear));
}

}  // namespace
}  // namespace semirec
