/* `lockstep area`: the same bytes every time on a small machine, its output, and every mistake. */
#include "sim/error.h"
#include "tb/twins/twin_block.h"
#include "tests/fake_tools.h"

#include <glob.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

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

/* Returns the CPU seconds of ended child processes. */
static double seconds(void) {
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* Runs `lockstep area ARGUMENTS` with the real tools or others, with a cache of its own. */
static struct spawned area(bool real, const char *cache, char *const arguments[]) {
    char *path = real ? spawn_text("PATH=%s", getenv("PATH")) : fake_tools(), *kept = fixture_cache(cache),
         *argv[24] = {"env", path, kept, fixture_command, "area"};
    for (unsigned n = 0; arguments[n]; n++) argv[5 + n] = arguments[n];
    const struct spawned s = spawn(fixture_folder, argv);
    free(kept);
    free(path);
    return s;
}

static void assert_same_file(const char *one, const char *two) {
    char *a = fixture_path(one), *b = fixture_path(two), *x = spawn_read(a), *y = spawn_read(b);
    assert_string_equal(x, y);
    free(x);
    free(y);
    free(a);
    free(b);
}

static struct spawned small_area(bool real, const char *cache, char *out) {
    return area(real, cache,
                (char *[]){"--set", "simt.warp_size=4", "--set", "cluster.threads_per_lane=4", "--set",
                           "simt.priority_levels=1", "--prove", "--out", out, NULL});
}

/* Checks that two runs print the same. With the real tools (in the long form) the second run has an empty
 * cache, too; results from the cache take less than a second. */
static void assert_the_same(bool real) {
    struct spawned first = small_area(real, "one", "one"), other = small_area(real, "other", "other");
    if (first.status) fail_msg("%s", first.err);
    assert_says(first.err, "12 blocks to synthesise");
    assert_says(first.err, "block 12 of 12, ");
    const double before = seconds();
    struct spawned kept = small_area(real, "one", "kept");
    assert_true(seconds() - before < 1);
    assert_status(&kept, 0);
    assert_string_equal(first.out, kept.out);
    assert_string_equal(first.out, other.out);
    assert_null(strstr(kept.err, "synthesise"));
    assert_says(first.out, "warp_pc_arbiter");
    assert_says(first.out, "cluster.clock_mhz 1000");
    assert_says(first.out, "\n    its path: ");
    spawn_free(&first);
    spawn_free(&other);
    spawn_free(&kept);
    assert_same_file("one/area.json", "kept/area.json");
    assert_same_file("one/area.json", "other/area.json");
    assert_same_file("one/area.svg", "kept/area.svg");
    json_t *j = fixture_statistics("one/area.json");
    assert_adds_up(j);
    assert_string_equal(
        json_string_value(json_object_get(json_object_get(part(j, "warp_scheduler"), "fastest"), "proof")),
        "equal");
    assert_int_equal(fixture_number(part(j, "tpo_address"), "number"), 4);
    assert_int_equal(fixture_number(part(j, "exclusive_monitor"), "number"), 1);
    assert_true(number(part(j, "thread descriptors"), "mm2_flip_flops") > 0);
    json_decref(j);
}

static void test_the_same_every_time(void **state) {
    (void)state;
    assert_the_same(false);
}

static void test_long_the_same_every_time(void **state) {
    (void)state;
    if (!getenv("LOCKSTEP_LONG")) skip();
    assert_the_same(true);
}

static unsigned lines_of(const char *name, const char *line) {
    char *path = fixture_path(name), *text = spawn_read(path);
    unsigned count = 0;
    for (const char *at = text; at && (at = strstr(at, line)); at++) count++;
    free(text);
    free(path);
    return count;
}

/* Starts `lockstep area` of a small machine in the background; each synthesis takes some time and leaves a
 * line. */
static struct spawned begin_area(char *seconds, char *jobs) {
    char *path = fake_tools(), *kept = fixture_cache("cache"),
         *log = spawn_text("FAKE_LOG=%s/log", fixture_folder),
         *sleeps = spawn_text("FAKE_SECONDS=%s", seconds);
    char *argv[] = {"env",
                    path,
                    kept,
                    log,
                    sleeps,
                    fixture_command,
                    "area",
                    "--set",
                    "simt.warp_size=4",
                    "--set",
                    "cluster.threads_per_lane=4",
                    "--jobs",
                    jobs,
                    NULL};
    const struct spawned s = spawn_start(fixture_folder, false, argv);
    free(sleeps);
    free(log);
    free(kept);
    free(path);
    return s;
}

/* Two concurrent commands with two workers each synthesise no block twice. */
static void test_no_block_twice(void **state) {
    (void)state;
    struct spawned one = begin_area("0.2", "2"), two = begin_area("0.2", "2");
    spawn_finish(&one);
    spawn_finish(&two);
    assert_status(&one, 0);
    assert_status(&two, 0);
    assert_string_equal(one.out, two.out);
    assert_int_equal(lines_of("log", "\n"), 12);
    spawn_free(&one);
    spawn_free(&two);
}

/* Results are kept; the command says so, and continues from there. */
static void test_interrupted(void **state) {
    (void)state;
    struct spawned s = begin_area("0.3", "1");
    while (lines_of("log", "\n") < 4) nanosleep(&(struct timespec){0, 20000000}, NULL);
    kill(s.pid, SIGINT);
    spawn_finish(&s);
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "stopped: 3 of 12 blocks are kept; the same command goes on");
    spawn_free(&s);
    s = begin_area("0", "1");
    spawn_finish(&s);
    assert_status(&s, 0);
    assert_says(s.err, "9 blocks to synthesise");
    assert_int_equal(lines_of("log", "\n"), 4 + 9);
    spawn_free(&s);
}

