#include "compiler/scalar/scalar.h"

#include "compiler/driver/trouble.h"

const char *const scalar_rule_name[] = {"off", "none", "convergent", "wide"};

void scalar_find(struct scalar *s, const struct text *image, const json_t *kernels,
                 enum compile_scalarize rule) {
    scalar_code_read(&s->code, image, kernels);
    scalar_webs_find(&s->webs, &s->code);
    scalar_classes_find(&s->classes, &s->code, &s->webs, rule);
    scalar_registers_find(&s->registers, &s->code, &s->webs, &s->classes);
}

void scalar_free(struct scalar *s) {
    scalar_registers_free(&s->registers);
    scalar_classes_free(&s->classes);
    scalar_webs_free(&s->webs);
    scalar_code_free(&s->code);
}

struct scalar_operands scalar_operands(const struct scalar *s, size_t node) {
    const struct scalar_node *n = &s->code.nodes[node];
    struct scalar_operands o = {n->reads, n->writes, SCALAR_NONE,
                                s->classes.nodes[node].why == SCALAR_IS_SCALAR};
    const size_t first = n->successors == 2 ? s->code.successors[n->successor] : node;
    if (first <= s->code.functions[n->function].end || s->code.nodes[first].tail_call) return o;
    o.call = first;
    o.writes |= s->code.nodes[first].writes;
    o.scalar = o.scalar && s->classes.nodes[first].why == SCALAR_IS_SCALAR;
    return o;
}

size_t scalar_written(const struct scalar *s, const struct scalar_operands *o, size_t node, unsigned r) {
    return scalar_web_out(&s->webs, o->call == SCALAR_NONE ? node : o->call, r);
}

static json_t *operand(const struct scalar *s, unsigned r, size_t web) {
    const bool vector = s->classes.webs[web].why != SCALAR_IS_SCALAR;
    return json_integer((json_int_t)SCALAR_NOTE_OPERAND(r, vector, (uint64_t)s->registers.number[web]));
}

static json_t *instruction(const struct scalar *s, size_t node) {
    const struct scalar_operands o = scalar_operands(s, node);
    json_t *read = json_array(), *written = json_array();
    SCALAR_FOR_EACH(r, o.reads) json_array_append_new(read, operand(s, r, scalar_web_in(&s->webs, node, r)));
    SCALAR_FOR_EACH(r, o.writes)
    json_array_append_new(written, operand(s, r, scalar_written(s, &o, node, r)));
    return json_pack("[I,i,o,o]", (json_int_t)s->code.nodes[node].address, o.scalar, read, written);
}

json_t *scalar_note(const struct text *image, enum compile_scalarize rule, json_t *kernels) {
    struct scalar s;
    json_t *list = json_array();
    scalar_find(&s, image, kernels, rule);
    for (size_t i = 0; i < s.code.function_count; i++) {
        const struct scalar_function *f = &s.code.functions[i];
        for (size_t n = f->begin; f->reached && n < f->end; n++)
            if (s.code.nodes[n].is_instruction) json_array_append_new(list, instruction(&s, n));
    }
    for (size_t k = 0; k < json_array_size(kernels); k++) {
        json_t *kernel = json_array_get(kernels, k);
        json_object_set_new(kernel, "vector_registers", json_integer(s.registers.vectors[k]));
        json_object_set_new(kernel, "scalar_registers", json_integer(s.registers.scalars[k]));
    }
    scalar_free(&s);
    return json_pack("{so}", "instructions", list);
}
