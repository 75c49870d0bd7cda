#include "recursive/cars/curve_of_cars.hpp"

#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/random_mechanism.hpp"

namespace semirec::test {
namespace {

class Sawtooth final : public CurveFunction {
 public:
  CurveValue evaluate(double x) const override { return {x - std::floor(x), 1.0, 0.0}; }
  void put_into(Fingerprint& /*fingerprint*/) const override {}
};

/// Of none to twenty pieces of degrees 0 to 5, none to three sines, now and then a function.
Curve random_curve(Random& random) {
  Curve curve;
  double from = -2.0;
  for (int left = random.index(21); left > 0; --left) {
    std::array<double, 6> c{};
    for (int k = random.index(6); k >= 0; --k) c[at(k)] = random.number(-2.0, 2.0);
    curve.add_piece(from, from + random.number(-0.1, 0.1), c);
    from += random.number(0.05, 0.5);
  }
  for (int left = random.index(4); left > 0; --left)
    curve.add_sine({random.number(0.1, 2.0), random.number(1.0, 9.0), random.number(-1.0, 1.0),
                    random.number(0.0, 0.5), random.number(-2.0, 0.0), random.number(0.0, 2.0)});
  if (random.index(10) == 0) curve.set_function(std::make_shared<Sawtooth>());
  return curve;
}

TEST(CurveOfCars, IsTheCurveOfEachCarWhateverTheOthersAre) {
  Random random(5);
  for (int n = 0; n < 300; ++n) {
    std::vector<Curve> curves;
    for (int l = 0; l < kLanes; ++l) curves.push_back(random_curve(random));
    std::vector<const Curve*> all;
    for (const Curve& curve : curves) all.push_back(&curve);
    const CurveOfCars<Pack> together(all);
    for (int k = 0; k < 20; ++k) {
      Pack x;
      for (int l = 0; l < kLanes; ++l) x[l] = random.number(-2.5, 2.5);
      const bool from_left = k % 2 == 1;
      // a place where a piece begins
      if (k == 7 && curves[1].pieces().size() > 1) x[1] = curves[1].pieces()[1].from;
      const LaneInputOf<Pack> found = together.evaluate(x, from_left);
      for (int l = 0; l < kLanes; ++l) {
        // expected: the search and sums of Curve
        const CurveValue own = curves[at(l)].evaluate(x[l], from_left);
        const double size = 1e-12 * (100.0 + std::abs(own.fdd));
        EXPECT_NEAR(found.f[l], own.f, size);
        EXPECT_NEAR(found.fd[l], own.fd, size);
        EXPECT_NEAR(found.fdd[l], own.fdd, size);
        // expected: the same without others, to the bit
        const CurveOfCars<Pack> alone({all[at(l)]});
        const LaneInputOf<Pack> same = alone.evaluate(x, from_left);
        EXPECT_EQ(found.f[l], same.f[l]);
        EXPECT_EQ(found.fd[l], same.fd[l]);
        EXPECT_EQ(found.fdd[l], same.fdd[l]);
      }
    }
  }
}

TEST(CurveOfCars, IsZeroWhereAllAre) {
  const Curve none;
  const Curve one = Curve::constant(1.0);
  Curve function;
  function.set_function(std::make_shared<Sawtooth>());
  EXPECT_TRUE(CurveOfCars<Pack>({&none, &none}).is_zero());
  EXPECT_FALSE(CurveOfCars<Pack>({&none, &one}).is_zero());
  EXPECT_FALSE(CurveOfCars<Pack>({&none, &function}).is_zero());
}

}  // namespace
}  // namespace semirec::test
