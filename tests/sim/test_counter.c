#include "sim/counter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <jansson.h>

#include "tests/panic.h"

static void test_registered_once_and_found(void **state) {
    (void)state;
    struct counter_registry *r = counter_registry_create();
    assert_null(counter_find(r, "a", "hits"));
    uint64_t hits = 0, misses = 7;
    char scope[] = "cluster0.l2";
    counter_register(r, scope, "hits", "accesses", "found in the L2", &hits);
    scope[7] = '9'; /* the registry keeps its own copy */
    counter_register(r, "cluster0.l2", "misses", "accesses", "not found in the L2", &misses);
    assert_int_equal(counter_count(r), 2);
    const struct counter *c = counter_at(r, 0);
    assert_string_equal(c->scope, "cluster0.l2");
    assert_string_equal(c->name, "hits");
    assert_string_equal(c->unit, "accesses");
    assert_string_equal(c->description, "found in the L2");
    assert_ptr_equal(counter_find(r, "cluster0.l2", "misses"), counter_at(r, 1));
    assert_null(counter_find(r, "cluster9.l2", "misses"));
    assert_null(counter_find(r, "cluster0.l2", "miss"));
    hits = 41;
    assert_int_equal(*c->value, 41);
    counter_registry_destroy(r);
}

/* Scope and name are two strings: "a" + "bc" is not "ab" + "c". */
static void test_scope_and_name_do_not_run_together(void **state) {
    (void)state;
    struct counter_registry *r = counter_registry_create();
    uint64_t x = 1, y = 2;
    counter_register(r, "a", "bc", "", "", &x);
    counter_register(r, "ab", "c", "", "", &y);
    assert_ptr_equal(counter_find(r, "a", "bc")->value, &x);
    assert_ptr_equal(counter_find(r, "ab", "c")->value, &y);
    counter_registry_destroy(r);
}

static void test_many_keep_order_and_address(void **state) {
    (void)state;
    enum { N = 5000 };
    static uint64_t values[N], now[N], before[N];
    struct counter_registry *r = counter_registry_create();
    const struct counter *first = NULL;
    for (int i = 0; i < N; i++) {
        char scope[32];
        snprintf(scope, sizeof scope, "s%d", i);
        counter_register(r, scope, "n", "events", "events", &values[i]);
        if (i == 0) first = counter_at(r, 0);
    }
    assert_ptr_equal(first, counter_at(r, 0));
    for (int i = 0; i < N; i++) {
        char scope[32];
        snprintf(scope, sizeof scope, "s%d", i);
        assert_string_equal(counter_at(r, i)->scope, scope);
        assert_ptr_equal(counter_find(r, scope, "n"), counter_at(r, i));
        values[i] = 10 * i;
    }
    counter_snapshot(r, before);
    for (int i = 0; i < N; i++) values[i] += i + 1;
    counter_snapshot(r, now);
    for (int i = 0; i < N; i++) assert_int_equal(now[i] - before[i], i + 1);
    counter_registry_destroy(r);
}

static void test_sum_by_scope(void **state) {
    (void)state;
    struct counter_registry *r = counter_registry_create();
    uint64_t value[6] = {1, 10, 100, 1000, 10000, 100000}, snapshot[6];
    counter_register(r, "c1.lane0", "misses", "", "", &value[0]);
    counter_register(r, "c1.lane1", "misses", "", "", &value[1]);
    counter_register(r, "c1.lane1", "hits", "", "", &value[2]);
    counter_register(r, "c10.lane1", "misses", "", "", &value[3]);
    counter_register(r, "c1", "misses", "", "", &value[4]);
    counter_register(r, "", "misses", "", "", &value[5]);
    counter_snapshot(r, snapshot);
    assert_int_equal(counter_sum(r, snapshot, "", "misses"), 111011);
    assert_int_equal(counter_sum(r, snapshot, "c1", "misses"), 10011); /* without c10 */
    assert_int_equal(counter_sum(r, snapshot, "c1.lane1", "misses"), 10);
    assert_int_equal(counter_sum(r, snapshot, "c1.lane", "misses"), 0);
    assert_int_equal(counter_sum(r, snapshot, "c1.lane1", "hits"), 100);
    assert_int_equal(counter_sum(r, snapshot, "c1.lane1.x", "hits"), 0);
    assert_int_equal(counter_sum(r, snapshot, "c2", "misses"), 0);
    counter_registry_destroy(r);
}

