/* fixture: common parts of the tests of the built command: the test's own folder, the command, its results.
 * Needs: $(HOSTS) */
#ifndef TESTS_FIXTURE_H
#define TESTS_FIXTURE_H

#include "tests/spawn.h"

#include <jansson.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

extern char *fixture_folder;  /* folder of the running test, empty at its start */
extern char *fixture_command; /* build/lockstep */

int fixture_begin(void **state);
int fixture_end(void **state);
#define TEST(function) cmocka_unit_test_setup_teardown(function, fixture_begin, fixture_end)

/* Runs `lockstep ARGUMENTS` in the folder. */
#define LOCKSTEP(...) spawn(fixture_folder, (char *[]){fixture_command, __VA_ARGS__, NULL})

/* Runs `lockstep run` with a program on a machine of configs/ (NULL: the base machine), with settings
 * (FIELD=VALUE) and options. Statistics go to s.json unless the options name another file. Blanks separate
 * words. The program is a path below the build's folder, with arguments. */
struct spawned fixture_run(const char *machine, const char *settings, const char *options,
                           const char *program);

/* Return the path of a program of tests/hosts; of a file in the folder; of such a file after writing it. To
 * be freed. */
char *fixture_host(const char *name);
char *fixture_path(const char *name);
char *fixture_file(const char *name, const char *text, mode_t mode);

void assert_says(const char *text, const char *part);
void assert_status(const struct spawned *s, int status);
void assert_exists(const char *name, bool expected);

/* Return the statistics in a file of the folder; an integer of them; the cycles of the run. */
json_t *fixture_statistics(const char *name);
json_int_t fixture_number(const json_t *object, const char *key);
json_int_t fixture_cycles(const char *name);
void assert_outcome(const char *name, const char *outcome);
void assert_causes_add_up(const json_t *part);

/* Checks that an independent reader reads a waveform to its end. */
void assert_readable(const char *trace);

#endif
