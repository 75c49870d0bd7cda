#pragma once

#include <functional>

#include "integrator/contact_report.hpp"
#include "integrator/first_crossing.hpp"
#include "integrator/model.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"

namespace semirec {

/// Cuts the steps of a run where contacts of force elements begin and end
/// (ForceElement::measure_contacts()): limits of stops, one-sided springs, wheels on the road.
///
/// A step that ends with a contact on another side than it began is taken anew up to the first such
/// change, located to 1e-12 of the step by steps of other lengths; the state then is the one just
/// before the change, with forces of the old side throughout. cross() carries it over, and the run
/// starts anew from there. Where the force jumps a step of this length may have its change
/// elsewhere than the contact: then it is only shortened, and the next one, from nearby, finds it.
/// Within one step of the settings at most kMostCuts are made; what comes after in it is stepped
/// over, and counted. So is a contact that touches without going on.
class ContactCutter {
 public:
  static constexpr int kMostCuts = 20;

  /// `window`: length within which kMostCuts cuts are made at most, s.
  ContactCutter(const Model& model, double window);

  /// Takes the contacts of the state as those with which the next step begins.
  void remember(const State& state);

  /// Takes a step of a length in s from the state, and tells whether it could be taken.
  using Take = std::function<bool(double h, State& state)>;
  /// Judges a step of length h from `before` to `state`. Where contacts have changed, `state` and
  /// `increment` become those of the first change and h the way there: 0 where it lies at the
  /// begin. True: cross() is to follow.
  bool cut(const State& before, State& state, double& h, Eigen::VectorXd& increment,
           const Workspace& ws, const Take& take);
  /// Whether a cut waits for cross().
  bool is_waiting() const { return waiting_; }
  /// The step ends before the change after all.
  void forget() { waiting_ = false; }
  /// Carries the state on until the contacts are on their new side: by some 1e-12 of a step, and by
  /// 1e-5 at most.
  void cross(State& state);
  /// Carries a state on over a time too short for a step, s: by its rates and accelerations.
  void carry(State& state, double way) const;

  const ContactReport& report() const { return report_; }

 private:
  long count_changes() const;
  /// False: the window has had its cuts.
  bool may_cut(double t);
  void search(const State& before, const Take& take, const Workspace& ws);
  /// How far a state just before the change is to be carried; false: farther than it may.
  bool find_way(const State& from, double first, double farthest);

  const Model& model_;
  Workspace ws_;
  double window_;
  // how far contacts are pressed in: at the begin of the step, at its end, and at the last look
  Eigen::VectorXd begin_, end_, now_;
  FirstCrossing search_;
  State low_;  // at search_.low()
  Eigen::VectorXd low_increment_;
  State shifted_;
  double way_ = 0.0;  // s
  long changes_ = 0;  // on that way
  bool waiting_ = false;
  double window_begin_ = -1e300;
  int cuts_ = 0;
  ContactReport report_;
};

}  // namespace semirec
