#pragma once

#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "apps/report/recorded_run.hpp"
#include "vehicles/analysis/answer.hpp"
#include "vehicles/manoeuvre/drive_watcher.hpp"

namespace semirec::cli {

/// Keeps the drives of a manoeuvre that came to their end, the last 40 of them, for a page.
class PageWatcher final : public DriveWatcher {
 public:
  void begin(const Session& session, double duration) override;
  void see(const Session& session, const std::vector<double>& outputs) override;
  void end(const Session& session, const std::vector<double>& outputs) override;

  int drives() const { return drives_; }  ///< that came to their end
  /// The drive whose end is that of the answer's table `history`, the last one where none is.
  /// Needs a drive.
  const report::ShownMotion& find_shown(const Answer& answer) const;

 private:
  std::unique_ptr<report::MotionRecorder> motion_;
  std::unique_ptr<Workspace> ws_;
  struct Kept {
    std::vector<double> end;  ///< outputs
    report::ShownMotion shown;
  };
  std::deque<Kept> kept_;
  int drives_ = 0;
};

}  // namespace semirec::cli
