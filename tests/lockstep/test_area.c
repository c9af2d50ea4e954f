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

/* Yosys and ABC that make the same few gates of every module: what a machine consists of does not depend on
 * them, and the real ones take minutes for each. */
static const char fake_yosys[] =
    "#!/bin/sh\n[ \"$1\" = -V ] && echo fake && exit\nfor last; do :; done\n"
    "top=$(sed -n 's/^hierarchy -check -top //p' \"$last\")\necho >proof.aig\n"
    "for f in $(sed -n 's/^write_verilog.* //p' \"$last\"); do cat >$f <<END\n"
    "module $top(clk_i, rst_ni, a_i, y_o);\n  input clk_i;\n  input rst_ni;\n  input a_i;\n  output y_o;\n"
    "  wire n;\n  wire q;\n  INVX1 _1_ (\n    .A(a_i),\n    .Y(n)\n  );\n"
    "  DFFPOSX1 _2_ (\n    .CLK(clk_i),\n    .D(n),\n    .Q(q)\n  );\n"
    "  INVX1 _3_ (\n    .A(q),\n    .Y(y_o)\n  );\nendmodule\nEND\ndone\n";
static const char fake_abc[] = "#!/bin/sh\necho Networks are equivalent\n";

/* `lockstep area` of a configuration with these tools and a cache of its own. */
static json_t *parts_of(const char *configuration, char *setting) {
    char *file = spawn_text("%s/configs/%s.yaml", spawn_source(), configuration),
         *environment = spawn_text("PATH=%s:%s", fixture_folder, getenv("PATH")),
         *cache = spawn_text("LOCKSTEP_CACHE=%s/cache", fixture_folder),
         *yosys = fixture_file("yosys", fake_yosys, 0755),
         *abc = fixture_file("berkeley-abc", fake_abc, 0755);
    struct spawned s =
        spawn(fixture_folder, (char *[]){"env", environment, cache, fixture_command, "area", "--config", file,
                                         "--out", "x", "--set", setting, NULL});
    if (s.status) fail_msg("%s, %s: %s", configuration, setting, s.err);
    spawn_free(&s);
    json_t *j = fixture_statistics("x/area.json");
    assert_adds_up(j);
    assert_int_equal(json_array_size(json_object_get(j, "stages")), 0);
    free(abc);
    free(yosys);
    free(cache);
    free(environment);
    free(file);
    return j;
}

static void assert_parts(const char *configuration, char *setting, const char *name, json_int_t count,
                         const char *what) {
    json_t *j = parts_of(configuration, setting);
    const json_t *p = part(j, name);
    assert_int_equal(fixture_number(p, "number"), count);
    assert_says(json_string_value(json_object_get(p, "what")), what);
    json_decref(j);
}

/* One block or table that each has, its number by hand, and the parameters that it has there. */
static void test_gpu_like(void **state) {
    (void)state;
    assert_parts("gtx285-like", "simt.scheduler=greedy_oldest", "greedy_oldest_scheduler", 30, "WARPS=32");
    assert_parts("gtx285-like", "coalesce.rule=cc20", "coalescer", 30, "WARP_SIZE=32 RULE=1 LINE_BYTES=64");
    assert_parts("fermi-like", "simt.divergence=sbr", "its 48 rows", 16, "48 rows of 7767 bits");
    assert_parts("fermi-like", "simt.divergence=lwm", "subwarp_packer", 32, "larger than its Verilog can be");
    assert_parts("fermi-like", "simt.divergence=dwf", "pool of warps", 32, "768 words of 148 bits, 2 ports");
    assert_parts("fermi-like", "simt.divergence=dwf", "warp_formation_table", 32,
                 "SETS=64 WARP_SIZE=32 POOL=768 GROUPS=16");
    assert_parts("fermi-like", "simt.divergence=harp", "Waiting-Lookup", 32,
                 "LANES=16 SLOTS=8 GROUPS=16 REGISTER_ROWS=48 RENEWS=0");
    assert_parts("temporal-30x8", "lanes.bound=off", "lane_scheduler", 30, "WARPS=32 LANE_GROUPS=8 BOUND=0");
    assert_parts("gt640-scalar", "scalar.clock_divisor=2", "scalar_scheduler", 12, "THREADS=3 DIVISOR=2");
    assert_parts("gt640-scalar", "scalar.clock_divisor=4", "dram_scheduler", 4, "BANKS=16 QUEUE=16 POLICY=1");
    assert_parts("gtx285-like", "l1d.mshrs=16", "miss_registers", 30, "MSHRS=16 MERGES=8");
}

/* What has no source is named and has no area; of what the real tools made of a block there is a test above.
 */
static void test_unknown_parts(void **state) {
    (void)state;
    json_t *j = parts_of("gtx285-like", "dram.queue=8");
    assert_int_equal(fixture_number(part(j, "DRAM interface"), "number"), 16);
    assert_string_equal(json_string_value(json_object_get(part(j, "DRAM interface"), "kind")), "not known");
    assert_true(number(part(j, "DRAM interface"), "mm2") == 0);
    assert_says(json_string_value(json_object_get(part(j, "dram_scheduler"), "what")), "QUEUE=8");
    /* 8 lanes of 8 x 8 of 32 bits, in 30 SMs: stsimt Table I. */
    assert_int_equal(fixture_number(part(j, "register crossbar"), "number"), 240);
    assert_true(fabs(number(part(j, "register crossbar"), "mm2") - 0.0333) < 1e-9);
    assert_string_equal(json_string_value(json_object_get(part(j, "exclusive_monitor"), "kind")),
                        "not known");
    assert_int_equal(fixture_number(part(j, "work_group_dispatcher"), "number"), 1);
    assert_true(number(j, "period_ns") > 0);
    json_decref(j);
}

/* A new block of rtl/ needs a row in area_cluster.c or area_sms.c. */
static void test_every_block_has_a_row(void **state) {
    (void)state;
    for (const struct twin_block *b = twin_block; b < twin_block + TWIN_BLOCK_COUNT; b++)
        if (!(b->slot < CLUSTER_BLOCK_COUNT && area_has_cluster_slot(b->slot)) &&
            !area_has_sm_block(b->module) && !twin_block_is_shared(b->slot)) /* named as not known */
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
        TEST(test_the_same_every_time),   TEST(test_gpu_like), TEST(test_unknown_parts),
        TEST(test_every_block_has_a_row), TEST(test_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
