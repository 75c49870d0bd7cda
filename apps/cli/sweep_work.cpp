#include "apps/cli/sweep_work.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include "apps/cli/terminal.hpp"

namespace semirec::cli {

namespace {

// Messages: ranks say "ask", "row LINE" and, last of all, "bye"; rank 0 says "do I J K; L M N; ",
// groups of samples, "end" when there is nothing left, "stop" to drop what is at work.
const std::string kRow = "row ";
const std::string kDo = "do ";
constexpr std::size_t kMostAtOnce = 32;  // samples

std::vector<SampleGroup> take_chunk(std::deque<SampleGroup>& pending, std::size_t count) {
  std::vector<SampleGroup> chunk;
  while (!pending.empty() && chunk.size() < count) {
    chunk.push_back(pending.front());
    pending.pop_front();
  }
  return chunk;
}

std::string text_of(const std::vector<SampleGroup>& chunk) {
  std::string text = kDo;
  for (const SampleGroup& group : chunk) {
    for (const std::size_t index : group) text += std::to_string(index) + ' ';
    text += "; ";
  }
  return text;
}
std::vector<SampleGroup> groups_of(const std::string& text) {
  std::vector<SampleGroup> chunk(1);
  std::istringstream in(text.substr(kDo.size()));
  for (std::string word; in >> word;) {
    if (word == ";")
      chunk.emplace_back();
    else
      chunk.back().push_back(std::stoul(word));
  }
  chunk.pop_back();
  return chunk;
}

class Leader {
 public:
  Leader(const Ranks& ranks, ThreadPool& pool, std::size_t threads, std::deque<SampleGroup> pending,
         std::vector<char> known, const Lead& actions)
      : ranks_(ranks),
        pool_(pool),
        threads_(threads),
        pending_(std::move(pending)),
        known_(std::move(known)),
        actions_(actions),
        most_at_once_(kMostAtOnce /
                      (pending_.empty() ? 1 : std::max<std::size_t>(1, pending_.front().size()))),
        left_(static_cast<std::size_t>(std::count(known_.begin(), known_.end(), 0))),
        away_(static_cast<std::size_t>(ranks.size() - 1)) {}

  WorkEnd work() {
    while (left_ > 0 || away_ > 0) {
      if (interrupted()) stop(WorkEnd::interrupted);
      // one more than are at work, so that nobody waits for this thread
      if (end_ == WorkEnd::done && pool_.open() <= threads_)
        pool_.give(take_chunk(pending_, threads_ + 1 - pool_.open()));
      for (const StudyRow& row : pool_.take(ranks_.size() > 1 ? 1 : 50)) keep(row);
      while (const auto message = ranks_.receive()) answer(*message);
      actions_.show();
      if (end_ != WorkEnd::done && away_ == 0) break;
      // a rank that left early has taken samples with it
      if (away_ == 0 && pending_.empty() && pool_.open() == 0 && left_ > 0)
        stop(WorkEnd::interrupted);
    }
    return end_;
  }

 private:
  void keep(const StudyRow& row) {
    if (end_ == WorkEnd::cannot_write || is_known(row)) return;
    if (actions_.keep(row))
      --left_;
    else
      stop(WorkEnd::cannot_write);
  }

  bool is_known(const StudyRow& row) { return std::exchange(known_[row.index], 1) != 0; }

  void answer(const Ranks::Message& message) {
    StudyRow row;
    if (message.text == "bye") {
      --away_;
    } else if (message.text == "ask") {
      if (end_ != WorkEnd::done) return;  // "stop" is on its way
      const std::size_t all = threads_ * static_cast<std::size_t>(ranks_.size());
      const std::vector<SampleGroup> chunk = take_chunk(
          pending_, std::clamp<std::size_t>(pending_.size() / (4 * all), 1, most_at_once_));
      ranks_.send(message.from, chunk.empty() ? "end" : text_of(chunk));
    } else if (parse_journal_line(message.text.substr(kRow.size()), row)) {
      keep(row);
    }
  }

  void stop(WorkEnd why) {
    if (end_ == WorkEnd::done)
      for (int rank = 1; rank < ranks_.size(); ++rank) ranks_.send(rank, "stop");
    if (end_ == WorkEnd::done || why == WorkEnd::cannot_write) end_ = why;
    pool_.stop();
    for (const StudyRow& row : pool_.take(0))
      if (end_ != WorkEnd::cannot_write && !is_known(row) && actions_.keep(row)) --left_;
  }

  const Ranks& ranks_;
  ThreadPool& pool_;
  std::size_t threads_;
  std::deque<SampleGroup> pending_;
  std::vector<char> known_;  ///< [sample]
  const Lead& actions_;
  std::size_t most_at_once_;  ///< groups
  std::size_t left_;          ///< samples without a row
  std::size_t away_;          ///< ranks that have not said bye
  WorkEnd end_ = WorkEnd::done;
};

}  // namespace

WorkEnd lead(const Ranks& ranks, ThreadPool& pool, std::size_t threads,
             std::deque<SampleGroup> pending, std::vector<char> known, const Lead& actions) {
  return Leader(ranks, pool, threads, std::move(pending), std::move(known), actions).work();
}

void follow(const Ranks& ranks, ThreadPool& pool, std::size_t threads) {
  bool asked = false;
  bool more = true;
  while (true) {
    if (more && !asked && pool.waiting() < threads) {
      ranks.send(0, "ask");
      asked = true;
    }
    for (const StudyRow& row : pool.take(1)) ranks.send(0, kRow + journal_line(row));
    while (const auto message = ranks.receive()) {
      if (message->text == "stop") {
        pool.stop();
        ranks.send(0, "bye");
        return;
      }
      asked = false;
      if (message->text == "end") {
        more = false;
        continue;
      }
      pool.give(groups_of(message->text));
    }
    if (interrupted()) pool.stop();
    if (interrupted() || (!more && pool.open() == 0)) {
      ranks.send(0, "bye");
      return;
    }
  }
}

}  // namespace semirec::cli
