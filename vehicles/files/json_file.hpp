#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "topology/mechanism.hpp"

namespace semirec::json {

/// A value of a JSON file and the line on which it ends or, for arrays and objects, begins.
struct JsonNode {
  enum class Kind { null, boolean, number, text, array, object };
  Kind kind = Kind::null;
  bool boolean = false;
  double number = 0.0;
  std::string text;
  std::vector<std::string> keys;  ///< of an object, one for each item
  std::vector<JsonNode> items;
  int line = 0;
  mutable bool used = false;  ///< somebody asked for it
};

struct JsonFile {
  std::string name;  ///< for messages
  JsonNode root;
};

/// Parses a JSON text; comments are allowed, as in Chrono. Throws ModelError with file and line on
/// what is no JSON, a key that comes twice, nesting deeper than 32, a number beyond 1e15, a text of
/// more than 8 MB.
JsonFile parse_json(const std::string& text, const std::string& name);

/// A value with its path in the file, such as `Spring/Curve Data[2]`. Remembers that it was asked
/// for. All functions throw ModelError with file, line and path when the value is not what is asked
/// for.
class Json {
 public:
  explicit Json(const JsonFile& file) : Json(file, file.root, "") {}

  Json at(const std::string& key) const;
  std::optional<Json> find(const std::string& key) const;
  bool has(const std::string& key) const { return find(key).has_value(); }
  bool is_array() const { return node_->kind == JsonNode::Kind::array; }
  /// Keys and values of an object.
  std::vector<std::pair<std::string, Json>> members() const;
  /// Items of an array of at most `limit`.
  std::vector<Json> items(std::size_t limit = 10000) const;

  double number() const;
  double positive() const;
  double not_negative() const;
  /// A whole number from 0 to `limit`.
  int index(int limit) const;
  bool flag() const;
  const std::string& text() const;
  Eigen::Vector3d vector() const;
  /// Rotation of a quaternion e0 e1 e2 e3, brought to unit length; it must not be far from it.
  Eigen::Matrix3d rotation() const;
  /// Pairs that ascend in the first number, at least `least` of them.
  std::vector<std::pair<double, double>> curve(std::size_t least = 2) const;

  [[noreturn]] void fail(const std::string& message) const;
  const std::string& path() const { return path_; }
  /// `file:line: ` and a text, for notes.
  std::string note(const std::string& text) const;
  Source source() const { return {file_->name, node_->line}; }

 private:
  Json(const JsonFile& file, const JsonNode& node, std::string path)
      : file_(&file), node_(&node), path_(std::move(path)) {
    node.used = true;
  }
  void need(JsonNode::Kind kind, const char* expected) const;

  const JsonFile* file_;
  const JsonNode* node_;
  std::string path_;
};

/// Paths of the values that nobody asked for; an object or array is named in place of its content.
std::vector<std::string> unused_paths(const JsonFile& file);

/// Text of a file made fit for a message: one line, no control characters, at most `limit`
/// characters.
std::string printable(const std::string& text, std::size_t limit = 80);

/// The files below a data folder, or texts by name; each is parsed once.
class JsonFolder {
 public:
  explicit JsonFolder(std::string root) : root_(std::move(root)) {}
  explicit JsonFolder(std::map<std::string, std::string> texts) : texts_(std::move(texts)) {}

  /// The file that a value names. Throws ModelError: no such file, a path that leaves the folder.
  Json open(const Json& reference) const;
  /// A file of the command line: as it stands, else below the folder.
  Json open_path(const std::string& path) const;
  /// Where the named file is; empty if there is none. Throws ModelError on a path that leaves the
  /// folder.
  std::string find(const Json& reference) const;
  /// Where a path of the command line is: as it stands, else below the folder. Throws ModelError.
  std::string find_path(const std::string& path) const;
  /// Text of what find() or find_path() gave, at most 8 MB. Throws ModelError.
  std::string text_of(const std::string& found) const;
  const std::string& root() const { return root_; }
  /// Places of all files that were read so far; none of texts by name.
  const std::set<std::string>& places() const { return places_; }
  /// All files so far, by name.
  const std::map<std::string, std::unique_ptr<JsonFile>>& files() const { return files_; }

 private:
  /// Parses a text under its name once; the name of a file below the folder is the one relative to
  /// it.
  Json parse(const std::string& key, const std::string& text) const;

  std::string root_;
  std::map<std::string, std::string> texts_;
  mutable std::map<std::string, std::unique_ptr<JsonFile>> files_;
  mutable std::set<std::string> places_;
};

}  // namespace semirec::json
