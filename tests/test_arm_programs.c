/*
 * Compiled programs (tests/programs/) of several compilers and optimisation levels on one thread of the model
 * and under qemu-arm: the same bytes of output. Usage: test_arm_programs [arguments of the math functions]
 */
#include "tests/arm_program.h"
#include "tests/spawn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#define SHORT_ARGUMENTS 1000u
#define LONG_ARGUMENTS  1000000u

/* What qemu-arm's program wrote, and how far ours has come in it. */
struct other {
    FILE *file;
    uint64_t at;
    bool differs;
};

static uint32_t arguments;

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
static void run_other(const char *folder, const char *program, const char *file, uint32_t count) {
    char *line = spawn_text("qemu-arm -cpu cortex-a7 '%s' %u > %s", program, count, file);
    struct spawned s = spawn(folder, (char *[]){"sh", "-c", line, NULL});
    if (s.status != 0) fail_msg("%s: exit status %d\n%s", line, s.status, s.err);
    spawn_free(&s);
    free(line);
}

/* Returns the instructions executed on the model. */
static uint64_t same_output(const char *name, uint32_t count) {
    char *folder = spawn_folder(), *program = spawn_text("%s/tests/programs/%s", spawn_build(), name);
    char *file = spawn_text("%s/output", folder);
    run_other(folder, program, "output", count);
    struct other o = {.file = fopen(file, "rb")};
    const clock_t before = clock();
    const struct arm_program_end end = arm_program_run(program, count, compare, &o);
    const double seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
    if (end.status != 0) fail_msg("%s %u: %d, %s", name, count, end.status, end.fault);
    if (o.differs) fail_msg("%s %u: output differs from byte %llu on", name, count, (unsigned long long)o.at);
    if (fgetc(o.file) != EOF)
        fail_msg("%s %u: qemu-arm wrote more than %llu bytes", name, count, (unsigned long long)o.at);
    if (o.at == 0) fail_msg("%s %u wrote nothing", name, count);
    print_message("%-20s %8u: %10llu bytes, %12llu instructions, %4.0f M/s\n", name, count,
                  (unsigned long long)o.at, (unsigned long long)end.executed,
                  (double)end.executed / seconds * 1e-6);
    fclose(o.file);
    spawn_remove_folder(folder);
    free(program), free(file);
    return end.executed;
}

static void of_every_build(const char *name, uint32_t count) {
    static const char *const builds[] = {"gcc-O0", "gcc-O1",   "gcc-O2",   "gcc-O3",
                                         "gcc-Os", "clang-O0", "clang-O2", "clang-Os"};
    for (unsigned b = 0; b < sizeof builds / sizeof *builds; b++) {
        char *program = spawn_text("%s-%s", name, builds[b]);
        same_output(program, count);
        free(program);
    }
}

static void integer_routines(void **state) {
    (void)state;
    of_every_build("integer", arguments / 5);
}
static void float_routines(void **state) {
    (void)state;
    of_every_build("float", arguments / 2);
}
static void string_routines(void **state) {
    (void)state;
    of_every_build("strings", arguments / 5);
}
static void sort_routines(void **state) {
    (void)state;
    of_every_build("sort", 500);
    of_every_build("sort", 1);
}

static void math_functions(void **state) {
    (void)state;
    same_output("functions-gcc-O2", arguments);
    const uint32_t fewer = arguments < 10000 ? arguments / 4 : arguments / 20;
    same_output("functions-clang-O2", fewer);
    same_output("functions-gcc-O0", fewer);
    same_output("functions-gcc-O3", fewer);
}

int main(int argc, char **argv) {
    arguments = argc > 1                  ? (uint32_t)strtoul(argv[1], NULL, 0)
                : getenv("LOCKSTEP_LONG") ? LONG_ARGUMENTS
                                          : SHORT_ARGUMENTS;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integer_routines), cmocka_unit_test(float_routines),
        cmocka_unit_test(string_routines),  cmocka_unit_test(sort_routines),
        cmocka_unit_test(math_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