/* --- ratios --- */

static struct counter_registry *with_formula(const char *scope, const char *formula, uint64_t *values) {
    static uint64_t value[8] = {2, 6, 8, 24, 5, 0, 7, 1000};
    static struct histogram h;
    struct counter_registry *r = counter_registry_create();
    histogram_init_linear(&h, 0, 1, 4);
    histogram_add(&h, 3);
    histogram_add(&h, 40);
    counter_register(r, "c1.lane0", "misses", "", "", &value[0]);
    counter_register(r, "c1.lane1", "misses", "", "", &value[1]);
    counter_register(r, "c1.lane0", "hits", "", "", &value[2]);
    counter_register(r, "c1.lane1", "hits", "", "", &value[3]);
    counter_register(r, "c1", "work_items", "", "", &value[4]);
    counter_register(r, "c1", "none", "", "", &value[5]);
    counter_register(r, "c1.cycles", "front end", "", "", &value[6]);
    counter_register(r, "c10.lane0", "misses", "", "", &value[7]);
    counter_register_histogram(r, "c1", "sizes", "", "", &h);
    if (formula) counter_register_ratio(r, scope, "ratio", "", "", formula);
    counter_snapshot(r, values);
    return r;
}

static void test_formulas(void **state) {
    (void)state;
    static const struct {
        const char *scope, *formula;
        double value;
        bool by_zero;
    } cases[] = {
        {"c1", "work_items", 5, false},
        {"c1.lane0", "misses / hits", 0.25, false},
        {"c1.lane0", "100 * misses / (misses + hits)", 20, false},
        {"c1", "lane*.misses / lane*.hits", 0.25, false},
        {"c1", "lane1.hits - lane0.hits - 1", 15, false},
        {"", "c1.lane*.misses", 8, false},
        {"", "c1*.lane0.misses", 1002, false},
        {"", "c*.*.misses", 1008, false},
        {"c1", "*.misses", 8, false}, /* two parts */
        {"c1", "'cycles.front end' / 2", 3.5, false},
        {"c1", "sizes / 2", 21.5, false}, /* a histogram's sum */
        {"c1", "1 - 2 * 3 + 4", -1, false},
        {"c1", "-(1 + 2)*3", -9, false},
        {"c1", "12 / 3 / 2", 2, false},
        {"c1", "1.5 + 0.5", 2, false},
        {"c1", "work_items / none", 0, true},
        {"c1", "none / none", 0, true},
        {"c1", "1 + 1 / (work_items - 5)", 0, true},
        {"c1", "none / work_items", 0, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t values[64];
        double ratio = -1000;
        struct counter_registry *r = with_formula(cases[i].scope, cases[i].formula, values);
        assert_in_range(counter_cells(r), 1, 64);
        const bool known = counter_ratio(r, values, counter_find(r, cases[i].scope, "ratio"), &ratio);
        if (known == cases[i].by_zero) fail_msg("%s", cases[i].formula);
        if (known && (ratio > cases[i].value + 1e-9 || ratio < cases[i].value - 1e-9))
            fail_msg("%s is %g, not %g", cases[i].formula, ratio, cases[i].value);
        counter_registry_destroy(r);
    }
}

static void register_formula(void *formula) {
    uint64_t values[64];
    with_formula("c1", formula, values);
}
static void evaluate_formula(void *formula) {
    uint64_t values[64];
    double ratio;
    struct counter_registry *r = with_formula("c1", formula, values);
    (void)counter_ratio(r, values, counter_find(r, "c1", "ratio"), &ratio);
}

static void test_wrong_formulas_are_panics(void **state) {
    (void)state;
    static char *const unreadable[] = {"",       "1 +", "(1", "1)",    "work_items none", "'front end",
                                       "1 ++ 2", "1 2", ".5", "a $ b", "work_items / %",  "/ 2",
                                       "'' + 1", "1 / "};
    static char *const unknown[] = {"nothing",       "lane*",   "lane2.misses", "*misses",
                                    "c1.work_items", "lane*.x", "work_items*2"};
    assert_false(panics(evaluate_formula, "work_items"));
    for (size_t i = 0; i < sizeof unreadable / sizeof *unreadable; i++)
        if (!panics(register_formula, unreadable[i])) fail_msg("'%s' is accepted", unreadable[i]);
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        assert_false(panics(register_formula, unknown[i]));
        if (!panics(evaluate_formula, unknown[i])) fail_msg("'%s' is found", unknown[i]);
    }
}

