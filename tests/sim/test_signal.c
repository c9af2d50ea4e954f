/* Signals: written values are visible after the update phase. */
#include "tests/sim/kernel_fixture.h"

static uint64_t seen[4];
STEP(write_and_read, signal_write(s1, 0x1a); seen[0] = signal_read(s1))
STEP(read_again, seen[1] = signal_read(s1))
STEP(write_same, signal_write(s1, 5))
STEP(write_and_back, signal_write(s1, 6); signal_write(s1, 5))
STEP(write_0, signal_write(s1, 0))
STEP(write_3_twice, signal_write(s1, 3); event_notify_delta(e1); signal_write(s1, 3))

/* --- signals --- */

static void test_signal_is_seen_after_update(void **state) {
    (void)state;
    struct actor a = {"a", {write_and_read}, NULL, 0}, b = {"b", {read_again}, NULL, 0}, c = {.name = "c"};
    create(&a, NULL);
    create(&b, NULL);
    process_dont_initialize(create(&c, signal_changed(s1)));
    run(0);
    assert_int_equal(seen[0], 5);
    assert_int_equal(seen[1], 5);
    assert_int_equal(signal_read(s1), 0xa); /* masked to four bits */
    assert_string_equal(log_text, "a@0/0 b@0/0 c@0/1 ");
    assert_int_equal(signal_width(s1), 4);
    assert_string_equal(signal_name(s1), "s1");
}

static void test_signal_events(void **state) {
    (void)state;
    struct actor a = {
        "a", {write_same, write_and_back, write_0, write_0, write_and_read, write_3_twice}, NULL, 0};
    struct actor c = {.name = "c"}, p = {.name = "p"}, n = {.name = "n"}, x = {.name = "x"};
    create(&a, e2);
    process_dont_initialize(create(&c, signal_changed(s1)));
    process_dont_initialize(create(&p, signal_posedge(s1)));
    process_dont_initialize(create(&n, signal_negedge(s1)));
    process_dont_initialize(create(&x, e1));
    run(0);
    const char *const expected[] = {"", "c@2/3 n@2/3 ", "", "c@4/6 p@4/6 ", "x@5/8 c@5/8 "};
    const char *const own[] = {"a@1/1 ", "a@2/2 ", "a@3/4 ", "a@4/5 ", "a@5/7 "};
    for (sim_time t = 1; t <= 5; t++) {
        log_text[0] = 0;
        event_notify_after(e2, 1);
        run(t);
        char both[64];
        snprintf(both, sizeof both, "%s%s", own[t - 1], expected[t - 1]);
        assert_string_equal(log_text, both);
    }
}

static void test_signal_written_before_the_run(void **state) {
    (void)state;
    struct actor a = {"a", {read_again}, NULL, 0}, c = {.name = "c"};
    create(&a, NULL);
    process_dont_initialize(create(&c, signal_changed(s1)));
    signal_write(s1, 9);
    run(0);
    assert_string_equal(log_text, "a@0/0 c@0/1 ");
    assert_int_equal(signal_read(s1), 9);
}

static void test_64_bits(void **state) {
    (void)state;
    struct signal *wide = signal_create(k, "wide", 64, UINT64_MAX);
    assert_int_equal(signal_read(wide), UINT64_MAX);
    struct signal *bit = signal_create(k, "bit", 1, 6);
    assert_int_equal(signal_read(bit), 0);
}

/* --- bits and wide signals --- */

static struct signal *vector;
STEP(write_bits, signal_write_bit(vector, 3, true); signal_write_bit(vector, 0, true);
     signal_write_bit(vector, 3, false); signal_write_bit(vector, 7, true))

static void test_bits_are_written_one_by_one(void **state) {
    (void)state;
    vector = signal_create(k, "vector", 8, 0x48);
    struct actor a = {"a", {write_bits}, NULL, 0}, c = {.name = "c"};
    create(&a, NULL);
    process_dont_initialize(create(&c, signal_changed(vector)));
    run(0);
    assert_int_equal(signal_read(vector), 0xc1);
    assert_string_equal(log_text, "a@0/0 c@0/1 ");
}

static const uint64_t words[][3] = {{5, 0, 7}, {5, 0, UINT64_MAX}, {5, 1, 1},
                                    {5, 1, 1}, {0, 0, 2},          {0, 8, 0}};
static unsigned written;

static void write_words(struct process *p) {
    (void)p;
    signal_write_wide(vector, words[written++]);
}

