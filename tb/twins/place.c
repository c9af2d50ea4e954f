#include "tb/twins/place.h"

#include "sim/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void twin_places_add(struct twin_places *l, const struct twin_place *p, const char *name, ...) {
    va_list arguments;
    l->place = realloc(l->place, (l->count + 1) * sizeof *l->place);
    require_memory(l->place);
    struct twin_place *own = &l->place[l->count++];
    *own = *p;
    va_start(arguments, name);
    vsnprintf(own->name, sizeof own->name, name, arguments);
    va_end(arguments);
}

const struct twin_machine *twin_machine_of(const struct machine_config *c) {
#define ROW(name) &twin_machine_##name,
    static const struct twin_machine *const machines[] = {CONTEXTS_LIST(ROW)};
#undef ROW
    return machines[c->contexts];
}

struct twin_places twin_places_of(struct machine *m) {
    struct twin_places l = {0};
    twin_machine_of(machine_configuration(m))->add(&l, m);
    return l;
}

unsigned twin_places_settings(struct machine *m, enum cluster_block b,
                              struct verilog_setting settings[VERILOG_MAX_PARAMETERS]) {
    const struct twin_places l = twin_places_of(m);
    unsigned count = 0;
    for (const struct twin_place *p = l.place; !count && p < l.place + l.count; ++p)
        if (twin_place_model(p, b)) count = p->kind->settings(p, b, settings);
    free(l.place);
    return count;
}

/* For a request, the machine's cycle; if SMs run ahead of each other, the end of their step, after all that
 * has been traced. */
sim_time twin_place_time(const struct twin_place *p, uint64_t t) {
    if (p->clock_mhz) return (sim_time)((unsigned __int128)t * 1000000 / p->clock_mhz);
    return machine_time_of(p->machine, p->unit ? t : machine_step_end(p->machine));
}

bool twin_place_is_traced(const struct twin_place *p, uint64_t t) {
    const uint64_t mhz = machine_configuration(p->machine)->clock_mhz;
    if (p->unit) return machine_traced(p->machine, p->unit->index, t);
    return machine_traced(p->machine, 0,
                          p->clock_mhz ? (uint64_t)((unsigned __int128)t * mhz / p->clock_mhz)
                                       : machine_cycle(p->machine));
}

unsigned unit_place_settings(const struct simt *u, const struct verilog_setting *own, size_t count,
                             struct verilog_setting settings[VERILOG_MAX_PARAMETERS]) {
    const struct verilog_setting all[] = {
        {"GROUPS", u->barriers.cfg.groups},
        {"SCALAR", u->barriers.cfg.scalar},
        {"REGISTERS", TOKEN_REGISTERS},
        {"PHYSICAL", u->config->uniform.srf_registers},
        {"ENTRIES", u->config->uniform.irb_entries},
        {"TAG_BITS", u->config->uniform.irb_tag_bits},
        {"OPCODE_BITS", INSTRUCTION_REUSE_BUFFER_OPCODE_BITS},
    };
    memcpy(settings, own, count * sizeof *own);
    memcpy(settings + count, all, sizeof all);
    return (unsigned)(count + sizeof all / sizeof all[0]);
}

void unit_place_text(struct text *out, const struct machine_code *code, const char *what, unsigned number,
                     uint32_t pc) {
    const char *file;
    unsigned line;
    text_put(out, "%s %u, pc 0x%x", what, number, pc);
    if (code->line && code->line(code->line_context, pc, &file, &line)) text_put(out, ", %s:%u", file, line);
}
