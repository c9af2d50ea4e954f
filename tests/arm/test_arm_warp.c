/* The warp form of every row under random masks must have the effect of the thread form on each thread in
 * turn, and must not change threads outside the mask. */
#include "tests/arm/arm_random.h"

#include "model/arm/arm_vfp.h"
#include "model/control/exclusive_monitor.h"

#include <stdio.h>
#include <stdlib.h>

#define ROUNDS      60 /* instructions per row */
#define SPECIAL     9  /* rows before the registers */
#define STATE_ROWS  (SPECIAL + ARM_NEON_REGISTERS)
#define FPSCR_ROW   8
#define BUFFER      0x60000000u
#define READ_ONLY   0x60010000u
#define STACKS      0x50000000u
#define STACK_SIZE  256u
#define REGION_SIZE (STACK_SIZE * ARM_MAX_POSITIONS)

/* PC, next PC, N, Z, C, V, Q, GE, FPSCR, then registers, and of the warp stack objects. */
struct side {
    uint32_t rows[(STATE_ROWS + STACK_SIZE / 4) * ARM_MAX_POSITIONS];
    uint8_t bytes[3][REGION_SIZE];
    struct memory memory;
    struct exclusive_monitor monitor;
};

static struct side warp, threads;
static bool keeps_flags; /* the warp's cumulative exception flags */
static uint32_t stack_top[ARM_MAX_POSITIONS];

static void start(struct side *s) {
    memory_init(&s->memory);
    memory_add(&s->memory, MEMORY_BUFFER, BUFFER, REGION_SIZE, s->bytes[0], true, "buffer");
    memory_add(&s->memory, MEMORY_CODE, READ_ONLY, REGION_SIZE, s->bytes[1], false, "code");
    memory_add(&s->memory, MEMORY_STACK, STACKS, REGION_SIZE, s->bytes[2], true, "stacks");
    exclusive_monitor_init(&s->monitor, ARM_MAX_POSITIONS, 64, 1);
}

/* Returns a view of `positions` threads whose rows start at rows[0]. */
static struct arm_threads view(struct side *s, uint32_t *rows, unsigned positions, const uint32_t *tops) {
    uint32_t *special = rows;
    return (struct arm_threads){.positions = positions,
                                .registers = rows + (size_t)SPECIAL * positions,
                                .pc = special,
                                .next_pc = special + 1 * positions,
                                .n = special + 2 * positions,
                                .z = special + 3 * positions,
                                .c = special + 4 * positions,
                                .v = special + 5 * positions,
                                .q = special + 6 * positions,
                                .ge = special + 7 * positions,
                                .fpscr = special + 8 * positions,
                                .stack_top = tops,
                                .stack_size = STACK_SIZE,
                                .stack_row = ARM_NEON_REGISTERS,
                                .cumulative_flags = keeps_flags,
                                .memory = &s->memory,
                                .monitor = &s->monitor};
}

static uint32_t random_address(unsigned k, unsigned spread, unsigned place) {
    uint32_t offset = random_below(STACK_SIZE / 2) + STACK_SIZE / 4;
    if (random_below(16)) offset &= ~7u;
    if (spread == 3) return stack_top[k] - place; /* the same place of all threads */
    switch (spread ? random_below(8) : 0) {
    case 1: return stack_top[k] - offset;
    case 2: return random_below(4) ? BUFFER + offset * 4 : stack_top[0] - offset;
    case 3: return random_below(8) ? BUFFER + offset : READ_ONLY + offset;
    case 4: return random_below(16) ? BUFFER + offset : random_word();
    default: return BUFFER + offset * 8;
    }
}