/* --- intervals --- */

static void test_intervals(void **state) {
    (void)state;
    struct counter_registry *r = counter_registry_create();
    uint64_t hits = 5, before[16], now[16];
    struct histogram h, part;
    histogram_init_powers(&h, 5); /* 0, 1, 2–3, 4–7, 8– */
    counter_register(r, "a", "hits", "", "", &hits);
    counter_register_histogram(r, "a", "sizes", "", "", &h);
    counter_register_ratio(r, "a", "mean", "", "", "sizes / hits");
    assert_int_equal(counter_cells(r), 1 + 4 + 5);
    histogram_add(&h, 0);
    histogram_add(&h, 9);
    counter_snapshot(r, before);
    hits = 7;
    histogram_add(&h, 3);
    histogram_add(&h, 5);
    histogram_add(&h, 5);
    counter_snapshot(r, now);
    counter_subtract(r, now, before);
    assert_int_equal(now[counter_find(r, "a", "hits")->cell], 2);
    counter_histogram(counter_find(r, "a", "sizes"), now, &part);
    assert_int_equal(part.total, 3);
    assert_int_equal(part.sum, 13);
    assert_int_equal(part.bucket[0], 0);
    assert_int_equal(part.bucket[2], 1);
    assert_int_equal(part.bucket[3], 2);
    assert_int_equal(part.bucket[4], 0);
    assert_int_equal(part.min, 2); /* minimum of the buckets */
    assert_int_equal(part.max, 7);
    double ratio;
    assert_true(counter_ratio(r, now, counter_find(r, "a", "mean"), &ratio));
    assert_true(ratio > 6.499 && ratio < 6.501);
    counter_snapshot(r, before);
    counter_snapshot(r, now);
    counter_subtract(r, now, before); /* nothing */
    counter_histogram(counter_find(r, "a", "sizes"), now, &part);
    assert_int_equal(part.total, 0);
    assert_int_equal(part.min, 0);
    assert_int_equal(part.max, 0);
    assert_false(counter_ratio(r, now, counter_find(r, "a", "mean"), &ratio));
    counter_registry_destroy(r);
}

/* --- printing --- */

static char *printed(void (*print)(const struct counter_registry *, const uint64_t *, FILE *)) {
    static uint64_t hits = 1234, misses = 0;
    static struct histogram h, empty;
    uint64_t values[64];
    char *text;
    size_t size;
    struct counter_registry *r = counter_registry_create();
    histogram_init_linear(&h, 0, 4, 4);
    histogram_init_linear(&empty, 0, 4, 4);
    for (int i = 0; i < 4; i++) histogram_add(&h, 5);
    histogram_add(&h, 8);
    histogram_add(&h, 19);
    counter_register(r, "a.l2", "hits", "accesses", "found, \"there\"", &hits);
    counter_register(r, "", "misses", "n", "not found", &misses);
    counter_register_ratio(r, "a", "half", "", "half of it", "l2.hits / 2");
    counter_register_ratio(r, "a", "never", "", "by nothing", "l2.hits / (1 - 1)");
    counter_register_histogram(r, "a", "sizes", "bytes", "sizes of all", &h);
    counter_register_histogram(r, "a", "empty", "bytes", "none", &empty);
    counter_snapshot(r, values);
    FILE *out = open_memstream(&text, &size);
    print(r, values, out);
    fclose(out);
    counter_registry_destroy(r);
    return text;
}

static void test_table(void **state) {
    (void)state;
    char *text = printed(counter_print_table);
    assert_string_equal(text, "  a.l2.hits            1234  accesses  found, \"there\"\n"
                              "  misses                  0  n         not found\n"
                              "  a.half           617.0000            half of it\n"
                              "  a.never               n/0            by nothing\n"
                              "  a.sizes                 6  bytes     sizes of all\n"
                              "                             mean 7.8333, min 5, max 19, sum 47\n"
                              "       4..7               4  ########################################\n"
                              "      8..11               1  ##########\n"
                              "       12..               1  ##########\n"
                              "  a.empty                 0  bytes     none\n");
    free(text);
}

