/*
 * trace_long: a trace of any length, written step by step and checked step by step: at 10·i ps variable a is
 * trace_noise(i) and b the text "i" and i.
 */
#ifndef TESTS_SIM_TRACE_LONG_H
#define TESTS_SIM_TRACE_LONG_H

#include "tests/sim/trace_fixture.h"

/* Noise of 24 bits: enough for several flushes. */
static inline uint64_t trace_noise(uint64_t i) {
    return (i * 0x9e3779b97f4a7c15u) >> 40;
}

struct trace_long {
    struct trace *t;
    trace_variable a, b;
    uint64_t steps;
};

static inline struct trace_long trace_long_open(const char *path, const struct trace_options *options) {
    struct error e = {0};
    struct trace_long l = {.t = trace_open(path, options, &e)};
    if (!l.t) fail_msg("%s", e.message);
    l.a = trace_declare(l.t, "a", 24, TRACE_HEX);
    l.b = trace_declare(l.t, "b", 0, TRACE_STRING);
    return l;
}

static inline void trace_long_steps(struct trace_long *l, uint64_t n) {
    char text[32];
    for (; n > 0; n--, l->steps++) {
        snprintf(text, sizeof text, "i%lu", l->steps);
        trace_value(l->t, l->a, 10 * l->steps, trace_noise(l->steps));
        trace_string(l->t, l->b, 10 * l->steps, text);
    }
}

struct trace_long_found {
    uint64_t values, texts;
    bool wrong;
};

static inline void trace_long_text(void *user, uint64_t time, fstHandle handle, const unsigned char *value,
                                   uint32_t length) {
    struct trace_long_found *f = user;
    char expected[32];
    snprintf(expected, sizeof expected, "i%lu", f->texts);
    f->wrong |= handle != 2 || time != 10 * f->texts || length != strlen(expected) ||
                memcmp(value, expected, length) != 0;
    f->texts++;
}

static inline void trace_long_value(void *user, uint64_t time, fstHandle handle, const unsigned char *value) {
    struct trace_long_found *f = user;
    f->wrong |= handle != 1 || time != 10 * f->values ||
                strtoul((const char *)value, NULL, 2) != trace_noise(f->values);
    f->values++;
}

/* Steps that the file holds: all of them from the first, and right. */
static inline uint64_t trace_long_check(const char *path) {
    struct trace_long_found f = {0};
    void *reader = fstReaderOpen(path);
    assert_non_null(reader);
    fstReaderSetFacProcessMaskAll(reader);
    fstReaderIterBlocks2(reader, trace_long_value, trace_long_text, &f, NULL);
    fstReaderClose(reader);
    assert_false(f.wrong);
    assert_int_equal(f.values, f.texts);
    return f.values;
}

#endif
