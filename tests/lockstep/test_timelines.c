/* `lockstep timeline`: text, SVG, Perfetto, Konata and logs. */
#include "sim/error.h"
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

static void record(const char *host) {
    char *program = fixture_host(host);
    struct spawned s = LOCKSTEP("run", "--record", "t.lsr", "--", program);
    assert_status(&s, 0);
    spawn_free(&s);
    free(program);
}

static void assert_timeline(char *format, const char *file) {
    char *output = spawn_text("t.%s", format), *path = fixture_path(output);
    struct spawned s = LOCKSTEP("timeline", "t.lsr", "--launch", "1", "--format", format, "-o", output);
    assert_status(&s, 0);
    spawn_free(&s);
    char *text = spawn_read(path);
    assert_non_null(text);
    assert_says(text, file);
    free(text);
    free(path);
    free(output);
}

/* Checks that times never fall, and that the number of instructions equals the warp instructions. */
static void assert_perfetto(json_int_t instructions) {
    char *path = fixture_path("t.perfetto");
    json_t *document = json_load_file(path, 0, NULL), *events = json_object_get(document, "traceEvents");
    json_int_t count = 0;
    for (size_t n = 0; n < json_array_size(events); ++n) {
        const json_t *event = json_array_get(events, n);
        if (strcmp(json_string_value(json_object_get(event, "ph")), "X") != 0) continue;
        assert_true(json_real_value(json_object_get(event, "dur")) > 0);
        ++count;
    }
    assert_int_equal(count, instructions);
    json_decref(document);
    free(path);
}

static unsigned count_of(const char *text, const char *part) {
    unsigned count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; ++at) ++count;
    return count;
}

static void test_timelines(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    struct spawned s = LOCKSTEP("run", "--record", "t.lsr", "--stats", "s.json", "--", program);
    assert_status(&s, 0);
    spawn_free(&s);
    json_t *document = fixture_statistics("s.json");
    const json_int_t instructions =
        fixture_number(json_array_get(json_object_get(document, "launches"), 1), "warp_instructions");
    assert_true(instructions > 100);
    assert_timeline("svg", "</svg>");
    assert_timeline("perfetto", "\"process_name\"");
    assert_perfetto(instructions);
    assert_timeline("kanata", "Kanata\t0004\nC=\t");
    assert_timeline("log", "cycle  ");
    char *path = fixture_path("t.log"), *log = spawn_read(path);
    assert_int_equal(count_of(log, "\n"), instructions + 1);
    assert_says(log, "\n13649         cluster0.warp0      0x00010010  0000000000000001  0000000000000001  4  "
                     "    cmp r1, r2\n");
    free(log);
    free(path);
    path = fixture_path("t.kanata");
    char *kanata = spawn_read(path);
    assert_int_equal(count_of(kanata, "\nI\t"), instructions);
    assert_int_equal(count_of(kanata, "\nR\t"), instructions);
    free(kanata);
    free(path);
    s = LOCKSTEP("timeline", "t.lsr");
    assert_status(&s, 0);
    assert_says(s.out, "\ncluster0.warp0 ");
    spawn_free(&s);
    json_decref(document);
    free(program);
}

/* Runs of instructions of cores have a stage in Konata, too. */
static void test_kanata_of_cores(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    struct spawned s = LOCKSTEP("run", "--mode", "mimd", "--record", "m.lsr", "--", program);
    assert_status(&s, 0);
    spawn_free(&s);
    struct spawned log = LOCKSTEP("timeline", "m.lsr", "--format", "log"),
                   kanata = LOCKSTEP("timeline", "m.lsr", "--format", "kanata");
    assert_status(&log, 0);
    assert_status(&kanata, 0);
    const unsigned runs = count_of(log.out, "\n") - 1;
    assert_true(runs > 10);
    assert_int_equal(count_of(kanata.out, "\nI\t"), runs);
    assert_int_equal(count_of(kanata.out, "\tI\n"), runs);
    assert_int_equal(count_of(kanata.out, "\nR\t"), runs);
    spawn_free(&log);
    spawn_free(&kanata);
    free(program);
}

/* Each release from a barrier is an arrow between two instructions. */
static void test_flows(void **state) {
    (void)state;
    char *program = spawn_text("%s/benchmarks/reduction", spawn_build());
    struct spawned s = LOCKSTEP("run", "--record", "t.lsr", "--", program);
    assert_status(&s, 0);
    spawn_free(&s);
    s = LOCKSTEP("timeline", "t.lsr", "--work-group", "1", "--format", "perfetto", "-o", "t.perfetto");
    assert_status(&s, 0);
    spawn_free(&s);
    char *path = fixture_path("t.perfetto");
    json_t *document = json_load_file(path, 0, NULL), *events = json_object_get(document, "traceEvents");
    unsigned arrows[2] = {0};
    double begins = 0;
    for (size_t n = 0; n < json_array_size(events); ++n) {
        const json_t *event = json_array_get(events, n);
        const char phase = *json_string_value(json_object_get(event, "ph"));
        if (phase != 's' && phase != 'f') continue;
        const double at = json_number_value(json_object_get(event, "ts"));
        ++arrows[phase == 'f'];
        assert_true(phase == 's' || at > begins);
        begins = at;
    }
    assert_in_range(arrows[0], 8, 1000);
    assert_int_equal(arrows[0], arrows[1]);
    json_decref(document);
    free(path);
    free(program);
}

static void test_wrong_timelines(void **state) {
    (void)state;
    record("vector_add");
    struct spawned s = LOCKSTEP("timeline", "t.lsr", "--format", "vcd");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "one of text, svg, perfetto, kanata");
    spawn_free(&s);
    s = LOCKSTEP("timeline", "t.lsr", "-o", "t.lsr");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "that is the recording");
    spawn_free(&s);
    s = LOCKSTEP("timeline", "t.lsr", "--launch", "7", "-o", "t.txt");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "t.lsr has 2 launches: 0 to 1");
    assert_exists("t.txt", false);
    spawn_free(&s);
    char *program = spawn_text("%s/benchmarks/hotspot", spawn_build());
    s = LOCKSTEP("run", "--record", "t.lsr", "--", program);
    assert_status(&s, 0);
    spawn_free(&s);
    s = LOCKSTEP("timeline", "t.lsr", "--cycles", "0:99999999");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "or add --all");
    spawn_free(&s);
    free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_timelines),
        TEST(test_kanata_of_cores),
        TEST(test_flows),
        TEST(test_wrong_timelines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
