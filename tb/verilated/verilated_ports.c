#include "tb/verilated/verilated_ports.h"

#include "model/report/text.h"

#include <stdio.h>
#include <string.h>

const struct verilog_signal *verilated_ports_find(const struct verilog_module *m,
                                                  const struct twin_signal *s) {
    for (unsigned i = 0; i < m->count; ++i)
        if (m->signal[i].kind == s->kind && strcmp(m->signal[i].name, s->name) == 0) return &m->signal[i];
    return NULL;
}

bool verilated_ports_check_own(const struct verilog_module *m, const struct verilated_request *r,
                               struct error *e) {
    const struct twin_block *b = r->block;
    const char *file = verilog_source_file(r->source);
    unsigned ports = 0;
    for (unsigned i = 0; i < b->count; ++i) {
        const struct twin_signal *s = &b->signal[i];
        const struct verilog_signal *v = verilated_ports_find(m, s);
        const char *what = s->kind >= VERILOG_STATE ? "flip-flop" : "port";
        if (!v)
            return error_set(e, EXIT_USER, "%s: the %s %s%s of %s is missing", file, what, s->name,
                             twin_suffix[s->kind], b->name);
        if (v->element_bits > 8 * s->bytes || (v->element_bits != v->bits && !s->array))
            return error_set(e, EXIT_USER, "%s: the %s %s%s of %s is too wide: %u bits", file, what, s->name,
                             twin_suffix[s->kind], b->name, v->bits);
        ports += s->kind < VERILOG_STATE;
    }
    for (unsigned i = 0; i < m->count; ++i) ports -= m->signal[i].kind < VERILOG_STATE;
    return ports == 0 || error_set(e, EXIT_USER, "%s: it has ports that %s has not", file, b->name);
}

/* --- modules of users --- */

static const char *plural(unsigned bits) {
    return bits == 1 ? "" : "s";
}

static const char *const direction[] = {"input", "output"};

static const struct verilog_stranger *find_stranger(const struct verilog_module *m, const char *name) {
    for (unsigned i = 0; i < m->strangers; ++i)
        if (strcmp(m->stranger[i].name, name) == 0) return &m->stranger[i];
    return NULL;
}

static void check_port(struct text *f, const struct verilog_module *m, const struct verilog_signal *s) {
    const struct twin_signal wanted = {.name = s->name, .kind = s->kind};
    const struct verilog_signal *v = verilated_ports_find(m, &wanted);
    char name[VERILOG_MAX_NAME + 4];
    snprintf(name, sizeof name, "%s%s", s->name, twin_suffix[s->kind]);
    const struct verilog_stranger *other = v ? NULL : find_stranger(m, name);
    if (v && v->bits == 0)
        text_put(f, "\n  %-20s is no packed vector; expected: %s of %u bit%s", name, direction[s->kind],
                 s->bits, plural(s->bits));
    else if (v && v->bits != s->bits)
        text_put(f, "\n  %-20s has %u bit%s; expected: %u", name, v->bits, plural(v->bits), s->bits);
    else if (other && !other->bits && strcmp(other->direction, direction[s->kind]) == 0)
        text_put(f,
                 "\n  %-20s is an unpacked array; expected: packed, %s of %u bit%s, element 0 in the lowest",
                 name, direction[s->kind], s->bits, plural(s->bits));
    else if (other)
        text_put(f, "\n  %-20s is an %s of %u bit%s; expected: %s of %u", name, other->direction, other->bits,
                 plural(other->bits), direction[s->kind], s->bits);
    else if (!v)
        text_put(f, "\n  %-20s is missing; expected: %s of %u bit%s", name, direction[s->kind], s->bits,
                 plural(s->bits));
}

static bool is_port(const struct verilog_module *slot, const char *name) {
    char own[VERILOG_MAX_NAME + 4];
    for (unsigned i = 0; i < slot->count; ++i) {
        if (slot->signal[i].kind >= VERILOG_STATE) continue;
        snprintf(own, sizeof own, "%s%s", slot->signal[i].name, twin_suffix[slot->signal[i].kind]);
        if (strcmp(own, name) == 0) return true;
    }
    return false;
}

static void check_extra(struct text *f, const struct verilog_module *slot, const char *name,
                        const char *its_direction, unsigned bits) {
    if (!is_port(slot, name))
        text_put(f, "\n  %-20s is not a port of the slot (%s of %u bit%s)", name, its_direction, bits,
                 plural(bits));
}

bool verilated_ports_check(const struct verilog_module *m, const struct verilog_module *slot,
                           const struct verilated_request *r, struct error *e) {
    char findings[2600] = "";
    struct text f = {findings, sizeof findings};
    char name[VERILOG_MAX_NAME + 4];
    if (slot->clocked && !m->clocked) text_put(&f, "\n  %-20s is missing; expected: input of 1 bit", "clk_i");
    if (slot->resettable && !m->resettable)
        text_put(&f, "\n  %-20s is missing; expected: input of 1 bit", "rst_ni");
    for (unsigned i = 0; i < slot->count; ++i)
        if (slot->signal[i].kind < VERILOG_STATE) check_port(&f, m, &slot->signal[i]);
    for (unsigned i = 0; i < m->count; ++i) {
        if (m->signal[i].kind >= VERILOG_STATE) continue;
        snprintf(name, sizeof name, "%s%s", m->signal[i].name, twin_suffix[m->signal[i].kind]);
        check_extra(&f, slot, name, direction[m->signal[i].kind], m->signal[i].bits);
    }
    for (unsigned i = 0; i < m->strangers; ++i)
        check_extra(&f, slot, m->stranger[i].name, m->stranger[i].direction, m->stranger[i].bits);
    if (!findings[0]) return true;
    return error_set(e, EXIT_USER,
                     "%s: the ports of module %s are not those of the slot %s, at the machine's size:%s\n"
                     "`lockstep rtl-template %s` prints a module that has them",
                     verilog_source_file(r->source), r->source->top, r->block->name, findings,
                     r->block->name);
}
