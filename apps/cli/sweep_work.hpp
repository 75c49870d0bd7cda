#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <vector>

#include "apps/cli/ranks.hpp"
#include "apps/cli/thread_pool.hpp"

namespace semirec::cli {

enum class WorkEnd { done, interrupted, cannot_write };

/// What rank 0 does with what comes in.
struct Lead {
  std::function<bool(const StudyRow&)> keep;  ///< false: no room
  std::function<void()> show;                 ///< now and then
};

/// Rank 0: hands out groups of samples to its own pool and, in chunks that get smaller, to
/// whichever rank asks, and keeps each row as it comes, of samples that are not `known` yet
/// ([sample]; at least one of each group is not). Ctrl-C and a full disk end it early: samples at
/// work are dropped, on all ranks.
WorkEnd lead(const Ranks& ranks, ThreadPool& pool, std::size_t threads,
             std::deque<SampleGroup> pending, std::vector<char> known, const Lead& actions);

/// The other ranks: ask, work, send rows, until there is nothing left.
void follow(const Ranks& ranks, ThreadPool& pool, std::size_t threads);

}  // namespace semirec::cli
