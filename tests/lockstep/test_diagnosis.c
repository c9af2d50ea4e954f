/*
 * diagnosis: whatever a kernel may not do ends the run with exit status 120 and a diagnosis in the program's
 * terms, in both modes: kernel, work-item (in MIMD mode the work-group), PC, source line with the functions
 * around it. The kernels are those of tests/hosts/kernel_mistakes.c.
 */
#include "sim/error.h"
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

static const struct mistake {
    char *kernel;
    const char *line;         /* file:line, and the functions around it */
    const char *what;         /* message in SIMT mode */
    const char *what_in_mimd; /* NULL: the same */
} mistakes[] = {
    {"inlined",
     "program1.cl:4 in 'deeper', inlined at program1.cl:6 in 'deep', inlined at program1.cl:10 in "
     "'inlined': ",
     "reads 4 bytes at 0x603d0900, outside every buffer; the nearest is buffer 2", NULL},
    {"not_inlined", "program1.cl:13 in 'called': ", "writes 4 bytes at 0xf4000000, outside every buffer",
     NULL},
    {"constant_variable", "program1.cl:17 in 'constant_variable': ", "in program, which is read-only", NULL},
    {"read_only_buffer", "program1.cl:20 in 'read_only_buffer': ",
     "writes to 0x60001494 in buffer 2 (CL_MEM_READ_ONLY), which is read-only", NULL},
    {"argument_block", "program1.cl:23 in 'argument_block': ",
     "writes to 0x3f000000 in kernel arguments, which is read-only", NULL},
    {"misaligned_double", "program1.cl:26 in 'misaligned_double': vldr",
     "accesses 0x60000025 in buffer 1, which this instruction needs aligned (SCTLR.A = 0)", NULL},
    {"misaligned_long", "program1.cl:29 in 'misaligned_long': ldrd",
     "accesses 0x60000025 in buffer 1, which this instruction needs aligned (SCTLR.A = 0)", NULL},
    {"misaligned_atomic", "program1.cl:32 in 'misaligned_atomic': ldrex",
     "accesses 0x60000025 in buffer 1, which this instruction needs aligned (SCTLR.A = 0)", NULL},
    {"other_stack",
     "program1.cl:58 in 'other_stack': ", "which lies in the private memory of another work-item",
     "outside every buffer; the nearest is the stack of core 1"},
    {"local_overrun", "program1.cl:61 in 'local_overrun': ",
     "writes 4 bytes at 0x40024220, outside every buffer; the nearest is local memory, 128 bytes at "
     "0x40000000",
     NULL},
    {"null_pointer", "program1.cl:64 in 'null_pointer': ",
     "writes 4 bytes at 0x00000004, outside every buffer: a null pointer", NULL},
};
enum { MISTAKES = sizeof mistakes / sizeof *mistakes };

static struct spawned run(char *mode, char *kernel) {
    char *program = fixture_host("kernel_mistakes");
    struct spawned s = LOCKSTEP("run", "--max-cycles", "300000", "--mode", mode, "--", program, kernel);
    free(program);
    return s;
}

static void check(char *mode, const struct mistake *m, const char *who) {
    struct spawned s = run(mode, m->kernel);
    char *kernel = spawn_text("lockstep: kernel '%s', ", m->kernel);
    const bool mimd = strcmp(mode, "mimd") == 0;
    assert_status(&s, EXIT_PROGRAM_FAULT);
    assert_says(s.err, kernel);
    assert_says(s.err, who);
    assert_says(s.err, mimd && m->what_in_mimd ? m->what_in_mimd : m->what);
    assert_says(s.err, "\n  at pc 0x1");
    assert_says(s.err, m->line);
    assert_null(strstr(s.out, "as if nothing had happened"));
    free(kernel);
    spawn_free(&s);
}

static void mistakes_in_simt_mode(void **state) {
    (void)state;
    for (size_t n = 0; n < MISTAKES; n++)
        check("simt", &mistakes[n],
              n ? "work-item (37, 0, 0) (local (5, 0, 0) of work-group (1, 0, 0))" : "work-item (0, 0, 0)");
}

static void mistakes_in_mimd_mode(void **state) {
    (void)state;
    for (size_t n = 0; n < MISTAKES; n++)
        check("mimd", &mistakes[n], n ? "core 1 in work-group (1, 0, 0)" : "core 0 in work-group (0, 0, 0)");
}

/* LDR, STR and LDRH may be misaligned (SCTLR.A = 0). */
static void what_is_no_mistake(void **state) {
    static char *const modes[] = {"simt", "mimd"};
    (void)state;
    for (size_t n = 0; n < 2; n++) {
        struct spawned s = run(modes[n], "misaligned_is_fine");
        assert_status(&s, 0);
        assert_says(s.out, "as if nothing had happened");
        spawn_free(&s);
    }
}