static void randomize(const struct arm_instruction *i, unsigned positions) {
    struct arm_threads t = view(&warp, warp.rows, positions, stack_top);
    unsigned spread = random_below(4), place = 1 + random_below(STACK_SIZE - 1),
             control = random_below(4) == 0, vectors = random_below(8) == 0;
    if (random_below(8)) place = (place + 3) & ~3u;
    for (unsigned r = 0; r < STATE_ROWS * positions; r++) warp.rows[r] = random_value();
    for (unsigned k = 0; k < positions; k++) {
        if (i->is_load || i->is_store) {
            if (i->register_offset) t.registers[i->rm * positions + k] = random_below(32);
            t.registers[i->rn * positions + k] = random_address(k, spread, place);
        }
        if (i->class == ARM_CLASS_BRANCH) t.registers[i->rm * positions + k] &= ~3u;
        t.pc[k] = 0x10000;
        t.next_pc[k] = 0x10004;
        arm_set_apsr(&t, k, random_word() & 0xf80f0000);
        t.fpscr[k] = random_word() & (control ? 0xfbc00000 : 0xf8000000);
        t.fpscr[k] |= random_word() & random_word() & ARM_FPSCR_CUMULATIVE;
        if (vectors && random_below(8) == 0) t.fpscr[k] |= random_word() & ARM_FPSCR_SHORT_VECTOR;
    }
    for (unsigned b = 0; b < sizeof warp.bytes / 4; b += 1 + random_below(16))
        ((uint32_t *)warp.bytes)[b] = random_value() & (i->writes_pc ? ~3u : ~0u);
    memcpy(threads.rows, warp.rows, sizeof warp.rows);
    memcpy(threads.bytes, warp.bytes, sizeof warp.bytes);
    for (unsigned k = 0; k < ARM_MAX_POSITIONS; k++)
        exclusive_monitor_clear(&warp.monitor, k), exclusive_monitor_clear(&threads.monitor, k);
    for (unsigned k = 0; k < positions; k++) {
        if (random_below(4) == 0 || i->rn == 15) continue;
        uint32_t address = t.registers[i->rn * positions + k];
        exclusive_monitor_reserve(&warp.monitor, k, address);
        exclusive_monitor_reserve(&threads.monitor, k, address);
    }
}

static void copy_thread(uint32_t *rows, uint32_t *one, unsigned positions, unsigned k, bool out) {
    for (unsigned r = 0; r < STATE_ROWS; r++) {
        if (out)
            rows[r * positions + k] = one[r];
        else
            one[r] = rows[r * positions + k];
    }
}

/* Executes each thread of the mask separately, until the first fault. */
static void run_threads(uint32_t encoding, unsigned positions, uint64_t mask, struct arm_execution *sum) {
    struct arm_instruction i;
    arm_decode(encoding, 0x10000, &i);
    *sum = (struct arm_execution){.fault = ARM_FAULT_NONE};
    for (unsigned k = 0; k < positions; k++) {
        uint32_t one[STATE_ROWS];
        struct arm_execution x;
        if (!(mask >> k & 1)) continue;
        copy_thread(threads.rows, one, positions, k, false);
        struct arm_threads t = view(&threads, one, 1, &stack_top[k]);
        t.first_thread = k;
        arm_execute(&i, &t, 1, &x);
        sum->passed |= x.passed << k;
        if (x.fault != ARM_FAULT_NONE) {
            if (sum->fault == ARM_FAULT_NONE)
                sum->fault = x.fault, sum->fault_position = k, sum->fault_address = x.fault_address;
            continue;
        }
        sum->stored |= x.stored << k;
        if (x.passed) sum->address[k] = x.address[0];
        copy_thread(threads.rows, one, positions, k, true);
    }
}

static void complain(uint32_t encoding, unsigned positions, uint64_t mask, const char *what, unsigned row,
                     unsigned k) {
    char text[80];
    arm_disassemble(encoding, 0x10000, text, sizeof text);
    if (row < STATE_ROWS)
        print_message("warp %08x, threads %08x\n", warp.rows[row * positions + k],
                      threads.rows[row * positions + k]);
    fail_msg("%08x %s, %u positions, mask %016llx: %s: row %u, position %u", encoding, text, positions,
             (unsigned long long)mask, what, row, k);
}

/* Returns the bits of a row that must be equal. Row 15 is scratch; a single thread always has cumulative
 * flags. */
static uint32_t compared(const struct arm_instruction *i, unsigned row) {
    if (row == SPECIAL + 15) return 0;
    return row == FPSCR_ROW && !keeps_flags && i->row->operation != ARM_OP_vmsr ? ~ARM_FPSCR_CUMULATIVE : ~0u;
}

static void compare(uint32_t encoding, const struct arm_instruction *i, unsigned positions, uint64_t mask,
                    const struct arm_execution *x, const struct arm_execution *sum) {
    if (x->passed != sum->passed) complain(encoding, positions, mask, "passed", STATE_ROWS, 0);
    /* A warp checks all addresses before the values that it loads into the PC. */
    if (i->is_load && i->writes_pc && x->fault != ARM_FAULT_NONE && sum->fault == ARM_FAULT_TARGET) return;
    if (x->fault != sum->fault) complain(encoding, positions, mask, "fault", STATE_ROWS, x->fault_position);
    if (x->fault != ARM_FAULT_NONE) {
        if (x->fault_position != sum->fault_position || x->fault_address != sum->fault_address)
            complain(encoding, positions, mask, "place of fault", STATE_ROWS, x->fault_position);
        return;
    }
    if (x->stored != sum->stored) complain(encoding, positions, mask, "stored", STATE_ROWS, 0);
    for (unsigned r = 0; r < STATE_ROWS; r++)
        for (unsigned k = 0; k < positions; k++)
            if ((warp.rows[r * positions + k] ^ threads.rows[r * positions + k]) & compared(i, r))
                complain(encoding, positions, mask, "row", r, k);
    for (unsigned k = 0; k < positions; k++)
        if ((i->is_load || i->is_store) && x->passed >> k & 1 && x->address[k] != sum->address[k])
            complain(encoding, positions, mask, "address", STATE_ROWS, k);
    if (memcmp(warp.bytes, threads.bytes, sizeof warp.bytes) != 0)
        complain(encoding, positions, mask, "memory", STATE_ROWS, 0);
    if (warp.monitor.reserved != threads.monitor.reserved ||
        warp.monitor.bank[0].q.holds != threads.monitor.bank[0].q.holds)
        complain(encoding, positions, mask, "reservations", STATE_ROWS, 0);
}

