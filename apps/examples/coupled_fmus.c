/* Two FMUs in one process, a car and its speed controller, coupled at communication points.
 *
 *   cd apps/examples
 *   semirec export fmu ../../vehicles/models/sedan.xml \
 *     ../../vehicles/scenarios/lane_change_20.xml --unpacked car
 *   semirec export fmu cruise_control.xml --unpacked cruise
 *   cc -std=c11 coupled_fmus.c -lm -ldl -o coupled_fmus
 *   ./coupled_fmus car cruise
 *
 * In each communication step, from t to t + H, the controller goes first and the car follows:
 *   controller   the car's speed at t is its input over the whole step (zero-order hold)
 *   car          the throttle that the controller has at t + H is its input over the whole step
 * So the controller knows the speed as it was up to H ago, and what the coupling changes of the
 * motion goes with the first power of H.
 */
#define _XOPEN_SOURCE 700
#include <math.h>

#include "fmu.h"

int main(int argc, char** argv) {
  struct fmu car, controller;
  struct fmu_variable measured, throttle, speed, wanted, demand;
  double wanted_speed = 25.0, seconds = 40.0, step = 0.01;
  long k, steps, steps_per_row;

  if (argc < 3 || argc > 6 || (argc > 3 && !fmu_number(argv[3], 0.0, 100.0, &wanted_speed)) ||
      (argc > 4 && !fmu_number(argv[4], 0.0, 1e5, &seconds)) ||
      (argc > 5 && !fmu_number(argv[5], 1e-4, 1.0, &step))) {
    fputs(
        "usage: coupled_fmus CAR CONTROLLER [SPEED [SECONDS [STEP]]]\n"
        "  CAR, CONTROLLER   folders of unpacked FMUs\n"
        "  SPEED             wanted, m/s (25)\n"
        "  SECONDS           how long (40)\n"
        "  STEP              from one communication point to the next, s (0.01)\n",
        stderr);
    return 2;
  }

  fmu_open(&car, "car", argv[1]);
  fmu_open(&controller, "controller", argv[2]);
  measured = fmu_find(&car, "chassis.vx");
  throttle = fmu_find(&car, "throttle");
  speed = fmu_find(&controller, "speed");
  wanted = fmu_find(&controller, "wanted_speed");
  demand = fmu_find(&controller, "throttle_demand.value");

  /* the start: the car's speed makes the controller's throttle, and that the car's own start */
  fmu_enter(&car);
  fmu_enter(&controller);
  fmu_set(&controller, wanted, wanted_speed);
  fmu_set(&controller, speed, fmu_get(&car, measured));
  fmu_set(&car, throttle, fmu_get(&controller, demand));
  fmu_start(&controller);
  fmu_start(&car);

  printf("%8s %16s %16s\n%8s %16s %16s\n", "time", "speed", "throttle", "s", measured.unit,
         demand.unit);
  steps = lround(seconds / step);
  steps_per_row = lround(2.0 / step);
  for (k = 0; k <= steps; ++k) {
    if (k > 0) {
      fmu_set(&controller, speed, fmu_get(&car, measured));
      fmu_step(&controller, (double)k * step);
      fmu_set(&car, throttle, fmu_get(&controller, demand));
      fmu_step(&car, (double)k * step);
    }
    if (k % steps_per_row == 0 || k == steps)
      printf("%8g %16.9f %16.9f\n", car.time, fmu_get(&car, measured),
             fmu_get(&controller, demand));
  }
  fmu_close(&controller);
  fmu_close(&car);
  return 0;
}