static json_t *parts_of(const char *configuration, char *setting) {
    char *file = spawn_text("%s/configs/%s.yaml", spawn_source(), configuration);
    struct spawned s =
        area(false, "cache", (char *[]){"--config", file, "--out", "x", "--set", setting, NULL});
    if (s.status) fail_msg("%s, %s: %s", configuration, setting, s.err);
    spawn_free(&s);
    json_t *j = fixture_statistics("x/area.json");
    assert_adds_up(j);
    /* Machines of clusters: SIMT mode has stages. */
    const bool clusters = strstr(configuration, "order") || strstr(configuration, "dual-mode");
    assert_int_equal(json_array_size(json_object_get(j, "stages")), clusters ? 5 : 0);
    free(file);
    return j;
}

/* One block or table that each has, its number by hand, and the parameters that it has there. */
static void assert_parts(const char *configuration, char *setting, const char *name, json_int_t count,
                         const char *what) {
    json_t *j = parts_of(configuration, setting);
    const json_t *p = part(j, name);
    assert_int_equal(fixture_number(p, "number"), count);
    assert_says(json_string_value(json_object_get(p, "what")), what);
    unsigned of_name = 0;
    for (size_t n = 0; n < json_array_size(json_object_get(j, "parts")); ++n) {
        const json_t *other = json_array_get(json_object_get(j, "parts"), n);
        of_name += strcmp(json_string_value(json_object_get(other, "name")), name) == 0;
    }
    if (strstr(configuration, "order")) assert_int_equal(of_name, 1); /* blocks of cores, too */
    json_decref(j);
}

