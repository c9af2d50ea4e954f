#include "model/check/checks.h"

void checks_launch(const struct checks *c, const struct machine_launch *l) {
    if (c->races) race_check_launch(c->races, l);
    if (c->memory) memory_check_launch(c->memory, l);
    if (c->values) value_check_launch(c->values, l);
}

void checks_group(const struct checks *c, unsigned slot, uint64_t number) {
    if (c->races) race_check_group(c->races, slot, number);
    if (c->memory) memory_check_group(c->memory, slot, number);
    if (c->values) value_check_group(c->values, slot, number);
}

void checks_core(const struct checks *c, unsigned slot, const struct arm_threads *core) {
    if (c->values) value_check_core(c->values, slot, core);
}

void checks_barrier(const struct checks *c, unsigned slot, uint32_t pc) {
    if (c->races) race_check_barrier(c->races, slot, pc);
}

bool checks_access(const struct checks *c, unsigned slot, const struct checked_access *a,
                   struct memory_fault *f) {
    if (c->memory && !memory_check_access(c->memory, slot, a, f)) return false;
    if (c->races) race_check_access(c->races, slot, a);
    return true;
}

void checks_store(const struct checks *c, unsigned slot, uint32_t address, uint32_t bytes) {
    if (c->values) value_check_store(c->values, slot, address, bytes);
}

void checks_destroy(struct checks *c) {
    race_check_destroy(c->races);
    memory_check_destroy(c->memory);
    value_check_destroy(c->values);
}
