/* Comparison with qemu-arm: the sequences of test_arm_against_unicorn as parts of an ARM Linux program, and
 * single instructions with operands of every class. Registers, flags, FPSCR and memory after each run must
 * equal those of our single thread. Also: accesses that the architecture lets fault. Usage:
 * test_arm_against_qemu [runs]; docs/arm.md lists the disagreements. */
#include "tests/arm/arm_random.h"
#include "tests/arm/arm_sequence.h"
#include "tests/oracle/oracle_state.h"
#include "tests/spawn.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#define COMPARED_APSR  0xf80f0000u
#define COMPARED_FPSCR 0xfff7009fu
#define UNDEFINED      0xe7f000f0u /* fills the slots that control must not reach */
#define BATCH          4000u       /* runs of one process */
#define SHORT          8000u
#define LONG           200000u
#define SEQUENCES      (ORACLE_STATE_REGION / ARM_SEQUENCE_BYTES)

struct run {
    struct oracle_state before, after; /* ours */
    uint32_t single;                   /* encoding, if the run is a single instruction */
    bool passed;                       /* condition of the single instruction */
};

struct bench {
    struct arm_side side, scratch;
    struct arm_sequence sequence;
    struct arm_coverage *coverage;
    struct run *runs; /* BATCH */
    unsigned count;
    uint64_t executed;
};

static struct bench bench;

static void save(const struct arm_side *s, uint32_t base, struct oracle_state *out) {
    *out = (struct oracle_state){.base = base, .apsr = arm_get_apsr(&s->threads, 0), .fpscr = s->fpscr};
    memcpy(out->registers, s->registers, sizeof out->registers);
    memcpy(out->text, s->text, sizeof out->text);
    memcpy(out->page, s->page, sizeof out->page);
}

static uint32_t branch_to_leave(uint32_t slot) {
    return 0xea000000u | ((ORACLE_STATE_LEAVE / 4 - slot - 2) & 0xffffff);
}

/* --- runs --- */

/* A dependent sequence, from one state. */
static void add_sequence(struct bench *b) {
    const struct arm_sequence *q = &b->sequence;
    struct run *r = &b->runs[b->count++];
    r->single = 0;
    arm_sequence_begin(q, &b->side);
    b->side.text[q->length] = branch_to_leave(q->length);
    save(&b->side, q->base, &r->before);
    while (b->side.pc != q->end) {
        arm_sequence_step(&b->sequence, &b->side, b->coverage);
        b->executed++;
        assert_int_equal(b->side.x.fault, ARM_FAULT_NONE);
    }
    save(&b->side, q->base, &r->after);
}

/* Adds a run of a single instruction of a refreshed sequence. */
static void add_instruction(struct bench *b, unsigned slot) {
    struct arm_sequence *q = &b->sequence;
    struct run *r = &b->runs[b->count++];
    const uint32_t from = q->base + slot * 4;
    arm_sequence_begin(q, &b->side);
    b->side.pc = from;
    arm_sequence_refresh(q, &b->side, b->coverage);
    save(&b->side, from, &r->before);
    arm_sequence_step(q, &b->side, b->coverage);
    b->executed++;
    assert_int_equal(b->side.x.fault, ARM_FAULT_NONE);
    r->single = q->code[slot];
    r->passed = b->side.x.passed;
    const unsigned next = (b->side.pc - q->base) / 4;
    for (unsigned n = 0; n < ARM_SEQUENCE_SLOTS; n++)
        if (n != slot) r->before.text[n] = n == next ? branch_to_leave(n) : UNDEFINED;
    save(&b->side, from, &r->after);
    memcpy(r->after.text, r->before.text, ARM_SEQUENCE_SLOTS * 4);
    r->before.base = r->after.base = q->base;
    if (slot) r->before.text[0] = 0xea000000u | ((slot - 2) & 0xffffff);
    r->after.text[0] = r->before.text[0];
}

/* --- running and comparing --- */

