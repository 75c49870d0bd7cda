/* A C project outside semirec: drives an installed model, saves, restores, compares. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <semirec.h>

int main(int argc, char** argv) {
  char vehicle[1024], scenario[1024];
  semirec_car* car = NULL;
  void *middle, *end, *again;
  size_t size;
  int good;
  if (argc < 2) return 2;
  snprintf(vehicle, sizeof vehicle, "%s/models/iltis.xml", argv[1]);
  snprintf(scenario, sizeof scenario, "%s/scenarios/bump_5.xml", argv[1]);
  if (semirec_create(vehicle, scenario, NULL, &car) != SEMIREC_OK) {
    fprintf(stderr, "%s\n", semirec_create_error());
    return 3;
  }
  size = semirec_saved_size(car);
  middle = malloc(size);
  end = malloc(size);
  again = malloc(size);
  good = middle != NULL && end != NULL && again != NULL;
  good = good && semirec_steps(car, 500) == SEMIREC_OK &&
         semirec_save(car, middle, size) == SEMIREC_OK && semirec_steps(car, 500) == SEMIREC_OK &&
         semirec_save(car, end, size) == SEMIREC_OK &&
         semirec_restore(car, middle, size) == SEMIREC_OK &&
         semirec_steps(car, 500) == SEMIREC_OK && semirec_save(car, again, size) == SEMIREC_OK &&
         memcmp(end, again, size) == 0;
  printf("semirec %s in C: t = %g s, %s\n", semirec_version(), semirec_time(car),
         good ? "restored with the same bits" : "FAILED");
  free(middle);
  free(end);
  free(again);
  semirec_destroy(car);
  return good ? 0 : 1;
}
