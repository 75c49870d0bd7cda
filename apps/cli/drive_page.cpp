#include "apps/cli/drive_page.hpp"

#include <algorithm>

namespace semirec::cli {

namespace {

constexpr std::size_t kMostKept = 40;

/// The last row of what an answer shows over time; null without one.
const std::vector<double>* find_end(const Answer& answer) {
  for (const Table& table : answer.tables)
    if (table.name == "history" && !table.rows.empty()) return &table.rows.back();
  return nullptr;
}

}  // namespace

void PageWatcher::begin(const Session& session, double duration) {
  ws_ = std::make_unique<Workspace>(session.drive().model);
  motion_ =
      std::make_unique<report::MotionRecorder>(session.drive(), session.outputs(), session.time(),
                                               session.time() + duration, session.settings().h);
}

void PageWatcher::see(const Session& session, const std::vector<double>& outputs) {
  motion_->see(session.state(), outputs, *ws_);
}

void PageWatcher::end(const Session& session, const std::vector<double>& outputs) {
  motion_->see_last(session.state(), outputs, *ws_);
  kept_.push_back({outputs, {motion_->finish(), motion_->course()}});
  if (kept_.size() > kMostKept) kept_.pop_front();
  motion_.reset();
  ++drives_;
}

const report::ShownMotion& PageWatcher::find_shown(const Answer& answer) const {
  const std::vector<double>* end = find_end(answer);
  if (end != nullptr)
    for (auto kept = kept_.rbegin(); kept != kept_.rend(); ++kept)
      // its time may count from another start
      if (end->size() >= kept->end.size() &&
          std::equal(kept->end.begin() + 1, kept->end.end(), end->begin() + 1))
        return kept->shown;
  return kept_.back().shown;
}

}  // namespace semirec::cli
