#include "apps/cli/ranks.hpp"

#include <cstdlib>
#include <vector>

#include "topology/mechanism.hpp"

#ifdef SEMIREC_MPI
#include <mpi.h>
#endif

namespace semirec::cli {

#ifdef SEMIREC_MPI

Ranks::Ranks() {
  if (std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr) return;
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  started_ = true;
}

void Ranks::send(int to, const std::string& text) const {
  if (!started_) return;
  MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, to, 0, MPI_COMM_WORLD);
}

std::optional<Ranks::Message> Ranks::receive() const {
  if (!started_) return std::nullopt;
  int there = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status);
  if (there == 0) return std::nullopt;
  int size = 0;
  MPI_Get_count(&status, MPI_CHAR, &size);
  Message message{status.MPI_SOURCE, std::string(static_cast<std::size_t>(size), ' ')};
  MPI_Recv(message.text.data(), size, MPI_CHAR, status.MPI_SOURCE, 0, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  return message;
}

std::string Ranks::broadcast(const std::string& text) const {
  if (!started_) return text;
  unsigned long size = text.size();
  MPI_Bcast(&size, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);
  std::string shared = text;
  shared.resize(size);
  MPI_Bcast(shared.data(), static_cast<int>(size), MPI_CHAR, 0, MPI_COMM_WORLD);
  return shared;
}

#else

Ranks::Ranks() {
  const char* size = std::getenv("OMPI_COMM_WORLD_SIZE");
  if (size != nullptr && std::string(size) != "1")
    throw ModelError(
        "mpirun: this program was built without MPI, expected one built where libopenmpi-dev is "
        "installed, or a sweep without mpirun");
}

void Ranks::send(int /*to*/, const std::string& /*text*/) const {}
std::optional<Ranks::Message> Ranks::receive() const { return std::nullopt; }
std::string Ranks::broadcast(const std::string& text) const { return text; }

#endif

Ranks::~Ranks() {
#ifdef SEMIREC_MPI
  if (started_) MPI_Finalize();
#endif
}

}  // namespace semirec::cli
