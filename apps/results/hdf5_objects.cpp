#include "apps/results/hdf5_objects.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "apps/results/bytes.hpp"
#include "apps/results/hdf5_chunks.hpp"

namespace semirec::results {

namespace {

// types of messages, tables of the HDF5 file format specification, version 1.1
constexpr unsigned kDataspace = 0x01, kDatatype = 0x03, kFillValue = 0x05, kLayout = 0x08,
                   kAttribute = 0x0c;
constexpr std::size_t kHeaderHead = 16, kMessageHead = 8;
constexpr std::size_t kLeastCollection = 4096, kMostObjects = 10000;
constexpr std::size_t kTreeChildren = 32;  // of a group's tree: one is used

std::size_t members_of_node(std::size_t members) {
  return std::max<std::size_t>(4, (members + 1) / 2);
}

/// 64-bit numbers as this machine has them: IEEE 754, lowest byte first.
std::string number_type() {
  std::string out;
  put_u8(out, 0x11);  // version 1, floating point
  put_u8(out, 0x20);  // the first bit of the mantissa is implied
  put_u8(out, 63);    // sign
  put_u8(out, 0);
  put_u32(out, 8);  // bytes
  put_u16(out, 0);
  put_u16(out, 64);
  put_u8(out, 52);  // exponent: place and bits
  put_u8(out, 11);
  put_u8(out, 0);  // mantissa
  put_u8(out, 52);
  put_u32(out, 1023);
  return out;
}

/// Texts of any length in UTF-8.
std::string text_type() {
  std::string out;
  put_u8(out, 0x19);  // version 1, variable length
  put_u8(out, 0x01);  // a text
  put_u8(out, 0x01);  // UTF-8
  put_u8(out, 0);
  put_u32(out, 16);
  // of bytes
  put_u8(out, 0x10);
  put_u8(out, 0);
  put_u16(out, 0);
  put_u32(out, 1);
  put_u16(out, 0);
  put_u16(out, 8);
  return out;
}

}  // namespace

std::string Hdf5Texts::add(const std::string& text) {
  std::string out;
  put_u32(out, text.size());
  if (text.empty()) {
    put_u64(out, 0);
    put_u32(out, 0);
    return out;
  }
  if (objects_ == kMostObjects) close_collection();
  ++objects_;
  put_u64(out, begin_ + done_.size());
  put_u32(out, objects_);
  put_u16(open_, objects_);
  put_u16(open_, 1);  // references
  put_u32(open_, 0);
  put_u64(open_, text.size());
  open_ += text;
  pad_to_8(open_);
  return out;
}

void Hdf5Texts::close_collection() {
  constexpr std::size_t kHead = 16;
  if (objects_ == 0) return;
  const std::size_t used = kHead + open_.size();
  // with room for the object of free bytes that ends it
  const std::size_t size = std::max(kLeastCollection, used + kHead);
  done_ += "GCOL";
  put_u32(done_, 1);
  put_u64(done_, size);
  done_ += open_;
  put_u64(done_, 0);
  put_u64(done_, size - used);
  done_.resize(done_.size() + size - used - kHead);
  open_.clear();
  objects_ = 0;
}

std::string Hdf5Texts::finish() {
  close_collection();
  return done_;
}

void Hdf5ObjectHeader::add(unsigned type, std::string body) {
  pad_to_8(body);
  put_u16(messages_, type);
  put_u16(messages_, body.size());
  put_u32(messages_, 0);
  last_body_ = kHeaderHead + messages_.size();
  messages_ += body;
  ++count_;
}

void Hdf5ObjectHeader::add(const Hdf5Attribute& attribute) {
  const auto& [name, text] = attribute;
  const std::string type = text_type();
  std::string body;
  put_u16(body, 1);  // version
  put_u16(body, name.size() + 1);
  put_u16(body, type.size());
  put_u16(body, 8);  // dataspace: a scalar
  body += name + '\0';
  pad_to_8(body);
  body += type;
  pad_to_8(body);
  put_u64(body, 1);
  add(kAttribute, body + text);
}

std::string Hdf5ObjectHeader::finish() const {
  std::string out;
  put_u16(out, 1);  // version
  put_u16(out, count_);
  put_u32(out, 1);  // references
  put_u64(out, messages_.size());
  return out + messages_;
}

Hdf5Dataset make_dataset(std::uint64_t chunk_rows, std::uint64_t tree,
                         const std::vector<Hdf5Attribute>& attributes) {
  Hdf5Dataset out;
  Hdf5ObjectHeader header;
  std::string space;
  put_u8(space, 1);  // version
  put_u8(space, 1);  // dimensions
  put_u8(space, 1);  // a largest length is given
  space.resize(8);
  put_u64(space, 0);
  put_u64(space, kHdf5None);  // there is none
  header.add(kDataspace, space);
  out.length_at = header.last_body() + 8;
  header.add(kDatatype, number_type());
  std::string fill;
  put_u8(fill, 2);  // version
  put_u8(fill, 3);  // room is taken chunk by chunk
  put_u8(fill, 0);  // and filled when it is
  put_u8(fill, 1);
  put_u32(fill, 8);
  put_double(fill, std::numeric_limits<double>::quiet_NaN());
  header.add(kFillValue, fill);
  std::string layout;
  put_u8(layout, 3);  // version
  put_u8(layout, 2);  // chunks
  put_u8(layout, 2);  // dimensions, the bytes of a number included
  put_u64(layout, tree);
  put_u32(layout, chunk_rows);
  put_u32(layout, 8);
  header.add(kLayout, layout);
  out.tree_at = header.last_body() + 3;
  for (const Hdf5Attribute& attribute : attributes) header.add(attribute);
  out.bytes = header.finish();
  return out;
}

Hdf5Group make_group(std::uint64_t at,
                     const std::vector<std::pair<std::string, std::uint64_t>>& members) {
  // names begin behind the empty one
  std::string names(8, '\0');
  std::string symbols;
  std::uint64_t last_name = 0;
  for (const auto& [name, header] : members) {
    last_name = names.size();
    put_u64(symbols, names.size());
    put_u64(symbols, header);
    symbols.resize(symbols.size() + 24);
    names += name + '\0';
    pad_to_8(names);
  }
  Hdf5Group group;
  group.heap = at;
  std::string& out = group.bytes;
  out = "HEAP";
  put_u32(out, 0);
  put_u64(out, names.size());
  put_u64(out, 1);  // nothing is free
  put_u64(out, at + 32);
  out += names;

  const std::uint64_t node = at + out.size();
  const std::size_t node_end = out.size() + 8 + 40 * 2 * members_of_node(members.size());
  out += "SNOD";
  put_u16(out, 1);
  put_u16(out, members.size());
  out += symbols;
  out.resize(node_end);

  group.tree = at + out.size();
  const std::size_t tree_end = out.size() + 24 + kTreeChildren * 16 + 8;
  out += "TREE";
  put_u16(out, 0);
  put_u16(out, 1);
  put_u64(out, kHdf5None);
  put_u64(out, kHdf5None);
  put_u64(out, 0);
  put_u64(out, node);
  put_u64(out, last_name);
  out.resize(tree_end);
  return group;
}

std::string make_superblock(std::uint64_t end, std::size_t members, std::uint64_t root_header,
                            const Hdf5Group& root) {
  std::string out = "\x89HDF\r\n\x1a\n";
  put_u32(out, 0);  // versions of the parts
  put_u8(out, 0);
  put_u8(out, 8);  // bytes of an address, of a length
  put_u8(out, 8);
  put_u8(out, 0);
  put_u16(out, members_of_node(members));
  put_u16(out, kTreeChildren / 2);
  put_u32(out, 0);
  put_u64(out, 0);
  put_u64(out, kHdf5None);
  put_u64(out, end);
  put_u64(out, kHdf5None);
  put_u64(out, 0);
  put_u64(out, root_header);
  put_u32(out, 1);  // a group, known by
  put_u32(out, 0);
  put_u64(out, root.tree);
  put_u64(out, root.heap);
  return out;
}

}  // namespace semirec::results
