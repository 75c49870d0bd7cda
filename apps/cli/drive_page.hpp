#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "apps/report/recorded_run.hpp"
#include "vehicles/manoeuvre/drive_watcher.hpp"

namespace semirec::cli {

/// Keeps the drives of a manoeuvre that came to their end for a page: the last 40, or
/// the one that was chosen and the last 39.
class PageWatcher final : public DriveWatcher {
 public:
  int begin(const Session& session) override;
  void see(const Session& session, const std::vector<double>& outputs) override;
  void end(const Session& session, const std::vector<double>& outputs) override;
  void choose(int drive) override { chosen_ = drive; }

  int drives() const { return drives_; }  ///< that came to their end
  /// Whether shown() is the drive that the answer is read from: the chosen one, or the only one.
  bool knows_drive() const { return drives_ == 1 || find_chosen() != nullptr; }
  /// That drive; the last one where it is not known. Needs a drive.
  const report::ShownMotion& shown() const;

 private:
  struct Kept {
    int drive = 0;
    report::ShownMotion shown;
  };
  const Kept* find_chosen() const;

  std::unique_ptr<report::MotionRecorder> motion_;
  std::unique_ptr<Workspace> ws_;
  std::deque<Kept> kept_;
  int begun_ = 0, drives_ = 0, chosen_ = -1;
};

}  // namespace semirec::cli
