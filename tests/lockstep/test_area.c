/* `lockstep area` on a small machine: the same bytes every time, what it writes, and every mistake. */
#include "sim/error.h"
#include "synthesis/area_parts.h"
#include "tests/fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define SMALL                                                                                                \
    "--set", "simt.warp_size=4", "--set", "cluster.threads_per_lane=4", "--set", "simt.priority_levels=1"

static double number(const json_t *j, const char *key) {
    return json_number_value(json_object_get(j, key));
}

static const json_t *part(const json_t *document, const char *name) {
    size_t index;
    json_t *p;
    json_array_foreach(json_object_get(document, "parts"), index,
                       p) if (strcmp(json_string_value(json_object_get(p, "name")), name) == 0) return p;
    fail_msg("there is no part %s", name);
    return NULL;
}

static void assert_adds_up(const json_t *document) {
    size_t index;
    json_t *p;
    double sum = 0;
    json_array_foreach(json_object_get(document, "parts"), index, p) sum +=
        number(p, "number") * number(p, "mm2");
    assert_true(fabs(sum / number(document, "mm2") - 1) < 1e-6);
}

/* Seconds of the processor that programs have taken that have ended. */
static double seconds(void) {
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static void test_the_same_every_time(void **state) {
    (void)state;
    struct spawned first = LOCKSTEP("area", SMALL, "--out", "one");
    if (first.status) fail_msg("%s", first.err);
    const double before = seconds();
    struct spawned second = LOCKSTEP("area", SMALL, "--out", "two", "--quiet");
    assert_true(seconds() - before < 1); /* from the cache */
    assert_status(&second, 0);
    assert_string_equal(first.out, second.out);
    assert_string_equal(second.err, "");
    assert_says(first.out, "warp_pc_arbiter");
    assert_says(first.out, "cluster.clock_mhz 1000");
    spawn_free(&first);
    spawn_free(&second);
    static const char *const names[][2] = {{"one/area.json", "two/area.json"},
                                           {"one/area.svg", "two/area.svg"}};
    for (unsigned n = 0; n < 2; n++) {
        char *a = fixture_path(names[n][0]), *b = fixture_path(names[n][1]), *x = spawn_read(a),
             *y = spawn_read(b);
        assert_string_equal(x, y);
        free(x);
        free(y);
        free(a);
        free(b);
    }
    json_t *j = fixture_statistics("one/area.json");
    assert_adds_up(j);
    assert_string_equal(
        json_string_value(json_object_get(json_object_get(part(j, "warp_scheduler"), "fastest"), "proof")),
        "equal");
    assert_int_equal(fixture_number(part(j, "tpo_address"), "number"), 4);
    assert_true(number(part(j, "thread descriptors"), "mm2_flip_flops") > 0);
    json_decref(j);
}

/* A GPU-like machine: two SMs of four lanes, with an engine whose blocks are small. */
static void test_gpu_like(void **state) {
    (void)state;
    char *configuration = spawn_text("%s/configs/fermi-like.yaml", spawn_source());
    struct spawned s =
        LOCKSTEP("area", "--config", configuration, "--set", "simt.divergence=dwf", "--set",
                 "cluster.count=2", "--set", "cluster.lanes=4", "--set", "cluster.ldst_lanes=4", "--set",
                 "simt.warp_size=4", "--set", "cluster.threads=32", "--set", "cluster.groups=2", "--set",
                 "local.banks=2", "--set", "dram.channels=1", "--set", "dram.queue=1", "--set",
                 "dram.banks=1", "--set", "vrf.registers=4096", "--out", "gpu");
    if (s.status) fail_msg("%s", s.err);
    assert_says(s.out, "not known");
    spawn_free(&s);
    json_t *j = fixture_statistics("gpu/area.json");
    assert_adds_up(j);
    assert_int_equal(json_array_size(json_object_get(j, "stages")), 0);
    assert_int_equal(fixture_number(part(j, "coalescer"), "number"), 4); /* of each scheduler */
    assert_int_equal(fixture_number(part(j, "barrier_table"), "number"), 2);
    assert_int_equal(fixture_number(part(j, "dram_scheduler"), "number"), 1);
    assert_int_equal(fixture_number(part(j, "lane"), "number"), 2 * 2 * 4);
    assert_int_equal(fixture_number(part(j, "pool of warps"), "number"), 4);
    assert_string_equal(json_string_value(json_object_get(part(j, "DRAM interface"), "kind")), "not known");
    assert_true(number(part(j, "DRAM interface"), "mm2") == 0);
    assert_true(number(j, "period_ns") > 0);
    json_decref(j);
    free(configuration);
}

/* A new block of rtl/ needs a row in area_cluster.c or area_sms.c. */
static void test_every_block_has_a_row(void **state) {
    (void)state;
    for (const struct twin_block *b = twin_block; b < twin_block + TWIN_BLOCK_COUNT; b++)
        if (!(b->slot < CLUSTER_BLOCK_COUNT && area_has_cluster_slot(b->slot)) &&
            !area_has_sm_block(b->module))
            fail_msg("%s is in no machine's area", b->module);
}

static void assert_refused(struct spawned s, const char *part_of_message) {
    assert_status(&s, EXIT_USER);
    assert_says(s.err, part_of_message);
    assert_string_equal(s.out, "");
    spawn_free(&s);
}

static void test_mistakes(void **state) {
    (void)state;
    char *empty = fixture_file("empty.lib", "", 0644), *file = fixture_file("file", "", 0644);
    assert_refused(LOCKSTEP("area", "--liberty", "nowhere.lib"), "nowhere.lib cannot be read: No such file");
    assert_refused(LOCKSTEP("area", "--liberty", "empty.lib"), "empty.lib: the file is empty");
    assert_refused(LOCKSTEP("area", "--liberty", "empty.lib", "--lef", "x.lef"), "the file is empty");
    assert_refused(LOCKSTEP("area", "--lef", "x.lef"), "It needs --liberty");
    assert_refused(LOCKSTEP("area", "--effort", "much"), "--effort much: it is fast or full");
    assert_refused(LOCKSTEP("area", "--set", "simt.warp_siez=4"), "simt.warp_size");
    assert_refused(LOCKSTEP("area", "--out", "file/folder"), "--out file/folder: Not a directory");
    assert_refused(LOCKSTEP("area", "reduction"), "takes no arguments");
    free(empty);
    free(file);
}

int main(void) {
    spawn_limit_seconds = 3600;
    const struct CMUnitTest tests[] = {
        TEST(test_the_same_every_time),
        TEST(test_gpu_like),
        TEST(test_every_block_has_a_row),
        TEST(test_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