static void test_json(void **state) {
    (void)state;
    char *text = printed(counter_print_json);
    assert_string_equal(
        text,
        "{\n  \"counters\": [\n"
        "    {\"scope\": \"a.l2\", \"name\": \"hits\", \"unit\": \"accesses\", \"description\": \"found, "
        "\\\"there\\\"\", \"value\": 1234},\n"
        "    {\"scope\": \"\", \"name\": \"misses\", \"unit\": \"n\", \"description\": \"not found\", "
        "\"value\": 0}],\n"
        "  \"ratios\": [\n"
        "    {\"scope\": \"a\", \"name\": \"half\", \"unit\": \"\", \"description\": \"half of it\", "
        "\"formula\": \"l2.hits / 2\", \"value\": 617},\n"
        "    {\"scope\": \"a\", \"name\": \"never\", \"unit\": \"\", \"description\": \"by nothing\", "
        "\"formula\": \"l2.hits / (1 - 1)\", \"value\": null}],\n"
        "  \"histograms\": [\n"
        "    {\"scope\": \"a\", \"name\": \"sizes\", \"unit\": \"bytes\", \"description\": \"sizes of all\", "
        "\"total\": 6, \"sum\": 47, \"min\": 5, \"max\": 19, \"mean\": 7.833333333333333, \"buckets\": "
        "[{\"from\": 4, \"to\": 7, \"count\": 4}, {\"from\": 8, \"to\": 11, \"count\": 1}, {\"from\": 12, "
        "\"count\": 1}]},\n"
        "    {\"scope\": \"a\", \"name\": \"empty\", \"unit\": \"bytes\", \"description\": \"none\", "
        "\"total\": 0, \"sum\": 0, \"min\": 0, \"max\": 0, \"mean\": null, \"buckets\": []}]\n}\n");
    json_error_t e;
    json_t *j = json_loads(text, 0, &e);
    assert_non_null(j);
    json_decref(j);
    free(text);
}

static void test_csv(void **state) {
    (void)state;
    char *text = printed(counter_print_csv);
    assert_string_equal(text, "scope,name,item,value,unit,description\r\n"
                              "a.l2,hits,value,1234,accesses,\"found, \"\"there\"\"\"\r\n"
                              ",misses,value,0,n,not found\r\n"
                              "a,half,value,617,,half of it\r\n"
                              "a,never,value,n/0,,by nothing\r\n"
                              "a,sizes,total,6,bytes,sizes of all\r\n"
                              "a,sizes,sum,47,bytes,sizes of all\r\n"
                              "a,sizes,min,5,bytes,sizes of all\r\n"
                              "a,sizes,max,19,bytes,sizes of all\r\n"
                              "a,sizes,mean,7.833333333333333,bytes,sizes of all\r\n"
                              "a,sizes,4..7,4,bytes,sizes of all\r\n"
                              "a,sizes,8..11,1,bytes,sizes of all\r\n"
                              "a,sizes,12..,1,bytes,sizes of all\r\n"
                              "a,empty,total,0,bytes,none\r\n"
                              "a,empty,sum,0,bytes,none\r\n"
                              "a,empty,min,0,bytes,none\r\n"
                              "a,empty,max,0,bytes,none\r\n"
                              "a,empty,mean,,bytes,none\r\n");
    free(text);
}

static void register_twice(void *context) {
    (void)context;
    uint64_t x = 0;
    struct counter_registry *r = counter_registry_create();
    counter_register(r, "a", "b", "", "", &x);
    counter_register_ratio(r, "a", "b", "", "", "1");
}

static void test_twice_is_a_panic(void **state) {
    (void)state;
    assert_true(panics(register_twice, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_registered_once_and_found),
        cmocka_unit_test(test_scope_and_name_do_not_run_together),
        cmocka_unit_test(test_many_keep_order_and_address),
        cmocka_unit_test(test_sum_by_scope),
        cmocka_unit_test(test_formulas),
        cmocka_unit_test(test_wrong_formulas_are_panics),
        cmocka_unit_test(test_intervals),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_twice_is_a_panic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
