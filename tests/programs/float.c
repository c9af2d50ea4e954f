/* Floating-point routines in both formats: linear equations, sums, transforms, conversions, comparisons. */
#include "program.h"

#define SIZE 12

static double unit(void) {
    return (double)next_random() * 0x1p-32;
}

static float bits_single(uint32_t bits) {
    float v;
    __builtin_memcpy(&v, &bits, sizeof v);
    return v;
}

#define ROUTINES(name, type, root)                                                                           \
    static void solve_##name(void) {                                                                         \
        static type a[SIZE][SIZE + 1];                                                                       \
        for (int r = 0; r < SIZE; r++)                                                                       \
            for (int c = 0; c <= SIZE; c++) a[r][c] = (type)(unit() * 2 - 1) + (r == c ? 4 : 0);             \
        for (int p = 0; p < SIZE; p++)                                                                       \
            for (int r = 0; r < SIZE; r++) {                                                                 \
                if (r == p) continue;                                                                        \
                const type factor = a[r][p] / a[p][p];                                                       \
                for (int c = p; c <= SIZE; c++) a[r][c] -= factor * a[p][c];                                 \
            }                                                                                                \
        for (int r = 0; r < SIZE; r++) put_bytes(&(type){a[r][SIZE] / a[r][r]}, sizeof(type));               \
    }                                                                                                        \
    static void orbit_##name(void) {                                                                         \
        type x = 1, y = 0, vx = 0, vy = (type)0.9;                                                           \
        for (int n = 0; n < 60; n++) {                                                                       \
            const type d = x * x + y * y, f = (type)0.01 / (d * root(d));                                    \
            vx -= x * f, vy -= y * f;                                                                        \
            x += vx * (type)0.01, y += vy * (type)0.01;                                                      \
        }                                                                                                    \
        put_bytes(&x, sizeof x), put_bytes(&y, sizeof y);                                                    \
    }                                                                                                        \
    static void escape_##name(void) {                                                                        \
        const type cx = (type)(unit() * 3 - 2), cy = (type)(unit() * 2 - 1);                                 \
        type x = 0, y = 0;                                                                                   \
        uint32_t n = 0;                                                                                      \
        for (; n < 100 && x * x + y * y < 4; n++) {                                                          \
            const type next = x * x - y * y + cx;                                                            \
            y = 2 * x * y + cy, x = next;                                                                    \
        }                                                                                                    \
        put_word(n);                                                                                         \
    }                                                                                                        \
    static void convert_##name(void) {                                                                       \
        const type v = (type)bits_single(next_random());                                                     \
        const bool sound = v > -2e9f && v < 2e9f;                                                            \
        put_word(sound ? (uint32_t)(int32_t)v : 0), put_word(v >= 0 && v < 4e9f ? (uint32_t)v : 0);          \
        put_long(v > -9e18f && v < 9e18f ? (uint64_t)(int64_t)v : 0);                                        \
        const type back[4] = {(type)(int32_t)next_random(), (type)next_random(),                             \
                              (type)(int64_t)((uint64_t)next_random() << 32), (type)(short)next_random()};   \
        put_bytes(back, sizeof back);                                                                        \
        const type w = (type)bits_single(next_random() & 0xffffff7f);                                        \
        put_word((uint32_t)((v < w) | (v <= w) << 1 | (v > w) << 2 | (v >= w) << 3 | (v == w) << 4 |         \
                            (v != w) << 5 | __builtin_isunordered(v, w) << 6));                              \
        const type r[5] = {v + w, v - w, v * w, v / w, root(v < 0 ? -v : v)};                                \
        put_bytes(r, sizeof r);                                                                              \
    }

ROUTINES(single, float, __builtin_sqrtf)
ROUTINES(double, double, __builtin_sqrt)

static void transform(void) {
    static double re[64], im[64];
    for (int n = 0; n < 64; n++) re[n] = unit(), im[n] = 0;
    for (int half = 32; half; half /= 2)
        for (int start = 0; start < 64; start += 2 * half)
            for (int n = start; n < start + half; n++) {
                const double x = re[n] - re[n + half], y = im[n] - im[n + half];
                re[n] += re[n + half], im[n] += im[n + half];
                re[n + half] = x * 0.6 - y * 0.8, im[n + half] = x * 0.8 + y * 0.6;
            }
    put_bytes(re, sizeof re), put_bytes(im, sizeof im);
}

void program(uint32_t count) {
    for (uint32_t n = 0; n < count; n++) {
        if (n % 16 == 0) solve_single(), solve_double(), orbit_single(), orbit_double(), transform();
        escape_single(), escape_double();
        convert_single(), convert_double();
    }
}
