/* One FMU (FMI 3.0, co-simulation) in a C program, with the C library and dlopen alone: what
 * fmu_client.c and coupled_fmus.c share. Of the standard's functions it has those that they call,
 * with the standard's own names; of modelDescription.xml it reads a few attributes.
 *
 *   fmu_open     loads the library of an unpacked FMU and makes an instance
 *   fmu_find     looks a variable up by its name
 *   fmu_enter    Initialization Mode: inputs that are set now belong to the start
 *   fmu_start    Step Mode
 *   fmu_set, fmu_get, fmu_step
 *   fmu_close
 *
 * The status of every call is looked at. An error ends the program with one line and exit code 1; a
 * program that goes on without the FMU returns from there instead. Warnings are printed as the FMU
 * logs them. The .c file defines _XOPEN_SOURCE as 700 before anything else, for realpath().
 */
#ifndef SEMIREC_EXAMPLES_FMU_H
#define SEMIREC_EXAMPLES_FMU_H

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stdbool.h>

typedef void* fmi3Instance;
typedef uint32_t fmi3ValueReference;
typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef void (*fmi3LogMessageCallback)(void* environment, fmi3Status, const char* category,
                                       const char* message);

struct fmu {
  const char* name; /* in messages */
  char* description;
  void* library;
  fmi3Instance instance;
  double time;       /* at which the instance stands, s */
  char message[500]; /* what it logged last of an error */

  fmi3Instance (*instantiate)(const char* name, const char* token, const char* resources,
                              bool visible, bool logging, bool event_mode_used,
                              bool early_return_allowed, const fmi3ValueReference* intermediate,
                              size_t intermediate_count, void* environment, fmi3LogMessageCallback,
                              void (*intermediate_update)(void));
  fmi3Status (*enter_initialization_mode)(fmi3Instance, bool tolerance_defined, double tolerance,
                                          double start, bool stop_defined, double stop);
  fmi3Status (*exit_initialization_mode)(fmi3Instance);
  fmi3Status (*set_float64)(fmi3Instance, const fmi3ValueReference*, size_t reference_count,
                            const double* values, size_t value_count);
  fmi3Status (*get_float64)(fmi3Instance, const fmi3ValueReference*, size_t reference_count,
                            double* values, size_t value_count);
  fmi3Status (*do_step)(fmi3Instance, double point, double length, bool no_set_state_before,
                        bool* event_needed, bool* terminate, bool* early_return, double* last_time);
  fmi3Status (*terminate)(fmi3Instance);
  void (*free_instance)(fmi3Instance);
};

struct fmu_variable {
  fmi3ValueReference reference;
  char unit[32]; /* "-" where the description has none */
};

/* What went wrong, with what, and the end of the program. */
static inline _Noreturn void fmu_fail(const struct fmu* fmu, const char* what, const char* why) {
  fprintf(stderr, "%s: %s%s%s\n", fmu->name, what, why[0] != '\0' ? ": " : "", why);
  exit(1);
}

static inline void fmu_check(struct fmu* fmu, fmi3Status status, const char* call) {
  const size_t length = strlen(call);
  const char* why = fmu->message;
  char what[120];
  if (status == fmi3OK || status == fmi3Warning) return;
  /* semirec's messages begin with the call */
  if (strncmp(why, call, length) == 0) why += length + strspn(why + length, ": ");
  snprintf(what, sizeof what, "%s at %g s", call, fmu->time);
  fmu_fail(fmu, what, why[0] != '\0' ? why : "error");
}

/* The FMU's log: the reason of an error is printed with the call that returns it. */
static inline void fmu_log(void* environment, fmi3Status status, const char* category,
                           const char* message) {
  struct fmu* fmu = environment;
  (void)category;
  if (status == fmi3Warning)
    fprintf(stderr, "%s: warning: %s\n", fmu->name, message);
  else if (status != fmi3OK)
    snprintf(fmu->message, sizeof fmu->message, "%s", message);
}

/* A word of the command line as a number from `least` to `most`. */
static inline bool fmu_number(const char* text, double least, double most, double* value) {
  char* end;
  *value = strtod(text, &end);
  return end != text && *end == '\0' && *value >= least && *value <= most;
}

