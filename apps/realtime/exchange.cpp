#include "apps/realtime/exchange.hpp"

#include <bit>
#include <cerrno>
#include <cstring>
#include <sys/file.h>
#include <system_error>

#include "topology/mechanism.hpp"

namespace semirec::realtime {

namespace {

static_assert(offsetof(struct semirec_exchange, state) % 64 == 0);
static_assert(sizeof(struct semirec_exchange) % 64 == 0);
static_assert(sizeof(struct semirec_exchange_name) % 64 == 0);
static_assert(__atomic_always_lock_free(sizeof(std::uint64_t), nullptr));

std::string reason() { return std::generic_category().message(errno); }

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
  throw ModelError("--exchange '" + name + "' " + what);
}

void check_name(const std::string& name) {
  const char* allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";
  const std::string bare = name.substr(name.rfind('/', 0) == 0 ? 1 : 0);
  if (bare.empty() || bare.size() > 200 || bare.find_first_not_of(allowed) != std::string::npos ||
      bare.front() == '.')
    refuse(name, "is no name, expected up to 200 of the letters A-Z a-z 0-9 _ - . (not first)");
}

/// Removes what a dead runner left. The lock on the object is its runner's sign of life: the kernel
/// gives it back when the process ends, however it ends.
void remove_stale(const std::string& name) {
  const int file = shm_open(name.c_str(), O_RDWR, 0);
  if (file < 0) {
    if (errno == ENOENT) return;  // gone in the meantime
    refuse(name, "exists and cannot be opened: " + reason());
  }
  struct stat info {};
  struct semirec_exchange* old = nullptr;
  if (fstat(file, &info) == 0 && static_cast<std::size_t>(info.st_size) >= sizeof *old) {
    void* memory = mmap(nullptr, sizeof *old, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory != MAP_FAILED) old = static_cast<struct semirec_exchange*>(memory);
  }
  std::string fault;
  if (old == nullptr || std::memcmp(old->magic, SEMIREC_EXCHANGE_MAGIC, sizeof old->magic) != 0) {
    fault = "exists and is no exchange, expected another name, or that you remove /dev/shm" + name;
  } else if (flock(file, LOCK_EX | LOCK_NB) != 0) {
    fault = "belongs to a running process, " + std::to_string(old->owner) +
            ", expected another name, or that you stop that one first";
  } else {
    // clients that still look at it learn that it is over
    __atomic_store_n(&old->state.word, std::uint64_t{SEMIREC_EXCHANGE_ENDED}, __ATOMIC_RELEASE);
    shm_unlink(name.c_str());
  }
  if (old != nullptr) munmap(old, sizeof *old);
  close(file);
  if (!fault.empty()) refuse(name, fault);
}

/// Whether the object of this name is still the one behind `file`.
bool is_ours(const std::string& name, int file) {
  const int other = shm_open(name.c_str(), O_RDONLY, 0);
  if (other < 0) return false;
  struct stat ours {
  }, found{};
  const bool same = fstat(file, &ours) == 0 && fstat(other, &found) == 0 &&
                    ours.st_ino == found.st_ino && ours.st_dev == found.st_dev;
  close(other);
  return same;
}

void copy_text(char* to, std::size_t size, const std::string& text) {
  std::memcpy(to, text.data(), std::min(size - 1, text.size()));  // the object begins as zeros
}

void write_names(char* at, const std::vector<Channel>& channels) {
  for (const Channel& channel : channels) {
    struct semirec_exchange_name entry {};
    copy_text(entry.name, sizeof entry.name, channel.name);
    copy_text(entry.unit, sizeof entry.unit, channel.unit);
    std::memcpy(at, &entry, sizeof entry);
    at += sizeof entry;
  }
}

}  // namespace

