#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <Eigen/Core>

#include "topology/curve.hpp"
#include "topology/frame.hpp"
#include "topology/hash.hpp"

namespace semirec {

/// Hash of a description, to which its members are given one after the other: numbers, flags,
/// enumerations, texts, matrices, lists and optional values of these, and every type T with a
/// function
///   void put_into(Fingerprint& fingerprint, const T& whole)
/// in this namespace. Such a function unpacks all members of a plain struct by a structured binding
/// (`const auto& [name, mass, ...] = whole`) and passes on those that count: where a member is
/// added to the struct the compiler refuses the function until somebody has decided about the new
/// one.
class Fingerprint {
 public:
  template <typename... Parts>
  void operator()(const Parts&... parts) {
    (put(parts), ...);
  }
  std::uint64_t value() const noexcept { return hash_.value(); }

 private:
  template <typename Part>
  void put(const Part& part);

  Fnv64 hash_;
};

void put_into(Fingerprint& fingerprint, const Frame& frame);
/// Without what follows from the pieces.
void put_into(Fingerprint& fingerprint, const Curve& curve);

template <typename Part>
void Fingerprint::put(const Part& part) {
  if constexpr (std::floating_point<Part>) {
    hash_.put(static_cast<double>(part));
  } else if constexpr (std::integral<Part> || std::is_enum_v<Part>) {
    hash_.put(static_cast<std::uint64_t>(part));
  } else if constexpr (std::is_convertible_v<const Part&, std::string_view>) {
    hash_.put(std::string_view(part));
  } else if constexpr (requires { part.reshaped(); }) {
    for (const auto& number : part.reshaped()) put(number);
  } else if constexpr (requires { part.has_value(); }) {
    put(part.has_value());
    if (part.has_value()) put(*part);
  } else if constexpr (std::is_array_v<Part> || requires { part.begin(); }) {
    put(std::size(part));
    for (const auto& element : part) put(element);
  } else {
    put_into(*this, part);
  }
}

}  // namespace semirec