/* Three texts as one, to be freed. */
static inline char* fmu_joined(const struct fmu* fmu, const char* a, const char* b, const char* c) {
  const size_t size = strlen(a) + strlen(b) + strlen(c) + 1;
  char* text = malloc(size);
  if (text == NULL) fmu_fail(fmu, a, "no memory");
  snprintf(text, size, "%s%s%s", a, b, c);
  return text;
}

/* A file as text, to be freed. */
static inline char* fmu_text(const struct fmu* fmu, const char* path) {
  FILE* file = fopen(path, "rb");
  char* text = NULL;
  long size;
  if (file == NULL) fmu_fail(fmu, path, "cannot be read; is this the folder of an unpacked FMU?");
  if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0 &&
      (text = malloc((size_t)size + 1)) != NULL) {
    if (fread(text, 1, (size_t)size, file) != (size_t)size) fmu_fail(fmu, path, "cannot be read");
    text[size] = '\0';
  }
  if (fclose(file) != 0 || text == NULL) fmu_fail(fmu, path, "cannot be read");
  return text;
}

/* The value of an attribute of the element that begins at `tag`, as it stands there, to be freed;
 * NULL: the element has none of that name. */
static inline char* fmu_attribute(const struct fmu* fmu, const char* tag, const char* name) {
  static const char blanks[] = " \t\r\n";
  if (tag == NULL) return NULL;
  for (tag += strcspn(tag, " \t\r\n>"); *tag != '\0';) {
    const char *value, *end;
    size_t length;
    tag += strspn(tag, blanks);
    length = strcspn(tag, "=>");
    if (tag[length] != '=') return NULL;
    value = tag + length + 2; /* behind the quotation mark */
    end = value[-1] == '\0' ? NULL : strchr(value, value[-1]);
    if (end == NULL) return NULL;
    if (length == strlen(name) && strncmp(tag, name, length) == 0) {
      char* copy = malloc((size_t)(end - value) + 1);
      if (copy == NULL) fmu_fail(fmu, name, "no memory");
      memcpy(copy, value, (size_t)(end - value));
      copy[end - value] = '\0';
      return copy;
    }
    tag = end + 1;
  }
  return NULL;
}

/* Puts the library's function of that name into the pointer at `function`. */
static inline void fmu_function(struct fmu* fmu, const char* name, void* function) {
  void* symbol = dlsym(fmu->library, name);
  if (symbol == NULL) fmu_fail(fmu, name, "is not in the library");
  /* ISO C has no conversion from an object's address to a function's; POSIX has them of one size */
  memcpy(function, &symbol, sizeof symbol);
}

/* Loads the FMU that lies unpacked in `folder` and makes an instance of it, `name` in messages. */
static inline void fmu_open(struct fmu* fmu, const char* name, const char* folder) {
  char *path, *version, *token, *identifier, *place, *library;
  const char* root;

  memset(fmu, 0, sizeof *fmu);
  fmu->name = name;
  path = fmu_joined(fmu, folder, "/modelDescription.xml", "");
  fmu->description = fmu_text(fmu, path);
  root = strstr(fmu->description, "<fmiModelDescription");
  version = fmu_attribute(fmu, root, "fmiVersion");
  token = fmu_attribute(fmu, root, "instantiationToken");
  identifier = fmu_attribute(fmu, strstr(fmu->description, "<CoSimulation"), "modelIdentifier");
  if (version == NULL || strncmp(version, "3.", 2) != 0 || token == NULL || identifier == NULL)
    fmu_fail(fmu, path, "describes no co-simulation by FMI 3.0");
  free(path);

  /* the standard wants the full path of the resources, with a slash at its end */
  place = realpath(folder, NULL);
  if (place == NULL) fmu_fail(fmu, folder, "has no full path");
  path = fmu_joined(fmu, place, "/binaries/x86_64-linux/", identifier);
  library = fmu_joined(fmu, path, ".so", "");
  free(path);
  fmu->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (fmu->library == NULL) fmu_fail(fmu, "not loaded", dlerror());
  free(library);
  fmu_function(fmu, "fmi3InstantiateCoSimulation", &fmu->instantiate);
  fmu_function(fmu, "fmi3EnterInitializationMode", &fmu->enter_initialization_mode);
  fmu_function(fmu, "fmi3ExitInitializationMode", &fmu->exit_initialization_mode);
  fmu_function(fmu, "fmi3SetFloat64", &fmu->set_float64);
  fmu_function(fmu, "fmi3GetFloat64", &fmu->get_float64);
  fmu_function(fmu, "fmi3DoStep", &fmu->do_step);
  fmu_function(fmu, "fmi3Terminate", &fmu->terminate);
  fmu_function(fmu, "fmi3FreeInstance", &fmu->free_instance);

  path = fmu_joined(fmu, place, "/resources/", "");
  /* logging is on: without it the reason of an error stays unknown */
  fmu->instance =
      fmu->instantiate(name, token, path, false, true, false, false, NULL, 0, fmu, fmu_log, NULL);
  if (fmu->instance == NULL) fmu_fail(fmu, "fmi3InstantiateCoSimulation", fmu->message);
  free(path);
  free(place);
  free(version);
  free(token);
  free(identifier);
}

