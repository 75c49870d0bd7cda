#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "recursive/forces/contact_edges.hpp"
#include "recursive/forces/counted_angle.hpp"
#include "recursive/forces/force_derivatives.hpp"
#include "recursive/forces/force_element.hpp"
#include "recursive/forces/spring_line.hpp"

namespace semirec {

/// Spring, damper and applied force on a line, [H03] Eqs. (28)-(34), with the force positive in
/// tension. Channels `<name>.length` (m), `<name>.force` (N); where an input acts in it between
/// them `<name>.rate` (m/s).
class SpringDamperForce final : public ForceElement, public DerivableForce {
 public:
  explicit SpringDamperForce(const SpringDamper& spring)
      : ForceElement(spring.name, spring.source),
        spring_(spring),
        edges_(find_contact_edges(spring.spring)) {}
  void bind(const Mechanism& mechanism, TreeModel& model) override;
  void add_forces(const ForceInput& in, ForceSink& out) const override;
  void add_derivatives(const ForceInput& in, ForceDerivatives& out) const override;
  ForcePower report(const ForceInput& in, double* values) const override;
  std::vector<Channel> channels() const override;
  bool add_reported_bodies(std::vector<TreeIndex>& bodies) const override;
  /// Where the spring's law leaves zero.
  int contact_count() const override { return static_cast<int>(edges_.size()); }
  void measure_contacts(const ForceInput& in, double* pressed) const override;
  const FormsOfCars* forms_of_cars() const override;

  const SpringDamper& data() const { return spring_; }
  const SpringLine& line() const { return line_; }

 private:
  struct Law {
    double tension = 0.0;        ///< N
    double stiffness = 0.0;      ///< N/m
    double damping = 0.0;        ///< N s/m
    double spring_factor = 1.0;  ///< at hand
    double damping_force = 0.0;  ///< N, of the damper alone
  };
  Law evaluate(const ForceInput& in, const SpringLine::Measure& m) const;
  /// Whether an input acts in it.
  bool moves() const {
    return spring_.applied != kNoInput || spring_.spring_factor != kNoInput ||
           spring_.damper_factor != kNoInput;
  }

  SpringDamper spring_;
  std::vector<ContactEdge> edges_;
  SpringLine line_;
  double potential_zero_ = 0.0;  ///< what is stored counts from unloaded_length()
};

/// Spring and damper about the axis that a and b share. Channels `<name>.angle` (rad),
/// `<name>.torque` (N m, positive when it turns b back from positive angles).
///
/// The directions of the markers tell the angle within half a turn either way. Where all joints
/// between a and b slide or turn about that axis, their coordinates tell the whole turns
/// (CountedAngle); elsewhere the law jumps at half a turn.
class RotationalSpringDamperForce final : public ForceElement, public DerivableForce {
 public:
  explicit RotationalSpringDamperForce(const RotationalSpringDamper& spring)
      : ForceElement(spring.name, spring.source),
        spring_(spring),
        edges_(find_contact_edges(spring.spring)) {}
  void bind(const Mechanism& mechanism, TreeModel& model) override;
  void add_forces(const ForceInput& in, ForceSink& out) const override;
  void add_derivatives(const ForceInput& in, ForceDerivatives& out) const override;
  ForcePower report(const ForceInput& in, double* values) const override;
  std::vector<Channel> channels() const override;
  bool add_reported_bodies(std::vector<TreeIndex>& bodies) const override;
  /// Where the spring's law leaves zero.
  int contact_count() const override { return static_cast<int>(edges_.size()); }
  void measure_contacts(const ForceInput& in, double* pressed) const override;
  bool takes_a_part_turn() const override { return !counted_; }
  Eigen::Vector3d part_turn(const ForceInput& in) const override;
  const FormsOfCars* forms_of_cars() const override;

  // what it is made of, once bound
  const RotationalSpringDamper& data() const { return spring_; }
  const Attachment& a() const { return a_; }
  const Attachment& b() const { return b_; }
  int connection() const { return connection_; }
  const std::optional<CountedAngle>& counted() const { return counted_; }

 private:
  struct Measure {
    Vector6 line;
    double angle = 0.0;
    double rate = 0.0;
  };
  Measure measure(const ForceInput& in) const;

