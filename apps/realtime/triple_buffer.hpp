#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace semirec::realtime {

/// Hands the newest value of one thread to one other without locks: neither ever waits, the reader
/// sees whole values only, and values it was too slow for are left out.
///
/// Of three places the writer owns one, the reader owns one, and the third lies between them with a
/// mark whether it is new. publish() and update() swap it for one's own by a single exchange:
/// release, so that the value is written before its place changes hands; acquire, so that it is
/// read after. One writer thread, one reader thread.
///
/// Cost    an exchange each; no heap use beyond T's own. T is copied by nobody.
template <class T>
class TripleBuffer {
 public:
  explicit TripleBuffer(const T& value = T{}) : places_{Place{value}, Place{value}, Place{value}} {}

  /// Writer: the place to fill. It holds an old value.
  T& back() noexcept { return places_[back_].value; }
  /// Writer: hands the filled place over.
  void publish() noexcept {
    back_ = between_.exchange(static_cast<std::uint8_t>(back_ | kNew), std::memory_order_acq_rel) &
            kPlace;
  }

  /// Reader: takes the newest value; false when there is none since the last call.
  bool update() noexcept {
    if ((between_.load(std::memory_order_relaxed) & kNew) == 0) return false;
    front_ = between_.exchange(front_, std::memory_order_acq_rel) & kPlace;
    return true;
  }
  /// Reader: the value last taken.
  const T& front() const noexcept { return places_[front_].value; }

 private:
  static constexpr std::uint8_t kNew = 4, kPlace = 3;
  static_assert(std::atomic<std::uint8_t>::is_always_lock_free);
  // a cache line each: the two threads do not slow each other
  struct alignas(64) Place {
    T value;
  };
  std::array<Place, 3> places_;
  alignas(64) std::atomic<std::uint8_t> between_{1};
  alignas(64) std::uint8_t back_ = 0;
  alignas(64) std::uint8_t front_ = 2;
};

}  // namespace semirec::realtime
