#include "apps/cli/drive_page.hpp"

#include <algorithm>
#include <limits>

namespace semirec::cli {

namespace {

constexpr std::size_t kMostKept = 40;

}  // namespace

int PageWatcher::begin(const Session& session) {
  ws_ = std::make_unique<Workspace>(session.drive().model);
  // the time that a task allows says little of how long its drive will take
  constexpr double kUnknownEnd = std::numeric_limits<double>::infinity();
  motion_ = std::make_unique<report::MotionRecorder>(
      session.drive(), session.outputs(), session.time(), kUnknownEnd, session.settings().h);
  return begun_++;
}

void PageWatcher::see(const Session& session, const std::vector<double>& outputs) {
  motion_->see(session.state(), outputs, *ws_);
}

void PageWatcher::end(const Session& session, const std::vector<double>& outputs) {
  motion_->see_last(session.state(), outputs, *ws_);
  kept_.push_back({begun_ - 1, {motion_->finish(), motion_->course()}});
  motion_.reset();
  ++drives_;
  if (kept_.size() <= kMostKept) return;
  kept_.erase(std::find_if(kept_.begin(), kept_.end(),
                           [this](const Kept& kept) { return kept.drive != chosen_; }));
}

const PageWatcher::Kept* PageWatcher::find_chosen() const {
  const auto kept = std::find_if(kept_.begin(), kept_.end(),
                                 [this](const Kept& one) { return one.drive == chosen_; });
  return kept != kept_.end() ? &*kept : nullptr;
}

const report::ShownMotion& PageWatcher::shown() const {
  const Kept* chosen = find_chosen();
  return chosen != nullptr ? chosen->shown : kept_.back().shown;
}

}  // namespace semirec::cli
