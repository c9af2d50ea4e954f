/* Output of commands and its destination: closed and full standard streams, names of output files, files kept
 * when the report cannot be written, and streams that a program inherits. */
#include "sim/error.h"
#include "sim/part.h"
#include "tests/fixture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Runs a bash line in the folder, with variables L: the command, CC: the compiler, P: the program, PORTS:
 * verilog_ports, and S: the folder of the sources. */
static struct spawned bash(const char *line) {
    char *program = fixture_host("vector_add");
    char *whole = spawn_text("L=%s CC=%s-cc P=%s PORTS=%s/verilog_ports S=%s\n%s", fixture_command,
                             fixture_command, program, spawn_build(), spawn_source(), line);
    struct spawned s = spawn(fixture_folder, (char *[]){"bash", "-c", whole, NULL});
    free(whole);
    free(program);
    return s;
}

static void assert_bash(const char *line, int status, const char *says) {
    struct spawned s = bash(line);
    if (s.status != status) print_error("%s\n", line);
    assert_status(&s, status);
    assert_says(s.err, says);
    spawn_free(&s);
}

/* --- closed and full streams --- */

static void closed_streams_are_no_files(void **state) {
    (void)state;
    static const char *const closed[] = {"2>&-", "1>&-", "1>&- 2>&-", "0<&- 1>&- 2>&-"};
    for (size_t i = 0; i < sizeof closed / sizeof *closed; i++) {
        char *line = spawn_text(
            "$L run --stats s.json --trace t.fst --trace-cycles 0:99 -- $P %s; echo $? >status", closed[i]);
        struct spawned s = bash(line);
        json_t *j = fixture_statistics("s.json");
        assert_string_equal(json_string_value(json_object_get(j, "outcome")), "complete");
        assert_int_equal(fixture_number(j, "exit_status"), 0);
        json_decref(j);
        assert_readable("t.fst");
        char *path = fixture_path("status"), *status = spawn_read(path);
        assert_string_equal(status, "0\n");
        free(status);
        free(path);
        free(line);
        spawn_free(&s);
    }
}

/* A program sees a closed stream as it would without Lockstep. */
static void programs_see_closed_streams(void **state) {
    (void)state;
    struct spawned s = bash("$L run -- sh -c 'cat; echo $? >&2; echo x; echo $? >&2' <&- >&-");
    assert_says(s.err, "Bad file descriptor");
    assert_null(strstr(s.err, "\n0\n"));
    spawn_free(&s);
}

