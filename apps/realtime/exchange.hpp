#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "apps/exchange/semirec_exchange.h"
#include "recursive/forces/force_element.hpp"

namespace semirec::realtime {

/// What an exchange is made for.
struct ExchangeLayout {
  std::vector<Channel> inputs, outputs;
  std::int64_t period = 0;          ///< ns
  std::uint32_t input_timeout = 0;  ///< periods
  std::string vehicle, scenario;
};

/// The runner's side of the shared-memory object that apps/exchange/semirec_exchange.h lays out.
///
/// After the constructor nothing here waits, takes memory or makes a system call. What a client
/// may write (its two words and the input ring) is never trusted: sizes and places are kept
/// outside the object, indices are reduced, and a record counts only when it is complete.
class Exchange {
 public:
  /// Makes /NAME. An object of that name whose runner has died is replaced. Throws ModelError when
  /// another runner owns it, when it is no exchange, or when it cannot be made.
  Exchange(const std::string& name, const ExchangeLayout& layout);
  /// Marks the object as ended and takes it away.
  ~Exchange();
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  /// Says that clients may come.
  void mark_ready() noexcept;

  /// Copies the newest complete input record, if there is a new one.
  bool take_inputs() noexcept;
  // of the last record taken
  std::uint64_t input_record() const noexcept { return input_record_; }  ///< 0: none yet
  std::uint64_t token() const noexcept { return input_record_ == 0 ? 0 : input_[0]; }
  bool given(std::size_t input) const noexcept;
  double value(std::size_t input) const noexcept;
  /// Records that were begun again while they were copied, or never completed.
  std::uint64_t overtaken() const noexcept { return overtaken_; }
  /// A number that changes as long as a client lives.
  std::uint64_t client_heartbeat() const noexcept;

  /// Makes one output record.
  void publish(std::uint64_t period, std::int64_t now, std::uint64_t step_status, bool settled,
               const double* values) noexcept;

  const std::string& name() const noexcept { return name_; }  ///< with its slash

 private:
  std::string name_;
  int file_ = -1;
  std::size_t size_ = 0;
  struct semirec_exchange* memory_ = nullptr;
  std::uint64_t *input_ring_ = nullptr, *output_ring_ = nullptr;
  std::size_t outputs_ = 0;
  std::uint64_t input_words_ = 0, output_words_ = 0;
  std::uint64_t output_latest_ = 0;
  std::vector<std::uint64_t> input_, arriving_;  ///< last record, scratch for the next
  std::uint64_t input_record_ = 0, overtaken_ = 0;
};

/// What happens to the inputs of a client that has fallen silent.
enum class OnTimeout {
  hold,   ///< they keep their last values
  curve,  ///< they go back to the scenario's curves until it is heard again
  stop    ///< the run stops
};

/// Tells from its heartbeat whether the client is silent. Before the first beat there is no client
/// and nothing is late.
class ClientWatch {
 public:
  enum class News { none, fell_silent, is_back };
  explicit ClientWatch(std::uint32_t timeout) noexcept : timeout_(timeout) {}
  /// Once a period.
  News look(std::uint64_t heartbeat) noexcept;
  bool heard() const noexcept { return heard_; }
  bool silent() const noexcept { return silent_; }
  std::uint64_t timeouts() const noexcept { return timeouts_; }
  std::uint64_t silent_periods() const noexcept { return silent_periods_; }  ///< beyond the timeout

 private:
  std::uint32_t timeout_;
  std::uint64_t last_ = 0, since_ = 0, timeouts_ = 0, silent_periods_ = 0;
  bool heard_ = false, silent_ = false;
};

}  // namespace semirec::realtime
