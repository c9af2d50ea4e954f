/* `lockstep run --trace`: windows, formats, and the file of a killed run. */
#include "sim/error.h"
#include "tests/fixture.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static void test_waveform_and_view(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    struct spawned s = LOCKSTEP("run", "--trace", "t.fst", "--", program);
    assert_status(&s, 0);
    assert_says(s.err, "gtkwave t.fst t.gtkw");
    assert_exists("t.fst.part", false);
    assert_exists("t.gtkw.part", false);
    assert_readable("t.fst");
    char *path = fixture_path("t.gtkw"), *view = spawn_read(path);
    assert_says(view, "t.fst");
    free(view);
    free(path);
    spawn_free(&s);
    free(program);
}

/* Every time in the file lies in the window, and the results are those of a run without one. */
static void test_waveform_of_a_window(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    struct spawned s = LOCKSTEP("run", "--trace", "t.fst", "--trace-cycles", "10000:11000", "--", program);
    assert_status(&s, 0);
    spawn_free(&s);
    s = spawn(fixture_folder, (char *[]){"fst2vcd", "t.fst", NULL});
    assert_status(&s, 0);
    unsigned times = 0;
    for (const char *at = s.out; (at = strstr(at, "\n#")); at++) {
        assert_in_range(strtoull(at + 2, NULL, 10), 10000000, 11001000); /* picoseconds at 1 GHz */
        times++;
    }
    assert_true(times > 10);
    spawn_free(&s);
    free(program);
}

static uint64_t number_after(const char *text, const char *label) {
    const char *at = strstr(text, label);
    assert_non_null(at);
    return strtoull(at + strlen(label), NULL, 10);
}

/* Between the windows, values are not shown, and the waveform says so. */
static void test_waveform_of_two_windows(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    struct spawned s = LOCKSTEP("run", "--trace", "t.fst", "--trace-cycles", "11000:11100", "--trace-cycles",
                                "10000:10100", "--", program);
    assert_status(&s, 0);
    assert_says(s.err, "it shows cycles 10,000 to 10,100");
    assert_says(s.err, "and cycles 11,000 to 11,100");
    spawn_free(&s);
    s = spawn(fixture_folder, (char *[]){"fst2vcd", "t.fst", NULL});
    assert_status(&s, 0);
    unsigned times[2] = {0};
    for (const char *at = s.out; (at = strstr(at, "\n#")); at++) {
        const uint64_t time =
            strtoull(at + 2, NULL, 10); /* picoseconds at 1 GHz; a window's end is the last */
        assert_true((time >= 10000000 && time <= 10101000) || (time >= 11000000 && time <= 11101000));
        times[time >= 11000000]++;
    }
    assert_true(times[0] > 10 && times[1] > 10);
    assert_int_equal(number_after(strstr(s.out, "\n$dumpoff") - 9, "#"), 10101000);
    assert_int_equal(number_after(strstr(s.out, "\n$dumpon") - 9, "#"), 11000000);
    spawn_free(&s);
    s = LOCKSTEP("run", "--trace", "t.fst", "--trace-cycles", "10000:10100", "--trace-cycles",
                 "900000000:900000001", "--", program);
    assert_status(&s, EXIT_USER);
    assert_says(s.err,
                "--trace-cycles 900000000:900000001: the waveform t.fst is empty: the run ended at cycle");
    spawn_free(&s);
    free(program);
}

/* All formats and packings hold the same changes. */
static void test_waveform_formats(void **state) {
    (void)state;
    static char *const options[][3] = {{"lz4.fst", "--trace-packing", "lz4"},
                                       {"fastlz.fst", "--trace-packing", "fastlz"},
                                       {"zlib.fst", "--trace-packing", "zlib"},
                                       {"often.fst", "--trace-flush", "500"},
                                       {"t.vcd", "--trace-flush", "500"}};
    char *program = fixture_host("vector_add"), *changes = NULL, *vcd = NULL;
    off_t bytes[5];
    for (int i = 0; i < 5; i++) {
        char *const name = options[i][0];
        struct spawned s = LOCKSTEP("run", "--trace", name, options[i][1], options[i][2], "--", program);
        assert_status(&s, 0);
        char *said = strndup(strstr(s.err, " bytes, "), 40);
        *strchr(said, '\n') = '\0';
        if (i > 0) assert_string_equal(said, changes);
        free(changes);
        changes = said;
        spawn_free(&s);
        char *path = fixture_path(name);
        struct stat file;
        assert_int_equal(stat(path, &file), 0);
        bytes[i] = file.st_size;
        free(path);
        if (i > 2) continue; /* fst2vcd has its own order in each block, and a VCD needs none */
        s = spawn(fixture_folder, (char *[]){"fst2vcd", name, NULL});
        assert_status(&s, 0);
        if (vcd) assert_string_equal(strstr(s.out, "$scope"), vcd);
        if (!vcd) vcd = strdup(strstr(s.out, "$scope"));
        spawn_free(&s);
    }
    assert_true(bytes[2] < bytes[0]);     /* zlib */
    assert_true(bytes[4] > 4 * bytes[0]); /* VCD */
    assert_exists("t.gtkw", true);
    free(changes);
    free(vcd);
    free(program);
}

