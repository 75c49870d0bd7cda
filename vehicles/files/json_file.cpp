#include "vehicles/files/json_file.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include <Eigen/Geometry>
#include <nlohmann/json.hpp>

namespace semirec::json {

namespace {

namespace fs = std::filesystem;
using Kind = JsonNode::Kind;

constexpr std::size_t kLargestText = 8'000'000;  // bytes
constexpr std::size_t kDeepest = 32;
constexpr double kLargestNumber = 1e15;

std::string pick(Kind kind) {
  switch (kind) {
    case Kind::null:
      return "null";
    case Kind::boolean:
      return "true or false";
    case Kind::number:
      return "a number";
    case Kind::text:
      return "a text";
    case Kind::array:
      return "an array";
    case Kind::object:
      return "an object";
  }
  return "";
}

std::string words(double value) {
  std::string text = std::to_string(value);
  if (std::abs(value) >= 1e6 || (value != 0.0 && std::abs(value) < 1e-3)) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%g", value);
    text = buffer;
  }
  return text;
}

/// Reads characters and tells where it is; nlohmann's parser copies its iterators, so the place is
/// kept outside.
class Walker {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Walker(const char* at, std::size_t* passed) : at_(at), passed_(passed) {}
  reference operator*() const { return *at_; }
  Walker& operator++() {
    ++at_;
    ++*passed_;
    return *this;
  }
  Walker operator++(int) {
    Walker before = *this;
    ++*this;
    return before;
  }
  bool operator==(const Walker& other) const { return at_ == other.at_; }
  bool operator!=(const Walker& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  std::size_t* passed_;
};

/// Builds the nodes from the parser's events, without recursion.
class Builder {
 public:
  Builder(const std::string& text, JsonFile& file, const std::size_t& passed)
      : text_(text), file_(file), passed_(passed) {}

  bool null() { return put({}); }
  bool boolean(bool value) {
    JsonNode node;
    node.kind = Kind::boolean;
    node.boolean = value;
    return put(std::move(node));
  }
  bool number_integer(std::int64_t value) { return number(static_cast<double>(value)); }
  bool number_unsigned(std::uint64_t value) { return number(static_cast<double>(value)); }
  bool number_float(double value, const std::string&) { return number(value); }
  bool string(std::string& value) {
    JsonNode node;
    node.kind = Kind::text;
    node.text = std::move(value);
    return put(std::move(node));
  }
  bool binary(std::vector<std::uint8_t>&) { return false; }
  bool start_object(std::size_t) { return open(Kind::object); }
  bool start_array(std::size_t) { return open(Kind::array); }
  bool key(std::string& value) {
    JsonNode& object = *open_.back();
    if (!keys_.back().insert(value).second)
      fail("'" + printable(value) + "' stands twice, expected each key once");
    object.keys.push_back(value);
    return true;
  }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) {
    // the text after the last colon but for the parser's own place and number
    std::string what = error.what();
    const std::size_t colon = what.find(": ");
    if (colon != std::string::npos) what = what.substr(colon + 2);
    fail("is no JSON: " + printable(what) + ", expected the rest of a value");
  }

 private:
  int line() const {
    // a number is over only when the character after it was read
    const std::size_t end = std::min(passed_ > 0 ? passed_ - 1 : 0, text_.size());
    line_ += static_cast<int>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(counted_),
                                         text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    counted_ = end;
    return line_;
  }
  [[noreturn]] void fail(const std::string& message) const {
    throw ModelError(Source{file_.name, line()}, "JSON", message);
  }
  bool number(double value) {
    if (!std::isfinite(value) || std::abs(value) > kLargestNumber)
      fail("holds the number " + words(value) + ", expected none beyond 1e15");
    JsonNode node;
    node.kind = Kind::number;
    node.number = value;
    return put(std::move(node));
  }
  JsonNode& place() {
    if (open_.empty()) return file_.root;
    JsonNode& parent = *open_.back();
    return parent.items.emplace_back();
  }
  bool put(JsonNode node) {
    node.line = line();
    place() = std::move(node);
    return true;
  }
  bool open(Kind kind) {
    if (open_.size() >= kDeepest) fail("is nested deeper than 32, expected a flatter file");
    JsonNode& node = place();
    node.kind = kind;
    node.line = line();
    // stays where it is until closed: only the innermost open node grows
    open_.push_back(&node);
    keys_.emplace_back();
    return true;
  }
  bool close() {
    open_.pop_back();
    keys_.pop_back();
    return true;
  }

