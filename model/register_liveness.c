#include "model/register_liveness.h"

void register_liveness_start(struct register_liveness *l, uint64_t t) {
    for (unsigned r = 0; r < ARM_REGISTERS; ++r) {
        l->since[r] = t;
        l->protected[r] = 0;
    }
}

void register_liveness_read(struct register_liveness *l, uint64_t registers, uint64_t protected, uint64_t t,
                            struct register_cycles *sum) {
    for (; registers; registers &= registers - 1) {
        const unsigned r = (unsigned)__builtin_ctzll(registers);
        const uint64_t cycles = t - l->since[r];
        sum->live += cycles;
        sum->protected += protected >> r & 1 ? cycles : l->protected[r];
        l->since[r] = t;
        l->protected[r] = 0;
    }
}

void register_liveness_written(struct register_liveness *l, uint64_t registers, uint64_t t) {
    for (; registers; registers &= registers - 1) {
        const unsigned r = (unsigned)__builtin_ctzll(registers);
        l->since[r] = t;
        l->protected[r] = 0;
    }
}

void register_liveness_exposed(struct register_liveness *l, unsigned r, uint64_t t) {
    l->protected[r] = t - l->since[r];
}
