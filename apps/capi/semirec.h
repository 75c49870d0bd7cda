/* semirec in C: a car from two XML files, stepped from outside at a fixed rate.
 *
 *   semirec_car* car = NULL;
 *   if (semirec_create("iltis.xml", "bump_5.xml", NULL, &car) != SEMIREC_OK)
 *     puts(semirec_create_error());
 *   rack = semirec_find_input(car, "rack");
 *   for (;;) {
 *     semirec_set_input(car, rack, steering());
 *     if (semirec_step(car) != SEMIREC_OK) break;
 *     semirec_get_outputs(car, values, semirec_output_count(car));
 *   }
 *   semirec_destroy(car);
 *
 * SI units throughout: m, kg, s, N, rad.
 *
 * Between semirec_create() and semirec_destroy() no function but semirec_choose_outputs() takes
 * memory (of a batch: semirec_batch_choose_outputs()), and none takes a lock, makes a system call
 * or prints. No function throws or aborts, whatever it is given: a NULL handle, name or buffer, a
 * wrong index or a number that is not finite is answered by a status, or by -1, NULL, NAN or 0
 * where a function returns no status.
 *
 * Threads: one thread at a time may use a handle; different handles are independent.
 *
 * This header is C99 and C++. Within one SOVERSION functions are added, never changed; the two
 * structs that are passed carry their size, so that they may grow at their end.
 */
#ifndef SEMIREC_H
#define SEMIREC_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SEMIREC_API __attribute__((visibility("default")))
#else
#define SEMIREC_API
#endif

/* A car: its model, its state and all memory that a step needs. */
typedef struct semirec_car semirec_car;

/* What a function answers. */
enum {
  SEMIREC_OK = 0,
  /* the call */
  SEMIREC_NULL_ARGUMENT = 1, /* a handle, name or buffer is NULL */
  SEMIREC_NO_SUCH_INDEX = 2, /* no input or output has this index */
  SEMIREC_NOT_FINITE = 3,    /* an input that is no number, or a leap by more than numbers can hold;
                                it keeps what it had */
  SEMIREC_WRONG_SIZE = 4,    /* of a buffer or struct, or a negative count */
  SEMIREC_COMPUTED_INPUT = 5, /* an equation of the vehicle's file computes this input */
  /* semirec_create() */
  SEMIREC_BAD_INPUT = 10, /* a file or an option; semirec_create_error() says which and why */
  SEMIREC_NO_MEMORY = 11,
  SEMIREC_INTERNAL = 12, /* what should not happen; semirec_create_error() tells what is known */
  /* semirec_step(); the state is as before */
  SEMIREC_NOT_POSITIVE_DEFINITE = 20, /* the tangent cannot be factored */
  SEMIREC_STEP_NOT_FINITE = 21,       /* the motion has left the numbers */
  SEMIREC_EVENT_IMPOSSIBLE = 22,      /* an attachment cannot close */
  SEMIREC_STEP_FAILED = 23,           /* any other reason */
  /* semirec_restore(); the state is as before */
  SEMIREC_NOT_A_STATE = 30, /* no saved state, or of another version of the layout */
  SEMIREC_OTHER_MODEL = 31, /* of other files or options, or of another instruction set */
  SEMIREC_CORRUPT = 32      /* damaged */
};

/* Options of semirec_create(). Members that `size` does not cover have their defaults. */
typedef struct semirec_options {
  size_t size; /* sizeof(semirec_options) */
  double step; /* s, above 0 and at most 1; 0: that of the scenario */
  /* Newton iterations of every step, 1 to 100; 0: 2, or 1 with a scheme that does not iterate */
  int iterations;
  /* The first so many of them factor the tangent anew; 0: all. One saves an eighth of the time and
   * does for steps up to 2 ms. */
  int factorizations;
  /* Values that stand in the place of those of the vehicle's file: so many texts
   * `element.attribute=value`, as the program's --set takes them. */
  const char* const* overrides;
  int override_count;
} semirec_options;

