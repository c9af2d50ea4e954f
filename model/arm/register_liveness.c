#include "model/arm/register_liveness.h"

void register_liveness_start(struct register_liveness *l, uint64_t t) {
    for (unsigned r = 0; r < ARM_REGISTERS; ++r) l->life[r] = (struct register_life){t, 0};
}

void register_liveness_read(struct register_liveness *l, uint64_t registers, uint64_t protected, uint64_t t,
                            struct register_cycles *sum) {
    for (; registers; registers &= registers - 1) {
        const unsigned r = (unsigned)__builtin_ctzll(registers);
        struct register_life *life = &l->life[r];
        const uint64_t cycles = t - life->since;
        sum->live += cycles;
        sum->protected += protected >> r & 1 ? cycles : life->protected;
        *life = (struct register_life){t, 0};
    }
}

void register_liveness_written(struct register_liveness *l, uint64_t registers, uint64_t t) {
    for (; registers; registers &= registers - 1)
        l->life[__builtin_ctzll(registers)] = (struct register_life){t, 0};
}

void register_liveness_exposed(struct register_liveness *l, unsigned reg, uint64_t t) {
    l->life[reg].protected = t - l->life[reg].since;
}
