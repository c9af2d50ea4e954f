#include "tests/device/runner.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

const unsigned kind_bytes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};

const struct function functions[FUNCTION_COUNT] = {
#define X(id, R, A, B, C, expression) {#id, KIND_##R, KIND_##A, KIND_##B, KIND_##C},
#include "tests/device/functions.def"
#undef X
};

struct calls calls[FUNCTION_COUNT];
static uint64_t random_state;

uint64_t runner_random(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state * 0x2545f4914f6cdd1dull;
}

void runner_seed(void) {
    const char *seed = getenv("SEED");
    random_state = seed ? strtoull(seed, NULL, 0) : 20180501;
    print_message("SEED=%llu\n", (unsigned long long)random_state);
    if (random_state == 0) random_state = 1;
}

static const double special_double[] = {
    0.0,      -0.0,      1.0, -1.0,    0.5,      -0.5,    2.0,    -2.0,    3.0,    -2.5,   10.0,    100.5,
    INFINITY, -INFINITY, NAN, DBL_MAX, -DBL_MAX, DBL_MIN, 5e-324, -5e-324, 0x1p52, 0x1p53, -0x1p63, 0x1p64};
static const float special_float[] = {0.0f,     -0.0f,     1.0f,    -1.0f,   0.5f,     -0.5f,
                                      2.0f,     -2.0f,     3.0f,    -2.5f,   10.0f,    100.5f,
                                      INFINITY, -INFINITY, NAN,     FLT_MAX, -FLT_MAX, FLT_MIN,
                                      1e-45f,   -1e-45f,   0x1p23f, 0x1p24f, -0x1p31f, 0x1p64f};
static const int64_t special_integer[] = {0,   1,     -1,    2,     -2,      3,       7,         -7,
                                          31,  32,    63,    64,    127,     128,     -128,      255,
                                          256, 32767, 32768, 65535, INT_MAX, INT_MIN, INT64_MAX, INT64_MIN};
enum { SPECIALS = 24 };

/* Returns a random double: one in four consists of random bits, with every exponent; the others are in the
 * range where functions change. */
static double random_double(bool single) {
    const uint64_t bits = runner_random();
    const double unit = (double)(bits >> 11) * 0x1p-53, sign = bits & 1 ? -1 : 1;
    switch (bits >> 1 & 3) {
    case 0: {
        uint64_t raw = runner_random();
        double d;
        float f;
        if (single) {
            memcpy(&f, &raw, sizeof f);
            return (double)f;
        }
        memcpy(&d, &raw, sizeof d);
        return d;
    }
    case 1: return sign * unit;
    case 2: return sign * ldexp(1 + unit, (int)(runner_random() % 20) - 10);
    default: return sign * unit * 750;
    }
}

static void set_element(void *array, enum kind kind, unsigned i, unsigned special) {
    if (kind == KIND_float) {
        ((float *)array)[i] = special < SPECIALS ? special_float[special] : (float)random_double(true);
    } else if (kind == KIND_double) {
        ((double *)array)[i] = special < SPECIALS ? special_double[special] : random_double(false);
    } else {
        const uint64_t random = runner_random();
        const uint64_t value = special < SPECIALS ? (uint64_t)special_integer[special]
                                                  : (uint64_t)((int64_t)random >> (runner_random() & 63));
        memcpy((char *)array + (size_t)i * kind_bytes[kind], &value, kind_bytes[kind]);
    }
}

void runner_operands(enum function_id id, unsigned n) {
    const struct function *f = &functions[id];
    struct calls *c = &calls[id];
    *c = (struct calls){n, calloc(n, kind_bytes[f->a]), calloc(n, kind_bytes[f->b]),
                        calloc(n, kind_bytes[f->c]), calloc(n, kind_bytes[f->result])};
    assert_true(c->a && c->b && c->c && c->result);
    for (unsigned i = 0; i < n; i++) {
        set_element(c->a, f->a, i, i < SPECIALS * SPECIALS ? i % SPECIALS : SPECIALS);
        set_element(c->b, f->b, i, i < SPECIALS * SPECIALS ? i / SPECIALS : SPECIALS);
        set_element(c->c, f->c, i, i % 3 == 0 ? (unsigned)(runner_random() % SPECIALS) : SPECIALS);
    }
}

static void write_requests(FILE *out) {
    for (uint32_t id = 0; id < FUNCTION_COUNT; id++) {
        const struct function *f = &functions[id];
        const struct calls *c = &calls[id];
        if (c->n == 0) continue;
        const uint32_t request[2] = {id, c->n};
        fwrite(request, sizeof request, 1, out);
        fwrite(c->a, kind_bytes[f->a], c->n, out);
        fwrite(c->b, kind_bytes[f->b], c->n, out);
        fwrite(c->c, kind_bytes[f->c], c->n, out);
    }
    assert_false(ferror(out));
}

void runner_run(void) {
    const char *b = getenv("B");
    char program[4096];
    snprintf(program, sizeof program, "%s/tests/device/functions", b ? b : "build");
    FILE *in = tmpfile(), *out = tmpfile();
    assert_true(in && out);
    write_requests(in);
    fflush(in);
    rewind(in);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(fileno(in), 0);
        dup2(fileno(out), 1);
        execlp("qemu-arm", "qemu-arm", program, (char *)NULL);
        perror("qemu-arm");
        _exit(127);
    }
    int status;
    waitpid(child, &status, 0);
    if (status != 0) fail_msg("qemu-arm %s: status %#x", program, (unsigned)status);
    rewind(out);
    for (unsigned id = 0; id < FUNCTION_COUNT; id++) {
        struct calls *c = &calls[id];
        if (c->n != 0) assert_int_equal(fread(c->result, kind_bytes[functions[id].result], c->n, out), c->n);
    }
    fclose(in);
    fclose(out);
}

void runner_free(void) {
    for (unsigned id = 0; id < FUNCTION_COUNT; id++) {
        free(calls[id].a);
        free(calls[id].b);
        free(calls[id].c);
        free(calls[id].result);
    }
    memset(calls, 0, sizeof calls);
}

long double runner_value(const void *array, enum kind kind, unsigned i) {
    if (kind == KIND_float) return (long double)((const float *)array)[i];
    if (kind == KIND_double) return (long double)((const double *)array)[i];
    return (long double)runner_integer(array, kind, i);
}

__int128 runner_integer(const void *array, enum kind kind, unsigned i) {
    switch (kind) {
    case KIND_char: return ((const type_char *)array)[i];
    case KIND_uchar: return ((const type_uchar *)array)[i];
    case KIND_short: return ((const type_short *)array)[i];
    case KIND_ushort: return ((const type_ushort *)array)[i];
    case KIND_int: return ((const type_int *)array)[i];
    case KIND_uint: return ((const type_uint *)array)[i];
    case KIND_long: return ((const type_long *)array)[i];
    case KIND_ulong: return ((const type_ulong *)array)[i];
    default: return 0;
    }
}
