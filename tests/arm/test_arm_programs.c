/* Compiled programs (tests/programs/) of several compilers and optimisation levels, on one thread of the
 * model and under qemu-arm: both must write the same bytes. Usage: test_arm_programs [factor of work compared
 * with `make test`]
 * Needs: $(PROGRAMS) */
#include "tests/arm/arm_program.h"
#include "tests/spawn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#define FUNCTION_ARGUMENTS 1000u /* arguments of a function in a run */
#define LONG               1000u /* factor of the long form: a million arguments */

/* Output of the program under qemu-arm, and the number of bytes compared so far. */
struct other {
    FILE *file;
    uint64_t at;
    bool differs;
};

static uint32_t times;

static void compare(const uint8_t *bytes, size_t size, void *user) {
    struct other *o = user;
    uint8_t theirs[4096];
    for (size_t done = 0; done < size && !o->differs;) {
        const size_t part = size - done < sizeof theirs ? size - done : sizeof theirs;
        const size_t got = fread(theirs, 1, part, o->file);
        size_t n = 0;
        while (n < got && theirs[n] == bytes[done + n]) n++;
        o->at += n;
        o->differs = n < part;
        done += part;
    }
}

/* Runs it under qemu-arm, output into the file. */
static void run_other(const char *folder, const char *program, const char *file, uint32_t count,
                      uint32_t seed) {
    char *line = spawn_text("qemu-arm -cpu cortex-a7 '%s' %u %u > %s", program, count, seed, file);
    struct spawned s = spawn(folder, (char *[]){"sh", "-c", line, NULL});
    if (s.status != 0) fail_msg("%s: exit status %d\n%s", line, s.status, s.err);
    spawn_free(&s);
    free(line);
}

static void same_output(const char *name, uint32_t count, uint32_t seed) {
    char *folder = spawn_folder(), *program = spawn_text("%s/tests/programs/%s", spawn_build(), name);
    char *file = spawn_text("%s/output", folder);
    run_other(folder, program, "output", count, seed);
    struct other o = {.file = fopen(file, "rb")};
    const clock_t before = clock();
    const struct arm_program_end end = arm_program_run(program, count, seed, compare, &o);
    const double seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
    if (end.status != 0) fail_msg("%s %u %u: %d, %s", name, count, seed, end.status, end.fault);
    if (o.differs)
        fail_msg("%s %u %u: output differs from byte %llu on", name, count, seed, (unsigned long long)o.at);
    if (fgetc(o.file) != EOF)
        fail_msg("%s %u %u: qemu-arm wrote more than %llu bytes", name, count, seed,
                 (unsigned long long)o.at);
    if (o.at == 0) fail_msg("%s %u %u wrote nothing", name, count, seed);
    print_message("%-20s %6u %3u: %10llu bytes, %12llu instructions, %4.0f M/s\n", name, count, seed,
                  (unsigned long long)o.at, (unsigned long long)end.executed,
                  (double)end.executed / seconds * 1e-6);
    fclose(o.file);
    spawn_remove_folder(folder);
    free(program), free(file);
}

static void of_every_build(const char *name, uint32_t count) {
    static const char *const builds[] = {"gcc-O0", "gcc-O1",   "gcc-O2",   "gcc-O3",
                                         "gcc-Os", "clang-O0", "clang-O2", "clang-Os"};
    const uint32_t seeds = times < 20 ? times : 20;
    for (unsigned b = 0; b < sizeof builds / sizeof *builds; b++) {
        char *program = spawn_text("%s-%s", name, builds[b]);
        for (uint32_t seed = 0; seed < seeds; seed++) same_output(program, count, seed);
        free(program);
    }
}

static void integer_routines(void **state) {
    (void)state;
    of_every_build("integer", 200);
}
static void float_routines(void **state) {
    (void)state;
    of_every_build("float", 500);
}
static void string_routines(void **state) {
    (void)state;
    of_every_build("strings", 200);
}
static void sort_routines(void **state) {
    (void)state;
    of_every_build("sort", 500);
    of_every_build("sort", 1);
}

/* The library of one build gets all arguments, the other builds a few. */
static void math_functions(void **state) {
    const uint32_t at_once = times < 50 ? 1 : 50;
    (void)state;
    for (uint32_t seed = 0; seed < times / at_once; seed++)
        same_output("functions-gcc-O2", FUNCTION_ARGUMENTS * at_once, seed);
    same_output("functions-clang-O2", FUNCTION_ARGUMENTS / 4 * at_once, 0);
    same_output("functions-gcc-O0", FUNCTION_ARGUMENTS / 4 * at_once, 0);
    same_output("functions-gcc-O3", FUNCTION_ARGUMENTS / 4 * at_once, 0);
}

int main(int argc, char **argv) {
    times = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 0) : getenv("LOCKSTEP_LONG") ? LONG : 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integer_routines), cmocka_unit_test(float_routines),
        cmocka_unit_test(string_routines),  cmocka_unit_test(sort_routines),
        cmocka_unit_test(math_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