static void closed_standard_output_is_an_error(void **state) {
    (void)state;
    static const char *const lines[] = {
        "$L config >&-",        "$L --help >&-",  "$L cc $S/library/examples/powers.cl >&-",
        "$L compare -- $P >&-", "$CC --help >&-", "$PORTS $S/rtl/tpo_address.sv >&-"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        assert_bash(lines[i], EXIT_USER, "standard output cannot be written: Bad file descriptor");
    assert_bash("$CC --no-cache -o - $S/library/examples/powers.cl >&-", 2, "Bad file descriptor");
}

static void full_standard_output_is_an_error(void **state) {
    (void)state;
    static const char *const lines[] = {
        "$L --help",
        "$L --version",
        "$L --usage",
        "$L help run",
        "$L run --help",
        "$L compare --help",
        "$L config",
        "$L config --describe",
        "$L cc $S/library/examples/powers.cl",
        "$L cc --emit=asm $S/library/examples/powers.cl",
        "$L rtl-template warp_scheduler",
        "$L rtl-template tpo_address",
        "$L explain -- $P",
        "$L explain --json -- $P",
        "$L compare -- $P",
        "$L compare --csv -- $P",
        "$L compare --json -- $P",
        "$L figures uniform --benchmark vector_add --figure 2 --out f",
        "$CC --help",
        "$PORTS $S/rtl/tpo_address.sv",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char *line = spawn_text("%s >/dev/full", lines[i]);
        assert_bash(line, EXIT_USER, "standard output cannot be written: No space left on device");
        free(line);
    }
    /* The report of a run: nothing can be printed, but the status reports the error. */
    assert_bash("$L run -- $P 2>/dev/full", EXIT_USER, "");
}

/* --- files --- */

/* The error occurred long before the end, when its number is no longer known. */
static void a_file_cut_short_says_why(void **state) {
    (void)state;
    struct error e = {0};
    struct part p;
    char *path = fixture_path("short");
    assert_true(part_open(&p, path, &e));
    char *part = strdup(p.name);
    FILE *whole = p.file;
    assert_non_null(p.file = fopen("/dev/full", "w"));
    setvbuf(p.file, NULL, _IONBF, 0);
    assert_int_equal(fputs("lost", p.file), EOF);
    assert_false(part_finish(&p, &e));
    assert_says(e.message, "short cannot be written: the file was cut short (is the disk full?)");
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(access(part, F_OK), -1);
    fclose(whole);
    free(part);
    free(path);
}

/* A file that may not grow, as on a full disk. */
static void figures_on_a_full_disk(void **state) {
    (void)state;
    struct spawned s =
        bash("mkdir f; $L figures uniform --benchmark vector_add --table 3 --out f >out 2>err & p=$!\n"
             "wait $p; ls -p f | grep -vc /; rm f/*.*\n"
             "mkdir bin; printf '#!/bin/sh\\ncat >/dev/null; echo \"<svg>\"\\n' >bin/gnuplot; chmod +x "
             "bin/gnuplot\n"
             "PATH=$PWD/bin:$PATH $L figures uniform --benchmark vector_add --table 3 --out f >/dev/null");
    assert_status(&s, EXIT_USER);
    assert_string_equal(s.out, "3\n"); /* a plot, text, JSON */
    assert_says(
        s.err,
        "f/uniform-table3.svg cannot be plotted by gnuplot: the file was cut short (is the disk full?)");
    assert_exists("f/uniform-table3.svg", false);
    spawn_free(&s);
    s = bash("find f -name '*.[0-9]*.part' | grep . ");
    assert_string_equal(s.out, "");
    spawn_free(&s);
}

static void names_that_collide(void **state) {
    (void)state;
    assert_bash("mkdir d; ln -s d e", 0, "");
    static const char *const wrong[] = {
        "--stats q.gtkw --trace q.fst",
        "--stats ./q.fst --trace q.fst",
        "--stats d/q.fst --trace e/q.fst",
        "--stats d/../q.gtkw --trace q.vcd",
        "--stats \"$PWD\"/q.fst --trace q.fst",
        "--stats q.fst.part --trace q.fst",
        "--rtl check --trace mismatch.fst",
        "--rtl check --rtl-window q.fst --trace ./q.fst",
        "--rtl check --rtl-window q.fst --trace q.vcd",
        "--rtl check --stats mismatch.gtkw",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char *line = spawn_text("$L run %s -- $P", wrong[i]);
        assert_bash(line, EXIT_USER, "name the same file");
        free(line);
    }
    assert_bash("$L run --stats '' -- $P", EXIT_USER, "--stats '': a file name is needed");
    assert_bash("$L run --rtl check --rtl-window nowhere/m.fst -- touch started", EXIT_USER,
                "--rtl-window nowhere/m.fst: nowhere/m.fst cannot be written: No such file or directory");
    assert_exists("started", false);
    struct spawned s = bash("find . -type f");
    assert_string_equal(s.out, "");
    spawn_free(&s);
}

/* Inputs and the program are not overwritten, under any name; the error comes before the run. */
static void inputs_are_no_outputs(void **state) {
    (void)state;
    assert_bash("echo 'simt: {warp_size: 8}' >m.yaml; ln -f m.yaml n.yaml; echo x >data; cp $P prog; "
                "cp $S/rtl/warp_scheduler.sv $S/library/examples/powers.cl .",
                0, "");
    static const struct {
        const char *line, *says;
    } wrong[] = {
        {"$L run --config m.yaml --stats ./m.yaml -- touch started",
         "would replace m.yaml, the configuration"},
        {"$L run --config m.yaml --stats n.yaml -- touch started", "would replace m.yaml, the configuration"},
        {"$L run --stats data -- touch started data", "would replace data, an argument of the program"},
        {"$L run --trace prog -- ./prog", ""},
        {"$L run --stats prog -- ./prog", "would replace ./prog, the program"},
        {"$L run --rtl warp_scheduler=check:warp_scheduler.sv --stats warp_scheduler.sv -- touch started",
         "would replace warp_scheduler.sv, Verilog of --rtl"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_bash(wrong[i].line, EXIT_USER, wrong[i].says);
    assert_bash("$CC powers.cl -o ./powers.cl", 2, "-o ./powers.cl would replace the source file powers.cl");
    assert_exists("started", false);
    assert_bash("cmp m.yaml n.yaml && cmp $P prog && cmp $S/library/examples/powers.cl powers.cl && rm *", 0,
                "");
}

static unsigned parts_in(const char *listing) {
    unsigned parts = 0;
    for (const char *at = listing; (at = strstr(at, ".part")) != NULL; at++) parts++;
    return parts;
}

/* A part is kept while a process writes it; the next run that writes the same file removes parts of killed
 * runs. */
static void parts_of_killed_runs_go(void **state) {
    (void)state;
    struct spawned s = bash(
        "for n in 1 2; do $L run --stats s.json --trace t.fst -- bash -c 'touch up; sleep 60' & p+=($!); "
        "until test -e up; do sleep .02; done; rm up; done; ls; kill -9 ${p[0]}; wait ${p[0]}; "
        "$L run --stats s.json --trace t.fst -- $P; echo ...; ls; kill -9 ${p[1]}; wait ${p[1]}; "
        "touch s.json.999999999.partly s.json.999999999.part.d t.fst.${p[1]}.part.probe; "
        "$L run --stats s.json --trace t.fst -- $P; echo ...; ls; rm *");
    char *killed = s.out, *after = strstr(s.out, "..."), *last = strstr(after + 3, "...");
    *after++ = *last++ = 0;
    assert_int_equal(parts_in(killed), 6); /* each run has s.json, t.fst and libfst's table */
    assert_int_equal(parts_in(after), 3);
    assert_int_equal(parts_in(last), 2);
    spawn_free(&s);
}

/* Also without `lockstep run`: the driver does not send messages about a program's 223 mistakes to a closed
 * stream of the simulator. */
static void the_driver_leaves_closed_streams(void **state) {
    (void)state;
    char *mistaken = fixture_host("api_errors");
    static const char *const closed[] = {"", "2>&-", "0<&- 1>&- 2>&-"};
    for (size_t i = 0; i < sizeof closed / sizeof *closed; i++) {
        char *line =
            spawn_text("OCL_ICD_VENDORS=%s/liblockstep_opencl.so %s %s", spawn_build(), mistaken, closed[i]);
        struct spawned s = bash(line);
        assert_status(&s, 0);
        free(line);
        spawn_free(&s);
    }
    free(mistaken);
}

/* Each file is one of the two, whole. */
static void two_runs_with_the_same_files(void **state) {
    (void)state;
    struct spawned s =
        bash("for n in 1 2 3 4; do $L run --stats s.json --trace t.fst --trace-cycles 0:500 -- $P "
             "2>err$n & p+=($!); done; for q in ${p[@]}; do wait $q || exit 1; done; ls");
    assert_status(&s, 0);
    json_t *j = fixture_statistics("s.json");
    assert_string_equal(json_string_value(json_object_get(j, "outcome")), "complete");
    json_decref(j);
    assert_readable("t.fst");
    assert_string_equal(strstr(s.out, "s.json"), "s.json\nt.fst\nt.gtkw\n");
    spawn_free(&s);
}

static void parts_are_new_files(void **state) {
    (void)state;
    struct error e = {0};
    char *path = fixture_path("x"), *victim = fixture_file("victim", "theirs", 0600);
    char *link = spawn_text("%s.%d.part", path, getpid()),
         *second = spawn_text("%s.%d-2.part", path, getpid());
    assert_int_equal(symlink(victim, link), 0);
    struct part a, b;
    assert_true(part_open(&a, path, &e));
    assert_string_equal(a.name, second);
    assert_true(part_open(&b, path, &e));
    assert_string_not_equal(a.name, b.name);
    fputs("ours", a.file);
    fputs("other", b.file);
    assert_true(part_finish(&a, &e));
    char *text = spawn_read(path);
    assert_string_equal(text, "ours");
    free(text);
    assert_true(part_leave(&b, &e));
    assert_exists("x.part", true);
    text = spawn_read(victim);
    assert_string_equal(text, "theirs");
    free(text);
    struct stat s;
    const mode_t mask = umask(0);
    umask(mask);
    assert_int_equal(stat(path, &s), 0);
    assert_int_equal(s.st_mode & 0777, 0666 & ~mask);
    free(second);
    free(link);
    free(victim);
    free(path);
}

/* For example /dev/stdout, which a run of root would replace by its report. */
static void a_name_that_is_a_link_is_refused(void **state) {
    (void)state;
    char *victim = fixture_file("victim", "theirs", 0600), *link = fixture_path("link.json");
    assert_int_equal(symlink(victim, link), 0);
    struct spawned s = bash("$L run --stats link.json -- $P; echo $?; readlink link.json; cat victim; "
                            "touch cc.cl; ln -s victim cc.ll; $CC --emit=ir -o cc.ll cc.cl; echo $?; ls");
    assert_says(s.err, "link.json: this exists and is not an ordinary file");
    assert_says(s.err, "cc.ll");
    assert_says(s.out, "125\n");
    assert_says(s.out, victim);
    assert_says(s.out, "theirs2\ncc.cl\ncc.ll\nlink.json\nvictim\n");
    spawn_free(&s);
    free(link);
    free(victim);
}

/* --- readers that go away, signals, descriptors --- */

static void files_survive_a_reader_that_has_gone(void **state) {
    (void)state;
    struct spawned s =
        bash("$L run --stats s.json --trace t.fst --trace-cycles 0:500 -- $P 2>&1 >/dev/null | "
             "true; echo ${PIPESTATUS[0]}");
    assert_string_equal(s.out, "0\n");
    json_t *j = fixture_statistics("s.json");
    assert_string_equal(json_string_value(json_object_get(j, "outcome")), "complete");
    json_decref(j);
    assert_readable("t.fst");
    spawn_free(&s);
    s = bash("$L config --describe | true; echo ${PIPESTATUS[0]}");
    if (strcmp(s.out, "0\n") != 0) assert_string_equal(s.out, "141\n"); /* 128 + SIGPIPE, as of cat */
    assert_string_equal(s.err, "");
    spawn_free(&s);
}

/* Only signals that Lockstep itself changed are restored for the program. */
/* Signals 32 and 33 are the C library's own. */
static void ignored_signals_stay_ignored(void **state) {
    (void)state;
    struct spawned s = bash("echo 's=$(awk '\\''/SigIgn/ { print $2 }'\\'' /proc/self/status); echo $((0x$s "
                            "& 0x7fffffff))' >ignored\n"
                            "sh ignored >a; $L run -- sh ignored >b 2>/dev/null; cmp a b || exit 1\n"
                            "trap '' HUP PIPE XFSZ; sh ignored >c; cmp -s a c && exit 2\n"
                            "$L run -- sh ignored >d 2>/dev/null; cmp c d");
    assert_status(&s, 0);
    spawn_free(&s);
}

static void ctrl_c_is_ignored_if_it_was(void **state) {
    (void)state;
    assert_bash("trap '' INT; $L run -- sh -c 'kill -INT $PPID; sleep 0.3; exit 7'", 7, "exit status 7");
    assert_bash("$L run -- sh -c 'kill -INT $PPID; sleep 3; exit 7'", EXIT_USER, "interrupted by SIGINT");
}

static void inherited_descriptors_stay(void **state) {
    (void)state;
    struct spawned s =
        bash("$L run -- cat <(echo hello) <(echo world); exec 7<$S/LICENSE; "
             "sh -c 'ls /proc/$$/fd' >a; $L run --stats s.json --trace t.fst -- sh -c 'ls "
             "/proc/$$/fd' >b; cmp a b || exit 1; cmp <($L run -- sh -c 'cat <&7') $S/LICENSE && "
             "echo same");
    assert_says(s.out, "hello\nworld\n");
    assert_says(s.out, "same");
    spawn_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(closed_streams_are_no_files),
        TEST(programs_see_closed_streams),
        TEST(closed_standard_output_is_an_error),
        TEST(full_standard_output_is_an_error),
        TEST(figures_on_a_full_disk),
        TEST(names_that_collide),
        TEST(inputs_are_no_outputs),
        TEST(two_runs_with_the_same_files),
        TEST(parts_of_killed_runs_go),
        TEST(the_driver_leaves_closed_streams),
        TEST(a_file_cut_short_says_why),
        TEST(parts_are_new_files),
        TEST(a_name_that_is_a_link_is_refused),
        TEST(files_survive_a_reader_that_has_gone),
        TEST(ignored_signals_stay_ignored),
        TEST(ctrl_c_is_ignored_if_it_was),
        TEST(inherited_descriptors_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