static off_t size_of(const char *name) {
    char *path = fixture_path(name);
    struct stat file;
    const off_t bytes = stat(path, &file) ? 0 : file.st_size;
    free(path);
    return bytes;
}

static void rename_to(const char *from, const char *to) {
    char *a = fixture_path(from), *b = fixture_path(to);
    assert_int_equal(rename(a, b), 0);
    free(a);
    free(b);
}

/* Sends a signal to an endless run after its waveform has grown. */
static struct spawned run_until(int signal_number) {
    char *program = fixture_host("endless");
    struct spawned s = spawn_start(fixture_folder, false,
                                   (char *[]){fixture_command, "run", "--trace", "t.fst", "--trace-flush",
                                              "10000", "--", program, "--one", NULL});
    char *part = spawn_text("t.fst.%d.part", s.pid);
    for (int i = 0; i < 6000 && size_of(part) < 100000; i++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    assert_true(size_of(part) >= 100000);
    free(part);
    kill(s.pid, signal_number);
    spawn_finish(&s);
    assert_status(&s, 128 + signal_number);
    assert_exists("t.fst", false);
    free(program);
    return s;
}

/* Recovers the waveform as --help describes. */
static void recover(const struct spawned *s) {
    char *part = spawn_text("t.fst.%d.part", s->pid), *hierarchy = spawn_text("%s.hier", part);
    rename_to(part, "x.fst");
    rename_to(hierarchy, "x.fst.hier");
    assert_readable("x.fst");
    free(hierarchy);
    free(part);
}

static void test_killed(void **state) {
    (void)state;
    struct spawned s = run_until(SIGKILL);
    recover(&s);
    spawn_free(&s);
}

/* An internal error may abort within the tracer: then the file is as after a SIGKILL. */
static void test_aborted(void **state) {
    (void)state;
    struct spawned s = run_until(SIGABRT);
    if (strstr(s.err, "The waveform up to here is in t.fst.part\n")) {
        rename_to("t.fst.part", "x.fst");
        assert_readable("x.fst");
    } else {
        char *says = spawn_text("up to the last flush is in t.fst.%d.part: to read it, rename it and "
                                "t.fst.%d.part.hier",
                                s.pid, s.pid);
        assert_says(s.err, says);
        free(says);
        recover(&s);
    }
    spawn_free(&s);
}

/* A file that may not grow, as on a full disk; the compiler's files are smaller. */
static void test_file_limit(void **state) {
    (void)state;
    static const struct {
        unsigned blocks; /* blocks of 512 bytes */
        const char *file, *says;
    } rows[] = {{1200, "t.fst", "temporary files need"},
                {1200, "t.vcd", "the file was cut short (is the disk full?); see t.vcd.part"}};
    char *program = fixture_host("own_reduction");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *line = spawn_text("ulimit -f %u; exec %s run --trace %s -- %s", rows[i].blocks, fixture_command,
                                rows[i].file, program);
        struct spawned s = spawn(fixture_folder, (char *[]){"sh", "-c", line, NULL});
        assert_status(&s, EXIT_USER);
        assert_says(s.err, rows[i].says);
        assert_exists(rows[i].file, false);
        spawn_free(&s);
        free(line);
    }
    free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_waveform_and_view),
        TEST(test_waveform_of_a_window),
        TEST(test_waveform_of_two_windows),
        TEST(test_waveform_formats),
        TEST(test_killed),
        TEST(test_aborted),
        TEST(test_file_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
