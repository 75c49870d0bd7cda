/*
 * The exchange: a shared-memory object through which a client gives inputs to
 *   semirec realtime VEHICLE SCENARIO --exchange NAME
 * and reads its outputs, without locks. C99 and C++; needs __atomic builtins (GCC, Clang) and
 * POSIX (a C program defines _POSIX_C_SOURCE 200809L before its first #include).
 *
 * One object /NAME, owned by the runner: it creates it, marks it ready and takes it away at its
 * end. In this order, at places in bytes from the beginning, all multiples of 64:
 *
 *   struct semirec_exchange                      the header
 *   struct semirec_exchange_name[input_count]    at inputs_at, names and units (SI)
 *   struct semirec_exchange_name[output_count]   at outputs_at
 *   ring of input records                        at input_ring_at, written by one client
 *   ring of output records                       at output_ring_at, by the runner, for anyone
 *
 * A ring holds SEMIREC_EXCHANGE_RING slots of 64-bit words, semirec_ring_stride() apart: a sequence
 * word, then the payload. Record n = 1, 2, ... lies in slot n % SEMIREC_EXCHANGE_RING. Its writer
 * sets the sequence word to 2n - 1 (being written), writes the payload, sets the sequence word to
 * 2n (complete) and then `latest` to n. A reader takes n from `latest` and accepts its copy if the
 * sequence word was 2n before and after copying; otherwise it was overtaken and tries again, at
 * most SEMIREC_EXCHANGE_TRIES times. So nobody ever waits, and a writer that dies at any point
 * leaves `latest` on a complete record, from which the next writer goes on.
 *
 * The client that writes inputs holds a lock on the object's first byte (an open file description
 * lock of Linux) as long as it lives: the kernel gives it back however the client ends, and in all
 * namespaces of processes. Children of a client that fork() has made without exec share it: they
 * hold it as long as they live where the client is killed, not where it closes.
 *
 * Memory order: payload words are stored with release and loaded with acquire. A reader that gets
 * a word of a later record therefore also sees that record's odd sequence word when it looks
 * again, and turns the copy down. On x86 these are plain moves.
 */
#ifndef SEMIREC_EXCHANGE_H
#define SEMIREC_EXCHANGE_H

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SEMIREC_EXCHANGE_MAGIC "SEMIREC" /* with its zero: 8 bytes */
#define SEMIREC_EXCHANGE_VERSION 2u
#define SEMIREC_EXCHANGE_RING 4u
#define SEMIREC_EXCHANGE_TRIES 4

/* NOLINTBEGIN(readability-identifier-naming): names as C programs write them */

/* states of the object */
enum { SEMIREC_EXCHANGE_BUILDING = 0, SEMIREC_EXCHANGE_READY = 1, SEMIREC_EXCHANGE_ENDED = 2 };

/* how an input is given */
enum {
  SEMIREC_INPUT_CURVE = 0 /* follows the scenario's curve */,
  SEMIREC_INPUT_VALUE = 1 /* held at the value */
};

/* a word that one side writes and the other reads, in a cache line of its own */
struct semirec_exchange_line {
  uint64_t word;
  uint64_t unused[7];
};

struct semirec_exchange_name {
  char name[112]; /* ends with a zero */
  char unit[16];  /* "" where the file does not tell */
};

struct semirec_exchange {
  char magic[8];
  uint32_t version;
  uint32_t header_size; /* of this struct */
  uint64_t total_size;  /* of the object, bytes */
  uint32_t input_count, output_count;
  uint64_t inputs_at, outputs_at;
  uint64_t input_ring_at, output_ring_at;
  uint64_t input_words, output_words; /* payload of a record, 64-bit words */
  int64_t period_ns;
  int64_t owner;          /* process of the runner, for messages */
  uint32_t input_timeout; /* periods without a client's heartbeat after which the runner counts it
                             as silent */
  uint32_t unused[3];
  char vehicle[64], scenario[64];
  uint64_t padding[2]; /* the lines below begin at a multiple of 64 */
  /* written by the runner */
  struct semirec_exchange_line state;
  struct semirec_exchange_line runner_heartbeat; /* periods run */
  struct semirec_exchange_line output_latest;    /* newest complete output record, 0: none */
  /* written by the client */
  struct semirec_exchange_line client; /* its process, for messages; 0: nobody */
  struct semirec_exchange_line client_heartbeat;
  struct semirec_exchange_line input_latest; /* newest complete input record, 0: none */
};

/* payload of an input record, followed by a pair for each input: SEMIREC_INPUT_..., the value's
 * bits */
struct semirec_input_head {
  uint64_t token; /* any number; comes back in the outputs that know of this record */
};

/* payload of an output record, followed by the bits of each output's value */
struct semirec_output_head {
  uint64_t period;      /* periods run, 1 after the first */
  uint64_t time_ns;     /* CLOCK_MONOTONIC when it was written */
  uint64_t token;       /* of the last input record taken */
  uint64_t input;       /* its number, 0: none yet */
  uint64_t step_status; /* 0: the step succeeded */
  uint64_t settled;     /* 0: its last correction or a closure was above 1e-6 m or rad, or it
                           failed: the values are not to be built upon */
};

