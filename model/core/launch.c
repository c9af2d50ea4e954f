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

void machine_decode(struct machine_code *code) {
    const uint32_t words = code->text_bytes / 4;
    code->decoded = aligned_alloc(_Alignof(struct arm_instruction), (words + 1) * sizeof *code->decoded);
    require_memory(code->decoded);
    for (uint32_t n = 0; n < words; ++n) {
        uint32_t encoding;
        memcpy(&encoding, code->text + 4 * n, 4);
        arm_decode(encoding, code->text_base + 4 * n, &code->decoded[n]);
    }
}

void machine_code_free(struct machine_code *code) {
    free(code->decoded);
    free(code->meeting);
    free(code->scalarized);
    free(code->operands);
    code->decoded = NULL;
    code->meeting = NULL;
    code->scalarized = NULL;
    code->operands = NULL;
}
