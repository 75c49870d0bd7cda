#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace semirec::cli {

/// The JSON text of a file, with its last line end. Bytes that are no UTF-8 are replaced.
std::string json_text(const nlohmann::ordered_json& json);

/// A file that a command writes. It grows beside its name, under a name that nobody else has, and
/// gets its own name by publish(); what is there under that name is replaced only where
/// `overwrite` says so. Two programs that write the same file at once never mix their texts, and
/// neither loses its own.
class OutputFile {
 public:
  /// Throws ModelError when the name is taken and `overwrite` is false, when what is there is no
  /// regular file (a folder, a pipe, a device), or when the folder takes no new file.
  OutputFile(const std::filesystem::path& path, bool overwrite);
  /// Removes the file unless it was published or kept.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// False when there is no room; the file then ends with its last whole line, and takes no more.
  bool write(std::string_view text);
  /// Hands what waits to the system.
  bool flush();
  /// The open file, for a writer that places its bytes itself instead of calling write().
  int descriptor() const { return file_; }
  /// Such a writer was told `reason` by the system. False.
  bool cannot_write(const std::string& reason);
  /// Where the file is until it is published, for another program to write.
  const std::filesystem::path& part() const { return part_; }
  /// Gives the file its name; write() may go on afterwards. False when there was no room for all
  /// of it, or when the name has been taken meanwhile by a file with other content: the text is
  /// then kept under the name of part().
  bool publish();
  /// Whether the file has got its name.
  bool is_published() const { return published_; }
  /// Closes the file after publish(); false when a part of it could not be written.
  bool close();
  /// write() what is left, publish() and close().
  bool finish() { return publish() && close(); }
  /// One line that says why one of the above returned false.
  const std::string& trouble() const { return trouble_; }

 private:
  bool fail(const std::string& message);
  bool take_name();

  std::filesystem::path path_, part_;
  bool overwrite_;
  int file_ = -1;
  bool keep_ = false;
  bool published_ = false;
  std::string waiting_;  ///< text that is not in the file yet
  std::string trouble_;
};

/// A folder that a command writes into, and no other command at the same time.
class OutputFolder {
 public:
  /// Makes the folder if there is none and claims it. Throws ModelError, with no file changed, when
  /// it cannot be made or written, when another command is writing into it, or when `overwrite` is
  /// false and it holds a file whose name is `taken`.
  OutputFolder(const std::filesystem::path& folder, bool overwrite,
               const std::function<bool(const std::string& name)>& taken);
  /// A folder of its making in which nothing has come to be goes again.
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  const std::filesystem::path& path() const { return folder_; }
  bool overwrite() const { return overwrite_; }
  void set_overwrite(bool overwrite) { overwrite_ = overwrite; }
  /// Writes a whole file into the folder. Empty, or one line that says why it is not there.
  std::string write(const std::string& name, std::string_view text) const;
  /// `output folder 'NAME': message`.
  [[noreturn]] void fail(const std::string& message) const;

 private:
  struct Lock {
    int file = -1;
    ~Lock();
  };
  std::filesystem::path folder_;
  bool overwrite_;
  bool made_ = false;  ///< there was none
  Lock lock_;
};

}  // namespace semirec::cli