static void test_gpu_like(void **state) {
    (void)state;
    assert_parts("gtx285-like", "simt.scheduler=greedy_oldest", "greedy_oldest_scheduler", 30, "WARPS=32");
    assert_parts("gtx285-like", "coalesce.rule=cc20", "coalescer", 30, "WARP_SIZE=32 RULE=1 LINE_BYTES=64");
    assert_parts("fermi-like", "simt.divergence=sbr", "its 48 rows", 16, "48 rows of 7767 bits");
    assert_parts("fermi-like", "simt.divergence=lwm", "subwarp_packer", 32, "LANES=16 ROWS=8");
    assert_parts("fermi-like", "simt.divergence=lwm", "re_convergence_stack", 16,
                 "larger than its Verilog can be");
    assert_parts("fermi-like", "simt.divergence=pc", "warp_pc_arbiter", 32, "WARP_SIZE=32 LEVELS=8");
    assert_parts("fermi-like", "simt.divergence=pc", "PC and level of threads", 32,
                 "24 words of 1280 bits, 2 ports");
    assert_parts("fermi-like", "simt.divergence=dwf", "pool of warps", 32, "768 words of 148 bits, 2 ports");
    assert_parts("fermi-like", "simt.divergence=dwf", "warp_formation_table", 32,
                 "WARP_SIZE=32 SETS=64 POOL=768 GROUPS=16");
    assert_parts("fermi-like", "simt.divergence=harp", "waiting_lookup", 32,
                 "LANES=16 SLOTS=8 RENEWS=0 REGISTER_ROWS=48 GROUPS=16");
    /* Eight lane groups of each of 30 SMs have two collectors for each kind of unit. */
    assert_parts("temporal-30x8", "lanes.bound=off", "operand collector", 30 * 8 * 3 * 2,
                 "96 words of 32 bits");
    assert_parts("temporal-30x8", "lanes.bound=off", "lane_scheduler", 30, "WARPS=32 LANE_GROUPS=8 BOUND=0");
    /* 16 threads on the six units of each of two SMs: four units have three threads, two have two. */
    assert_parts("gt640-scalar", "scalar.clock_divisor=2", "scalar_scheduler", 8, "THREADS=3 DIVISOR=2");
    assert_parts("gt640-scalar", "scalar.clock_divisor=4", "dram_scheduler", 4, "BANKS=16 QUEUE=64 POLICY=1");
    assert_parts("gtx285-like", "l1d.mshrs=16", "miss_registers", 30, "MSHRS=16 MERGES=8");
}

static void test_superscalar(void **state) {
    (void)state;
    assert_parts("out-of-order-3", "core.window=64", "window", 4, "64 entries of 85 bits, 14 searched");
    assert_parts("out-of-order-3", "core.predictor=8192", "branch counters", 4,
                 "2048 words of 8 bits, 2 ports");
    assert_parts("out-of-order-3", "core.btb=1024", "branch_predictor", 4,
                 "FETCH_WIDTH=4 COMMITS=3 COUNTERS=4096 TAG_BITS=20");
    assert_parts("out-of-order-3", "core.window=64", "issue_select", 4,
                 "WINDOW=64 ISSUE_WIDTH=3 INTEGER_UNITS=2 VFP_UNITS=2");
    assert_parts("out-of-order-3", "core.lsq=8", "load_store_queue", 4, "QUEUE=8");
    assert_parts("out-of-order-3", "core.lsq=16", "store data", 4, "16 rows of 32 bits");
    assert_parts("in-order-2", "cluster.isa=neon", "registers D16-D31", 4, "32 rows of 32 bits");
    assert_parts("in-order-2", "core.vfp_units=3", "VFP unit", 8, "adder, multiplier of double precision");
    assert_parts("in-order-2", "core.btb=1024", "branch target buffer", 4, "1024 words of 50 bits, 2 ports");
    assert_parts("in-order-2", "core.fetch_queue=16", "fetch queue", 4, "16 rows of 32 bits");
    assert_parts("in-order-2", "core.lsq=16", "load-store queue", 4, "16 entries of 64 bits, 30 searched");
}

/* Several instructions in the lanes: each has a dispatcher, and a block chooses them of the collectors. */
static void test_several_in_lanes(void **state) {
    (void)state;
    assert_parts("dual-mode-superscalar", "simt.collectors=6", "choice of collectors", 1,
                 "WINDOW=6 ISSUE_WIDTH=3 INTEGER_UNITS=2 VFP_UNITS=2");
    assert_parts("dual-mode-superscalar", "simt.issue_width=2", "subwarp_dispatcher", 2, "WARPS=16");
    assert_parts("dual-mode-superscalar", "simt.multi_issue=rounds", "subwarp_dispatcher", 1, "WARPS=16");
}