/* The variable of that name, written as in modelDescription.xml. All of semirec's are Float64. */
static inline struct fmu_variable fmu_find(const struct fmu* fmu, const char* name) {
  struct fmu_variable variable = {0, "-"};
  const char* tag = fmu->description;
  char *reference, *unit;
  while ((tag = strstr(tag, "<Float64 ")) != NULL) {
    char* found = fmu_attribute(fmu, tag, "name");
    const bool same = found != NULL && strcmp(found, name) == 0;
    free(found);
    if (same) break;
    ++tag;
  }
  if (tag == NULL) fmu_fail(fmu, name, "is no variable of modelDescription.xml");
  reference = fmu_attribute(fmu, tag, "valueReference");
  unit = fmu_attribute(fmu, tag, "unit");
  if (reference == NULL) fmu_fail(fmu, name, "has no value reference");
  variable.reference = (fmi3ValueReference)strtoul(reference, NULL, 10);
  if (unit != NULL) snprintf(variable.unit, sizeof variable.unit, "%s", unit);
  free(reference);
  free(unit);
  return variable;
}

/* Inputs that are set from here to fmu_start() belong to the start, which is solved with them. */
static inline void fmu_enter(struct fmu* fmu) {
  fmu_check(fmu, fmu->enter_initialization_mode(fmu->instance, false, 0.0, 0.0, false, 0.0),
            "fmi3EnterInitializationMode");
}

static inline void fmu_start(struct fmu* fmu) {
  fmu_check(fmu, fmu->exit_initialization_mode(fmu->instance), "fmi3ExitInitializationMode");
}

static inline void fmu_set(struct fmu* fmu, struct fmu_variable variable, double value) {
  fmu_check(fmu, fmu->set_float64(fmu->instance, &variable.reference, 1, &value, 1),
            "fmi3SetFloat64");
}

static inline double fmu_get(struct fmu* fmu, struct fmu_variable variable) {
  double value = 0.0;
  fmu_check(fmu, fmu->get_float64(fmu->instance, &variable.reference, 1, &value, 1),
            "fmi3GetFloat64");
  return value;
}

/* From fmu->time to `end`. The caller works `end` out as number times length: sums drift. */
static inline void fmu_step(struct fmu* fmu, double end) {
  bool event_needed = false, terminate = false, early_return = false;
  double last_time = fmu->time;
  fmu_check(fmu,
            fmu->do_step(fmu->instance, fmu->time, end - fmu->time, true, &event_needed, &terminate,
                         &early_return, &last_time),
            "fmi3DoStep");
  if (terminate) fmu_fail(fmu, "fmi3DoStep", "the FMU asks for the end of the simulation");
  fmu->time = end;
}

static inline void fmu_close(struct fmu* fmu) {
  fmu_check(fmu, fmu->terminate(fmu->instance), "fmi3Terminate");
  fmu->free_instance(fmu->instance);
  if (dlclose(fmu->library) != 0) fmu_fail(fmu, "not unloaded", dlerror());
  free(fmu->description);
}

#endif
