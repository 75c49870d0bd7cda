#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "apps/realtime/link.hpp"
#include "apps/realtime/triple_buffer.hpp"
#include "apps/seat/seat_record.hpp"

namespace semirec::seat {

/// What the driver holds. Steering is the angle of the steering wheel.
enum Control { kSteering, kThrottle, kBrake, kGear, kControls };

/// The driver's controls as the page gives them: rad, 1, 1, number of the gear.
struct DriverInputs {
  std::array<double, kControls> value{};
  std::uint64_t message = 0;  ///< counts the driver's messages; 0: nobody has driven yet
};

/// A car on its way into the loop: that of the drive with other numbers, at its own start.
struct SeatCar {
  SeatCar(const Vehicle& vehicle, const Scenario& scenario, const SessionSettings& settings)
      : session(vehicle, scenario, settings), start(session.saved_size()) {
    session.save(start.data());
    // its memory is at hand when the loop takes it
    session.rehearse();
  }
  Session session;  ///< once it was taken: the car that the loop had before
  std::vector<std::byte> start;
  // by the loop
  bool taken = false;       ///< false: it does not fit
  bool at_start = false;    ///< nothing had been driven yet: the drive starts with it
  double time = 0.0;        ///< of the change, s
  std::uint32_t drive = 0;  ///< counts the resets before
};

/// A car of the vehicle file with these overrides. Throws ModelError, also where it has no start.
std::unique_ptr<SeatCar> make_car(const std::string& vehicle,
                                  const std::vector<Override>& overrides, const Scenario& scenario,
                                  const SessionSettings& settings);

/// A moment of the drive, for those who look on.
struct SeatFrame {
  State state;
  std::vector<double> outputs;                ///< of Session::outputs()
  std::uint64_t period = 0;                   ///< periods run
  StepStatus status = StepStatus::converged;  ///< of the last step; one that failed ends the drive
  double closure = 0.0;                       ///< of a step that failed: worst closure error, m
  int row = -1;                               ///< of Phi, where it was
  bool silent = false;  ///< the driver has not been heard for kSilence: the car brakes
  bool paused = false;
};

/// The driver's side of a runner's loop. Of two threads one runs the loop and one speaks with the
/// page; they share the buffers and words here and never wait for each other.
///
/// The inputs that the vehicle's controls name follow the driver through a lag of kLag, so that a
/// key is a movement and no jump; the others follow their curves. A driver who is not heard for
/// kSilence of wall time lets go: throttle 0, brake 1. Before the first message the controls keep
/// the values of their curves at the start.
///
/// A car with other numbers is made elsewhere and taken between two steps: the drive goes on with
/// it from the state that there is, and starts with it after a reset.
class SeatLink final : public realtime::Link {
 public:
  static constexpr double kLag = 0.03;                      // s
  static constexpr std::int64_t kSilence = 500'000'000;     // ns
  static constexpr std::int64_t kFramePeriod = 16'000'000;  // ns of wall time between frames
  static constexpr double kSlowest = 0.05, kFastest = 1.0;  // of real time

  /// Wall time, ns.
  using Clock = std::int64_t (*)() noexcept;

  /// `most_steps`: of a recording. `clock`: by which a driver is silent; null: the periods that
  /// have been run. Takes all memory that it needs.
  SeatLink(const Session& session, const Vehicle& vehicle, std::int64_t period,
           std::size_t most_steps, Clock clock = nullptr);

  // the loop's thread
  Act begin_period(Session& session) noexcept override;
  void end_period(const Session& session, std::uint64_t period, StepStatus status,
                  const double* outputs) noexcept override;
  std::int64_t period() const noexcept override;
  /// It stands where it was, until the driver goes back to the start.
  bool survives_failures() const noexcept override { return true; }

  // the page's thread
  void drive(const std::array<double, kControls>& value) noexcept;
  void pause(bool paused) noexcept { paused_.store(paused, std::memory_order_relaxed); }
  /// Speed of the model's time, kSlowest to kFastest of real time.
  void slow_down(double speed) noexcept;
  /// Back to the start; the recording begins anew.
  void reset() noexcept { resets_.fetch_add(1, std::memory_order_relaxed); }
  /// Whether the loop has still to go back: the recording is then about to be cleared.
  bool is_resetting() const noexcept {
    return resets_.load(std::memory_order_relaxed) != resets_done_.load(std::memory_order_acquire);
  }
  /// Resets that the loop has carried out: drives that are over.
  std::uint32_t drives() const noexcept { return resets_done_.load(std::memory_order_acquire); }
  /// Gives the loop a car to go on with from its next period on, also in a pause. The car must live
  /// until it comes back, and no other may be offered before.
  void offer(SeatCar& car) noexcept { offered_.store(&car, std::memory_order_release); }
  /// Takes an offer back that the loop has not looked at; false: it has.
  bool withdraw() noexcept { return offered_.exchange(nullptr, std::memory_order_acq_rel); }
  /// The car that was offered, once the loop has looked at it; null before.
  SeatCar* take_back() noexcept { return returned_.exchange(nullptr, std::memory_order_acq_rel); }
  void end() noexcept { ended_.store(true, std::memory_order_relaxed); }
  /// The newest frame, if there is one since the last call.
  bool take_frame() noexcept { return frames_.update(); }
  const SeatFrame& frame() const noexcept { return frames_.front(); }
  const SeatRecord& record() const noexcept { return record_; }

  /// Inputs of the controls that the vehicle has, -1 where it has none.
  const std::array<int, kControls>& inputs() const noexcept { return input_; }

 private:
  void publish_standing(const Session& session) noexcept;
  void take_car(Session& session, SeatCar& car) noexcept;
  void set_controls(Session& session, const std::array<double, kControls>& target) noexcept;

  std::int64_t period_;
  double share_ = 1.0;  ///< of the way to the target that a step goes
  std::array<int, kControls> input_{};
  std::array<double, kControls> factor_{};  ///< from the control to its input
  std::array<double, kControls> at_start_{}, now_{};
  std::vector<double> outputs_;  ///< of the state as it is
  std::vector<std::byte> start_;

  realtime::TripleBuffer<DriverInputs> driver_;
  std::uint64_t sent_ = 0;
  realtime::TripleBuffer<SeatFrame> frames_;
  std::atomic<bool> paused_{false}, ended_{false};
  std::atomic<std::uint32_t> resets_{0}, resets_done_{0};
  std::atomic<double> speed_{1.0};
  std::atomic<SeatCar*> offered_{nullptr}, returned_{nullptr};
  std::uint64_t heard_ = 0;
  Clock clock_;
  std::int64_t heard_at_ = 0;  ///< by the clock
  std::int64_t since_heard_ = 0, since_frame_ = 0;
  bool silent_ = false, failed_ = false;
  StepStatus failure_ = StepStatus::converged;
  SeatRecord record_;
};

}  // namespace semirec::seat