/* Every engine of divergence has an area and a period, also with all netlists. */
/* On SMs, and on clusters of cores. */
static void test_each_engine(void **state) {
    (void)state;
    static const char *const engines[] = {"sbr", "lwm", "dwf", "harp", "oracle", "tbc"};
    char *file[] = {spawn_text("%s/configs/fermi-like.yaml", spawn_source()),
                    spawn_text("%s/configs/dual-mode-4.yaml", spawn_source())};
    for (unsigned n = 0; n < 2 * sizeof engines / sizeof *engines; n++) {
        char *setting = spawn_text("simt.divergence=%s", engines[n / 2]);
        struct spawned s = area(
            false, "cache",
            (char *[]){"--config", file[n % 2], "--set", setting, "--effort", "full", "--out", "x", NULL});
        if (s.status) fail_msg("%s, %s: %s", file[n % 2], setting, s.err);
        json_t *j = fixture_statistics("x/area.json");
        assert_adds_up(j);
        assert_true(number(j, "period_ns") > 0);
        json_decref(j);
        spawn_free(&s);
        free(setting);
    }
    free(file[0]);
    free(file[1]);
}

/* A part without a source is listed without an area; parts of a block with the real tools are
 * tested above. */
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
    assert_true(number(j, "period_ns") > 0);
    json_decref(j);
}

/* A reservation for each of 30 x 1,024 threads, 64 a bank, and one for each of 30 x
 * 8 cores; one dispatcher. */
static void test_shared(void **state) {
    (void)state;
    json_t *j = parts_of("gtx285-like", "dram.queue=8");
    assert_says(json_string_value(json_object_get(part(j, "exclusive_monitor"), "what")), "THREADS=64");
    assert_true(fixture_number(part(j, "exclusive_monitor"), "number") >= 30 * 1024 / 64);
    assert_int_equal(fixture_number(part(j, "work_group_dispatcher"), "number"), 1);
    assert_true(number(part(j, "work_group_dispatcher"), "mm2") > 0);
    json_decref(j);
}

/* --netlist writes a block's netlist alone. */
static void test_netlist(void **state) {
    (void)state;
    struct spawned s =
        area(false, "cache",
             (char *[]){"--netlist", "warp_scheduler", "--out", "x", "--set", "simt.warp_size=4", NULL});
    assert_status(&s, 0);
    assert_string_equal(s.out, "");
    spawn_free(&s);
    char *path = fixture_path("x/warp_scheduler.v"), *verilog = spawn_read(path);
    assert_says(verilog, "module warp_scheduler(");
    assert_exists("x/area.json", false);
    free(verilog);
    free(path);
    s = area(false, "cache", (char *[]){"--netlist", "coalescer", "--out", "y", NULL});
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "--netlist coalescer: the machine has no such block");
    assert_exists("y/coalescer.v", false);
    spawn_free(&s);
    s = LOCKSTEP("area", "--netlist", "tpo_address");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "--netlist tpo_address: it needs --out");
    spawn_free(&s);
}

/* Returns the number in the n-th cell of a table's row, such as "| a | 6,225 |". */
static double cell(const char *row, unsigned n) {
    char digits[32];
    size_t length = 0;
    for (; n > 0 && row; n--) row = strchr(row + 1, '|');
    for (const char *c = row ? row + 1 : ""; *c && *c != '|' && length < sizeof digits - 1; c++)
        if (*c != ',' && *c != ' ') digits[length++] = *c;
    digits[length] = '\0';
    return strtod(digits, NULL);
}

/* Whole from 100 on, tenths from 2 on, else hundredths. */
static void assert_cell(const char *row, unsigned n, double is) {
    const double says = cell(row, n), half = says >= 100 ? 0.5 : says >= 2 ? 0.05 : 0.005;
    if (fabs(says - is) > 1.01 * half)
        fail_msg("docs/area.md: %.*s: cell %u is %f", (int)strcspn(row, "\n"), row, n, is);
}

