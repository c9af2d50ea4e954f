/* Integer routines: bits, division, multiple precision, recursion, tables of functions. */
#include "program.h"

static uint32_t crc32(const uint8_t *bytes, size_t size) {
    uint32_t crc = ~0u;
    for (size_t n = 0; n < size; n++) {
        crc ^= bytes[n];
        for (unsigned bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

static uint32_t primes_below(uint32_t limit) {
    static uint8_t composite[10000];
    uint32_t count = 0;
    for (uint32_t n = 0; n < limit; n++) composite[n] = 0;
    for (uint32_t n = 2; n < limit; n++) {
        if (composite[n]) continue;
        count++;
        for (uint32_t m = n * n; m < limit; m += n) composite[m] = 1;
    }
    return count;
}

static uint64_t greatest_divisor(uint64_t a, uint64_t b) {
    while (b) {
        const uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

static uint32_t ackermann(uint32_t m, uint32_t n) {
    if (m == 0) return n + 1;
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static unsigned collatz(uint64_t n) {
    unsigned steps = 0;
    for (; n != 1; steps++) n = n & 1 ? 3 * n + 1 : n >> 1;
    return steps;
}

/* n! in words, lowest first. */
static unsigned factorial(unsigned n, uint32_t *words) {
    unsigned used = 1;
    words[0] = 1;
    for (unsigned k = 2; k <= n; k++) {
        uint64_t carry = 0;
        for (unsigned w = 0; w < used; w++) {
            carry += (uint64_t)words[w] * k;
            words[w] = (uint32_t)carry;
            carry >>= 32;
        }
        if (carry) words[used++] = (uint32_t)carry;
    }
    return used;
}

static uint32_t isqrt(uint32_t v) {
    uint32_t root = 0;
    for (uint32_t bit = 1u << 30; bit; bit >>= 2) {
        const uint32_t trial = root + bit;
        root >>= 1;
        if (v < trial) continue;
        v -= trial;
        root += bit;
    }
    return root;
}

static int64_t add(int64_t a, int64_t b) {
    return a + b;
}
static int64_t subtract(int64_t a, int64_t b) {
    return a - b;
}
static int64_t multiply(int64_t a, int64_t b) {
    return (int64_t)((uint64_t)a * (uint64_t)b);
}
static int64_t divide(int64_t a, int64_t b) {
    return b && b != -1 ? a / b : 0;
}
static int64_t rest(int64_t a, int64_t b) {
    return b && b != -1 ? a % b : 0;
}
static int64_t shift(int64_t a, int64_t b) {
    return a >> (b & 63);
}
static int64_t (*const operations[])(int64_t, int64_t) = {add, subtract, multiply, divide, rest, shift};

static void arithmetic(void) {
    const uint32_t a = next_random(), b = next_random() >> (next_random() & 31);
    const int32_t sa = (int32_t)a, sb = (int32_t)b;
    put_word(b ? a / b : 0);
    put_word(b ? a % b : 0);
    put_word(b && sb != -1 ? (uint32_t)(sa / sb) : 0);
    put_word(b && sb != -1 ? (uint32_t)(sa % sb) : 0);
    put_word((uint32_t)(((int64_t)sa * sb) >> 32));
    put_word((a << (b & 31)) | (a >> (-b & 31)));
    put_word((uint32_t)__builtin_clz(a | 1) + 256 * (uint32_t)__builtin_ctz(b | 1u << 31));
    put_word((uint32_t)((int16_t)a * (int16_t)(b >> 16)) + (uint8_t)b);
    put_word(__builtin_bswap32(a) ^ (a & 0xff00ff00));
    put_word((uint32_t)((sa > sb) | (a > b) << 1 | (sa <= 0) << 2 | (sa == sb) << 3));
}

static void wide(void) {
    const uint64_t a = (uint64_t)next_random() << 32 | next_random(), b = a * 0x9e3779b97f4a7c15u;
    const unsigned by = next_random() & 63;
    for (unsigned n = 0; n < sizeof operations / sizeof *operations; n++)
        put_long((uint64_t)operations[n]((int64_t)a, (int64_t)b >> by));
    put_long(a << by ^ b >> by);
    put_long(a / ((b >> by) | 1));
    put_long(greatest_divisor(a, b));
}

static uint32_t chosen(uint32_t n) {
    switch (n % 11) {
    case 0: return n * 3;
    case 1: return n ^ 0x55;
    case 2: return ~n;
    case 3: return n << 3;
    case 4: return n / 7;
    case 5: return n % 13;
    case 6: return 0u - n;
    case 7: return n * n;
    case 8: return n | 0x100;
    case 9: return n & 0xf0f0;
    default: return 1;
    }
}

void program(uint32_t count) {
    static uint32_t big[200];
    for (uint32_t n = 0; n < count; n++) {
        arithmetic();
        wide();
        put_word(chosen(n + next_random() % 100));
        put_word(isqrt(next_random()));
        put_word(collatz(next_random() % 10000 + 1));
    }
    put_word(primes_below(10000));
    put_word(ackermann(2, 9));
    put_bytes(big, 4 * factorial(300, big));
    put_word(crc32((const uint8_t *)big, sizeof big));
}
