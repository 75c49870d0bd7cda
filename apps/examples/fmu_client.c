/* Drives the FMU of a car, from C and without an importer: 1 ms a step, one input up to a value and
 * back, the others as their files have them; a table of outputs, twice a second.
 *
 *   cd apps/examples
 *   semirec export fmu ../../vehicles/models/sedan.xml \
 *     ../../vehicles/scenarios/step_steer.xml --out car.fmu
 *   unzip -q car.fmu -d car
 *   cc -std=c11 fmu_client.c -lm -ldl -o fmu_client
 *   ./fmu_client car --input steering 0.5
 */
#define _XOPEN_SOURCE 700
#include <math.h>

#include "fmu.h"

enum { STEPS_PER_SECOND = 1000, STEPS_PER_ROW = 500, MOST_OUTPUTS = 8 };

static const double pi = 3.14159265358979;

static const char help[] =
    "usage: fmu_client FOLDER [options] [OUTPUT...]\n"
    "  FOLDER               of an unpacked FMU\n"
    "  --input NAME VALUE   moved from 0 to VALUE and back in 2 s, again and again\n"
    "  --seconds S          how long (4)\n"
    "  OUTPUT...            at most eight (chassis.x chassis.y chassis.yaw chassis.vx)\n";

/* starts and ends with a rate of zero: nothing that it moves is kicked; no pedal goes below 0 */
static double input_at(double t, double value) { return 0.5 * value * (1.0 - cos(pi * t)); }

struct options {
  const char *folder, *input;
  double value, seconds;
  const char* outputs[MOST_OUTPUTS];
  int output_count;
};

static bool parse(int argc, char** argv, struct options* options) {
  int k;
  for (k = 1; k < argc; ++k) {
    if (strcmp(argv[k], "--input") == 0 && k + 2 < argc &&
        fmu_number(argv[k + 2], -1e300, 1e300, &options->value)) {
      options->input = argv[k + 1];
      k += 2;
    } else if (strcmp(argv[k], "--seconds") == 0 && k + 1 < argc &&
               fmu_number(argv[k + 1], 0.0, 1e5, &options->seconds)) {
      ++k;
    } else if (strncmp(argv[k], "--", 2) == 0) {
      return false;
    } else if (options->folder == NULL) {
      options->folder = argv[k];
    } else if (options->output_count < MOST_OUTPUTS) {
      options->outputs[options->output_count++] = argv[k];
    } else {
      return false;
    }
  }
  return options->folder != NULL;
}

int main(int argc, char** argv) {
  static const char* usual[] = {"chassis.x", "chassis.y", "chassis.yaw", "chassis.vx"};
  struct options options = {.seconds = 4.0};
  struct fmu_variable input = {0, ""}, outputs[MOST_OUTPUTS];
  struct fmu car;
  long k, steps;
  int i;

  if (!parse(argc, argv, &options)) {
    fputs(help, stderr);
    return 2;
  }
  if (options.output_count == 0) {
    memcpy(options.outputs, usual, sizeof usual);
    options.output_count = sizeof usual / sizeof *usual;
  }

  fmu_open(&car, "car", options.folder);
  if (options.input != NULL) input = fmu_find(&car, options.input);
  for (i = 0; i < options.output_count; ++i) outputs[i] = fmu_find(&car, options.outputs[i]);
  fmu_enter(&car);
  if (options.input != NULL) fmu_set(&car, input, 0.0);
  fmu_start(&car);

  printf("%8s", "time");
  for (i = 0; i < options.output_count; ++i) printf(" %20s", options.outputs[i]);
  printf("\n%8s", "s");
  for (i = 0; i < options.output_count; ++i) printf(" %20s", outputs[i].unit);
  printf("\n");
  steps = lround(options.seconds * STEPS_PER_SECOND);
  for (k = 0; k <= steps; ++k) {
    const double t = (double)k / STEPS_PER_SECOND;
    if (k > 0) {
      /* a value holds at the end of the coming step */
      if (options.input != NULL) fmu_set(&car, input, input_at(t, options.value));
      fmu_step(&car, t);
    }
    if (k % STEPS_PER_ROW == 0 || k == steps) {
      printf("%8g", t);
      for (i = 0; i < options.output_count; ++i) printf(" %20.12g", fmu_get(&car, outputs[i]));
      printf("\n");
    }
  }
  fmu_close(&car);
  return 0;
}