static void complain(const struct run *r, const struct oracle_state *theirs, const char *what, uint32_t ours,
                     uint32_t other) {
    char text[80];
    for (unsigned n = 0; n < ARM_SEQUENCE_SLOTS && r->before.text[n] != branch_to_leave(n); n++) {
        arm_disassemble(r->before.text[n], r->before.base + n * 4, text, sizeof text);
        if (r->before.text[n] != UNDEFINED)
            print_message("%08x: %08x %s\n", r->before.base + n * 4, r->before.text[n], text);
    }
    for (unsigned n = 0; n < ARM_NEON_REGISTERS; n++)
        if (r->before.registers[n] != r->after.registers[n] || theirs->registers[n] != r->after.registers[n])
            print_message("%c%u: %08x -> ours %08x, qemu's %08x\n", n < 16 ? 'r' : 's', n < 16 ? n : n - 16,
                          r->before.registers[n], r->after.registers[n], theirs->registers[n]);
    print_message("before: APSR %08x, FPSCR %08x\n", r->before.apsr, r->before.fpscr);
    fail_msg("%s: ours %08x, qemu-arm's %08x", what, ours, other);
}

/* Ignores the CPSR of a single MRS outside the APSR: it is unknown to a program in User mode. */
static void forgive_mrs(const struct run *r, struct oracle_state *theirs) {
    struct arm_instruction i;
    if (!r->single) return;
    arm_decode(r->single, 0, &i);
    if (i.row->operation != ARM_OP_mrs || !r->passed) return;
    const uint32_t ours = r->after.registers[i.rd], other = theirs->registers[i.rd];
    theirs->registers[i.rd] = (other & COMPARED_APSR) | (ours & ~COMPARED_APSR);
}

static void compare(const struct run *r, struct oracle_state *theirs) {
    char name[16];
    forgive_mrs(r, theirs);
    if (theirs->signal) complain(r, theirs, "signal", theirs->signal, theirs->signal_pc);
    for (unsigned n = 0; n < ARM_NEON_REGISTERS; n++) {
        snprintf(name, sizeof name, "%c%u", n < 16 ? 'r' : 's', n < 16 ? n : n - 16);
        if (n != 15 && r->after.registers[n] != theirs->registers[n])
            complain(r, theirs, name, r->after.registers[n], theirs->registers[n]);
    }
    if ((r->after.apsr ^ theirs->apsr) & COMPARED_APSR)
        complain(r, theirs, "APSR", r->after.apsr, theirs->apsr);
    if ((r->after.fpscr ^ theirs->fpscr) & COMPARED_FPSCR)
        complain(r, theirs, "FPSCR", r->after.fpscr, theirs->fpscr);
    for (unsigned w = ORACLE_STATE_LEAVE / 4 + 2; w < 128; w++)
        if (r->after.text[w] != theirs->text[w])
            complain(r, theirs, "memory after the code", r->after.text[w], theirs->text[w]);
    if (memcmp(r->after.page, theirs->page, sizeof theirs->page) != 0) complain(r, theirs, "page", 0, 0);
}

/* Executes the runs under qemu-arm. Returns the resulting states (to be freed). */
static struct oracle_state *results(const struct run *runs, unsigned count) {
    char *folder = spawn_folder(), *input = spawn_text("%s/input", folder);
    char *output = spawn_text("%s/output", folder),
         *program = spawn_text("%s/tests/oracle_state", spawn_build());
    struct oracle_state *theirs = malloc(count * sizeof *theirs);
    FILE *f = fopen(input, "wb");
    for (unsigned n = 0; n < count; n++) assert_int_equal(fwrite(&runs[n].before, sizeof *theirs, 1, f), 1);
    assert_int_equal(fclose(f), 0);
    struct spawned s =
        spawn(folder, (char *[]){"qemu-arm", "-cpu", "cortex-a7", program, "input", "output", NULL});
    if (s.status != 0) fail_msg("qemu-arm: status %d\n%s", s.status, s.err);
    f = fopen(output, "rb");
    assert_int_equal(fread(theirs, sizeof *theirs, count, f), count);
    fclose(f);
    spawn_free(&s);
    spawn_remove_folder(folder);
    free(input), free(output), free(program);
    return theirs;
}