/* 129 bits: of the third word only the lowest counts. */
static void test_wide_signal(void **state) {
    (void)state;
    written = 0;
    vector = signal_create_wide(k, "vector", 129, words[0]);
    assert_true(signal_is_wide(vector));
    assert_int_equal(signal_width(vector), 129);
    struct actor a = {
        "a", {NULL, write_words, write_words, write_words, write_words, write_words, write_words}, NULL, 0};
    struct actor c = {.name = "c"}, r = {.name = "r"}, f = {.name = "f"};
    create(&a, e1);
    process_dont_initialize(create(&c, signal_changed(vector)));
    process_dont_initialize(create(&r, signal_posedge(vector)));
    process_dont_initialize(create(&f, signal_negedge(vector)));
    assert_int_equal(signal_read_wide(vector)[2], 1);
    const char *const expected[] = {
        "a@1/1 ", "a@2/2 ", "a@3/3 c@3/4 ", "a@4/5 ", "a@5/6 c@5/7 f@5/7 ", "a@6/8 c@6/9 r@6/9 "};
    for (unsigned t = 1; t <= 6; t++) {
        run(t - 1);
        log_text[0] = 0;
        event_notify_after(e1, 1);
        run(t);
        assert_string_equal(log_text, expected[t - 1]);
        assert_int_equal(signal_read_wide(vector)[2], words[t - 1][2] & 1);
        assert_int_equal(signal_read(vector), words[t - 1][0]);
    }
}

static void write_wide_as_narrow(void *context) {
    signal_write(context, 5);
    run(10);
}

static void test_signal_write_is_not_for_wide_signals(void **state) {
    (void)state;
    assert_true(panics(write_wide_as_narrow, signal_create_wide(k, "w", 100, NULL)));
}

static void test_no_bits(void **state) {
    (void)state;
    assert_int_equal(signal_width(signal_create_wide(k, "w", 64, NULL)), 64);
    assert_int_equal(signal_width(s1), 4);
    assert_false(signal_is_wide(s1));
}

static void make_none(void *context) {
    (void)context;
    signal_create(k, "none", 0, 0);
}
static void make_too_wide(void *context) {
    (void)context;
    signal_create(k, "wide", 65, 0);
}
static void test_width_out_of_range(void **state) {
    (void)state;
    assert_true(panics(make_none, NULL));
    assert_true(panics(make_too_wide, NULL));
}

/* --- looking on --- */

static uint64_t watched[8];
static unsigned watch_count;
static void look(void *context, const struct signal *s, sim_time now) {
    assert_ptr_equal(context, &watch_count);
    watched[watch_count++ % 8] = now * 100 + signal_read(s);
}

STEP(write_6, signal_write(s1, 6))
STEP(write_7, signal_write(s1, 7))

/* The listener, which a signal runs directly, runs alike; so does everything else. */
static void test_a_watch_changes_nothing(void **state) {
    (void)state;
    for (int with = 0; with < 2; with++) {
        start_anew();
        watch_count = 0;
        struct actor a = {"a", {write_6, write_7}, NULL, 0}, c = {.name = "c"};
        create(&a, e1);
        process_dont_initialize(create(&c, signal_changed(s1)));
        if (with) signal_watch(s1, look, &watch_count);
        event_notify_after(e1, 3);
        event_notify_after(e2, 9);
        run(5);
        if (with) signal_unwatch(s1, look, &watch_count);
        signal_write(s1, 1);
        run(6);
        assert_string_equal(log_text, "a@0/0 c@0/1 a@3/2 c@3/3 c@5/4 ");
        assert_int_equal(watch_count, with ? 2 : 0);
        if (with) assert_int_equal(watched[0], 6);
        if (with) assert_int_equal(watched[1], 307);
    }
}

/* Signals can be created during the simulation, with updates pending. */
static struct signal *made[40];
static void make_more(struct process *p) {
    (void)p;
    for (unsigned i = 0; i < 40; i++) {
        char name[8];
        snprintf(name, sizeof name, "m%u", i);
        made[i] = signal_create(k, name, 8, 0);
        signal_write(made[i], i + 1);
    }
}
static void test_signals_made_while_running(void **state) {
    (void)state;
    struct actor a = {"a", {make_more}, NULL, 0};
    create(&a, NULL);
    run(1);
    for (unsigned i = 0; i < 40; i++) assert_int_equal(signal_read(made[i]), i + 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_signal_is_seen_after_update),
        TEST(test_signal_events),
        TEST(test_signal_written_before_the_run),
        TEST(test_64_bits),
        TEST(test_bits_are_written_one_by_one),
        TEST(test_wide_signal),
        TEST(test_signal_write_is_not_for_wide_signals),
        TEST(test_no_bits),
        TEST(test_width_out_of_range),
        TEST(test_a_watch_changes_nothing),
        TEST(test_signals_made_while_running),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