static const json_t *called(const json_t *all, const char *key, const char *row) {
    size_t index;
    json_t *one;
    json_array_foreach(all, index, one) {
        const char *name = json_string_value(json_object_get(one, key));
        const size_t length = strlen(name);
        if (strncmp(row + 2, name, length) == 0 && strchr(" ,", row[2 + length])) return one;
    }
    return NULL;
}

/* The tables of the base machine in docs/area.md; with LOCKSTEP_LONG=1 also if its blocks are to be
 * synthesised. */
static void test_documents(void **state) {
    (void)state;
    char *base = spawn_text("%s/configs/dual-mode-4.yaml", spawn_source());
    struct spawned s = LOCKSTEP("synthesis-results", "--check", base);
    free(base);
    assert_status(&s, 0);
    const bool shipped = !*s.out;
    spawn_free(&s);
    if (!shipped && !getenv("LOCKSTEP_LONG")) skip();
    s = LOCKSTEP("area", "--out", "base");
    if (s.status) fail_msg("%s", s.err);
    if (shipped) assert_null(strstr(s.err, "synthesise"));
    spawn_free(&s);
    char *path = spawn_text("%s/docs/area.md", spawn_source()), *text = spawn_read(path),
         *row = strstr(text, "## 3. The base machine");
    const char *end = strstr(row, "## 4. GPU-like");
    unsigned rows = 0;
    json_t *j = fixture_statistics("base/area.json");
    for (; row && row < end; row = strchr(row, '\n'), row += row != NULL) {
        if (strncmp(row, "| ", 2) != 0) continue;
        const json_t *block = called(json_object_get(j, "parts"), "name", row),
                     *stage = called(json_object_get(j, "stages"), "stage", row);
        if (block) {
            assert_cell(row, 1, number(json_object_get(block, "smallest"), "nand2"));
            if (cell(row, 2) > 0) assert_cell(row, 2, number(json_object_get(block, "fastest"), "nand2"));
            assert_cell(row, 3, number(json_object_get(block, "fastest"), "fo4"));
            assert_cell(row, 4, number(block, "ns"));
        } else if (stage) {
            assert_cell(row, 1, number(stage, "fo4_synthesised"));
            assert_cell(row, 2, number(stage, "ns_flip_flops"));
            assert_cell(row, 3, number(stage, "ns_memories"));
        }
        rows += block || stage;
    }
    assert_int_equal(rows, 11 + 5);
    json_decref(j);
    free(text);
    free(path);
}

/* Blocks that fill a slot are in the area separately: so each file of rtl/ must fill one. */
static void test_every_block_fills_a_slot(void **state) {
    (void)state;
    char *pattern = spawn_text("%s/rtl/*.sv", spawn_source());
    glob_t found;
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t n = 0; n < found.gl_pathc; n++) {
        char *name = strdup(strrchr(found.gl_pathv[n], '/') + 1);
        *strrchr(name, '.') = '\0';
        const struct twin_block *b = twin_block;
        while (b < twin_block + twin_block_count && strcmp(b->module, name) != 0) b++;
        if (b == twin_block + twin_block_count) fail_msg("%s is in no machine's area", name);
        free(name);
    }
    assert_true(found.gl_pathc > 20);
    globfree(&found);
    free(pattern);
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
    assert_refused(LOCKSTEP("area", "--jobs", "0"), "--jobs 0");
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
        TEST(test_long_the_same_every_time),
        TEST(test_no_block_twice),
        TEST(test_interrupted),
        TEST(test_gpu_like),
        TEST(test_superscalar),
        TEST(test_several_in_lanes),
        TEST(test_each_engine),
        TEST(test_unknown_parts),
        TEST(test_netlist),
        TEST(test_shared),
        TEST(test_every_block_fills_a_slot),
        TEST(test_documents),
        TEST(test_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
