/*
 * kernel_advance() is invisible: random processes on a clock and a signal do the same at the same times with
 * it and without. The seed is printed; LOCKSTEP_SEED=n repeats one.
 */
#include "sim/kernel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <cmocka.h>

static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

struct walker {
    struct kernel *kernel;
    struct process *process;
    struct signal *signal;
    bool advances;
    uint64_t random, advanced;
    FILE *out;
    int name;
};

static void walk(void *context) {
    struct walker *w = context;
    for (;;) {
        fprintf(w->out, "%lu/%lu:%d %lu\n", kernel_now(w->kernel), kernel_delta_count(w->kernel), w->name,
                signal_read(w->signal));
        w->random = mix(w->random + 1);
        if (w->random % 5 == 0) signal_write(w->signal, w->random >> 32);
        sim_time t = kernel_now(w->kernel) + (w->random >> 8) % 60;
        if (w->advances && kernel_advance(w->kernel, t)) {
            w->advanced++;
            continue;
        }
        process_next_trigger_at(w->process, t);
        return;
    }
}

static char *walks(uint64_t seed, bool advances, uint64_t *advanced) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct kernel *k = kernel_create();
    struct clock *clock = clock_create(k, "clock", 61, 2);
    struct signal *s = signal_create(k, "s", 8, 0);
    struct walker w[3];
    static const char *const names[] = {"walker0", "walker1", "walker2"};
    for (int i = 0; i < 3; i++) {
        w[i] = (struct walker){k, NULL, s, advances, mix(seed + (uint64_t)i), 0, out, i};
        w[i].process = process_create(k, names[i], walk, &w[i]);
        if (i == 0) process_sensitive(w[i].process, clock_posedge(clock));
        if (i == 1) process_sensitive(w[i].process, signal_changed(s));
    }
    struct error e = {0};
    for (sim_time t = 0; t <= 30000; t += 1500) assert_int_equal(kernel_run(k, t, &e), KERNEL_REACHED);
    fprintf(out, "%lu %lu\n", kernel_event_count(k), kernel_delta_count(k));
    for (int i = 0; i < 3; i++) *advanced += w[i].advanced;
    kernel_destroy(k);
    fclose(out);
    return text;
}

static void test_advance_is_invisible(void **state) {
    (void)state;
    const char *given = getenv("LOCKSTEP_SEED");
    const uint64_t seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
    uint64_t with = 0, without = 0;
    printf("seed %lu (LOCKSTEP_SEED=%lu repeats)\n", seed, seed);
    for (uint64_t i = 0; i < 20; i++) {
        char *a = walks(seed + i, true, &with), *b = walks(seed + i, false, &without);
        assert_string_equal(a, b);
        free(a);
        free(b);
    }
    assert_true(with > 1000);
    assert_int_equal(without, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_advance_is_invisible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
