#pragma once

#include <memory>
#include <string>
#include <vector>

#include "recursive/forces/force_element.hpp"
#include "topology/mechanism.hpp"

namespace semirec::timing {

/// A mechanism with the force elements that its description cannot hold (tyres).
struct ScaleModel {
  Mechanism mechanism;
  std::vector<std::unique_ptr<ForceElement>> tyres;
};

/// How the cars of a train hang together: each on its own free joint and the ball joints between
/// them cut, or the first one free and the others carried by their ball joints.
enum class Links { closed, tree };

/// `count` times car26 with its tyres, nose to tail every 5 m, ball joints from chassis to chassis,
/// at 10 m/s over the excitations of shaker.xml. Throws ModelError.
ScaleModel make_train(int count, Links links);

/// What is at the ends of the suspension rods: six-axis bushings, universal and ball joints, or
/// ball joints on rods without mass (one closure row each).
enum class Ends { bushings, joints, rods };

/// A truck of 2 `axles` corners. A corner is an upright on five rods, a spring to the chassis and a
/// spring of 200 kN/m to the ground. With bushings every body has a free joint, 1 + 12 axles
/// bodies. Starts at rest above its equilibrium.
ScaleModel make_truck(int axles, Ends ends);

}  // namespace semirec::timing
