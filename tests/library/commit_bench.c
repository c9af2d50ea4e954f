#include "tests/library/commit_bench.h"

#include "model/arm/coprocessor.h"
#include "tests/library/kernel_image.h"

#include <stdlib.h>
#include <string.h>

int bench_compile(void **state) {
    (void)state;
    return kernel_image_make("tests/kernels/commit.cl");
}

void must(bool good) {
    if (!good) fail_msg("%s", lockstep_error());
}

const struct lockstep_range bench_range = {{ITEMS}, {GROUP}};

/* A launch of the kernel, not begun. */
void bench_prepare(struct bench *b, const char *settings, const char *kernel) {
    const double a = 2;
    *b = (struct bench){0};
    b->machine = lockstep_create(NULL, settings, kernel_image_path);
    if (!b->machine) fail_msg("%s", lockstep_error());
    b->at_in = lockstep_buffer(b->machine, ITEMS * 8, (uint8_t **)&b->in);
    b->at_out = lockstep_buffer(b->machine, OUT_BYTES, (uint8_t **)&b->out);
    for (uint32_t n = 0; n < ITEMS; ++n) b->in[n] = n * 7 % 41 + 1;
    must(lockstep_kernel(b->machine, kernel));
    if (!strcmp(kernel, "scale")) {
        for (uint32_t n = 0; n < ITEMS; ++n) ((double *)(void *)b->in)[n] = n;
        must(lockstep_pointer(b->machine, b->at_in) && lockstep_value(b->machine, &a, sizeof a));
        return;
    }
    must(lockstep_pointer(b->machine, b->at_in) && lockstep_pointer(b->machine, b->at_out));
    if (!strcmp(kernel, "sums")) must(lockstep_local(b->machine, GROUP * 4));
}

void bench_begin(struct bench *b, const char *settings, const char *kernel) {
    bench_prepare(b, settings, kernel);
    b->checker = lockstep_checker_create(b->machine, &bench_range, UNITS);
    if (!b->checker) fail_msg("%s", lockstep_error());
    exclusive_monitor_init(&b->monitor, UNITS * b->checker->threads, 64, 100);
    b->design.monitor = &b->monitor;
    b->design.context = b;
}

void bench_end(struct bench *b) {
    design_free(&b->design);
    lockstep_checker_destroy(b->checker);
    exclusive_monitor_free(&b->monitor);
    lockstep_destroy(b->machine);
}

bool bench_run(struct bench *b) {
    return design_run(&b->design, b->checker, UNITS);
}

const char *const bench_modes[] = {"mode=mimd", "mode=simt simt.warp_size=16", "mode=simt simt.warp_size=64"};
bool bench_is_kind(const struct arm_instruction *i, const struct design_commit *t, enum kind kind) {
    const uint64_t registers = t->told.destinations & ((UINT64_C(1) << 48) - 1);
    switch (kind) {
    case ARITHMETIC: return registers && !i->is_load && !i->is_store && !i->is_coprocessor;
    case FLAGS: return t->told.destinations >> LOCKSTEP_NZCV & 1;
    case FPSCR: return t->told.destinations >> LOCKSTEP_FPSCR & 1;
    case VFP: return registers >> 16 && !i->is_load;
    case SEVERAL: return __builtin_popcountll(registers) > 1;
    case LOAD: return i->is_load && registers && i->is_access;
    case STORE: return i->is_store && i->is_access && i->access_bytes == 4 && t->told.passed;
    case STORE_HALF: return i->is_store && i->access_bytes == 2 && t->told.passed;
    case STORE_SEVERAL: return i->is_store && i->is_access && i->access_bytes > 4 && t->told.passed;
    case NOT_PASSED: return t->told.passed != t->told.mask;
    case CONDITIONAL: return i->condition != 14 && t->told.passed;
    case GROUP_TAKEN: return i->is_coprocessor && i->coprocessor_operation == COPROCESSOR_NEXT_GROUP;
    default: return true;
    }
}

struct design_commit *kept;
size_t kept_count;

static bool keep(struct design *d, const struct design_commit *t) {
    (void)d;
    struct design_commit *k = &kept[kept_count++];
    *k = *t;
    k->told.values = k->values;
    if (k->told.addresses) k->told.addresses = k->addresses;
    if (k->told.data) k->told.data = k->data;
    return kept_count < MOST;
}

/* Runs a core or a warp alone and records its reports. */
void bench_record(struct bench *b, const char *mode) {
    bench_begin(b, mode, "collatz");
    kept = calloc(MOST, sizeof *kept);
    assert_non_null(kept);
    kept_count = 0;
    b->design.commit = keep;
    b->design.one_warp = true;
    design_run(&b->design, b->checker, 1);
    assert_true(kept_count > 100);
}