  const std::string& text_;
  JsonFile& file_;
  const std::size_t& passed_;
  mutable std::size_t counted_ = 0;
  mutable int line_ = 1;
  std::vector<JsonNode*> open_;
  std::vector<std::set<std::string>> keys_;
};

void list_unused(const JsonNode& node, const std::string& path, std::vector<std::string>& paths) {
  if (!node.used) {
    paths.push_back(path);
    return;
  }
  for (std::size_t i = 0; i < node.keys.size() && i < node.items.size(); ++i) {
    const std::string key = printable(node.keys[i]);
    list_unused(node.items[i], path.empty() ? key : path + "/" + key, paths);
  }
}

std::string read_text(const std::string& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (error || !fs::is_regular_file(path, error))
    throw ModelError(Source{path, 0}, "file", "cannot be read, expected a file");
  if (size > kLargestText)
    throw ModelError(Source{path, 0}, "file", "is larger than 8 MB, expected a smaller one");
  std::ifstream file(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  if (!file) throw ModelError(Source{path, 0}, "file", "cannot be read, expected a file");
  return text;
}

/// A name that stays below the folder it is resolved against.
bool stays_inside(const std::string& name) {
  if (name.empty() || name.size() > 1000 || name.find('\0') != std::string::npos) return false;
  const fs::path path(name);
  if (path.is_absolute()) return false;
  return std::none_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".."; });
}

}  // namespace

std::string printable(const std::string& text, std::size_t limit) {
  std::string out;
  for (const char c : text) {
    if (out.size() >= limit) return out + "...";
    out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  }
  return out;
}

JsonFile parse_json(const std::string& text, const std::string& name) {
  JsonFile file;
  file.name = printable(name, 300);
  if (text.size() > kLargestText)
    throw ModelError(Source{file.name, 0}, "file", "is larger than 8 MB, expected a smaller one");
  std::size_t passed = 0;
  Builder builder(text, file, passed);
  const char* begin = text.data();
  (void)nlohmann::json::sax_parse(Walker(begin, &passed), Walker(begin + text.size(), &passed),
                                  &builder, nlohmann::json::input_format_t::json, true, true);
  return file;
}

void Json::fail(const std::string& message) const {
  throw ModelError(source(), path_.empty() ? "JSON" : path_, message);
}

std::string Json::note(const std::string& text) const {
  return file_->name + ":" + std::to_string(node_->line) + ": " + text;
}

void Json::need(Kind kind, const char* expected) const {
  if (node_->kind != kind) fail("is " + pick(node_->kind) + ", expected " + expected);
}

std::optional<Json> Json::find(const std::string& key) const {
  need(Kind::object, "an object");
  for (std::size_t i = 0; i < node_->keys.size(); ++i)
    if (node_->keys[i] == key)
      return Json(*file_, node_->items[i], path_.empty() ? key : path_ + "/" + key);
  return std::nullopt;
}

std::vector<std::pair<std::string, Json>> Json::members() const {
  need(Kind::object, "an object");
  std::vector<std::pair<std::string, Json>> all;
  for (std::size_t i = 0; i < node_->keys.size(); ++i)
    all.emplace_back(node_->keys[i],
                     Json(*file_, node_->items[i],
                          path_.empty() ? node_->keys[i] : path_ + "/" + node_->keys[i]));
  return all;
}

Json Json::at(const std::string& key) const {
  if (const auto found = find(key)) return *found;
  fail("has no '" + key + "', expected that key");
}

std::vector<Json> Json::items(std::size_t limit) const {
  need(Kind::array, "an array");
  if (node_->items.size() > limit)
    fail("has " + std::to_string(node_->items.size()) + " entries, expected at most " +
         std::to_string(limit));
  std::vector<Json> all;
  all.reserve(node_->items.size());
  for (std::size_t i = 0; i < node_->items.size(); ++i)
    all.push_back(Json(*file_, node_->items[i], path_ + "[" + std::to_string(i) + "]"));
  return all;
}

double Json::number() const {
  need(Kind::number, "a number");
  return node_->number;
}

double Json::positive() const {
  const double value = number();
  if (!(value > 0.0)) fail("is " + words(value) + ", expected a number above zero");
  return value;
}

