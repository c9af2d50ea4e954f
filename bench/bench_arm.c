/*
 * bench_arm: thread-instructions per second of the ARM core, warp and thread form, by kind of instruction.
 * Each figure is the median of five runs. Usage: bench_arm [part of a name]
 */
#include "model/arm/arm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RUNS      5
#define POSITIONS 32
#define DATA      0x60000000u
#define DATA_SIZE 0x10000u

struct bench {
    const char *name;
    uint32_t code[16]; /* ends with 0 */
};

/* r0 holds the thread's number, r1 and r2 addresses of its own, 16 and 4 bytes apart, r3 is 3; s16–s31 and
 * d8–d15 hold ones. */
static const struct bench benches[] = {
    {"plain integer", {0xe0804003, 0xe0245000, 0xe2846007, 0xe1857006}},        /* add, eor, add #7, orr */
    {"shifted operands", {0xe0804103, 0xe0a45223, 0xe1a06445, 0xe0867364}},     /* lsl, lsr, asr, ror */
    {"flags", {0xe0904003, 0xe0b45000, 0xe3540010, 0xe2566001}},                /* adds, adcs, cmp, subs */
    {"conditional", {0xe3500010, 0x30804003, 0x22845001, 0x11a06004}},          /* cmp, addcc, addcs, movne */
    {"multiply", {0xe0040390, 0xe0254390, 0xe0876390, 0xe0684390}},             /* mul, mla, umull, mls */
    {"single float", {0xee380a28, 0xee681aa8, 0xee482a28, 0xee383a68}},         /* vadd, vmul, vmla, vsub */
    {"double float", {0xee380b09, 0xee281b09, 0xee082b09, 0xee383b49}},         /* vadd, vmul, vmla, vsub */
    {"divide", {0xee880a28, 0xeeb10ae8, 0xe734f310, 0xe714f310}},               /* vdiv, vsqrt, udiv, sdiv */
    {"compare and convert", {0xeeb48a68, 0xeef1fa10, 0xeebd0ac8, 0xeeb80ac0}},  /* vcmp, vmrs, vcvt, vcvt */
    {"memory, strewn", {0xe5914000, 0xe7915003, 0xed910a00, 0xe5814004}},       /* ldr, ldr, vldr, str */
    {"memory, side by side", {0xe5924000, 0xe5925004, 0xed920a00, 0xe5824004}}, /* ldr, ldr, vldr, str */
    {"mix, as of a kernel",
     {0xe5924000, 0xe0845003, 0xed920a01, 0xee680a28, 0xe2506001, 0xee081a28, 0xe1a07104, 0xe0877005,
      0xe3570010, 0xe5827008}},
};

static struct memory memory;
static uint8_t data[DATA_SIZE];
static uint32_t rows[(ARM_REGISTERS + 10) * ARM_MAX_POSITIONS];

static struct arm_threads threads(uint32_t positions) {
    uint32_t *row = rows + ARM_REGISTERS * positions;
    struct arm_threads t = {.positions = positions, .registers = rows, .memory = &memory};
    uint32_t **const special[] = {&t.pc, &t.next_pc, &t.n, &t.z, &t.c, &t.v, &t.q, &t.ge, &t.fpscr};
    memset(rows, 0, sizeof rows);
    for (unsigned s = 0; s < sizeof special / sizeof *special; s++) *special[s] = row + s * positions;
    for (unsigned k = 0; k < positions; k++) {
        for (unsigned s = 0; s < 16; s++) rows[(32 + s) * positions + k] = 0x3f800000;
        rows[k] = k;
        rows[positions + k] = DATA + 16 * k;
        rows[2 * positions + k] = DATA + 4 * k;
        rows[3 * positions + k] = 3;
    }
    return t;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int by_value(const void *a, const void *b) {
    const double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

/* Thread-instructions per second, in millions. */
static double measure(const struct bench *b, uint32_t positions, uint64_t mask) {
    static struct arm_execution x;
    struct arm_instruction code[16];
    unsigned length = 0, repetitions = positions == 1 ? 1000000 : 200000;
    double rate[RUNS];
    struct arm_threads t = threads(positions);
    for (; b->code[length]; length++) arm_decode(b->code[length], 0, &code[length]);
    for (unsigned run = 0; run < RUNS; run++) {
        double before = seconds();
        for (unsigned r = 0; r < repetitions; r++) {
            for (unsigned k = 0; k < length; k++) arm_execute(&code[k], &t, mask, &x);
            if (x.fault != ARM_FAULT_NONE) {
                fprintf(stderr, "bench_arm: fault %d in %s\n", x.fault, b->name);
                exit(1);
            }
        }
        double count = (double)repetitions * length * __builtin_popcountll(mask);
        rate[run] = count / (seconds() - before) * 1e-6;
    }
    qsort(rate, RUNS, sizeof *rate, by_value);
    return rate[RUNS / 2];
}

int main(int argc, char **argv) {
    const char *only = argc > 1 ? argv[1] : "";
    memory_init(&memory);
    memory_add(&memory, MEMORY_BUFFER, DATA, DATA_SIZE, data, true, "data");
    printf("arm: million thread-instructions per second, warps of %d\n", POSITIONS);
    printf("%-22s %10s %10s %10s\n", "", "full mask", "every 2nd", "1 thread");
    for (unsigned b = 0; b < sizeof benches / sizeof *benches; b++) {
        if (!strstr(benches[b].name, only)) continue;
        printf("%-22s %10.0f %10.0f %10.0f\n", benches[b].name, measure(&benches[b], POSITIONS, 0xffffffff),
               measure(&benches[b], POSITIONS, 0x55555555), measure(&benches[b], 1, 1));
    }
    return 0;
}
