#include "model/uniform/redundancy.h"

#include <stdio.h>

void redundancy_init(struct redundancy *r, const struct machine_config *config, unsigned warps) {
    r->config = *config;
    r->config.uniform.storage = UNIFORM_TOKEN;
    r->config.uniform.intra = r->config.uniform.inter = 1;
    r->operations = r->intra = r->inter = r->both = 0;
    uniform_init(&r->uniform, &r->config, (struct uniform_registers){1, 1, 1, 1}, warps);
}

void redundancy_free(struct redundancy *r) {
    uniform_free(&r->uniform);
}

void redundancy_register_counters(struct redundancy *r, const char *cluster,
                                  struct counter_registry *registry) {
    char scope[64];
    snprintf(scope, sizeof scope, "%s.redundancy", cluster);
    counter_register(registry, scope, "operations", "operations",
                     "scalar operations: instructions of the threads of warps", &r->operations);
    counter_register(registry, scope, "intra", "operations",
                     "of these, redundant since another thread of the warp does the same", &r->intra);
    counter_register(registry, scope, "inter", "operations",
                     "of these, redundant since another warp has done the same just before", &r->inter);
    counter_register(registry, scope, "both", "operations", "of these, redundant for one reason or both",
                     &r->both);
    counter_register_ratio(registry, scope, "intra_share", "%", "intra-warp redundancy (uniform Fig. 2)",
                           "100 * intra / operations");
    counter_register_ratio(registry, scope, "inter_share", "%", "inter-warp redundancy (uniform Fig. 2)",
                           "100 * inter / operations");
    counter_register_ratio(registry, scope, "both_share", "%", "redundancy of both kinds (uniform Fig. 2)",
                           "100 * both / operations");
}

void redundancy_reset(struct redundancy *r) {
    uniform_reset(&r->uniform);
}

void redundancy_start(struct redundancy *r, warp_set warps) {
    uniform_start(&r->uniform, warps, 0);
    uniform_eval(&r->uniform);
    uniform_clock(&r->uniform);
}

void redundancy_before(struct redundancy *r, const struct uniform_warp *w, uint32_t pc,
                       const struct arm_instruction *i) {
    struct uniform *u = &r->uniform;
    uniform_read(u, w, i);
    r->flight = (struct uniform_flight){.form = UNIFORM_VECTOR, .uniform = u->tokens.out.uniform};
    if (i->is_load) r->flight.loads = i->destinations & UNIFORM_REGISTERS;
    if (!uniform_operands(u, w, i, &r->flight)) return;
    uniform_collected(u, pc, i, &r->flight);
    uniform_clock_reuse(u);
}

static void count(struct redundancy *r, const struct arm_instruction *i, uint64_t passed) {
    const unsigned operations = (unsigned)__builtin_popcountll(passed);
    const bool found = r->flight.form == UNIFORM_REUSED;
    if (!r->flight.uniform || !operations || !reuse_is_alu(i)) return;
    r->intra += operations - 1;
    r->inter += found ? operations : 0;
    r->both += operations - 1 + found;
}

void redundancy_after(struct redundancy *r, const struct uniform_warp *w, uint32_t pc,
                      const struct arm_instruction *i, const struct arm_execution *x) {
    struct uniform *u = &r->uniform;
    r->operations += (unsigned)__builtin_popcountll(w->participating);
    count(r, i, x->passed);
    if (!x->passed) return;
    uniform_write(u, w, i, x->passed, x->address, &r->flight, i->access_count ? i->access_count - 1u : 0);
    if (u->writes) {
        uniform_eval(u);
        uniform_clock(u);
    }
    uniform_committed(u, w, pc, 0, i, &r->flight);
    if (!u->reuse.in.insert) return;
    uniform_eval_reuse(u);
    uniform_clock_reuse(u);
}
