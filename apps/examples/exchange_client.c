/*
 * A client of the exchange: moves one input as a sine, prints outputs ten times a second, measures
 * the round trip. semirec realtime vehicles/models/iltis.xml vehicles/scenarios/rest.xml --duration
 * 20 --exchange car & exchange_client car --input rack --amplitude 0.01 --seconds 10 By hand:  cc
 * -std=c99 -I. apps/examples/exchange_client.c -lm -lrt -o exchange_client
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "apps/exchange/semirec_exchange.h"

static const char kHelp[] =
    "exchange_client NAME [options]: give an input to `semirec realtime --exchange NAME`\n"
    "  --input INPUT      moved as amplitude sin(2 pi frequency t); without it all follow their "
    "curves\n"
    "  --amplitude A      in the input's unit (0.01)\n"
    "  --frequency F      Hz (0.5)\n"
    "  --outputs A,B,...  what is printed ten times a second (the first five)\n"
    "  --seconds S        how long (5)\n"
    "  --list             print all inputs and outputs with their units, and stop\n"
    "Exit codes: 0 done, 2 command line not understood, 3 no such exchange, input or output,\n"
    "4 the runner has ended or stands still.\n";

struct options {
  const char *name, *input, *outputs;
  double amplitude, frequency, seconds;
  int list;
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void nap(long microseconds) {
  struct timespec t;
  t.tv_sec = 0;
  t.tv_nsec = 1000L * microseconds;
  nanosleep(&t, NULL);
}

static int number(const char* text, double* value) {
  char* end;
  *value = strtod(text, &end);
  return end != text && *end == '\0';
}

/* 0: understood */
static int parse(int argc, char** argv, struct options* options) {
  int k;
  for (k = 1; k < argc; ++k) {
    const char* word = argv[k];
    const char* value = k + 1 < argc ? argv[k + 1] : NULL;
    if (strcmp(word, "--help") == 0) {
      fputs(kHelp, stdout);
      exit(0);
    }
    if (strcmp(word, "--list") == 0) {
      options->list = 1;
      continue;
    }
    if (strncmp(word, "--", 2) != 0) {
      if (options->name != NULL) return 2;
      options->name = word;
      continue;
    }
    if (value == NULL) return 2;
    ++k;
    if (strcmp(word, "--input") == 0)
      options->input = value;
    else if (strcmp(word, "--outputs") == 0)
      options->outputs = value;
    else if (strcmp(word, "--amplitude") == 0 && number(value, &options->amplitude))
      continue;
    else if (strcmp(word, "--frequency") == 0 && number(value, &options->frequency))
      continue;
    else if (strcmp(word, "--seconds") == 0 && number(value, &options->seconds))
      continue;
    else
      return 2;
  }
  return options->name == NULL ? 2 : 0;
}

static void list(const char* title, const struct semirec_exchange_name* names, uint32_t count) {
  uint32_t k;
  printf("%s\n", title);
  for (k = 0; k < count; ++k) printf("  %-32s %s\n", names[k].name, names[k].unit);
}

enum { kShown = 8 };

/* Looks the names of the outputs up; returns how many, -1 with a complaint. */
static int choose(const struct semirec_client* client, const char* names, int* shown) {
  const struct semirec_exchange* exchange = client->exchange;
  int count = 0;
  if (names == NULL) {
    while (count < 5 && count < (int)exchange->output_count) {
      shown[count] = count;
      ++count;
    }
    return count;
  }
  while (*names != '\0') {
    char name[sizeof client->outputs->name];
    const size_t length = strcspn(names, ",");
    if (count == kShown) {
      fprintf(stderr, "more than %d outputs are asked for\n", (int)kShown);
      return -1;
    }
    if (length >= sizeof name) return -1;
    memcpy(name, names, length);
    name[length] = '\0';
    shown[count] = semirec_find(client->outputs, exchange->output_count, name);
    if (shown[count] < 0) {
      fprintf(stderr, "there is no output '%s'; --list shows what there is\n", name);
      return -1;
    }
    ++count;
    names += length + (names[length] == ',');
  }
  return count;
}

