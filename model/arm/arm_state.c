#include "model/arm/arm.h"

uint32_t arm_get_apsr(const struct arm_threads *t, unsigned position) {
    return (t->n[position] & 1u << 31) | (t->z[position] ? 0 : 1u << 30) | (t->c[position] & 1u << 29) |
           (t->v[position] >> 31) << 28 | t->q[position] << 27 | t->ge[position] << 16;
}

void arm_set_apsr(struct arm_threads *t, unsigned position, uint32_t apsr) {
    t->n[position] = apsr;
    t->z[position] = ~apsr & 1u << 30;
    t->c[position] = 0u - (apsr >> 29 & 1);
    t->v[position] = apsr << 3;
    t->q[position] = apsr >> 27 & 1;
    t->ge[position] = apsr >> 16 & 15;
}

bool arm_condition_holds(unsigned condition, uint32_t apsr) {
    const bool n = apsr >> 31, z = apsr >> 30 & 1, c = apsr >> 29 & 1, v = apsr >> 28 & 1;
    const bool holds[8] = {z, c, n, v, c && !z, n == v, n == v && !z, true};
    return holds[condition >> 1] != (condition & 1);
}
