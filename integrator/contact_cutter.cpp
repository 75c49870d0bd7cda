#include "integrator/contact_cutter.hpp"

#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/formulation_state.hpp"
#include "recursive/forces/evaluate_forces.hpp"

namespace semirec {

namespace {

constexpr double kFarthest = 1e-6;  // of the step: so far is carried what lies before a change

void measure(const Model& model, const State& state, Workspace& ws, Eigen::VectorXd& pressed) {
  evaluate_state(model, state, ws);
  measure_contacts(model.forces, model.tree, ws.tree, pressed.data());
}

}  // namespace

ContactCutter::ContactCutter(const Model& model, double window)
    : model_(model),
      ws_(model),
      window_(window),
      begin_(Eigen::VectorXd::Zero(count_contacts(model.forces))),
      end_(begin_),
      now_(begin_) {}

void ContactCutter::remember(const State& state) {
  waiting_ = false;
  measure(model_, state, ws_, begin_);
}

long ContactCutter::count_changes() const {
  return ((now_.array() > 0.0) != (begin_.array() > 0.0)).count();
}

bool ContactCutter::may_cut(double t) {
  if (t - window_begin_ >= window_) {
    window_begin_ = t;
    cuts_ = 0;
  }
  return cuts_ < kMostCuts;
}

void ContactCutter::search(const State& before, const Take& take, const Workspace& ws) {
  while (!search_.is_done()) {
    const double s = search_.next();
    shifted_ = before;
    ++report_.trials;
    if (!take(s, shifted_)) {
      search_.take_failure(s);
      continue;
    }
    measure(model_, shifted_, ws_, now_);
    if (!search_.take(s, now_)) continue;
    std::swap(low_, shifted_);
    low_increment_ = ws.increment;
  }
}

bool ContactCutter::find_way(const State& from, double first, double farthest) {
  const bool located = search_.has_crossed();
  for (double more = 2.0 * search_.width(); more <= farthest; more *= 2.0) {
    way_ = first + more;
    shifted_ = from;
    carry(shifted_, way_);
    measure(model_, shifted_, ws_, now_);
    bool all = true;
    changes_ = 0;
    for (Eigen::Index k = 0; k < begin_.size(); ++k) {
      const bool changed = (now_[k] > 0.0) != (begin_[k] > 0.0);
      all = all && (changed || !search_.has_crossed(k));
      changes_ += changed ? 1 : 0;
    }
    if (changes_ > 0 && (all || !located)) return true;
  }
  return false;
}

bool ContactCutter::cut(const State& before, State& state, double& h, Eigen::VectorXd& increment,
                        const Workspace& ws, const Take& take) {
  waiting_ = false;
  measure(model_, state, ws_, now_);
  const long changes = count_changes();
  if (changes == 0 || !may_cut(before.t)) {
    report_.passed += changes;
    begin_ = now_;
    return false;
  }
  end_ = now_;
  search_.start(begin_, now_, h);
  search(before, take, ws);
  const bool at_begin = search_.low() < kShortestStep * h;
  waiting_ = at_begin ? find_way(before, search_.low(), kShortestStep * h)
                      : find_way(low_, 0.0, kFarthest * h);
  if (!waiting_ && at_begin) {
    report_.passed += changes;
    begin_ = end_;
    return false;
  }
  ++cuts_;
  h = at_begin ? 0.0 : search_.low();
  if (at_begin) {
    state = before;
    increment.setZero();
  } else {
    state = low_;
    increment = low_increment_;
  }
  if (!waiting_) remember(state);
  return waiting_;
}

void ContactCutter::carry(State& state, double way) const {
  state.t += way;
  state.z += way * state.zd + 0.5 * way * way * state.zdd;
  state.zd += way * state.zdd;
  state.x += way * state.xd;
  rebase(model_, state);
}

void ContactCutter::cross(State& state) {
  waiting_ = false;
  carry(state, way_);
  ++report_.cuts;
  report_.changes += changes_;
}

}  // namespace semirec