static void finish_batch(struct bench *b) {
    struct oracle_state *theirs = results(b->runs, b->count);
    for (unsigned n = 0; n < b->count; n++) compare(&b->runs[n], &theirs[n]);
    free(theirs);
    b->count = 0;
}

static unsigned runs;

static void agrees_with_qemu(void **state) {
    struct bench *b = &bench;
    (void)state;
    random_seed = seed_start();
    arm_side_start(&b->side), arm_side_start(&b->scratch);
    b->coverage = calloc(arm_row_count, sizeof *b->coverage);
    b->runs = calloc(BATCH, sizeof *b->runs);
    unsigned done = 0, instructions = 0;
    for (unsigned n = 0; done < runs; n++) {
        const uint32_t base = ARM_SEQUENCE_CODE + n % SEQUENCES * ARM_SEQUENCE_BYTES;
        arm_sequence_generate(&b->sequence, &b->scratch, base, n % 8 == 0, false);
        const unsigned before = b->count, most = b->sequence.refreshed ? b->sequence.length : 2;
        for (unsigned k = 0; k < most && b->count < BATCH; k++) {
            instructions += b->sequence.refreshed;
            if (b->sequence.refreshed)
                add_instruction(b, k);
            else
                add_sequence(b);
        }
        done += b->count - before;
        if (b->count == BATCH || done >= runs) finish_batch(b);
    }
    arm_coverage_report(b->coverage, false, runs >= LONG ? ARM_COVERAGE_CORNERS : ARM_COVERAGE_ROWS);
    print_message("%u sequences, %u single instructions, %llu executed in all\n", done - instructions,
                  instructions, (unsigned long long)b->executed);
    free(b->coverage), free(b->runs);
    arm_side_end(&b->side), arm_side_end(&b->scratch);
}

/* --- alignment --- */

/* Accesses of [r1]. `aligned`: alignment in bytes that the architecture requires (SCTLR.A is 0); 1: none. */
static const struct access {
    uint32_t encoding, aligned;
} accesses[] = {
    {0xe5912000, 1}, /* ldr r2, [r1] */
    {0xe5812000, 1}, /* str r2, [r1] */
    {0xe1d120b0, 1}, /* ldrh r2, [r1] */
    {0xe1c120b0, 1}, /* strh r2, [r1] */
    {0xe1d120f0, 1}, /* ldrsh r2, [r1] */
    {0xe1c120d0, 4}, /* ldrd r2, r3, [r1] */
    {0xe1c120f0, 4}, /* strd r2, r3, [r1] */
    {0xe8910004, 4}, /* ldm r1, {r2} */
    {0xe891000c, 4}, /* ldm r1, {r2, r3} */
    {0xe881000c, 4}, /* stm r1, {r2, r3} */
    {0xed910a00, 4}, /* vldr s0, [r1] */
    {0xed910b00, 4}, /* vldr d0, [r1] */
    {0xed810a00, 4}, /* vstr s0, [r1] */
    {0xed810b00, 4}, /* vstr d0, [r1] */
    {0xec910a02, 4}, /* vldmia r1, {s0-s1} */
    {0xec810b04, 4}, /* vstmia r1, {d0-d1} */
    {0xf421078f, 1}, /* vld1.32 {d0}, [r1] */
    {0xf421079f, 8}, /* vld1.32 {d0}, [r1 :64] */
    {0xf401078f, 1}, /* vst1.32 {d0}, [r1] */
    {0xf4a1083f, 4}, /* vld1.32 {d0[0]}, [r1 :32] */
    {0xf481045f, 2}, /* vst1.16 {d0[1]}, [r1 :16] */
    {0xe1d12f9f, 1}, /* ldrexb r2, [r1] */
    {0xe1f12f9f, 2}, /* ldrexh r2, [r1] */
    {0xe1912f9f, 4}, /* ldrex r2, [r1] */
    {0xe1b12f9f, 8}, /* ldrexd r2, r3, [r1] */
    {0xe1c14f92, 1}, /* strexb r4, r2, [r1] */
    {0xe1e14f92, 2}, /* strexh r4, r2, [r1] */
    {0xe1814f92, 4}, /* strex r4, r2, [r1] */
    {0xe1a14f92, 8}, /* strexd r4, r2, r3, [r1] */
};
#define ACCESSES (sizeof accesses / sizeof *accesses)