/* What the last step did. */
typedef struct semirec_report {
  size_t size;               /* sizeof(semirec_report), given by the caller */
  int status;                /* of the step */
  int iterations;            /* Newton iterations done */
  double correction;         /* root mean square of the last one, m and rad */
  double closure_error;      /* largest opening of a loop after the step, m or rad; after
                                SEMIREC_EVENT_IMPOSSIBLE that of the attachment */
  int settled;               /* 1 when the step was taken and both are below 1e-6; one that has not
                                settled is taken all the same, and the next ones make up for it;
                                where they keep coming, what comes out is wrong */
  long long unsettled_steps; /* that were taken since the car was created, cloned or restored */
} semirec_report;

/* ---- the library ---- */

/* Version of the library, "0.1.0". */
SEMIREC_API const char* semirec_version(void);
/* The instruction set that the code in use is compiled for, "x86-64-v3". libsemirec_core.so holds
 * the engine for every x86-64 and for x86-64-v3 (AVX2, FMA), where it was built so for x86-64-v4
 * (AVX-512), too, and chooses when it is loaded; where the environment says
 * SEMIREC_INSTRUCTIONS=x86-64, the first. A car's outputs differ between them by some 1e-12, loads
 * and accelerations by up to 1e-9 of their size. */
SEMIREC_API const char* semirec_instructions(void);
/* A status in words; never NULL. */
SEMIREC_API const char* semirec_status_text(int status);

/* ---- tyres of one's own ---- */

/* What a tyre is told. SI; W axes of ISO at the contact centre: x forward, y left, z along the
 * normal of the road. Members may be added at the end. */
typedef struct semirec_tyre_state {
  double load;      /* N, not below 0 */
  double kappa;     /* longitudinal slip, -Vsx/|Vx|; positive driving */
  double tan_alpha; /* lateral slip, Vsy/|Vx|; the side force opposes it */
  double gamma;     /* inclination against the road, rad; positive: left end of the axle up;
                       fades below 1 m/s: a tyre at rest leans without pushing sideways */
  double turn_slip; /* 1/m */
  double speed;     /* of the contact centre, forward, m/s */
  double friction;  /* of the road; scales the tyre's own */
} semirec_tyre_state;

/* What it answers: road on tyre at the contact centre, N and N m; all 0 when it is called. */
typedef struct semirec_tyre_forces {
  double Fx, Fy, Mx, My, Mz;
} semirec_tyre_forces;

/* Fills `forces` and returns 0; anything else, or a number that is not finite, counts as no force
 * and shows in the output <wheel>.clamped. It must be a function of the state alone, continuous
 * also at rest and in reverse, and it must not allocate, lock or throw if steps are not to. It is
 * called at semirec_create() (some hundred times), and 5 times for each wheel and Newton iteration,
 * by all threads that step a car. */
typedef int (*semirec_tyre)(void* user, const semirec_tyre_state* state,
                            semirec_tyre_forces* forces);

/* Makes a tyre known to the files that semirec_create() reads from now on, which name it in
 * <tyre name="mine"><foreign function="NAME" radius="..." stiffness="..." nominal_load="..."/>
 * </tyre>. A name that is known gets the new tyre, and with `tyre` NULL it is forgotten; cars keep
 * what they were made with. `user` must outlive the cars. A name has 1 to 60 letters, digits, `_`,
 * `-` or `.`: SEMIREC_BAD_INPUT if not. The few bytes of a registration stay until the program
 * ends. Any thread may call it. */
SEMIREC_API int semirec_register_tyre(const char* name, semirec_tyre tyre, void* user);

/* ---- a car's life ---- */

/* Reads a vehicle and a scenario file, brings the car to its start, takes all memory. `options` may
 * be NULL. On failure *car is NULL. */
SEMIREC_API int semirec_create(const char* vehicle, const char* scenario,
                               const semirec_options* options, semirec_car** car);
/* Why the last semirec_create() of this thread failed, in one line
 * `file:line: element 'name': what is wrong, what was expected`; "" after success. Valid until the
 * thread's next semirec_create(). */
