#include "apps/seat/seat_cones.hpp"

#include <utility>

namespace semirec::seat {

ConeCounter::ConeCounter(std::vector<Cone> cones, const Outline& outline,
                         const std::vector<Channel>& channels)
    : course_{{}, std::move(cones)}, outline_(outline) {
  if (!course_.cones.empty()) reader_.emplace(channels);
}

void ConeCounter::look_at(double t, const double* outputs) noexcept {
  if (!reader_) return;
  if (t < last_)
    for (Cone& cone : course_.cones) cone.hit = false;
  last_ = t;
  mark_hits(outline_, reader_->read(outputs), course_);
}

}  // namespace semirec::seat
