#include "vehicles/session/saved_session.hpp"

#include <bit>
#include <cmath>
#include <type_traits>

#include "integrator/state_members.hpp"
#include "topology/hash.hpp"

namespace semirec {

namespace {

constexpr std::size_t kWord = 8;
constexpr std::size_t kHeader = 3 * kWord;
constexpr std::uint64_t kMagic = 0x00636572696d6573;  // "semirec\0"
constexpr std::uint64_t kVersion = 5;

void put_word(std::byte* out, std::uint64_t word) noexcept {
  for (std::size_t k = 0; k < kWord; ++k) out[k] = static_cast<std::byte>(word >> (8 * k));
}

std::uint64_t get_word(const std::byte* in) noexcept {
  std::uint64_t word = 0;
  for (std::size_t k = 0; k < kWord; ++k) word |= std::to_integer<std::uint64_t>(in[k]) << (8 * k);
  return word;
}

std::uint64_t checksum(const std::byte* bytes, std::size_t size) noexcept {
  Fnv64 hash;
  hash.put(bytes, size);
  return hash.value();
}

struct Counter {
  std::size_t words = 0;
  void number(double /*value*/) noexcept { ++words; }
  void flag(bool /*value*/) noexcept { ++words; }
  void count(std::uint64_t /*value*/, std::uint64_t /*most*/) noexcept { ++words; }
  void list(const std::vector<int>& /*values*/, std::size_t places) noexcept {
    words += 1 + places;
  }
};

struct Writer {
  std::byte* out;
  void word(std::uint64_t value) noexcept {
    put_word(out, value);
    out += kWord;
  }
  void number(double value) noexcept { word(std::bit_cast<std::uint64_t>(value)); }
  void flag(bool value) noexcept { word(value ? 1 : 0); }
  void count(std::uint64_t value, std::uint64_t /*most*/) noexcept { word(value); }
  void list(const std::vector<int>& values, std::size_t places) noexcept {
    word(values.size());
    for (std::size_t k = 0; k < places; ++k)
      word(k < values.size() ? static_cast<std::uint64_t>(values[k]) : 0);
  }
};

struct StateReader {
  const std::byte* in;
  bool good = true;
  std::uint64_t word() noexcept {
    in += kWord;
    return get_word(in - kWord);
  }
  void number(double& value) noexcept {
    value = std::bit_cast<double>(word());
    good = good && std::isfinite(value);
  }
  void flag(bool& value) noexcept {
    const std::uint64_t bits = word();
    value = bits == 1;
    good = good && bits <= 1;
  }
  void count(std::uint64_t& value, std::uint64_t most) noexcept {
    value = word();
    good = good && value <= most;
  }
  /// Ascending indices below `places`.
  void list(std::vector<int>& values, std::size_t places) noexcept {
    const std::uint64_t size = word();
    good = good && size <= places;
    values.clear();
    for (std::size_t k = 0; k < places; ++k) {
      const std::uint64_t value = word();
      if (!good) continue;
      if (k >= size) {
        good = value == 0;
        continue;
      }
      good = value < places && (k == 0 || static_cast<int>(value) > values.back());
      values.push_back(static_cast<int>(value));
    }
  }
};

/// Everything that is kept, in its order; Memory is const where it is only read.
template <typename Archive, typename Memory>
void pass(Archive& archive, Memory& memory, std::uint64_t timed_events) noexcept {
  const auto numbers = [&](auto&& values) {
    for (auto& value : values.reshaped()) archive.number(value);
  };
  const auto inputs = [&](auto& list) {
    for (auto& input : list) {
      archive.flag(input.given);
      archive.number(input.value.f);
      archive.number(input.value.fd);
      archive.number(input.value.fdd);
    }
  };
  const auto rotations = [&](auto& list) {
    for (auto& A0 : list) {
      archive.number(A0.w());
      archive.number(A0.x());
      archive.number(A0.y());
      archive.number(A0.z());
    }
  };
  const auto switches = [&](auto& list) {
    for (auto& change : list) {
      archive.flag(change.attached);
      numbers(change.X_CF.A);
      numbers(change.X_CF.p);
    }
  };
  const auto coordinates = static_cast<std::size_t>(memory.state.z.size());
  visit(memory.state, [&](auto& member) {
    using Member = std::remove_cvref_t<decltype(member)>;
    if constexpr (std::is_same_v<Member, double>)
      archive.number(member);
    else if constexpr (std::is_same_v<Member, std::vector<Quaternion>>)
      rotations(member);
    else if constexpr (std::is_same_v<Member, std::vector<ClosureSwitch>>)
      switches(member);
    else if constexpr (std::is_same_v<Member, std::vector<LiveInput>>)
      inputs(member);
    else if constexpr (std::is_same_v<Member, std::vector<int>>)
      archive.list(member, coordinates);
    else
      numbers(member);
  });
  inputs(memory.coming);
  for (auto& watched : memory.watched) {
    archive.number(watched.last);
    archive.flag(watched.done);
  }
  archive.count(memory.timed_events, timed_events);
}

}  // namespace

std::size_t saved_session_size(const SessionMemory& memory) noexcept {
  Counter counter;
  pass(counter, memory, 0);
  return kHeader + counter.words * kWord + kWord;
}

void write_session(const SessionMemory& memory, std::uint64_t fingerprint,
                   std::byte* out) noexcept {
  Writer writer{out};
  writer.word(kMagic);
  writer.word(kVersion);
  writer.word(fingerprint);
  pass(writer, memory, 0);
  writer.word(checksum(out, static_cast<std::size_t>(writer.out - out)));
}

RestoreStatus read_session(const std::byte* in, std::size_t size, std::uint64_t fingerprint,
                           std::uint64_t timed_events, SessionMemory& memory) noexcept {
  if (in == nullptr || size != saved_session_size(memory)) return RestoreStatus::wrong_size;
  if (get_word(in) != kMagic || get_word(in + kWord) != kVersion) return RestoreStatus::not_a_state;
  if (get_word(in + size - kWord) != checksum(in, size - kWord)) return RestoreStatus::corrupt;
  if (get_word(in + 2 * kWord) != fingerprint) return RestoreStatus::other_model;
  StateReader reader{in + kHeader};
  pass(reader, memory, timed_events);
  return reader.good ? RestoreStatus::restored : RestoreStatus::corrupt;
}

}  // namespace semirec