/* Moves words of the stacks that are objects into the objects, and overwrites them in memory; or moves them
 * back. */
static void move_stack_objects(const struct arm_threads *t, bool back) {
    for (unsigned k = 0; k < t->positions; k++)
        for (unsigned n = 0; n < t->stack_objects; n++) {
            uint32_t *word = (uint32_t *)(void *)&warp.bytes[2][stack_top[k] - 4 * (n + 1) - STACKS];
            uint32_t *object = &t->registers[(ARM_NEON_REGISTERS + n) * t->positions + k];
            if (back) {
                *word = *object;
            } else {
                *object = *word;
                *word = random_word();
            }
        }
}

static enum arm_fault run_both(const struct arm_row *row, unsigned positions, uint64_t mask) {
    struct arm_instruction i;
    struct arm_execution x, sum;
    uint32_t encoding = random_encoding(row);
    for (unsigned k = 0; k < positions; k++) stack_top[k] = STACKS + REGION_SIZE - k * STACK_SIZE;
    keeps_flags = random_below(2);
    arm_decode(encoding, 0x10000, &i);
    randomize(&i, positions);
    i.hint = (uint16_t)random_below(4);
    struct arm_threads t = view(&warp, warp.rows, positions, stack_top);
    if (random_below(4)) t.stack_objects = random_below(STACK_SIZE / 4 + 1);
    move_stack_objects(&t, false);
    arm_execute(&i, &t, mask, &x);
    move_stack_objects(&t, true);
    run_threads(encoding, positions, mask, &sum);
    compare(encoding, &i, positions, mask, &x, &sum);
    return x.fault;
}

static enum arm_fault one(const struct arm_row *row) {
    static const unsigned sizes[] = {4, 8, 12, 16, 32, 36, 64};
    unsigned positions = sizes[random_below(sizeof sizes / sizeof *sizes)];
    uint64_t full = ~UINT64_C(0) >> (64 - positions), mask = full;
    if (random_below(2)) mask &= seed_next(&random_seed);
    if (random_below(4) == 0) mask &= seed_next(&random_seed) & seed_next(&random_seed);
    return run_both(row, positions, mask ? mask : 1);
}

/* Every mask of a small warp; of the usual one, every single thread and all but one. */
static void every_mask(void **state) {
    (void)state;
    const unsigned positions = getenv("LOCKSTEP_LONG") ? 8 : 4;
    random_seed = seed_start();
    start(&warp), start(&threads);
    for (unsigned r = 0; r < arm_row_count; r++) {
        for (uint64_t mask = 1; mask < UINT64_C(1) << positions; mask++)
            run_both(&arm_rows[r], positions, mask);
        for (unsigned k = 0; k < 32; k++) {
            run_both(&arm_rows[r], 32, UINT64_C(1) << k);
            run_both(&arm_rows[r], 32, UINT32_MAX & ~(UINT64_C(1) << k));
        }
    }
    exclusive_monitor_free(&warp.monitor), exclusive_monitor_free(&threads.monitor);
}

static void warp_is_its_threads(void **state) {
    (void)state;
    unsigned faults[ARM_FAULT_COUNT] = {0};
    random_seed = seed_start();
    start(&warp), start(&threads);
    for (unsigned r = 0; r < arm_row_count; r++) {
        unsigned sound = 0;
        for (unsigned k = 0; k < ROUNDS; k++) {
            enum arm_fault fault = one(&arm_rows[r]);
            sound += fault == ARM_FAULT_NONE;
            faults[fault]++;
        }
        if (!sound && arm_rows[r].operation != ARM_OP_svc) fail_msg("only faults: %s", arm_rows[r].pattern);
    }
    for (unsigned f = 0; f < ARM_FAULT_UNDEFINED; f++) assert_true(faults[f] > 0);
    exclusive_monitor_free(&warp.monitor), exclusive_monitor_free(&threads.monitor);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(warp_is_its_threads), cmocka_unit_test(every_mask)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
