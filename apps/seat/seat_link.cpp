#include "apps/seat/seat_link.hpp"

#include <algorithm>
#include <cmath>

#include "vehicles/files/xml/reader.hpp"

namespace semirec::seat {

namespace {

SeatFrame first_frame(const Session& session) {
  SeatFrame frame;
  frame.state = session.state();
  frame.outputs.resize(session.outputs().size());
  return frame;
}

}  // namespace

std::unique_ptr<SeatCar> make_car(const std::string& vehicle,
                                  const std::vector<Override>& overrides, const Scenario& scenario,
                                  const SessionSettings& settings) {
  return std::make_unique<SeatCar>(read_vehicle(vehicle, overrides), scenario, settings);
}

SeatLink::SeatLink(const Session& session, const Vehicle& vehicle, std::int64_t period,
                   std::size_t most_steps, Clock clock)
    : period_(period),
      share_(1.0 - std::exp(-session.settings().h / kLag)),
      outputs_(session.outputs().size()),
      start_(session.saved_size()),
      frames_(first_frame(session)),
      clock_(clock),
      record_(most_steps, kControls) {
  const Controls& controls = vehicle.controls;
  const std::array<const std::string*, kControls> names{&controls.steering, &controls.throttle,
                                                        &controls.brake, &controls.gear};
  for (std::size_t k = 0; k < kControls; ++k) {
    input_[k] = names[k]->empty() ? -1 : session.find_input(*names[k]);
    factor_[k] = k == kSteering ? controls.steering_ratio : 1.0;
    if (input_[k] < 0) continue;
    const Input& input = session.inputs()[static_cast<std::size_t>(input_[k])];
    if (input.computed) {
      input_[k] = -1;
      continue;
    }
    at_start_[k] = input.curve.evaluate(session.time()).f;
  }
  now_ = at_start_;
  record_.add(session.time(), now_.data());
  session.save(start_.data());
}

void SeatLink::set_controls(Session& session,
                            const std::array<double, kControls>& target) noexcept {
  for (std::size_t k = 0; k < kControls; ++k) {
    if (input_[k] < 0) continue;
    // a gear is chosen, not moved
    const double wanted = target[k] * factor_[k];
    const double next = k == kGear ? wanted : now_[k] + share_ * (wanted - now_[k]);
    if (session.set_input(input_[k], next) == InputStatus::accepted) now_[k] = next;
  }
}

/// A frame of the state as it is, now and then.
void SeatLink::publish_standing(const Session& session) noexcept {
  since_frame_ += period();
  if (since_frame_ < kFramePeriod) return;
  since_frame_ = 0;
  SeatFrame& frame = frames_.back();
  frame.state = session.state();
  frame.outputs = outputs_;
  frame.status = failed_ ? failure_ : StepStatus::converged;
  frame.closure = session.report().Phi;
  frame.row = session.report().worst_row;
  frame.paused = paused_.load(std::memory_order_relaxed);
  frame.silent = silent_;
  frames_.publish();
}

void SeatLink::take_car(Session& session, SeatCar& car) noexcept {
  car.taken = session.trade_cars(car.session);
  car.time = session.time();
  car.drive = resets_done_.load(std::memory_order_relaxed);
  car.at_start = record_.rows() == 1;
  if (car.taken) start_.swap(car.start);
  if (car.taken && car.at_start) {
    (void)session.restore(start_.data(), start_.size());
    session.read_outputs(outputs_.data());
  }
  returned_.store(&car, std::memory_order_release);
}

realtime::Link::Act SeatLink::begin_period(Session& session) noexcept {
  if (ended_.load(std::memory_order_relaxed)) return Act::end;
  const std::uint32_t resets = resets_.load(std::memory_order_relaxed);
  if (resets != resets_done_.load(std::memory_order_relaxed)) {
    // of this session itself, which cannot be refused
    (void)session.restore(start_.data(), start_.size());
    session.read_outputs(outputs_.data());
    now_ = at_start_;
    record_.clear();
    record_.add(session.time(), now_.data());
    failed_ = false;
    resets_done_.store(resets, std::memory_order_release);
  }
  if (SeatCar* car = offered_.exchange(nullptr, std::memory_order_acq_rel)) take_car(session, *car);
  const bool news = driver_.update();
  const DriverInputs& driver = driver_.front();
  const bool speaks = news && driver.message != heard_;
  if (clock_ != nullptr) {
    // periods that are skipped count, too
    const std::int64_t now = clock_();
    if (speaks || heard_ == 0) heard_at_ = now;
    since_heard_ = now - heard_at_;
  } else {
    since_heard_ = speaks ? 0 : since_heard_ + period();
  }
  heard_ = driver.message;
  silent_ = heard_ > 0 && since_heard_ >= kSilence;
  if (failed_ || paused_.load(std::memory_order_relaxed)) {
    publish_standing(session);
    return Act::wait;
  }
  std::array<double, kControls> target = driver.value;
  // at rest over the first step, so that tables of the recording start at rest, too
  if (heard_ == 0 || record_.rows() == 1)
    for (std::size_t k = 0; k < kControls; ++k) target[k] = at_start_[k] / factor_[k];
  if (silent_) {
    target[kThrottle] = 0.0;
    target[kBrake] = 1.0;
  }
  set_controls(session, target);
  return Act::step;
}

void SeatLink::end_period(const Session& session, std::uint64_t period, StepStatus status,
                          const double* outputs) noexcept {
  failed_ = status != StepStatus::converged;
  failure_ = status;
  if (!failed_) record_.add(session.time(), now_.data());
  // of every step: a pause shows the last one
  std::copy_n(outputs, outputs_.size(), outputs_.begin());
  since_frame_ += this->period();
  if (since_frame_ < kFramePeriod && !failed_) return;
  since_frame_ = 0;
  SeatFrame& frame = frames_.back();
  frame.state = session.state();
  frame.outputs = outputs_;
  frame.period = period;
  frame.status = status;
  frame.closure = session.report().Phi;
  frame.row = session.report().worst_row;
  frame.silent = silent_;
  frame.paused = false;
  frames_.publish();
}

std::int64_t SeatLink::period() const noexcept {
  return static_cast<std::int64_t>(static_cast<double>(period_) /
                                   speed_.load(std::memory_order_relaxed));
}

void SeatLink::drive(const std::array<double, kControls>& value) noexcept {
  DriverInputs& inputs = driver_.back();
  inputs.value = value;
  inputs.message = ++sent_;
  driver_.publish();
}

void SeatLink::slow_down(double speed) noexcept {
  speed_.store(std::clamp(speed, kSlowest, kFastest), std::memory_order_relaxed);
}

}  // namespace semirec::seat