SEMIREC_API const char* semirec_create_error(void);
/* What is not as one would expect about the files and the start, one line each: a road that a file
 * asks for and does not get, a start that is not in balance. The number of such notes, -1 for NULL,
 * and one of them, owned by the handle; NULL for a wrong index. */
SEMIREC_API int semirec_note_count(const semirec_car* car);
SEMIREC_API const char* semirec_note(const semirec_car* car, int note);
/* Gives all memory back; NULL is allowed. */
SEMIREC_API void semirec_destroy(semirec_car* car);
/* What the last call on this handle that failed was about, one line; "" if none has. Valid until
 * the next call on the handle. */
SEMIREC_API const char* semirec_last_error(const semirec_car* car);

/* ---- inputs ---- */

/* Number of inputs; -1 for NULL. */
SEMIREC_API int semirec_input_count(const semirec_car* car);
/* Name and unit of an input, owned by the handle; NULL for a wrong index. The unit is "" where
 * nothing but equations of the vehicle reads the input, which say no unit of it. */
SEMIREC_API const char* semirec_input_name(const semirec_car* car, int input);
SEMIREC_API const char* semirec_input_unit(const semirec_car* car, int input);
/* Index by name; -1 when there is none. */
SEMIREC_API int semirec_find_input(const semirec_car* car, const char* name);
/* The value of an input at the end of the coming step, held from then on; until the first call the
 * input follows the curve of its file. Its rate in the coming step is the difference from the value
 * before over one step, after that zero. */
SEMIREC_API int semirec_set_input(semirec_car* car, int input, double value);
/* The same with rate and second rate at the end of the coming step, per s and per s^2. */
SEMIREC_API int semirec_set_input_rates(semirec_car* car, int input, double value, double rate,
                                        double second_rate);
/* Back to the curve of its file. */
SEMIREC_API int semirec_release_input(semirec_car* car, int input);

/* A controller inside the loop: called at the begin of every step with all outputs of the state. It
 * may set and release inputs of its car, and call nothing else with it. */
typedef void (*semirec_controller)(void* user, semirec_car* car, const double* outputs, int count);
/* From the next step on; NULL ends it. A saved state holds nothing of it. */
SEMIREC_API int semirec_set_controller(semirec_car* car, semirec_controller controller, void* user);

/* ---- steps ---- */

/* One step, then the events of the scenario that are due. A step that fails leaves the state as it
 * was: it may be taken again with other inputs. */
SEMIREC_API int semirec_step(semirec_car* car);
/* Several, until one fails; the inputs are held. */
SEMIREC_API int semirec_steps(semirec_car* car, int count);
/* Time of the state and length of a step, s; NAN for NULL. */
SEMIREC_API double semirec_time(const semirec_car* car);
SEMIREC_API double semirec_step_size(const semirec_car* car);
/* What the last step did; report->size is to be set. */
SEMIREC_API int semirec_get_report(const semirec_car* car, semirec_report* report);

/* ---- outputs: the columns of results.csv but the energies ---- */

/* Number of outputs; -1 for NULL. */
SEMIREC_API int semirec_output_count(const semirec_car* car);
/* Name and unit of an output, owned by the handle; NULL for a wrong index. */
SEMIREC_API const char* semirec_output_name(const semirec_car* car, int output);
SEMIREC_API const char* semirec_output_unit(const semirec_car* car, int output);
/* Index by name; -1 when there is none. */
SEMIREC_API int semirec_find_output(const semirec_car* car, const char* name);
/* All outputs; `count` must be semirec_output_count(). */
SEMIREC_API int semirec_get_outputs(semirec_car* car, double* values, int count);
/* One output. The first after a step evaluates all, further ones only read. */
SEMIREC_API int semirec_get_output(semirec_car* car, int output, double* value);
/* Chooses `count` outputs by their index for the function below, until the next choice. Takes
 * memory: call it before the loop. */
SEMIREC_API int semirec_choose_outputs(semirec_car* car, const int* outputs, int count);
/* The chosen outputs in their order, the same numbers as semirec_get_outputs() gives; nothing else
 * is evaluated, so that few cost little. `count` must be that of the choice. */