/* Returns whether an access is an exclusive store without a reservation. The manual checks alignment first
 * (ExclusiveMonitorsPass). QEMU checks it only after the reservation has been found valid, which is
 * impossible for a misaligned address. */
static bool is_unreserved_store(const struct access *a) {
    const unsigned operation = arm_row_find(a->encoding)->operation;
    return operation >= ARM_OP_strex && operation <= ARM_OP_strexd;
}

static void set_up(struct bench *b, uint32_t encoding) {
    struct arm_sequence *q = &b->sequence;
    *q = (struct arm_sequence){.base = ARM_SEQUENCE_CODE, .length = 1};
    q->code[0] = encoding;
    q->code[1] = branch_to_leave(1);
    arm_decode(encoding, q->base, &q->decoded[0]);
    arm_sequence_begin(q, &b->side);
}

static void run_alone(struct bench *b, struct run *r) {
    struct arm_sequence *q = &b->sequence;
    save(&b->side, q->base, &r->before);
    arm_sequence_step(q, &b->side, b->coverage);
    save(&b->side, q->base, &r->after);
}

static void access_at(struct bench *b, struct run *r, const struct access *a, uint32_t offset) {
    set_up(b, a->encoding);
    b->side.registers[1] = ARM_SEQUENCE_PAGE + 256 + offset;
    run_alone(b, r);
    assert_int_equal(b->side.x.fault, offset % a->aligned ? ARM_FAULT_MISALIGNED : ARM_FAULT_NONE);
}

static void misaligned_accesses_fault_as_the_architecture_says(void **state) {
    struct bench *b = &bench;
    (void)state;
    random_seed = seed_start();
    arm_side_start(&b->side);
    b->coverage = calloc(arm_row_count, sizeof *b->coverage);
    b->runs = calloc(ACCESSES * 8, sizeof *b->runs);
    for (unsigned n = 0; n < ACCESSES * 8; n++) access_at(b, &b->runs[n], &accesses[n / 8], n % 8);
    struct oracle_state *theirs = results(b->runs, ACCESSES * 8);
    for (unsigned n = 0; n < ACCESSES * 8; n++) {
        const struct access *a = &accesses[n / 8];
        if (n % 8 % a->aligned) {
            assert_memory_equal(b->runs[n].after.registers, b->runs[n].before.registers, 15 * 4);
            if (is_unreserved_store(a) && !theirs[n].signal) continue;
            if (theirs[n].signal != SIGBUS)
                complain(&b->runs[n], &theirs[n], "signal", SIGBUS, theirs[n].signal);
            theirs[n].signal = 0;
        }
        compare(&b->runs[n], &theirs[n]);
    }
    free(theirs), free(b->coverage), free(b->runs);
    arm_side_end(&b->side);
}

/* --- undefined encodings --- */

/* Returns an APSR with which the condition holds. */
static uint32_t condition_flags(unsigned condition) {
    for (uint32_t nzcv = 0; nzcv < 16; nzcv++) {
        const bool n = nzcv >> 3 & 1, z = nzcv >> 2 & 1, c = nzcv >> 1 & 1, v = nzcv & 1;
        const bool holds[8] = {z, c, n, v, c && !z, n == v, n == v && !z, true};
        if (condition >= 14 || holds[condition / 2] != (condition & 1)) return nzcv << 28;
    }
    return 0;
}

/* Returns whether an encoding is an FPA11 instruction (co-processors 1 and 2, before VFP). qemu-arm emulates
 * it for Linux programs, as Linux may. */