  RotationalSpringDamper spring_;
  double potential_zero_ = 0.0;  ///< what is stored counts from unloaded_length()
  std::vector<ContactEdge> edges_;
  Attachment a_, b_;
  std::optional<CountedAngle> counted_;
  int connection_ = -1;
};

/// Six-axis bushing: in the axes of marker a, F = -k d - c dv and T = -k theta - c w, d the offset
/// of b's origin, theta the rotation vector of b against a (small angles), dv the velocity of b's
/// origin against body a's field at the same point, where the force acts on both bodies: angular
/// momentum is kept. Channels `<name>.{dx,dy,dz}` (m), `.{fx,fy,fz}` (N), on body b.
///
/// Where stiffness relaxes there are six states e, the deflection that it has crept after:
///   F = ... - k_r (d - e),  ed = (d - e)/T,   so that K(w) = k + i w c + k_r i w T/(1 + i w T)
/// to a small motion e^(i w t), and likewise about the axes. In a search for rest e = d.
class BushingForce final : public ForceElement, public DerivableForce {
 public:
  explicit BushingForce(const Bushing& bushing)
      : ForceElement(bushing.name, bushing.source), bushing_(bushing) {}
  void bind(const Mechanism& mechanism, TreeModel& model) override;
  void add_forces(const ForceInput& in, ForceSink& out) const override;
  void add_derivatives(const ForceInput& in, ForceDerivatives& out) const override;
  ForcePower report(const ForceInput& in, double* values) const override;
  std::vector<Channel> channels() const override;
  bool add_reported_bodies(std::vector<TreeIndex>& bodies) const override;
  int state_count() const override { return bushing_.relaxes() ? 6 : 0; }
  std::string state_name(int k) const override;
  void update_states(const ForceInput& in, StateSink& out) const override;
  void settle_states(const ForceInput& in, StateSink& out) const override;
  bool takes_a_part_turn() const override { return bushing_.turns_back(); }
  Eigen::Vector3d part_turn(const ForceInput& in) const override;
  const FormsOfCars* forms_of_cars() const override;

  // what it is made of, once bound
  const Bushing& data() const { return bushing_; }
  const Attachment& a() const { return a_; }
  const Attachment& b() const { return b_; }
  int connection() const { return connection_; }

 private:
  struct Measure {
    Eigen::Matrix3d axes;
    Eigen::Vector3d point;
    // in the axes of marker a, along and about them
    Vector6 deflection;
    Vector6 rate;
  };
  Measure measure(const ForceInput& in) const;
  struct Law {
    Vector6 load;       ///< on b, in the axes of marker a
    Vector6 stiffness;  ///< with the states following
    Vector6 crept;      ///< the states
  };
  Law evaluate(const ForceInput& in, const Measure& m) const;
  Vector6 creep(const ForceInput& in, const Vector6& deflection) const;

  Bushing bushing_;
  Attachment a_, b_;
  int connection_ = -1;
};

/// Force or torque of an input's size. Channel `<name>.load` (N or N m).
class AppliedLoadForce final : public ForceElement, public DerivableForce {
 public:
  explicit AppliedLoadForce(const AppliedLoad& load)
      : ForceElement(load.name, load.source), load_(load) {}
  void bind(const Mechanism& mechanism, TreeModel& model) override;
  void add_forces(const ForceInput& in, ForceSink& out) const override;
  void add_derivatives(const ForceInput& in, ForceDerivatives& out) const override;
  ForcePower report(const ForceInput& in, double* values) const override;
  std::vector<Channel> channels() const override;
  bool add_reported_bodies(std::vector<TreeIndex>& bodies) const override;

 private:
  Vector6 wrench(const ForceInput& in) const;

  AppliedLoad load_;
  Attachment at_;
};

/// Spring, damper, limit stops and applied force in one joint coordinate, as b moves against a.
/// Channel `<name>.force` (N or N m).
class JointForce final : public ForceElement, public DerivableForce {
 public:
  explicit JointForce(const CoordinateForce& force);
  void bind(const Mechanism& mechanism, TreeModel& model) override;
  void add_forces(const ForceInput& in, ForceSink& out) const override;
  void add_derivatives(const ForceInput& in, ForceDerivatives& out) const override;
  ForcePower report(const ForceInput& in, double* values) const override;
  std::vector<Channel> channels() const override;
  bool add_reported_bodies(std::vector<TreeIndex>& bodies) const override;
  /// The limits, and where the spring's law leaves zero.
  int contact_count() const override { return static_cast<int>(edges_.size()); }
  void measure_contacts(const ForceInput& in, double* pressed) const override;

 private:
  struct Law {
    double force = 0.0, stiffness = 0.0, damping = 0.0;
    ForcePower power;
  };
  /// Where a rotation without angle is passed by the tree from b to a, whose coordinates count
  /// their own way: the axis of a, about which the moment acts on b.
  struct Axis {
    Attachment a, b;
    int axis = 0;
    int connection = -1;

    Vector6 line(const ForceInput& in) const {
      return make_six(Eigen::Vector3d::Zero(), in.axis_of(a, axis));
    }
  };
  Law evaluate(const ForceInput& in) const;

  CoordinateForce force_;
  std::optional<Axis> axis_;
  double potential_zero_ = 0.0;  ///< what is stored counts from unloaded_length()
  std::vector<ContactEdge> edges_;
  int coordinate_ = -1;
  bool slides_ = false;
};

/// The elements of a mechanism's own description, not yet bound. Inactive springs are left out.
std::vector<std::unique_ptr<ForceElement>> make_force_elements(const Mechanism& mechanism);

}  // namespace semirec
