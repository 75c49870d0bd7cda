#pragma once

#include <optional>
#include <string>

namespace semirec::cli {

/// The processes of one `mpirun`; a single one without it. MPI is started only where mpirun is
/// seen in the environment, and called from the thread that made this only.
class Ranks {
 public:
  /// Throws ModelError under mpirun when the program was built without MPI.
  Ranks();
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }

  struct Message {
    int from = 0;
    std::string text;
  };
  void send(int to, const std::string& text) const;
  /// The next message that is there, if any.
  std::optional<Message> receive() const;
  /// The text of rank 0, on all ranks.
  std::string broadcast(const std::string& text) const;

 private:
  int rank_ = 0;
  int size_ = 1;
  bool started_ = false;
};

}  // namespace semirec::cli