static int run(struct semirec_client* client, const struct options* options, int input,
               const int* shown, int count) {
  const struct semirec_exchange* exchange = client->exchange;
  int* how = calloc(exchange->input_count + 1u, sizeof *how);
  double* values = calloc(exchange->input_count + 1u, sizeof *values);
  uint64_t* outputs = calloc(exchange->output_words, sizeof *outputs);
  const double begin = now();
  double next_line = begin, sum = 0.0, least = 1e300, most = 0.0;
  /* tokens of an earlier client do not pass for ours */
  uint64_t token = (uint64_t)getpid() << 32, record = 0;
  long trips = 0;
  int k, code = 0;
  if (how == NULL || values == NULL || outputs == NULL) return 4;
  if (input >= 0) how[input] = SEMIREC_INPUT_VALUE;
  while (code == 0 && now() - begin < options->seconds) {
    const double sent = now();
    double back;
    if (input >= 0)
      values[input] =
          options->amplitude * sin(2.0 * 3.14159265358979 * options->frequency * (sent - begin));
    semirec_client_write(client, ++token, how, values);
    /* until an output knows of it; a block of the runner's baseline is silent for a second, three
       seconds are a dead runner */
    do {
      const uint64_t news = semirec_client_read(client, record, outputs);
      if (news != 0)
        record = news;
      else
        nap(20);
      back = now();
      if (!semirec_client_running(client) || back - sent > 3.0) code = 4;
    } while (code == 0 && (record == 0 || outputs[2] != token));
    if (code != 0) break;
    ++trips;
    sum += back - sent;
    if (back - sent < least) least = back - sent;
    if (back - sent > most) most = back - sent;
    if (back >= next_line) {
      next_line += 0.1;
      printf("period %-8llu", (unsigned long long)outputs[0]);
      for (k = 0; k < count; ++k)
        printf("  %s %.6g %s", client->outputs[shown[k]].name,
               semirec_double(outputs[SEMIREC_OUTPUT_HEAD_WORDS + (uint64_t)shown[k]]),
               client->outputs[shown[k]].unit);
      printf("\n");
      fflush(stdout);
    }
  }
  if (trips > 0)
    printf(
        "round trip: %ld times, least %.0f us, mean %.0f us, most %.0f us; the period is %.0f us\n",
        trips, 1e6 * least, 1e6 * sum / (double)trips, 1e6 * most,
        1e-3 * (double)exchange->period_ns);
  if (code != 0) fprintf(stderr, "the runner has ended or stands still\n");
  free(how);
  free(values);
  free(outputs);
  return code;
}

int main(int argc, char** argv) {
  struct options options = {NULL, NULL, NULL, 0.01, 0.5, 5.0, 0};
  struct semirec_client client;
  int shown[kShown], count, code, input = -1;
  const char* fault;
  if (parse(argc, argv, &options) != 0) {
    fputs(kHelp, stderr);
    return 2;
  }
  fault = semirec_client_open(&client, options.name, !options.list);
  if (fault != NULL) {
    fprintf(stderr, "exchange '%s': %s\n", options.name, fault);
    return 3;
  }
  if (options.list) {
    list("inputs", client.inputs, client.exchange->input_count);
    list("outputs", client.outputs, client.exchange->output_count);
    semirec_client_close(&client);
    return 0;
  }
  if (options.input != NULL) {
    input = semirec_find(client.inputs, client.exchange->input_count, options.input);
    if (input < 0) {
      fprintf(stderr, "there is no input '%s'; --list shows what there is\n", options.input);
      semirec_client_close(&client);
      return 3;
    }
  }
  count = choose(&client, options.outputs, shown);
  code = count < 0 ? 3 : run(&client, &options, input, shown, count);
  semirec_client_close(&client);
  return code;
}
