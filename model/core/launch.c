#include "model/core/launch.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

const char *const machine_cause_name[MACHINE_CAUSE_COUNT] = {
#define X(id, name, what) name,
    MACHINE_CAUSES(X) MACHINE_GPU_CAUSES(X)
#undef X
};
const char *const machine_cause_description[MACHINE_CAUSE_COUNT] = {
#define X(id, name, what) what,
    MACHINE_CAUSES(X) MACHINE_GPU_CAUSES(X)
#undef X
};

const char *const scalar_cause_name[SCALAR_CAUSE_COUNT] = {
#define X(id, name, what) name,
    SCALAR_CAUSES(X)
#undef X
};
const char *const scalar_cause_description[SCALAR_CAUSE_COUNT] = {
#define X(id, name, what) what,
    SCALAR_CAUSES(X)
#undef X
};

void machine_launch_groups(const struct machine_launch *l, uint32_t count[3]) {
    for (unsigned d = 0; d < 3; ++d) count[d] = l->global_size[d] / l->local_size[d];
}

/* Returns the number of distinct granules of `granule` bytes that the threads access. */
static unsigned distinct(uint64_t threads, const uint32_t *address, uint32_t bytes, uint32_t granule) {
    uint32_t seen[ARM_MAX_POSITIONS * 8];
    unsigned count = 0;
    for (; threads; threads &= threads - 1) {
        const uint32_t first = address[__builtin_ctzll(threads)];
        for (uint32_t n = first / granule; n <= (first + bytes - 1) / granule; ++n) {
            unsigned k = count;
            while (k > 0 && seen[k - 1] != n) --k;
            if (k == 0 && count < sizeof seen / sizeof *seen) seen[count++] = n;
        }
    }
    return count;
}

void machine_profile_access(struct machine_profile *row, uint64_t threads, const uint32_t *address,
                            uint32_t bytes, uint32_t line_bytes) {
    if (!threads) return;
    ++row->accesses;
    row->lines += distinct(threads, address, bytes, line_bytes);
    row->words += distinct(threads, address, bytes, 4);
}

void machine_decode(struct machine_code *code) {
    const uint32_t words = code->text_bytes / 4;
    code->decoded = aligned_alloc(_Alignof(struct arm_instruction), (words + 1) * sizeof *code->decoded);
    require_memory(code->decoded);
    for (uint32_t n = 0; n < words; ++n) {
        uint32_t encoding;
        memcpy(&encoding, code->text + 4 * n, 4);
        arm_decode(encoding, code->text_base + 4 * n, &code->decoded[n]);
        if (code->decoded[n].needs_simd && !code->has_simd) arm_refuse(&code->decoded[n]);
    }
}

void machine_code_free(struct machine_code *code) {
    free(code->decoded);
    free(code->meeting);
    free(code->fences);
    free(code->object_set);
    free(code->object_sets);
    free(code->scalarized);
    free(code->operands);
    code->decoded = NULL;
    code->meeting = NULL;
    code->fences = NULL;
    code->fence_count = 0;
    code->object_set = NULL;
    code->object_sets = NULL;
    code->scalarized = NULL;
    code->operands = NULL;
}
