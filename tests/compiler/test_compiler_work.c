/* Work of the compiler for a result, in numbers: processes started (clang's library in children, the linker),
 * programs read as LLVM modules, modules optimised, and code generations. An image for one mode needs one of
 * each and contains nothing of the other mode. */
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

static const char source[] = "kernel void k(global int *a) { a[get_global_id(0)] += a[0]; }\n";

static char *text_of(const char *command) {
    struct spawned s = spawn(fixture_folder, (char *[]){"/bin/sh", "-c", (char *)command, NULL});
    assert_status(&s, 0);
    char *out = strdup(s.out);
    spawn_free(&s);
    return out;
}

/* Compiles with options and checks the work. */
static void takes(const char *options, const char *expected) {
    char *command = spawn_text("rm -f work && LD_PRELOAD=./count_work.so COUNT_WORK=work "
                               "%s/lockstep-cc --cache cache %s -o out k.cl && cat work",
                               spawn_build(), options);
    char *work = text_of(command);
    assert_string_equal(work, expected);
    free(work);
    free(command);
}

static void an_image_takes_one_of_each(void **state) {
    (void)state;
    takes("--mode=simt", "processes 3 modules 1 optimised 1 generated 1");
    takes("--mode=mimd", "processes 3 modules 1 optimised 1 generated 1");
    takes("--mode=both", "processes 3 modules 2 optimised 2 generated 2");
    takes("--mode=simt", "processes 0 modules 0 optimised 0 generated 0"); /* a hit in the cache */
}

/* Messages need one more run of clang, over the original source. */
static void only_messages_take_a_clang_of_their_own(void **state) {
    (void)state;
    free(fixture_file("k.cl", "#warning here\nkernel void k(global int *a) { a[0] = 1; }\n", 0600));
    takes("--mode=simt", "processes 4 modules 1 optimised 1 generated 1");
}

static void stages_take_what_they_show(void **state) {
    (void)state;
    takes("--emit=priority", "processes 1 modules 0 optimised 0 generated 0");
    takes("--emit=object", "processes 2 modules 0 optimised 0 generated 0");
    takes("--emit=coalesced", "processes 2 modules 1 optimised 0 generated 0");
    takes("--emit=ir", "processes 2 modules 1 optimised 1 generated 0");
    takes("--emit=asm", "processes 2 modules 1 optimised 1 generated 1");
    takes("--emit=table", "processes 2 modules 2 optimised 2 generated 2");
}

static void an_image_holds_nothing_of_the_other_mode(void **state) {
    (void)state;
    static const char *const modes[] = {"simt", "mimd", "both"};
    static const char *const entries[] = {"1 0", "0 1", "1 1"};
    for (unsigned i = 0; i < 3; i++) {
        char *command = spawn_text("%s/lockstep-cc --no-cache --mode=%s -o image k.cl && "
                                   "echo $(readelf -sW image | grep -c __lockstep_thunk_k) "
                                   "$(readelf -sW image | grep -c __lockstep_twin_k)",
                                   spawn_build(), modes[i]);
        char *counts = text_of(command);
        assert_int_equal(strncmp(counts, entries[i], strlen(entries[i])), 0);
        free(counts);
        free(command);
    }
}

static int prepare(void **state) {
    const int result = fixture_begin(state);
    char *command = spawn_text("gcc -shared -fPIC -O1 -Wall -Wextra -D_GNU_SOURCE -o count_work.so "
                               "%s/tests/compiler/count_work.c",
                               spawn_source());
    free(text_of(command));
    free(command);
    free(fixture_file("k.cl", source, 0600));
    return result;
}

static char *image_with(const char *options, const char *file) {
    char *command = spawn_text("%s/lockstep-cc --no-cache %s -o image %s", spawn_build(), options, file),
         *said = text_of(command);
    free(command);
    return said;
}

/* A program that stores its binaries can rebuild them. */
static void a_binary_of_the_other_mode_is_refused(void **state) {
    (void)state;
    static const char *const modes[] = {"simt", "mimd", "auto"};
    char *host = fixture_host("load_binary");
    for (unsigned built = 0; built < 3; built++) {
        char *mode = spawn_text("--mode=%s", built < 2 ? modes[built] : "both");
        free(image_with(mode, "k.cl"));
        free(mode);
        for (unsigned run = 0; run < 3; run++) {
            struct spawned s = LOCKSTEP("run", "--mode", (char *)modes[run], "--", host, "image");
            const bool fits = built == 2 || built == run;
            assert_says(s.out, fits ? "clFinish: 0" : "clCreateProgramWithBinary: -42");
            assert_status(&s, fits ? 0 : 3);
            spawn_free(&s);
        }
    }
    free(host);
}

