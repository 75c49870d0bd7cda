#include "apps/realtime/kept_frames.hpp"

#include <algorithm>

namespace semirec::realtime {

KeptFrames::KeptFrames(const Session& session, std::uint64_t periods, std::size_t most, Link* inner)
    : inner_(inner),
      saved_size_(session.saved_size()),
      width_(session.outputs().size()),
      every_(std::max<std::uint64_t>(1, (periods + most - 1) / most)),
      room_(static_cast<std::size_t>(periods / every_ + 1)),
      bytes_(room_ * saved_size_),
      outputs_(room_ * width_) {}

Link::Act KeptFrames::begin_period(Session& session) noexcept {
  return inner_ != nullptr ? inner_->begin_period(session) : Act::step;
}

void KeptFrames::end_period(const Session& session, std::uint64_t period, StepStatus status,
                            const double* outputs) noexcept {
  if (inner_ != nullptr) inner_->end_period(session, period, status, outputs);
  if (status != StepStatus::converged || (period - 1) % every_ != 0 || count_ == room_) return;
  session.save(bytes_.data() + count_ * saved_size_);
  std::copy_n(outputs, width_, outputs_.data() + count_ * width_);
  ++count_;
}

std::int64_t KeptFrames::period() const noexcept {
  return inner_ != nullptr ? inner_->period() : 0;
}

ClientReport KeptFrames::report() const noexcept {
  return inner_ != nullptr ? inner_->report() : ClientReport{};
}

std::vector<double> KeptFrames::outputs(std::size_t k) const {
  const double* begin = outputs_.data() + k * width_;
  return {begin, begin + width_};
}

}  // namespace semirec::realtime
