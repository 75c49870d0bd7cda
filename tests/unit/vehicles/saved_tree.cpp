#include "vehicles/files/xml/saved_tree.hpp"

#include <fstream>
#include <iterator>
#include <random>

#include <gtest/gtest.h>

#include "topology/mechanism.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/files/xml/xml_parser.hpp"

namespace semirec {
namespace {

const std::string kSedan = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/sedan.xml";

std::string text_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void expect_equal(const std::vector<XmlNode>& found, const std::vector<XmlNode>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    EXPECT_EQ(found[k].name, expected[k].name);
    EXPECT_EQ(found[k].line, expected[k].line);
    ASSERT_EQ(found[k].attributes.size(), expected[k].attributes.size());
    for (std::size_t a = 0; a < found[k].attributes.size(); ++a) {
      EXPECT_EQ(found[k].attributes[a].name, expected[k].attributes[a].name);
      EXPECT_EQ(found[k].attributes[a].value, expected[k].attributes[a].value);
      EXPECT_EQ(found[k].attributes[a].line, expected[k].attributes[a].line);
    }
    expect_equal(found[k].children, expected[k].children);
  }
}

TEST(SavedTree, HoldsWhatTheTextHolds) {
  const XmlTree tree = parse_xml(text_of(kSedan), kSedan);
  const std::string bytes = save_tree(tree);
  EXPECT_TRUE(is_saved_tree(bytes));
  expect_equal(load_tree(bytes, "sedan").nodes, tree.nodes);
  EXPECT_EQ(save_tree(load_tree(bytes, "sedan")), bytes);
}

// by hand: what follows the first line is the strings "", "a", "b", "1", then one node <a b="1">
// in line 1, with the attribute in line 1
TEST(SavedTree, IsOfStringsAndWholeNumbers) {
  const std::string bytes = save_tree(parse_xml("<a b='1'/>", "file"));
  const std::string expected("semirec tree 1\n\3\1a\1b\0011\1\0\1\1\1\2\1\0", 15 + 7 + 8);
  EXPECT_EQ(bytes, expected);
}

TEST(SavedTree, CutShortOrChangedIsRefusedOrReadNeverMore) {
  const std::string bytes = save_tree(parse_xml(text_of(kSedan), kSedan));
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_THROW(load_tree(std::string_view(bytes).substr(0, length), "file"), ModelError);
  std::mt19937 random(1);
  int refused = 0;
  for (int k = 0; k < 2000; ++k) {
    std::string changed = bytes;
    changed[15 + random() % (changed.size() - 15)] = static_cast<char>(random() % 256);
    try {
      static_cast<void>(load_tree(changed, "file"));
    } catch (const ModelError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);
  EXPECT_THROW(load_tree(bytes + "x", "file"), ModelError);
  EXPECT_THROW(load_tree("semirec tree 2\n", "file"), ModelError);
}

}  // namespace
}  // namespace semirec