#define SEMIREC_INPUT_HEAD_WORDS (sizeof(struct semirec_input_head) / 8u)
#define SEMIREC_OUTPUT_HEAD_WORDS (sizeof(struct semirec_output_head) / 8u)

/* words from one slot of a ring to the next: whole cache lines */
static inline uint64_t semirec_ring_stride(uint64_t words) { return (words + 1u + 7u) / 8u * 8u; }

static inline uint64_t semirec_ring_bytes(uint64_t words) {
  return SEMIREC_EXCHANGE_RING * semirec_ring_stride(words) * 8u;
}

/* Begins the next record and returns its payload, to be filled by semirec_store(). One writer at a
 * time. */
static inline uint64_t* semirec_ring_begin(const uint64_t* latest, uint64_t* ring, uint64_t words) {
  const uint64_t n = __atomic_load_n(latest, __ATOMIC_RELAXED) + 1u;
  uint64_t* slot = ring + n % SEMIREC_EXCHANGE_RING * semirec_ring_stride(words);
  __atomic_store_n(slot, 2u * n - 1u, __ATOMIC_RELAXED);
  return slot + 1;
}

/* A word of the payload begun. */
static inline void semirec_store(uint64_t* payload, uint64_t k, uint64_t value) {
  __atomic_store_n(payload + k, value, __ATOMIC_RELEASE);
}

static inline void semirec_store_double(uint64_t* payload, uint64_t k, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  semirec_store(payload, k, bits);
}

static inline double semirec_double(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Completes the record begun; returns its number. */
static inline uint64_t semirec_ring_end(uint64_t* latest, uint64_t* ring, uint64_t words) {
  const uint64_t n = __atomic_load_n(latest, __ATOMIC_RELAXED) + 1u;
  uint64_t* slot = ring + n % SEMIREC_EXCHANGE_RING * semirec_ring_stride(words);
  __atomic_store_n(slot, 2u * n, __ATOMIC_RELEASE);
  __atomic_store_n(latest, n, __ATOMIC_RELEASE);
  return n;
}

/* Copies the newest record into `payload`, `words` words, if it is another than `last`. Returns its
 * number; 0 when there is none. *overtaken (may be NULL) counts copies that were turned down.
 * `payload` is whole only when the number is not 0. */
static inline uint64_t semirec_ring_read(const uint64_t* latest, const uint64_t* ring,
                                         uint64_t words, uint64_t last, uint64_t* payload,
                                         uint64_t* overtaken) {
  int k;
  for (k = 0; k < SEMIREC_EXCHANGE_TRIES; ++k) {
    const uint64_t n = __atomic_load_n(latest, __ATOMIC_ACQUIRE);
    const uint64_t* slot = ring + n % SEMIREC_EXCHANGE_RING * semirec_ring_stride(words);
    uint64_t word;
    if (n == 0u || n == last) return 0u;
    if (__atomic_load_n(slot, __ATOMIC_ACQUIRE) == 2u * n) {
      for (word = 0; word < words; ++word)
        payload[word] = __atomic_load_n(slot + 1 + word, __ATOMIC_ACQUIRE);
      if (__atomic_load_n(slot, __ATOMIC_RELAXED) == 2u * n) return n;
    }
    if (overtaken != NULL) ++*overtaken;
  }
  return 0u;
}

/* ---- the client's side ---- */

struct semirec_client {
  struct semirec_exchange* exchange;
  const struct semirec_exchange_name *inputs, *outputs;
  uint64_t *input_ring, *output_ring;
  size_t size;
  int writes;  /* this client holds the right to write inputs, */
  int file;    /* by a lock on this file; else -1 */
  pid_t owner; /* and in this process */
};

/* Takes (F_WRLCK) or gives back (F_UNLCK) the right to write inputs; 0, or -1 and errno. */
static inline int semirec_client_lock(int file, short type) {
#ifdef F_OFD_SETLK
  const int set = F_OFD_SETLK;
#else
  const int set = 37; /* Linux; <fcntl.h> has the name for _GNU_SOURCE alone */
#endif
  struct flock lock;
  memset(&lock, 0, sizeof lock);
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_len = 1;
  return fcntl(file, set, &lock);
}

/* Ends the use of an exchange; the inputs stay as they were last written. */
static inline void semirec_client_close(struct semirec_client* client) {
  if (client->exchange == NULL) return;
  if (client->writes && client->owner == getpid()) {
    __atomic_store_n(&client->exchange->client.word, (uint64_t)0, __ATOMIC_RELEASE);
    semirec_client_lock(client->file, F_UNLCK); /* children may have the file open */
  }
  munmap(client->exchange, client->size);
  if (client->file >= 0) close(client->file);
  client->exchange = NULL;
  client->file = -1;
}

/* Opens /NAME. With `writes` the client asks for the right to write inputs, which one client has at
 * a time; a dead one's is taken over. Returns NULL, or what is wrong. */
static inline const char* semirec_client_open(struct semirec_client* client, const char* name,
                                              int writes) {
  char path[256];
  struct stat info;
  struct semirec_exchange* exchange;
  void* memory;
  uint64_t size;
  int file;
  memset(client, 0, sizeof *client);
  client->file = -1;
  if (strlen(name) + 2 > sizeof path) return "the name is too long";
  snprintf(path, sizeof path, "%s%s", name[0] == '/' ? "" : "/", name);
  file = shm_open(path, O_RDWR, 0);
  if (file < 0)
    return errno == ENOENT ? "no exchange of this name: is the runner running?" : strerror(errno);
  if (fstat(file, &info) != 0 || (uint64_t)info.st_size < sizeof(struct semirec_exchange)) {
    close(file);
    return "not an exchange, or one that is just being made";
  }
  size = (uint64_t)info.st_size;
  memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) {
    close(file);
    return "it cannot be mapped into memory";
  }
  client->file = file;
  exchange = (struct semirec_exchange*)memory;
  client->exchange = exchange;
  client->size = size;
  if (__atomic_load_n(&exchange->state.word, __ATOMIC_ACQUIRE) != SEMIREC_EXCHANGE_READY) {
    semirec_client_close(client);
    return "not ready: being made, or ended";
  }
  if (memcmp(exchange->magic, SEMIREC_EXCHANGE_MAGIC, sizeof exchange->magic) != 0 ||
      exchange->version != SEMIREC_EXCHANGE_VERSION ||
      exchange->header_size != sizeof(struct semirec_exchange) || exchange->total_size != size) {
    semirec_client_close(client);
    return "not an exchange of this version";
  }
  client->inputs = (const struct semirec_exchange_name*)((const char*)memory + exchange->inputs_at);
  client->outputs =
      (const struct semirec_exchange_name*)((const char*)memory + exchange->outputs_at);
  client->input_ring = (uint64_t*)(void*)((char*)memory + exchange->input_ring_at);
  client->output_ring = (uint64_t*)(void*)((char*)memory + exchange->output_ring_at);
  if (!writes) {
    close(client->file);
    client->file = -1;
    return NULL;
  }
  if (semirec_client_lock(client->file, F_WRLCK) != 0) {
    const int taken = errno == EAGAIN || errno == EACCES;
    semirec_client_close(client);
    return taken ? "another client writes the inputs" : "its lock cannot be taken";
  }
  client->writes = 1;
  client->owner = getpid();
  __atomic_store_n(&exchange->client.word, (uint64_t)getpid(), __ATOMIC_RELEASE);
  return NULL;
}

