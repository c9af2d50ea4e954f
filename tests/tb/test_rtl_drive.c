/* Verilog that drives: for each block that decides, the C model is broken here. The machine behaves as with
 * the sound model, in the same cycles, since it uses the Verilog's outputs: neither the model's, nor those of
 * another cycle. In `check`, runs with the same models fail. */
#include "tb/twins/twins.h"
#include "tests/kernel_run.h"
#include "tests/real.h"
#include "tests/spawn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ITEMS = 512, GROUP = 256, WORDS = ITEMS };

/* Work-items part ways, meet at barriers, and have arrays on their stacks. */
static const char source[] =
    "__kernel void k(__global int *a, int n) {\n"
    "    __local int sum[256];\n"
    "    volatile int mine[4];\n"
    "    int l = get_local_id(0), g = get_global_id(0), x = a[g];\n"
    "    for (int i = 0; i < 4; i++) mine[i] = x + i;\n"
    "    for (int i = 0; i < l % 5; i++) x = (x & 1) ? 3 * x + mine[i & 3] : x / 2 + n;\n"
    "    sum[l] = x;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int h = 128; h > 0; h /= 2) {\n"
    "        if (l < h) sum[l] += sum[l + h];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    a[g] = x + sum[l & 1];\n"
    "}\n";

static enum cluster_block broken; /* CLUSTER_BLOCK_COUNT: none */
static enum twins_mode mode;

/* --- models that are wrong --- */

void warp_scheduler_eval(struct warp_scheduler *s) {
    REAL(warp_scheduler_eval)(s);
    if (broken != CLUSTER_BLOCK_SCHEDULER || !s->out.valid) return;
    s->out.warp = 63 - (unsigned)__builtin_clzll((uint64_t)s->in.ready);
    s->out.grant = warp_bit(s->out.warp);
}

void warp_pc_arbiter_eval(struct warp_pc_arbiter *a) {
    REAL(warp_pc_arbiter_eval)(a);
    if (broken == CLUSTER_BLOCK_ARBITER) a->out.participating &= -a->out.participating;
}

void barrier_table_eval(struct barrier_table *b) {
    REAL(barrier_table_eval)(b);
    if (broken == CLUSTER_BLOCK_BARRIERS) b->out.release = 0;
}

void operand_collector_eval(struct operand_collector *o) {
    REAL(operand_collector_eval)(o);
    if (broken == CLUSTER_BLOCK_COLLECTOR && o->out.start) o->out.done = true;
}

void writeback_arbiter_eval(struct writeback_arbiter *a) {
    REAL(writeback_arbiter_eval)(a);
    if (broken != CLUSTER_BLOCK_WRITEBACK) return;
    a->out.write = a->out.commit = 0;
    a->out.ports = a->cfg.write_ports;
}

void tpo_address_eval(struct tpo_address *a) {
    REAL(tpo_address_eval)(a);
    if (broken != CLUSTER_BLOCK_ADDRESS || !a->in.access) return;
    a->out.words = 0;
    a->out.memory = a->in.bytes;
}

void snoop_directory_eval(struct snoop_directory *d) {
    REAL(snoop_directory_eval)(d);
    if (broken != CLUSTER_BLOCK_PROTOCOL) return;
    for (unsigned n = 0; n < d->clusters * d->l2s; n++) d->next[n] = MOESI_M;
    d->out.memory = !d->out.memory;
}

/* --- a run --- */

static struct twins_options options;
static struct twins *twins;
static char *window, *rtl;

static void begin(struct machine *m) {
    struct error e = {0};
    if (mode == TWINS_OFF) return;
    options = (struct twins_options){.seed = 1, .folder = rtl, .window = window};
    options.mode[broken] = mode;
    options.named[broken] = true;
    twins = twins_create(&options, m, &e);
    if (!twins) fail_msg("%s", e.message);
}

static void end(struct error *e) {
    if (mode == TWINS_OFF) return;
    if (e->status == EXIT_SOUND) twins_judge(twins, e);
    twins_destroy(twins);
}

static struct kernel_run run;

static uint64_t execute(uint32_t *buffer, struct error *e) {
    static const char *const settings[] = {"cluster.stack_size=256", "l1d.size=65536", NULL};
    const struct kernel_run_work w = {
        .kernel = "k", .items = ITEMS, .group = GROUP, .numbers = {7}, .begin = begin, .end = end};
    struct kernel_run_figures f;
    for (unsigned n = 0; n < WORDS; n++) buffer[n] = n * n % 97;
    kernel_run_measured(&run, &w, settings, buffer, WORDS, &f, e);
    return f.cycles;
}

static void test_the_verilog_drives(void **state) {
    (void)state;
    static const enum cluster_block decide[] = {
        CLUSTER_BLOCK_SCHEDULER, CLUSTER_BLOCK_ARBITER, CLUSTER_BLOCK_BARRIERS, CLUSTER_BLOCK_COLLECTOR,
        CLUSTER_BLOCK_WRITEBACK, CLUSTER_BLOCK_ADDRESS, CLUSTER_BLOCK_PROTOCOL};
    uint32_t sound[WORDS], driven[WORDS], checked[WORDS];
    struct error e = {0};
    broken = CLUSTER_BLOCK_COUNT;
    mode = TWINS_OFF;
    const uint64_t cycles = execute(sound, &e);
    assert_int_equal(e.status, EXIT_SOUND);
    for (unsigned n = 0; n < sizeof decide / sizeof decide[0]; n++) {
        struct error drive = {0}, check = {0};
        const char *name = twin_block[decide[n]].name;
        broken = decide[n];
        assert_true(twin_block_decides(broken));
        mode = TWINS_DRIVE;
        assert_int_equal(execute(driven, &drive), cycles);
        assert_memory_equal(driven, sound, sizeof sound);
        assert_int_equal(drive.status, EXIT_TWINS_DISAGREE);
        assert_non_null(strstr(drive.message, name));
        assert_non_null(strstr(drive.message, "(which drives)"));
        mode = TWINS_CHECK;
        execute(checked, &check);
        assert_int_equal(check.status, EXIT_TWINS_DISAGREE);
    }
}

int main(void) {
    char *folder = spawn_folder(), *path = spawn_text("%s/k.cl", folder);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_verilog_drives)};
    window = spawn_text("%s/window.fst", folder);
    rtl = spawn_text("%s/rtl", spawn_source());
    spawn_write(path, source);
    kernel_run_open(&run, path, "");
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    kernel_run_close(&run);
    free(path);
    free(window);
    free(rtl);
    spawn_remove_folder(folder);
    return failed;
}
