#include "vehicles/files/xml/saved_tree.hpp"

#include <cstdint>
#include <map>

#include "topology/mechanism.hpp"

namespace semirec {

namespace {

constexpr std::string_view kSavedKind = "semirec tree ";
constexpr std::string_view kFirstLine = "semirec tree 1\n";
/// No file that tinyxml2 reads is deeper.
constexpr int kDeepestTree = 1000;

void put_count(std::string& bytes, std::size_t value) {
  for (; value >= 128; value /= 128) bytes += static_cast<char>(128 + value % 128);
  bytes += static_cast<char>(value);
}

class TreeWriter {
 public:
  std::string run(const XmlTree& tree) {
    put_nodes(tree.nodes);
    std::string bytes(kFirstLine);
    put_count(bytes, strings_.size());
    for (const std::string_view text : strings_) {
      put_count(bytes, text.size());
      bytes += text;
    }
    return bytes + nodes_;
  }

 private:
  void put_string(const std::string& text) {
    const auto [known, fresh] = index_.emplace(text, strings_.size());
    if (fresh) strings_.emplace_back(known->first);
    put_count(nodes_, known->second);
  }
  void put_nodes(const std::vector<XmlNode>& nodes) {
    put_count(nodes_, nodes.size());
    for (const XmlNode& node : nodes) {
      put_string(node.name);
      put_count(nodes_, static_cast<std::size_t>(node.line));
      put_count(nodes_, node.attributes.size());
      for (const XmlAttribute& a : node.attributes) {
        put_string(a.name);
        put_string(a.value);
        put_count(nodes_, static_cast<std::size_t>(a.line));
      }
      put_nodes(node.children);
    }
  }

  std::string nodes_;
  std::map<std::string, std::size_t> index_;
  std::vector<std::string_view> strings_;  ///< the keys of the map, in the order of first use
};

class TreeReader {
 public:
  TreeReader(std::string_view bytes, const std::string& path) : bytes_(bytes), path_(path) {}

  XmlTree run() {
    if (bytes_.substr(0, kFirstLine.size()) != kFirstLine)
      fail("is a saved file of another version, expected one of version 1");
    at_ = kFirstLine.size();
    strings_.resize(take_length());
    for (std::string_view& text : strings_) {
      const std::size_t length = take_length();
      text = bytes_.substr(at_, length);
      at_ += length;
    }
    XmlTree tree{take_nodes(0)};
    if (at_ != bytes_.size()) fail("has bytes behind its end");
    return tree;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw ModelError({path_, 1}, "", what); }
  std::size_t take_count() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 56; shift += 7) {
      if (at_ == bytes_.size()) fail("is a saved file cut short");
      const auto byte = static_cast<unsigned char>(bytes_[at_++]);
      value |= static_cast<std::uint64_t>(byte & 127U) << shift;
      if (byte < 128) return value;
    }
    fail("is a saved file with a number out of range");
  }
  /// Of things that take a byte each at least: no more than there are bytes left.
  std::size_t take_length() {
    const std::size_t length = take_count();
    if (length > bytes_.size() - at_) fail("is a saved file cut short");
    return length;
  }
  std::string take_string() {
    const std::size_t index = take_count();
    if (index >= strings_.size()) fail("is a saved file with a string out of range");
    return std::string(strings_[index]);
  }
  int take_line() { return static_cast<int>(take_count() & 0x7fffffffU); }
  std::vector<XmlNode> take_nodes(int depth) {
    if (depth > kDeepestTree) fail("is a saved file that is nested too deep");
    std::vector<XmlNode> nodes;
    for (std::size_t count = take_length(); count > 0; --count) {
      XmlNode& node = nodes.emplace_back();
      node.name = take_string();
      node.line = take_line();
      for (std::size_t attributes = take_length(); attributes > 0; --attributes) {
        XmlAttribute& a = node.attributes.emplace_back();
        a.name = take_string();
        a.value = take_string();
        a.line = take_line();
      }
      node.children = take_nodes(depth + 1);
    }
    return nodes;
  }

  std::string_view bytes_;
  const std::string& path_;
  std::size_t at_ = 0;
  std::vector<std::string_view> strings_;
};

}  // namespace

bool is_saved_tree(std::string_view bytes) {
  return bytes.substr(0, kSavedKind.size()) == kSavedKind;
}

std::string save_tree(const XmlTree& tree) { return TreeWriter().run(tree); }

XmlTree load_tree(std::string_view bytes, const std::string& path) {
  return TreeReader(bytes, path).run();
}

}  // namespace semirec
