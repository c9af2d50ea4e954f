/*
 * Kernels that wait for a scalar thread: where lockstep_sync(1) is refused (compiler/sync_check.h).
 */
#include "tests/compiler/compiler_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void assert_has(const char *text, const char *part) {
    if (!strstr(text, part)) fail_msg("there is no\n%s\nin\n%s", part, text);
}

/* Bodies of a kernel with a scalar partner; t is its local id. */
static const struct {
    const char *body;
    unsigned line; /* that is refused; 0: none is */
} parted[] = {
    {"if (t == 0)\n lockstep_sync(1);\nbarrier(CLK_LOCAL_MEM_FENCE); out[t] = s[0];", 4},
    {"if (t & 1) { s[t] = 3;\nlockstep_sync(1); } else s[t + 2] = 4;\nlockstep_sync(1); out[t] = s[0];", 4},
    {"if (t == 5) lockstep_sync(1);\nlockstep_sync(0); out[t] = s[0];", 3},
    {"if (t > 0) lockstep_sync(1);\nlockstep_sync(0); out[t] = s[0];", 3},
    {"if (get_local_id(2) == 1) lockstep_sync(1);\nlockstep_sync(0); out[t] = s[0];", 3},
    /* Nobody waits for who has ended, or the other side comes to one as well. */
    {"if (t == 0) lockstep_sync(1);", 0},
    {"if (t == 0) return; lockstep_sync(1); out[t] = s[0]; lockstep_sync(1);", 0},
    {"if (t == 0) { s[1] = 1; lockstep_sync(1); } else { lockstep_sync(1); s[2] = 2; } lockstep_sync(0);", 0},
    /* It may be the same for all. */
    {"if (t < 64) lockstep_sync(1); barrier(CLK_LOCAL_MEM_FENCE); out[t] = s[0];", 0},
    {"if (t != 5) lockstep_sync(1); barrier(CLK_LOCAL_MEM_FENCE); out[t] = s[0];", 0},
    {"if (out[0] > t) lockstep_sync(1); lockstep_sync(0); out[t] = s[0];", 0},
    {"if (get_global_id(0) == 0) lockstep_sync(1); lockstep_sync(0); out[t] = s[0];", 0},
    {"if (get_group_id(0) == 0) lockstep_sync(1); lockstep_sync(0); out[t] = s[0];", 0},
    {"lockstep_sync(1); if (t == 0) s[0] = 3; lockstep_sync(1); out[t] = s[0];", 0},
};

static void where_work_items_part(void **state) {
    (void)state;
    for (size_t n = 0; n < sizeof parted / sizeof *parted; n++)
        for (unsigned plain = 0; plain < 2; plain++) {
            char source[1024], message[128];
            snprintf(source, sizeof source,
                     "#include <lockstep_scalar.h>\n"
                     "__kernel void k(__global int *out, __local int *s) { int t = get_local_id(0);\n%s\n}\n"
                     "LOCKSTEP_SCALAR_OF(k)\n"
                     "__kernel void p(__global int *out, __local int *s) { lockstep_sync(1); }\n",
                     parted[n].body);
            run_write(run_path("k.cl"), source);
            struct run_result r =
                run_command("cd %s && %s/lockstep-cc --no-cache --mode=simt %s -o /dev/null k.cl",
                            run_directory, run_build_directory(), plain ? "--options -cl-opt-disable" : "");
            if ((r.status != 0) != (parted[n].line != 0)) fail_msg("%d: %s", r.status, parted[n].body);
            snprintf(message, sizeof message,
                     "k.cl:%u: error: lockstep_sync(1) in kernel 'k' stands where work-items part",
                     parted[n].line);
            if (r.status) assert_has(r.errors, message);
            free(r.errors);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_work_items_part),
    };
    return cmocka_run_group_tests_name("scalar_partners", tests, run_setup, run_teardown);
}
