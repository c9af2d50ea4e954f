#include "tests/planted.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *folder;
static const char *program, *file;

/* Runs bash -c TEXT in the folder, with variables S for the sources, B for the build, T for the program and F
 * for the modified file. */
static struct spawned shell(const char *text) {
    char *line = spawn_text("S='%s' B='%s' T='%s' F='%s'\n%s", spawn_source(), spawn_build(), program,
                            file ? file : "", text);
    const struct spawned s = spawn(folder, (char *[]){"bash", "-c", line, NULL});
    free(line);
    return s;
}

static void do_in_shell(const char *text) {
    struct spawned s = shell(text);
    if (s.status) fail_msg("%s\nexit status %d: %s%s", text, s.status, s.out, s.err);
    spawn_free(&s);
}

void planted_begin(const char *name) {
    program = name;
    folder = spawn_folder();
    do_in_shell("for f in \"$S\"/*; do [ \"$f\" = \"$B\" ] || ln -s \"$f\" . || exit 1; done\n"
                "mkdir build && ln -s \"$B\"/* build && rm build/tests && mkdir build/tests && "
                "ln -s \"$B\"/tests/* build/tests && rm \"build/tests/$T\"");
}

void planted_end(void) {
    spawn_remove_folder(folder);
}

static void write_file(const struct planted_fault *f) {
    char *from = spawn_text("%s/%s", spawn_source(), f->file), *to = spawn_text("%s/fault.c", folder);
    char *text = spawn_read(from);
    if (!text) fail_msg("%s cannot be read", from);
    if (f->text) {
        char *at = strstr(text, f->text);
        if (!at || strstr(at + 1, f->text)) fail_msg("%s: this is there not once: %s", f->file, f->text);
        char *faulty = spawn_text("%.*s%s%s", (int)(at - text), text, f->instead, at + strlen(f->text));
        free(text);
        text = faulty;
    }
    spawn_write(to, text);
    free(text);
    free(from);
    free(to);
}

struct spawned planted_run(const struct planted_fault *f) {
    file = f->file;
    write_file(f);
    do_in_shell(
        "rule=$(sed -n \"s,^[$](B)/tests/$T: ,,p\" \"$B/tests.mk\")\n"
        "for word in $rule; do\n"
        "    case $word in *.o) objects=\"$objects $B${word#'$(B)'}\" ;; -Wl*) objects=\"$objects $word\" ;; "
        "'$(LIBRARY_OBJECTS)') objects=\"$objects $(ls \"$B\"/obj/library/*.o \"$B\"/obj/library/blocks/*.o "
        "| "
        "grep -vxF \"$B/obj/${F%.c}.o\")\" ;; "
        "esac\n"
        "done\n"
        "cd \"$S\" && $(sed 's/-MMD -MP//;q' \"$B/flags\") -I\"$B\" -I\"$B/include\" -O1 -w -c "
        "\"$OLDPWD/fault.c\" "
        "-o \"$OLDPWD/fault.o\" && cd \"$OLDPWD\" && "
        "gcc $(sed q \"$B/flags\" | grep -o -- '-fsanitize[^ ]*' | sort -u) fault.o $objects -Wl,--as-needed "
        "\"$B\"/tests/lib{synthesis,runtime,tb,model,recording,abi,sim}.so "
        "-Wl,-rpath,\"$B/tests\" -lcmocka "
        "-lOpenCL -lyaml -ljansson -lexpat -ldw -lelf -llz4 -lz -lsqlite3 -lxxhash -lpthread -lm -o "
        "\"build/tests/$T\"");
    /* a fault stands beside the source that it replaces */
    return shell("ASAN_OPTIONS=detect_odr_violation=0 exec \"build/tests/$T\" 2>&1");
}

static const char *tested_program;
static const struct planted_fault *all_faults;
static unsigned fault_count;

static void every_fault_is_found(void **state) {
    (void)state;
    const struct planted_fault *const faults = all_faults;
    const unsigned count = fault_count;
    unsigned missed = 0;
    for (unsigned n = 0; n < count; ++n) {
        bool first = true;
        for (unsigned k = 0; k < n; ++k) first &= strcmp(faults[k].file, faults[n].file) != 0;
        if (!first) continue;
        struct spawned s = planted_run(&(struct planted_fault){.file = faults[n].file});
        if (s.status) fail_msg("%s as it is: %s", faults[n].file, s.out);
        spawn_free(&s);
    }
    for (unsigned n = 0; n < count; ++n) {
        struct spawned s = planted_run(&faults[n]);
        if (!s.status) fprintf(stderr, "%s: %s: not found\n", faults[n].file, faults[n].what);
        missed += !s.status;
        spawn_free(&s);
    }
    assert_int_equal(missed, 0);
}

static int begin(void **state) {
    (void)state;
    planted_begin(tested_program);
    return 0;
}

static int end(void **state) {
    (void)state;
    planted_end();
    return 0;
}

int planted_main(const char *name, const struct planted_fault *faults, unsigned count) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_fault_is_found)};
    tested_program = name;
    all_faults = faults;
    fault_count = count;
    return cmocka_run_group_tests(tests, begin, end);
}