/* Also one that was built as another machine's code is: it would count that machine's cycles. */
static void a_binary_of_other_code_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *options;    /* options of the compiler */
        const char *set, *mode; /* a machine that runs the code */
        const char *other;      /* a machine that does not */
        const char *says;
    } rows[] = {
        {"--priorities=all", "simt.pc_policy=ics_first", "simt", "simt.pc_policy=min_pc",
         "built with --priorities=all, but code for this machine is built with --priorities=off"},
        {"--priorities=off", "simt.pc_policy=min_pc", "simt", "simt.pc_policy=ics_first", "--priorities=all"},
        {"--priorities=off", "mimd.coalescing=modern", "mimd", "mimd.coalescing=snucl", "--coalescing=snucl"},
        {"--coalescing=snucl", "simt.pc_policy=ics_first", "simt", "kernel.math=classic", "--math=classic"},
        {"--math=classic", "kernel.math=classic", "mimd", "kernel.math=table", "--math=table"},
        {"--startup=unrolled", "simt.startup=unrolled", "simt", "simt.startup=loop", "--startup=loop"},
        {"--ids=computed", "kernel.ids=computed", "simt", "kernel.ids=coprocessor", "--ids=coprocessor"},
    };
    char *host = fixture_host("load_binary");
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        char *mode = (char *)rows[n].mode, *own = (char *)rows[n].set, *other = (char *)rows[n].other;
        free(image_with(rows[n].options, "k.cl"));
        struct spawned s = LOCKSTEP("run", "--mode", mode, "--set", own, "--quiet", "--", host, "image");
        assert_status(&s, 0);
        spawn_free(&s);
        s = LOCKSTEP("run", "--mode", mode, "--set", other, "--quiet", "--", host, "image");
        assert_says(s.out, "clCreateProgramWithBinary: -42");
        assert_says(s.err, rows[n].says);
        assert_says(s.err, "build it again");
        assert_status(&s, 3);
        spawn_free(&s);
    }
    free(host);
}

/* A launch needs the local memory of its kernel only, not that of the program's other kernels. load_binary
 * sets each local pointer to 1,024 bytes; the device has 32,768. */
static void kernels_have_their_own_local_memory(void **state) {
    (void)state;
    char *host = fixture_host("load_binary");
    free(fixture_file("two.cl",
                      "kernel void large(global int *o) { local int t[8100]; t[get_local_id(0)] = 1;\n"
                      "    barrier(CLK_LOCAL_MEM_FENCE); o[get_global_id(0)] = t[0]; }\n"
                      "kernel void small(global int *o, local int *p) { p[get_local_id(0)] = 2;\n"
                      "    barrier(CLK_LOCAL_MEM_FENCE); o[get_global_id(0)] = p[0]; }\n",
                      0600));
    free(image_with("", "two.cl"));
    struct spawned s = LOCKSTEP("run", "--quiet", "--", host, "image");
    assert_says(s.out, "clFinish: 0\nclEnqueueNDRangeKernel: 0\nclFinish: 0\n");
    assert_status(&s, 0);
    spawn_free(&s);
    /* Accesses beyond it fail, although the other kernel has variables there. */
    free(fixture_file("beyond.cl",
                      "kernel void large(global int *o) { local int t[8100]; t[get_local_id(0)] = 1;\n"
                      "    barrier(CLK_LOCAL_MEM_FENCE); o[get_global_id(0)] = t[0]; }\n"
                      "kernel void reaches(global int *o) { local int t[16]; t[get_local_id(0) & 15] = 2;\n"
                      "    barrier(CLK_LOCAL_MEM_FENCE); o[get_global_id(0)] = t[(o[0] & 1) + 1000]; }\n",
                      0600));
    free(image_with("", "beyond.cl"));
    s = LOCKSTEP("run", "--quiet", "--", host, "image");
    assert_says(s.err, "reaches");
    assert_status(&s, 120);
    spawn_free(&s);
    free(host);
}

/* Also one that has scalars, but by another rule: its registers would be other ones. */
static void a_binary_with_other_scalars_is_refused(void **state) {
    (void)state;
    static const char *const rules[] = {"off", "none", "convergent", "wide"};
    char *host = fixture_host("load_binary"),
         *config = spawn_text("%s/configs/temporal-30x8.yaml", spawn_source());
    for (unsigned built = 0; built < 4; built++) {
        char *options = spawn_text("--mode=simt --priorities=off --scalarize=%s", rules[built]);
        free(image_with(options, "k.cl"));
        free(options);
        for (unsigned run = 0; run < 4; run++) {
            char *rule = spawn_text("kernel.scalarize=%s", rules[run]);
            struct spawned s =
                LOCKSTEP("run", "--config", config, "--set", rule, "--quiet", "--", host, "image");
            assert_says(s.out, built == run ? "clFinish: 0" : "clCreateProgramWithBinary: -42");
            if (built != run) {
                char *why = spawn_text(
                    "built with --scalarize=%s, but code for this machine is built with --scalarize=%s",
                    rules[built], rules[run]);
                assert_says(s.err, why);
                free(why);
            }
            assert_status(&s, built == run ? 0 : 3);
            spawn_free(&s);
            free(rule);
        }
    }
    free(config);
    free(host);
}

#define COUNTED(function) cmocka_unit_test_setup_teardown(function, prepare, fixture_end)

int main(void) {
    const struct CMUnitTest tests[] = {
        COUNTED(an_image_takes_one_of_each),
        COUNTED(only_messages_take_a_clang_of_their_own),
        COUNTED(stages_take_what_they_show),
        COUNTED(an_image_holds_nothing_of_the_other_mode),
        COUNTED(a_binary_of_the_other_mode_is_refused),
        COUNTED(a_binary_with_other_scalars_is_refused),
        COUNTED(a_binary_of_other_code_is_refused),
        COUNTED(kernels_have_their_own_local_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
