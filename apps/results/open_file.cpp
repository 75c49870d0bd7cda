#include "apps/results/open_file.hpp"

#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace semirec::results {

bool OpenFile::fail() {
  if (trouble_.empty()) trouble_ = std::strerror(errno);
  return false;
}

bool OpenFile::write_at(std::uint64_t place, std::string_view bytes) {
  written_ = 0;
  while (!bytes.empty()) {
    const ssize_t part = ::pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(place));
    if (part < 0 && errno == EINTR) continue;
    if (part <= 0) return fail();
    place += static_cast<std::uint64_t>(part);
    bytes.remove_prefix(static_cast<std::size_t>(part));
    written_ += static_cast<std::uint64_t>(part);
  }
  return true;
}

bool OpenFile::append(std::string_view bytes) {
  if (!write_at(end_, bytes)) return false;
  end_ += bytes.size();
  return true;
}

bool OpenFile::extend_to(std::uint64_t end) {
  if (::ftruncate(file_, static_cast<off_t>(end)) != 0) return fail();
  end_ = end;
  return true;
}

void OpenFile::cut_to(std::uint64_t end) {
  if (::ftruncate(file_, static_cast<off_t>(end)) == 0) end_ = end;
}

}  // namespace semirec::results
