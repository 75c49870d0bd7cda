#include "apps/cli/output.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <random>
#include <sstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "topology/mechanism.hpp"

namespace semirec::cli {

namespace {

namespace fs = std::filesystem;

/// Bytes that are collected before they go to the disk.
constexpr std::size_t kBlock = 4096;
constexpr int kMostTries = 100;

/// A name beside `path` that is most likely free.
fs::path name_beside(const fs::path& path) {
  static std::mt19937 letters{std::random_device{}()};
  std::string name = path.filename().string().substr(0, 200) + '.';
  for (int k = 0; k < 8; ++k) name += "abcdefghijkmnpqrstuvwxyz23456789"[letters() % 32];
  return path.parent_path() / (name + ".part");
}

bool same_content(const fs::path& a, const fs::path& b) {
  std::error_code error;
  if (!fs::is_regular_file(b, error) || fs::file_size(a, error) != fs::file_size(b, error))
    return false;
  std::ifstream first(a, std::ios::binary);
  std::ifstream second(b, std::ios::binary);
  std::stringstream x, y;
  x << first.rdbuf();
  y << second.rdbuf();
  return x.str() == y.str();
}

/// Renames where no file has the new name. False with errno otherwise.
bool rename_without_replacing(const fs::path& from, const fs::path& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno == EEXIST) return false;
  // a file system that cannot: an empty file claims the name, and only its maker replaces it
  const int claim = ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (claim < 0) return false;
  ::close(claim);
  return std::rename(from.c_str(), to.c_str()) == 0;
}

}  // namespace

std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

OutputFile::OutputFile(const fs::path& path, bool overwrite) : path_(path), overwrite_(overwrite) {
  const auto refuse = [&](const std::string& message) {
    throw ModelError("output file '" + path.string() + "': " + message);
  };
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) refuse("is a folder, expected the name of a file");
  if (fs::exists(status) && !fs::is_regular_file(status))
    refuse("is no regular file, expected the name of one, or one that is free");
  if (fs::exists(fs::symlink_status(path, error))) {
    if (!overwrite) refuse("is already there, expected a free name or --overwrite");
    // the file that a link leads to is meant
    if (fs::exists(status)) path_ = fs::canonical(path, error);
    if (access(path_.c_str(), W_OK) != 0 && fs::exists(status))
      refuse("cannot be written, expected a file with permission to write");
  }
  for (int k = 0; file_ < 0 && k < kMostTries; ++k) {
    part_ = name_beside(path_);
    file_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file_ < 0 && errno != EEXIST) break;
  }
  if (file_ < 0)
    refuse(fmt::format("cannot be written ({}), expected a folder with permission to write",
                       std::strerror(errno)));
}

OutputFile::~OutputFile() {
  if (file_ >= 0) ::close(file_);
  if (!keep_) ::unlink(part_.c_str());
}

bool OutputFile::fail(const std::string& message) {
  if (trouble_.empty()) trouble_ = "output file '" + path_.string() + "': " + message;
  return false;
}

bool OutputFile::cannot_write(const std::string& reason) {
  return fail(fmt::format("cannot be written ({}), expected room on the disk", reason));
}

bool OutputFile::flush() {
  std::size_t written = 0;
  while (trouble_.empty() && written < waiting_.size()) {
    const ssize_t part = ::write(file_, waiting_.data() + written, waiting_.size() - written);
    if (part > 0) {
      written += static_cast<std::size_t>(part);
      continue;
    }
    if (part < 0 && errno == EINTR) continue;
    cannot_write(std::strerror(errno));
    // what is left ends with a whole line
    const std::size_t line = waiting_.substr(0, written).rfind('\n');
    const std::size_t whole = line == std::string::npos ? 0 : line + 1;
    const off_t end = ::lseek(file_, 0, SEEK_CUR);
    if (end >= 0) static_cast<void>(ftruncate(file_, end - static_cast<off_t>(written - whole)));
  }
  waiting_.clear();
  return trouble_.empty();
}

bool OutputFile::write(std::string_view text) {
  if (!trouble_.empty()) return false;
  waiting_ += text;
  if (waiting_.size() < kBlock) return true;
  // a line that is not complete waits
  const std::size_t line = waiting_.rfind('\n');
  if (line == std::string::npos) return flush();
  const std::string rest = waiting_.substr(line + 1);
  waiting_.resize(line + 1);
  const bool good = flush();
  waiting_ = rest;
  return good;
}

bool OutputFile::take_name() {
  if (overwrite_) return std::rename(part_.c_str(), path_.c_str()) == 0;
  return rename_without_replacing(part_, path_);
}

bool OutputFile::publish() {
  if (!flush()) return false;
  if (take_name()) {
    keep_ = true;
    published_ = true;
    return true;
  }
  if (errno != EEXIST)
    return fail(fmt::format("cannot be written ({}), expected a folder with permission to write",
                            std::strerror(errno)));
  // the same text is there: made by the same command before
  if (same_content(part_, path_)) {
    published_ = true;
    return true;
  }
  keep_ = true;
  return fail("has been made by another program meanwhile and stays as it is; what was to be " +
              std::string("written is kept as '") + part_.string() + "'");
}

bool OutputFile::close() {
  const bool flushed = flush();
  const int file = file_;
  file_ = -1;
  if (file >= 0 && ::close(file) != 0 && flushed) return cannot_write(std::strerror(errno));
  return flushed;
}

OutputFolder::OutputFolder(const fs::path& folder, bool overwrite,
                           const std::function<bool(const std::string&)>& taken)
    : folder_(folder), overwrite_(overwrite) {
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_directory(folder, error))
    fail("is a file, expected a folder or a name that is free");
  const auto look = [&] {
    if (overwrite) return;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
      if (taken(entry.path().filename().string()))
        fail("already holds " + entry.path().filename().string() +
             ", expected an empty folder or --overwrite");
  };
  look();
  made_ = !fs::exists(folder, error);
  fs::create_directories(folder, error);
  if (error) fail("cannot be made (" + error.message() + "), expected a place that can be written");
  if (access(folder.c_str(), W_OK) != 0)
    fail("cannot be written, expected a folder with permission to write");
  lock_.file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // a file system without locks: files are still not written over, see OutputFile
  if (lock_.file >= 0 && flock(lock_.file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    fail("is being written by another semirec, expected that to end first");
  // another one may have been here before the lock
  look();
}

OutputFolder::~OutputFolder() {
  std::error_code error;
  if (made_) fs::remove(folder_, error);  // which only an empty one lets happen
}

OutputFolder::Lock::~Lock() {
  if (file >= 0) ::close(file);
}

std::string OutputFolder::write(const std::string& name, std::string_view text) const {
  try {
    OutputFile file(folder_ / name, overwrite_);
    if (file.write(text) && file.finish()) return {};
    return file.trouble();
  } catch (const ModelError& error) {
    return error.what();
  }
}

void OutputFolder::fail(const std::string& message) const {
  throw ModelError("output folder '" + folder_.string() + "': " + message);
}

}  // namespace semirec::cli
