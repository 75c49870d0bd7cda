#include "apps/fmi/state_bytes.hpp"

#include <algorithm>
#include <bit>

#include "topology/hash.hpp"

namespace semirec::fmi {

namespace {

constexpr std::size_t kWord = 8;

std::uint64_t checksum(const std::byte* bytes, std::size_t size) {
  Fnv64 hash;
  hash.put(bytes, size);
  return hash.value();
}

std::size_t whole_words(std::size_t size) { return (size + kWord - 1) / kWord * kWord; }

}  // namespace

void ByteWriter::word(std::uint64_t value) {
  for (std::size_t k = 0; k < kWord; ++k) out_.push_back(static_cast<std::byte>(value >> (8 * k)));
}

void ByteWriter::number(double value) { word(std::bit_cast<std::uint64_t>(value)); }

void ByteWriter::bytes(const std::vector<std::byte>& value) {
  word(value.size());
  out_.insert(out_.end(), value.begin(), value.end());
  out_.resize(whole_words(out_.size()));
}

void ByteWriter::text(const std::string& value) {
  const auto* first = reinterpret_cast<const std::byte*>(value.data());
  bytes({first, first + value.size()});
}

std::vector<std::byte> ByteWriter::finish() {
  word(checksum(out_.data(), out_.size()));
  return std::move(out_);
}

ByteReader::ByteReader(const std::vector<std::byte>& bytes) : in_(bytes) {
  if (bytes.size() < kWord || bytes.size() % kWord != 0) return;
  at_ = bytes.size() - kWord;
  end_ = bytes.size();
  good_ = true;
  const std::uint64_t written = word();
  end_ = bytes.size() - kWord;
  at_ = 0;
  good_ = written == checksum(bytes.data(), end_);
}

std::uint64_t ByteReader::word() {
  if (!good_ || end_ - at_ < kWord) {
    good_ = false;
    return 0;
  }
  std::uint64_t value = 0;
  for (std::size_t k = 0; k < kWord; ++k)
    value |= std::to_integer<std::uint64_t>(in_[at_ + k]) << (8 * k);
  at_ += kWord;
  return value;
}

double ByteReader::number() { return std::bit_cast<double>(word()); }

std::vector<std::byte> ByteReader::bytes() {
  const std::uint64_t size = word();
  if (!good_ || size > end_ - at_) {
    good_ = false;
    return {};
  }
  const auto first = in_.begin() + static_cast<std::ptrdiff_t>(at_);
  std::vector<std::byte> block(first, first + static_cast<std::ptrdiff_t>(size));
  at_ = std::min(end_, at_ + whole_words(size));
  return block;
}

std::string ByteReader::text() {
  const std::vector<std::byte> block = bytes();
  return {reinterpret_cast<const char*>(block.data()), block.size()};
}

}  // namespace semirec::fmi
