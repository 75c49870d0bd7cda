#pragma once

#include <cstddef>
#include <vector>

#include "apps/realtime/link.hpp"

namespace semirec::realtime {

/// Keeps what a run has done for later, every so many periods: the saved session and its outputs.
/// Stands between a runner and its link, to which it hands everything on.
///
/// All memory is taken by the constructor; where it is full nothing more is kept.
/// Cost    a copy of the saved session and the outputs in every `every`-th period.
class KeptFrames final : public Link {
 public:
  /// `inner` may be null: no client. `periods`: that the run may have; at most `most` are kept.
  KeptFrames(const Session& session, std::uint64_t periods, std::size_t most, Link* inner);

  Act begin_period(Session& session) noexcept override;
  void end_period(const Session& session, std::uint64_t period, StepStatus status,
                  const double* outputs) noexcept override;
  std::int64_t period() const noexcept override;
  ClientReport report() const noexcept override;

  std::size_t size() const { return count_; }
  const std::byte* saved(std::size_t k) const { return bytes_.data() + k * saved_size_; }
  std::size_t saved_size() const { return saved_size_; }
  /// Numbers in the order of Session::outputs().
  std::vector<double> outputs(std::size_t k) const;

 private:
  Link* inner_;
  std::size_t saved_size_, width_;
  std::uint64_t every_;
  std::size_t room_, count_ = 0;
  std::vector<std::byte> bytes_;
  std::vector<double> outputs_;
};

}  // namespace semirec::realtime
