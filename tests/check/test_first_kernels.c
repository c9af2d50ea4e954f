/* Mistakes in first kernels (tests/kernels/first), each with -DBUG and mended: the checks and the diagnosis
 * of barriers name the lines, and report nothing for a mended kernel. */
#include "sim/error.h"
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

static struct spawned run(const char *name, char *machine, char *options, char *status) {
    char *program = fixture_host("first_kernels"),
         *path = spawn_text("%s/tests/kernels/first/%s.cl", spawn_source(), name);
    struct spawned s = LOCKSTEP("run", "--quiet", "--config", machine, "--check-races", "--check-memory",
                                "--", program, path, options, status);
    free(program);
    free(path);
    return s;
}

static const struct {
    const char *name;
    int status; /* status with the mistake, on the base machine, of a program that ends with 3 */
    const char *says[4];
} cases[] = {
    {"mm", 3, {"a race on ta[", "\n  program1.cl:9  work-item (", "\n  program1.cl:12  ", "--check-races"}},
    {"oe", 3, {"program1.cl:17", "barrier"}},
    {"bd", 3, {"program1.cl:8", "barrier"}},
    {"div", 3, {"program1.cl:9", "barrier"}},
    {"div2", EXIT_PROGRAM_FAULT, {"deadlock: ", "program1.cl:7", "barrier"}},
    {"lo",
     EXIT_PROGRAM_FAULT,
     {"writes s[32]; s has 32 elements (local memory, program1.cl:8); the 4 bytes are of t[0]",
      "program1.cl:13"}},
    {"loc",
     EXIT_PROGRAM_FAULT,
     {"writes s[16]; s has 16 elements (local memory, program1.cl:8); the 4 bytes are of t[0]",
      "program1.cl:12"}},
    {"ra", 3, {"a race on s[63] (local memory)", "\n  program1.cl:5  work-item (", "\n  program1.cl:9  "}},
    {"race",
     3,
     {"a race on c[0] (buffer 3, argument 3)",
      "reads c[0] (buffer 3, argument 3), which the program made "
      "CL_MEM_WRITE_ONLY\n  program1.cl:5: c[0] += a[g];",
      "program1.cl:10:12: warning: variable 'u' is uninitialized when used here"}},
    {"wo",
     3,
     {"reads c[0] (buffer 3, argument 3), which the program made CL_MEM_WRITE_ONLY\n  program1.cl:7: ",
      "program1.cl:6:9: warning: variable 'u' is used uninitialized whenever 'if' condition is false"}},
};

static void assert_found(char *machine, bool gpu_like) {
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        struct spawned s = run(cases[n].name, machine, "-DBUG", "3");
        const bool stands =
            gpu_like && strstr(s.err, "deadlock: ") != NULL; /* barriers of a warp as a whole */
        if (s.status != (stands ? EXIT_PROGRAM_FAULT : cases[n].status))
            fail_msg("%s on %s: status %d\n%s", cases[n].name, machine, s.status, s.err);
        for (unsigned k = 0; k < 4 && cases[n].says[k]; k++) assert_says(s.err, cases[n].says[k]);
        spawn_free(&s);
        s = run(cases[n].name, machine, "-DBUG", "0"); /* the program itself is content */
        assert_status(&s, EXIT_PROGRAM_FAULT);
        spawn_free(&s);
        s = run(cases[n].name, machine, "", "0");
        if (s.status || strstr(s.err, "kernel mm") || strstr(s.err, "kernel k,") ||
            strstr(s.err, "program1.cl"))
            fail_msg("%s on %s, mended: status %d\n%s", cases[n].name, machine, s.status, s.err);
        spawn_free(&s);
    }
}

static void test_base_machine(void **state) {
    (void)state;
    assert_found("dual-mode-4", false);
}

static void test_gpu_like(void **state) {
    (void)state;
    assert_found("gtx285-like", true);
    assert_found("fermi-like", true);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(test_base_machine), TEST(test_gpu_like)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
