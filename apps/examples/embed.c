/* A car in a loop of one's own: steers, saves the state, drives on, goes back and drives on again.
 * The second time must be the first, bit for bit, also in a second car.
 *
 *   embed VEHICLE SCENARIO [INPUT]      INPUT is given a sine; "rack" if left out
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <semirec.h>

enum { STEPS = 1000 };

static const double pi = 3.14159265358979;

/* 0 to a, in seconds of driving: a quarter turn a second, 20 mm of a steering rack */
static double steer(double t) { return 0.02 * sin(0.5 * pi * t); }

/* STEPS steps; 0 when one failed. */
static int drive(semirec_car* car, int input) {
  const double h = semirec_step_size(car);
  int k;
  for (k = 0; k < STEPS; ++k) {
    if (input >= 0 && semirec_set_input(car, input, steer(semirec_time(car) + h)) != SEMIREC_OK)
      break;
    if (semirec_step(car) != SEMIREC_OK) break;
  }
  if (k < STEPS) fprintf(stderr, "at %g s: %s\n", semirec_time(car), semirec_last_error(car));
  return k == STEPS;
}

static void show(semirec_car* car, const char* name) {
  const int output = semirec_find_output(car, name);
  double value;
  if (semirec_get_output(car, output, &value) == SEMIREC_OK)
    printf("  %-16s %12.6f %s\n", name, value, semirec_output_unit(car, output));
}

int main(int argc, char** argv) {
  semirec_options options = {.size = sizeof(semirec_options), .step = 1e-3, .iterations = 2};
  semirec_car *car = NULL, *second = NULL;
  semirec_report report;
  void *middle = NULL, *end = NULL, *again = NULL;
  size_t size;
  int input, good = 0;

  if (argc < 3) {
    fprintf(stderr, "usage: embed VEHICLE SCENARIO [INPUT]\n");
    return 2;
  }
  if (semirec_create(argv[1], argv[2], &options, &car) != SEMIREC_OK ||
      semirec_create(argv[1], argv[2], &options, &second) != SEMIREC_OK) {
    fprintf(stderr, "%s\n", semirec_create_error());
    semirec_destroy(car);
    return 3;
  }
  input = semirec_find_input(car, argc > 3 ? argv[3] : "rack");
  printf("semirec %s: %d inputs, %d outputs, a state of %lu bytes\n", semirec_version(),
         semirec_input_count(car), semirec_output_count(car),
         (unsigned long)semirec_saved_size(car));

  size = semirec_saved_size(car);
  middle = malloc(size);
  end = malloc(size);
  again = malloc(size);
  if (middle != NULL && end != NULL && again != NULL) {
    good = drive(car, input) && semirec_save(car, middle, size) == SEMIREC_OK &&
           drive(car, input) && semirec_save(car, end, size) == SEMIREC_OK;
    report.size = sizeof report;
    if (good && semirec_get_report(car, &report) == SEMIREC_OK) {
      printf("at %g s, %d iterations in the last step, loops open by %.1e m\n", semirec_time(car),
             report.iterations, report.closure_error);
      show(car, "chassis.x");
      show(car, "chassis.z");
      show(car, "chassis.yaw");
    }
    good = good && semirec_restore(car, middle, size) == SEMIREC_OK && drive(car, input) &&
           semirec_save(car, again, size) == SEMIREC_OK && memcmp(end, again, size) == 0;
    printf("the same car again: %s\n", good ? "the same bits" : "not the same");
    good = good && semirec_restore(second, middle, size) == SEMIREC_OK && drive(second, input) &&
           semirec_save(second, again, size) == SEMIREC_OK && memcmp(end, again, size) == 0;
    printf("another car:        %s\n", good ? "the same bits" : "not the same");
  }
  free(middle);
  free(end);
  free(again);
  semirec_destroy(car);
  semirec_destroy(second);
  return good ? 0 : 1;
}
