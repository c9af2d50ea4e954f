/* Conditions on signals of a recording: syntax, refusals, and cycles in which a condition holds. */
#include "recording/condition.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char *const modes[] = {"idle", "SIMT"};
static struct recording_unit unit[2] = {{.name = "cluster0", .warps = 4, .warp_size = 32, .cores = 2},
                                        {.name = "cluster1", .warps = 4, .warp_size = 32, .cores = 2}};
static struct wave_signals signals;

static void make(size_t units) {
    struct recording r = {.units = unit, .unit_count = units, .modes = (const char **)modes, .mode_count = 2};
    struct error e = {0};
    assert_true(wave_signals_make(&signals, &r, 2, NULL, &e));
}

static uint64_t *value(const char *name) {
    for (uint32_t n = 0; n < signals.count; ++n)
        if (strcmp(signals.signal[n].name, name) == 0) return &signals.signal[n].value;
    fail_msg("no signal %s", name);
    return NULL;
}

/* Returns in which of the next cycles a condition holds, a bit each; cycle n has values[n] at the signal. */
static unsigned holds(const char *text, const char *name, const uint64_t values[], unsigned cycles) {
    struct error e = {0};
    struct condition *c = condition_read(text, &signals, &e);
    unsigned bits = 0;
    if (!c) fail_msg("%s", e.message);
    uint64_t next = 0;
    for (unsigned n = 0; n < cycles; ++n) {
        const bool changes = n == 0 || values[n] != values[n - 1];
        *value(name) = values[n];
        if (changes || next == n)
            bits |= (unsigned)condition_holds(c, &signals, n, &next) << n;
        else
            bits |= (bits >> (n - 1) & 1) << n; /* nothing changes between visits */
    }
    condition_free(c);
    return bits;
}

static unsigned holds_once(const char *text, const char *name, uint64_t one) {
    return holds(text, name, &one, 1);
}

static void test_values(void **state) {
    (void)state;
    make(1);
    assert_int_equal(holds_once("cluster0.warp3.now == \"memory\"", "cluster0.warp3.now", 10), 1);
    assert_int_equal(holds_once("warp3.now == \"memory\"", "cluster0.warp3.now", 9), 0);
    assert_int_equal(holds_once("warp3.now>=9&&warp3.now<=10", "cluster0.warp3.now", 10), 1);
    assert_int_equal(holds_once("warp3.now > 10 || warp3.now < 9", "cluster0.warp3.now", 10), 0);
    assert_int_equal(holds_once("!(warp3.now != 0xa)", "cluster0.warp3.now", 10), 1);
    assert_int_equal(holds_once("warp3.participating[31]", "cluster0.warp3.participating", 1u << 31), 1);
    assert_int_equal(holds_once("warp3.participating[30]", "cluster0.warp3.participating", 1u << 31), 0);
    assert_int_equal(holds_once("mode == \"SIMT\"", "cluster0.mode", 1), 1);
    assert_int_equal(holds_once("fetch.warp == \"none\"", "cluster0.fetch.warp", 0), 1);
    assert_int_equal(holds_once("fetch.warp == 2", "cluster0.fetch.warp", 3), 1);
    assert_int_equal(holds_once("warp_scheduler.grant_o[2]", "cluster0.warp_scheduler.grant_o", 3), 1);
    assert_int_equal(holds_once("warp_scheduler.grant_o == 4", "cluster0.warp_scheduler.grant_o", 3), 1);
    const uint64_t text = wave_signals_text(&signals, "(1, 0, 0)");
    assert_int_equal(holds_once("work_group == \"(1, 0, 0)\"", "cluster0.work_group", text), 1);
    assert_int_equal(holds_once("\"(1, 0, 0)\" != work_group", "cluster0.work_group", text), 0);
    assert_int_equal(holds_once("core1.work_group == \"(1, 0, 0)\"", "cluster0.core1.work_group", text), 1);
    wave_signals_free(&signals);
}