static bool is_fpa11(uint32_t e) {
    const uint32_t coprocessor = e >> 8 & 15;
    return (e & 0x0c000000) == 0x0c000000 && (coprocessor == 1 || coprocessor == 2);
}

static uint32_t undefined_encoding(void) {
    for (;;) {
        const uint32_t e =
            random_word() | (random_below(4) ? 0xe0000000 : 0); /* always, or of the space 1111 */
        const char *why = arm_refusal(e);
        if (why && strcmp(why, "undefined") == 0 && !is_fpa11(e)) return e;
    }
}

/* Encodings that the table refuses as undefined, without another reason, raise SIGILL. */
static void undefined_is_undefined(void **state) {
    struct bench *b = &bench;
    const unsigned count = runs < LONG ? 1000 : BATCH;
    (void)state;
    random_seed = seed_start();
    arm_side_start(&b->side);
    b->runs = calloc(count, sizeof *b->runs);
    for (unsigned n = 0; n < count; n++) {
        const uint32_t e = undefined_encoding();
        b->sequence = (struct arm_sequence){.base = ARM_SEQUENCE_CODE, .length = 1};
        b->sequence.code[0] = e;
        b->sequence.code[1] = branch_to_leave(1);
        arm_sequence_begin(&b->sequence, &b->side);
        arm_set_apsr(&b->side.threads, 0, condition_flags(e >> 28));
        for (unsigned r = 0; r < 15; r++) b->side.registers[r] = ARM_SEQUENCE_PAGE + 1024;
        save(&b->side, ARM_SEQUENCE_CODE, &b->runs[n].before);
        b->runs[n].after = b->runs[n].before;
    }
    struct oracle_state *theirs = results(b->runs, count);
    for (unsigned n = 0; n < count; n++)
        if (theirs[n].signal != SIGILL)
            complain(&b->runs[n], &theirs[n], "signal of an undefined encoding", SIGILL, theirs[n].signal);
    free(theirs), free(b->runs);
    arm_side_end(&b->side);
}

/* --- where Unicorn 2.0.1 is wrong --- */

/* smlad r0, r1, r2, r3: Q is set if the sum of products and accumulator overflows, whether or not the sum of
 * the products alone does. */
static void smlad_sets_q_by_its_result(void **state) {
    static const struct {
        uint32_t r1, r2, r3, r0;
        bool q;
    } cases[] = {{0x80008000, 0x80008000, 0x80000000, 0, false},
                 {0x80008000, 0x80008000, 0, 0x80000000, true},
                 {0x80008000, 0x80008000, 0xffffffff, 0x7fffffff, false},
                 {0x7fff7fff, 0x7fff7fff, 0x7fffffff, 0xfffe0001, true}};
    struct bench *b = &bench;
    struct run all[sizeof cases / sizeof *cases] = {0};
    const unsigned count = sizeof cases / sizeof *cases;
    (void)state;
    random_seed = seed_start();
    arm_side_start(&b->side);
    b->coverage = calloc(arm_row_count, sizeof *b->coverage);
    for (unsigned n = 0; n < count; n++) {
        set_up(b, 0xe7003211);
        b->side.q = 0;
        b->side.registers[1] = cases[n].r1;
        b->side.registers[2] = cases[n].r2;
        b->side.registers[3] = cases[n].r3;
        run_alone(b, &all[n]);
        assert_int_equal(b->side.registers[0], cases[n].r0);
        assert_int_equal(b->side.q, cases[n].q);
    }
    struct oracle_state *theirs = results(all, count);
    for (unsigned n = 0; n < count; n++) compare(&all[n], &theirs[n]);
    free(theirs), free(b->coverage);
    arm_side_end(&b->side);
}

int main(int argc, char **argv) {
    runs = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : getenv("LOCKSTEP_LONG") ? LONG : SHORT;
    const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_qemu),
                                       cmocka_unit_test(misaligned_accesses_fault_as_the_architecture_says),
                                       cmocka_unit_test(undefined_is_undefined),
                                       cmocka_unit_test(smlad_sets_q_by_its_result)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