static void barriers_that_not_all_reach(void **state) {
    (void)state;
    struct spawned s = run("simt", "barrier_missed");
    assert_status(&s, EXIT_PROGRAM_FAULT);
    assert_says(
        s.err, "kernel barrier_missed, launch 1: 1 barrier opened although work-items of the work-group had");
    assert_says(s.err,
                "kernel 'barrier_missed', work-item (5, 0, 0) (local (5, 0, 0) of work-group (0, 0, 0)) had "
                "ended when 31 of the work-group's 32 met\n  at pc 0x1");
    assert_says(s.err, "program1.cl:41 in 'barrier_missed': barrier: ");
    spawn_free(&s);
    s = run("mimd", "barrier_missed");
    assert_status(&s, EXIT_PROGRAM_FAULT);
    assert_says(s.err, "kernel 'barrier_missed', core 0 in work-group (0, 0, 0)");
    assert_says(s.err, "not all work-items of the work-group come to the same barriers");
    assert_says(s.err, "program1.cl:38");
    spawn_free(&s);
}

/* Barriers alike in the sides of an `if` are two, in every mode. */
static void barriers_in_the_sides_of_an_if_are_two(void **state) {
    (void)state;
    char *program = fixture_host("run_source");
    char source[] = "kernel void f(global int *out) {\n    int i = get_global_id(0);\n    if (i & 1) {\n"
                    "        barrier(CLK_LOCAL_MEM_FENCE);\n        out[i] = 1;\n    } else {\n"
                    "        barrier(CLK_LOCAL_MEM_FENCE);\n        out[i] = 2;\n    }\n}\n";
    struct spawned s = LOCKSTEP("run", "--mode", "simt", "--", program, source);
    assert_status(&s, EXIT_PROGRAM_FAULT);
    assert_says(s.err, "deadlock: all live work-items of a work-group wait, at different barriers");
    spawn_free(&s);
    s = LOCKSTEP("run", "--mode", "mimd", "--", program, source);
    assert_status(&s, EXIT_PROGRAM_FAULT);
    assert_says(s.err, "work-item (1, 0, 0) comes here, while those before it wait at the barrier in "
                       "program1.cl:7\n  at pc 0x1");
    assert_says(s.err, "program1.cl:4 in 'f'");
    assert_null(strstr(s.err, "mode simt says"));
    spawn_free(&s);
    free(program);
}

/* If the program's own check fails, its status is kept, and the barrier is reported nevertheless. */
static void missed_barriers_are_told_whatever_the_status(void **state) {
    (void)state;
    char *program = fixture_host("barrier_missed"), *command = spawn_text("%s early; exit 3", program);
    struct spawned s = LOCKSTEP("run", "--", "/bin/sh", "-c", command);
    assert_status(&s, 3);
    assert_says(s.err, "lockstep: kernel early, launch 1: 2 barriers opened although");
    assert_says(s.err, "/bin/sh ended with exit status 3");
    spawn_free(&s);
    free(command);
    free(program);
}

static void deadlocks_say_who_waits_where(void **state) {
    (void)state;
    struct spawned s = run("simt", "deadlock");
    assert_status(&s, EXIT_PROGRAM_FAULT);
    assert_says(
        s.err,
        "kernel 'deadlock': deadlock: all live work-items of a work-group wait, at different barriers");
    assert_says(s.err, "work-group (1, 0, 0), 32 live work-items");
    assert_says(s.err, " 8 threads waiting at the barrier, from work-item (32, 0, 0), pc 0x1");
    assert_says(s.err, "program1.cl:48 in 'deadlock'");
    assert_says(s.err, "24 threads waiting at the barrier, from work-item (40, 0, 0), pc 0x1");
    assert_says(s.err, "program1.cl:52 in 'deadlock'");
    spawn_free(&s);
    s = run("mimd", "deadlock");
    assert_status(&s, EXIT_PROGRAM_FAULT);
    assert_says(s.err, "kernel 'deadlock', core 1 in work-group (1, 0, 0)");
    assert_says(s.err, "not all work-items of the work-group come to the same barriers");
    spawn_free(&s);
}

static void endless_kernels_say_what_all_do(void **state) {
    (void)state;
    struct spawned s = run("simt", "endless");
    assert_status(&s, EXIT_PROGRAM_FAULT);
    assert_says(s.err, "kernel 'endless': has reached the limit of ");
    assert_says(s.err, " cycles; does it loop for ever?");
    assert_says(s.err, "the limit of cycles is that of --max-cycles\n");
    assert_says(s.err, "from work-item (0, 0, 0), pc 0x1");
    assert_says(s.err, "program1.cl:68 in 'endless'");
    spawn_free(&s);
    s = run("mimd", "endless");
    assert_status(&s, EXIT_PROGRAM_FAULT);
    assert_says(s.err, "core 1: run, work-group (1, 0, 0), pc 0x1");
    assert_says(s.err, "program1.cl:68 in 'endless'");
    spawn_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(mistakes_in_simt_mode),
        TEST(mistakes_in_mimd_mode),
        TEST(what_is_no_mistake),
        TEST(barriers_that_not_all_reach),
        TEST(barriers_in_the_sides_of_an_if_are_two),
        TEST(missed_barriers_are_told_whatever_the_status),
        TEST(deadlocks_say_who_waits_where),
        TEST(endless_kernels_say_what_all_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