SEMIREC_API int semirec_get_chosen_outputs(semirec_car* car, double* values, int count);

/* ---- the state as bytes ---- */

/* Bytes that semirec_save() writes, always the same for a handle; 0 for NULL. */
SEMIREC_API size_t semirec_saved_size(const semirec_car* car);
/* The state with inputs and events that have happened; `size` must be semirec_saved_size(). */
SEMIREC_API int semirec_save(const semirec_car* car, void* out, size_t size);
/* Goes on from a saved state, with the same bits as if it had not been left: in this handle, or in
 * another one of the same files, options, library and kind of processor. Everything is verified
 * first: unless SEMIREC_OK the car is as before. */
SEMIREC_API int semirec_restore(semirec_car* car, const void* in, size_t size);

/* ---- cars side by side ---- */

/* Copies of cars that are alike in all but numbers, stepped side by side in the lanes of vector
 * registers, eight with AVX-512, else four: for a half to a quarter of what they cost one by one.
 *
 * What comes out of a car is what semirec_step() makes of it up to round-off (over seconds
 * typically 1e-11 of each quantity, seldom 1e-8: the motion multiplies round-off), and the same
 * bits whoever the others are: see docs/how_to/batch.md. */
typedef struct semirec_batch semirec_batch;

/* Copies of `count` cars as they are now, with their inputs but without their controllers; a handle
 * may stand there several times. SEMIREC_BAD_INPUT, and semirec_create_error() says which and why,
 * where a car does not fit beside the first: it has other bodies, loops, force elements, inputs,
 * outputs, gravity or steps, or closures that depend on one another or that events switch, or
 * `factorizations` below `iterations`. The cars may be stepped or destroyed afterwards. On failure
 * *batch is NULL. */
SEMIREC_API int semirec_batch_create(semirec_car* const* cars, int count, semirec_batch** batch);

/* Gives all memory back; NULL is allowed. */
SEMIREC_API void semirec_batch_destroy(semirec_batch* batch);

/* Number of cars; -1 for NULL. */
SEMIREC_API int semirec_batch_size(const semirec_batch* batch);

/* The numbers of one input in the batch's own memory, one a car: NAN where it follows the curve of
 * its file, else its value at the end of the coming step, held from then on. Write them before
 * semirec_batch_step(). NULL for a wrong index. */
SEMIREC_API double* semirec_batch_inputs(semirec_batch* batch, int input);

/* Chooses `count` outputs by their index; without a choice there are none. Takes memory: call it
 * before the loop. */
SEMIREC_API int semirec_batch_choose_outputs(semirec_batch* batch, const int* outputs, int count);

/* The numbers of the chosen output at this place of the choice in the batch's own memory, one a
 * car, NAN of a car that has failed. Valid until the next choice; NULL for a wrong place. */
SEMIREC_API const double* semirec_batch_outputs(const semirec_batch* batch, int place);

/* Times of the states, s, and what the last step of each car has answered, one a car. NULL for
 * NULL. */
SEMIREC_API const double* semirec_batch_times(const semirec_batch* batch);
SEMIREC_API const int* semirec_batch_status(const semirec_batch* batch);
/* [car] how many of its steps have not settled (semirec_report) since it was brought back, else
 * since the batch was made. NULL for NULL. */
SEMIREC_API const long long* semirec_batch_unsettled_steps(const semirec_batch* batch);

/* So many steps of all cars, then their chosen outputs. Answers SEMIREC_OK, or the status of the
 * first car whose status is another one. A car whose step has failed stands still where that step
 * began until it is reset; one whose inputs are refused (SEMIREC_NOT_FINITE,
 * SEMIREC_COMPUTED_INPUT) until they are not. The others go on. */
SEMIREC_API int semirec_batch_step(semirec_batch* batch, int count);

/* Brings a car back to where it was when the batch was made; -1: all cars. */
SEMIREC_API int semirec_batch_reset(semirec_batch* batch, int car);

#ifdef __cplusplus
}
#endif

#endif
