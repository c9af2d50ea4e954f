#include "model/control/tpo_address.h"

#include "model/config/arm_classes.h"

static bool is_own(const struct tpo_address_in *in, uint32_t last) {
    const uint32_t size = UINT32_C(1) << in->stack_bits, contexts = UINT32_C(1) << in->contexts_bits;
    const uint32_t segment = size << in->contexts_bits;
    return in->access && (in->address ^ (in->top - 1)) / segment == 0 &&
           (last ^ (in->top - 1)) / segment == 0 &&
           tpo_stack_context(size, contexts, in->address) == in->context &&
           tpo_stack_context(size, contexts, last) == in->context;
}

void tpo_address_eval(struct tpo_address *a) {
    const struct tpo_address_in *in = &a->in;
    const uint32_t size = UINT32_C(1) << in->stack_bits, rounds = UINT32_C(1) << in->rounds_bits;
    const uint32_t last = in->address + in->bytes - 1;
    const uint32_t registers = ARM_REGISTERS + a->more_registers;
    uint32_t object = in->object, in_memory = in->access ? in->bytes : 0;
    a->out.own = is_own(in, last);
    a->out.words =
        a->out.own ? tpo_stack_words(size, in->n_tpo - registers, in->address, in->bytes, &in_memory) : 0;
    a->out.memory = in_memory;
    if (a->out.words) object = registers + tpo_stack_index(size, last);
    a->out.word = tpo_address(rounds, in->n_tpo, in->context, object);
    a->out.row = in->base + object;
    a->out.round = in->context % rounds;
}