/* -1 when there is none of this name. */
static inline int semirec_find(const struct semirec_exchange_name* list, uint32_t count,
                               const char* name) {
  uint32_t k;
  for (k = 0; k < count; ++k)
    if (strncmp(list[k].name, name, sizeof list[k].name) == 0) return (int)k;
  return -1;
}

/* Says that the client lives, without new inputs. */
static inline void semirec_client_beat(struct semirec_client* client) {
  __atomic_store_n(&client->exchange->client_heartbeat.word,
                   __atomic_load_n(&client->exchange->client_heartbeat.word, __ATOMIC_RELAXED) + 1u,
                   __ATOMIC_RELEASE);
}

/* Writes one input record: for each input how[k] (SEMIREC_INPUT_...) and values[k]. */
static inline void semirec_client_write(struct semirec_client* client, uint64_t token,
                                        const int* how, const double* values) {
  struct semirec_exchange* exchange = client->exchange;
  const uint64_t words = exchange->input_words;
  uint64_t* payload = semirec_ring_begin(&exchange->input_latest.word, client->input_ring, words);
  uint32_t k;
  semirec_store(payload, 0, token);
  for (k = 0; k < exchange->input_count; ++k) {
    semirec_store(payload, SEMIREC_INPUT_HEAD_WORDS + 2u * k, (uint64_t)how[k]);
    semirec_store_double(payload, SEMIREC_INPUT_HEAD_WORDS + 2u * k + 1u, values[k]);
  }
  semirec_ring_end(&exchange->input_latest.word, client->input_ring, words);
  semirec_client_beat(client);
}

/* Copies the newest outputs into `payload`, exchange->output_words words: a struct
 * semirec_output_head and the values' bits (semirec_double()). Returns the number of the record, 0
 * when it is `last` still. */
static inline uint64_t semirec_client_read(const struct semirec_client* client, uint64_t last,
                                           uint64_t* payload) {
  return semirec_ring_read(&client->exchange->output_latest.word, client->output_ring,
                           client->exchange->output_words, last, payload, NULL);
}

/* 1 while the runner has not ended. A runner that was killed does not say so: its heartbeat stops.
 */
static inline int semirec_client_running(const struct semirec_client* client) {
  return __atomic_load_n(&client->exchange->state.word, __ATOMIC_ACQUIRE) == SEMIREC_EXCHANGE_READY;
}

/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
}
#endif

#endif