double Json::not_negative() const {
  const double value = number();
  if (!(value >= 0.0)) fail("is " + words(value) + ", expected a number not below zero");
  return value;
}

int Json::index(int limit) const {
  const double value = number();
  if (value != std::floor(value) || value < 0.0 || value > limit)
    fail("is " + words(value) + ", expected a whole number from 0 to " + std::to_string(limit));
  return static_cast<int>(value);
}

bool Json::flag() const {
  need(Kind::boolean, "true or false");
  return node_->boolean;
}

const std::string& Json::text() const {
  need(Kind::text, "a text");
  return node_->text;
}

Eigen::Vector3d Json::vector() const {
  const std::vector<Json> parts = items();
  if (parts.size() != 3)
    fail("has " + std::to_string(parts.size()) + " entries, expected three numbers");
  return {parts[0].number(), parts[1].number(), parts[2].number()};
}

Eigen::Matrix3d Json::rotation() const {
  const std::vector<Json> parts = items();
  if (parts.size() != 4)
    fail("has " + std::to_string(parts.size()) + " entries, expected the four of a quaternion");
  const Eigen::Quaterniond q(parts[0].number(), parts[1].number(), parts[2].number(),
                             parts[3].number());
  if (std::abs(q.norm() - 1.0) > 1e-3)
    fail("has the length " + words(q.norm()) + ", expected a quaternion of length 1");
  return q.normalized().toRotationMatrix();
}

std::vector<std::pair<double, double>> Json::curve(std::size_t least) const {
  std::vector<std::pair<double, double>> points;
  for (const Json& row : items()) {
    const std::vector<Json> pair = row.items();
    if (pair.size() != 2)
      row.fail("has " + std::to_string(pair.size()) + " entries, expected a pair of numbers");
    const double x = pair[0].number();
    if (!points.empty() && x <= points.back().first)
      row.fail("does not ascend, expected more than at the point before");
    points.emplace_back(x, pair[1].number());
  }
  if (points.size() < least)
    fail("has " + std::to_string(points.size()) + " points, expected at least " +
         std::to_string(least));
  return points;
}

std::vector<std::string> unused_paths(const JsonFile& file) {
  std::vector<std::string> paths;
  list_unused(file.root, "", paths);
  return paths;
}

Json JsonFolder::parse(const std::string& key, const std::string& text) const {
  std::string name = key;
  if (!root_.empty()) {
    std::error_code error;
    const fs::path below = fs::relative(key, root_, error);
    if (!error && !below.empty() && *below.begin() != "..") name = below.generic_string();
  }
  auto& file = files_[key];
  if (!file) file = std::make_unique<JsonFile>(parse_json(text, name));
  return Json(*file);
}

std::string JsonFolder::find(const Json& reference) const {
  const std::string& name = reference.text();
  if (!stays_inside(name))
    reference.fail("is '" + printable(name) + "', expected a file below the data folder");
  if (root_.empty()) return texts_.count(name) > 0 ? name : "";
  const fs::path path = fs::path(root_) / name;
  std::error_code error;
  return fs::is_regular_file(path, error) ? path.string() : "";
}

Json JsonFolder::open(const Json& reference) const {
  const std::string path = find(reference);
  if (path.empty())
    reference.fail("names '" + printable(reference.text()) +
                   "', which is not in the data folder, expected a file that is");
  const auto known = files_.find(path);
  if (known != files_.end() && known->second) return Json(*known->second);
  return parse(path, text_of(path));
}

std::string JsonFolder::find_path(const std::string& path) const {
  std::error_code error;
  if (root_.empty()) {
    if (texts_.count(path) == 0)
      throw ModelError(Source{printable(path), 0}, "file", "is not there, expected a file");
    return path;
  }
  if (fs::is_regular_file(path, error)) return path;
  const std::string below = (fs::path(root_) / path).string();
  return fs::is_regular_file(below, error) ? below : path;
}

std::string JsonFolder::text_of(const std::string& found) const {
  if (root_.empty()) return texts_.at(found);
  places_.insert(found);
  return read_text(found);
}

Json JsonFolder::open_path(const std::string& path) const {
  const std::string found = find_path(path);
  const auto known = files_.find(found);
  if (known != files_.end() && known->second) return Json(*known->second);
  return parse(found, text_of(found));
}

}  // namespace semirec::json