/* Only the signals that a condition names are shown. */
static void test_signals_shown(void **state) {
    (void)state;
    struct error e = {0};
    unsigned shown = 0;
    make(1);
    condition_free(condition_read("warp3.now == 1 && warp2.pc == warp3.pc", &signals, &e));
    for (uint32_t n = 0; n < signals.count; ++n) shown += signals.signal[n].shown;
    assert_int_equal(shown, 3);
    wave_signals_free(&signals);
}

static void test_time(void **state) {
    (void)state;
    static const uint64_t v[] = {1, 0, 1, 1, 1, 0, 1, 1, 0, 0};
    make(1);
    assert_int_equal(holds("barrier_table.opens_o", "cluster0.barrier_table.opens_o", v, 10), 0xdd);
    assert_int_equal(holds("rose(barrier_table.opens_o)", "cluster0.barrier_table.opens_o", v, 10), 0x44);
    assert_int_equal(holds("!rose(barrier_table.opens_o)", "cluster0.barrier_table.opens_o", v, 10), 0x3bb);
    assert_int_equal(holds("barrier_table.opens_o for 1 cycle", "cluster0.barrier_table.opens_o", v, 10),
                     0xdd);
    assert_int_equal(holds("barrier_table.opens_o for 2 cycles", "cluster0.barrier_table.opens_o", v, 10),
                     0x98);
    assert_int_equal(holds("barrier_table.opens_o for 3 cycles", "cluster0.barrier_table.opens_o", v, 10),
                     0x10);
    assert_int_equal(holds("(barrier_table.opens_o == 0 for 2 cycles) || warp0.pc == 5",
                           "cluster0.barrier_table.opens_o", v, 10),
                     0x200);
    wave_signals_free(&signals);
}

static void assert_refused(const char *text, const char *says) {
    struct error e = {0};
    struct condition *c = condition_read(text, &signals, &e);
    if (c || !strstr(e.message, says)) fail_msg("%s: %s", text, e.message);
    assert_int_equal(e.status, EXIT_USER);
}

static void test_wrong_words(void **state) {
    (void)state;
    char deep[1000];
    memset(deep, '(', sizeof deep);
    deep[sizeof deep - 1] = '\0';
    make(2);
    assert_refused("", "at character 1: something is missing");
    assert_refused("warp3.now", "'warp3.now' may be cluster0.warp3.now or cluster1.warp3.now");
    assert_refused("cluster0.warp3.nov == 1", "did you mean 'cluster0.warp3.now'?");
    assert_refused("cluster0.warp3.now == \"memry\"", "is never 'memry'; its values are: no thread;");
    assert_refused("cluster0.warp3.pc == \"memory\"", "has numbers as values");
    assert_refused("cluster0.kernel == 3", "a text and a number");
    assert_refused("3 == cluster0.kernel", "a text and a number");
    assert_refused("cluster0.kernel", "a text needs a comparison");
    assert_refused("cluster0.kernel < \"a\"", "== and != only");
    assert_refused("cluster0.kernel[1]", "a text has no bits");
    assert_refused("cluster0.warp3.now[4]", "no such bit");
    assert_refused("\"a\" == \"b\"", "with a signal only");
    assert_refused("\"a", "'\"' is missing");
    assert_refused("(1", "')' is missing");
    assert_refused("rose 1", "'(' is missing");
    assert_refused("1 2", "should end here");
    assert_refused("1 &&", "something is missing");
    assert_refused("1 && %", "a signal, a number or a text is needed");
    assert_refused("1 for", "a number is needed");
    assert_refused("1 for 3", "'cycles' is missing");
    assert_refused("1 for 0 cycles", "no duration");
    assert_refused("99999999999999999999", "a number is needed");
    assert_refused("12ab", "a number is needed");
    assert_refused(deep, "nested too deeply");
    memset(deep, '!', sizeof deep - 1);
    assert_refused(deep, "nested too deeply");
    wave_signals_free(&signals);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_signals_shown),
        cmocka_unit_test(test_time),
        cmocka_unit_test(test_wrong_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