Exchange::Exchange(const std::string& name, const ExchangeLayout& layout)
    : outputs_(layout.outputs.size()),
      input_words_(SEMIREC_INPUT_HEAD_WORDS + 2 * layout.inputs.size()),
      output_words_(SEMIREC_OUTPUT_HEAD_WORDS + layout.outputs.size()),
      input_(input_words_),
      arriving_(input_words_) {
  check_name(name);
  name_ = name.front() == '/' ? name : "/" + name;
  for (const auto* list : {&layout.inputs, &layout.outputs})
    for (const Channel& channel : *list)
      if (channel.name.size() >= sizeof(semirec_exchange_name::name))
        refuse(name, "cannot hold the name '" + channel.name + "', expected at most 111 letters");

  struct semirec_exchange head {};
  std::memcpy(head.magic, SEMIREC_EXCHANGE_MAGIC, sizeof head.magic);
  head.version = SEMIREC_EXCHANGE_VERSION;
  head.header_size = sizeof head;
  head.input_count = static_cast<std::uint32_t>(layout.inputs.size());
  head.output_count = static_cast<std::uint32_t>(layout.outputs.size());
  head.inputs_at = sizeof head;
  head.outputs_at = head.inputs_at + layout.inputs.size() * sizeof(semirec_exchange_name);
  head.input_ring_at = head.outputs_at + layout.outputs.size() * sizeof(semirec_exchange_name);
  head.output_ring_at = head.input_ring_at + semirec_ring_bytes(input_words_);
  head.total_size = head.output_ring_at + semirec_ring_bytes(output_words_);
  head.input_words = input_words_;
  head.output_words = output_words_;
  head.period_ns = layout.period;
  head.owner = getpid();
  head.input_timeout = layout.input_timeout;
  copy_text(head.vehicle, sizeof head.vehicle, layout.vehicle);
  copy_text(head.scenario, sizeof head.scenario, layout.scenario);
  size_ = head.total_size;

  const int flags = O_CREAT | O_EXCL | O_RDWR;
  file_ = shm_open(name_.c_str(), flags, 0600);
  if (file_ < 0 && errno == EEXIST) {
    remove_stale(name_);
    file_ = shm_open(name_.c_str(), flags, 0600);
  }
  if (file_ < 0) refuse(name, "cannot be made: " + reason());
  void* memory = MAP_FAILED;
  if (flock(file_, LOCK_EX | LOCK_NB) == 0 && ftruncate(file_, static_cast<off_t>(size_)) == 0)
    memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file_, 0);
  if (memory == MAP_FAILED) {
    const std::string why = reason();
    shm_unlink(name_.c_str());
    close(file_);
    refuse(name, "cannot be made: " + why);
  }
  memory_ = static_cast<struct semirec_exchange*>(memory);
  *memory_ = head;
  char* bytes = static_cast<char*>(memory);
  write_names(bytes + head.inputs_at, layout.inputs);
  write_names(bytes + head.outputs_at, layout.outputs);
  input_ring_ = static_cast<std::uint64_t*>(static_cast<void*>(bytes + head.input_ring_at));
  output_ring_ = static_cast<std::uint64_t*>(static_cast<void*>(bytes + head.output_ring_at));
}

Exchange::~Exchange() {
  __atomic_store_n(&memory_->state.word, std::uint64_t{SEMIREC_EXCHANGE_ENDED}, __ATOMIC_RELEASE);
  if (is_ours(name_, file_)) shm_unlink(name_.c_str());
  munmap(memory_, size_);
  close(file_);
}

void Exchange::mark_ready() noexcept {
  __atomic_store_n(&memory_->state.word, std::uint64_t{SEMIREC_EXCHANGE_READY}, __ATOMIC_RELEASE);
}

bool Exchange::take_inputs() noexcept {
  const std::uint64_t n = semirec_ring_read(&memory_->input_latest.word, input_ring_, input_words_,
                                            input_record_, arriving_.data(), &overtaken_);
  if (n == 0) return false;
  input_.swap(arriving_);
  input_record_ = n;
  return true;
}

bool Exchange::given(std::size_t input) const noexcept {
  return input_[SEMIREC_INPUT_HEAD_WORDS + 2 * input] != SEMIREC_INPUT_CURVE;
}

double Exchange::value(std::size_t input) const noexcept {
  return std::bit_cast<double>(input_[SEMIREC_INPUT_HEAD_WORDS + 2 * input + 1]);
}

std::uint64_t Exchange::client_heartbeat() const noexcept {
  return __atomic_load_n(&memory_->client_heartbeat.word, __ATOMIC_ACQUIRE);
}

void Exchange::publish(std::uint64_t period, std::int64_t now, std::uint64_t step_status,
                       bool settled, const double* values) noexcept {
  // numbered by a count of its own: a client that writes into the runner's words does no harm
  std::uint64_t* payload = semirec_ring_begin(&output_latest_, output_ring_, output_words_);
  const std::uint64_t head[SEMIREC_OUTPUT_HEAD_WORDS] = {
      period,           static_cast<std::uint64_t>(now), token(), input_record_, step_status,
      settled ? 1u : 0u};
  for (std::size_t k = 0; k < SEMIREC_OUTPUT_HEAD_WORDS; ++k) semirec_store(payload, k, head[k]);
  for (std::size_t k = 0; k < outputs_; ++k)
    semirec_store_double(payload, SEMIREC_OUTPUT_HEAD_WORDS + k, values[k]);
  semirec_ring_end(&output_latest_, output_ring_, output_words_);
  __atomic_store_n(&memory_->output_latest.word, output_latest_, __ATOMIC_RELEASE);
  __atomic_store_n(&memory_->runner_heartbeat.word, period, __ATOMIC_RELEASE);
}

ClientWatch::News ClientWatch::look(std::uint64_t heartbeat) noexcept {
  if (heartbeat != last_) {
    last_ = heartbeat;
    since_ = 0;
    heard_ = true;
    if (!silent_) return News::none;
    silent_ = false;
    return News::is_back;
  }
  if (!heard_) return News::none;
  ++since_;
  if (silent_) {
    ++silent_periods_;
    return News::none;
  }
  if (since_ < timeout_) return News::none;
  silent_ = true;
  ++timeouts_;
  return News::fell_silent;
}

}  // namespace semirec::realtime
