/* Blocks whose cycles are requests. */
#include "model/cluster/cluster.h"
#include "model/config/core_kind.h"
#include "model/config/core_kinds.h"
#include "model/core/out_of_order.h"
#include "tb/twins/place.h"

#include <inttypes.h>

static bool is_of_core(const struct twin_place *p) {
    return p->block >= CLUSTER_BLOCK_PREDICTOR;
}

static unsigned settings_of(const struct twin_place *p, enum cluster_block b,
                            struct verilog_setting settings[VERILOG_MAX_PARAMETERS]) {
    const struct machine_config *c = machine_configuration(p->machine);
    settings[0] = (struct verilog_setting){"THREADS", EXCLUSIVE_MONITOR_BANK};
    settings[1] = (struct verilog_setting){"CLUSTERS", c->cluster.count};
    settings[2] = (struct verilog_setting){"L2S", c->cluster.lanes};
    if (!is_of_core(p)) return 3;
    if (b == CLUSTER_BLOCK_QUEUE) {
        settings[0] = (struct verilog_setting){"QUEUE", c->core.lsq};
        return 1;
    }
    if (b == CLUSTER_BLOCK_SELECT) {
        const struct issue_select *select = p->model;
        settings[0] = (struct verilog_setting){"WINDOW", select->cfg.window};
        settings[1] = (struct verilog_setting){"ISSUE_WIDTH", select->cfg.issue_width};
        settings[2] = (struct verilog_setting){"INTEGER_UNITS", select->cfg.integer_units};
        settings[3] = (struct verilog_setting){"VFP_UNITS", select->cfg.vfp_units};
        return 4;
    }
    const struct branch_predictor *x = p->model;
    settings[3] = (struct verilog_setting){"FETCH_WIDTH", x->cfg.fetch_width};
    settings[4] = (struct verilog_setting){"COMMITS", x->cfg.commits};
    settings[5] = (struct verilog_setting){"COUNTERS", x->cfg.counters};
    settings[6] = (struct verilog_setting){"TAG_BITS", x->cfg.tag_bits};
    return 7;
}

static void put_text(const struct twin_place *p, enum cluster_block b, struct text *out) {
    struct machine *m = p->machine;
    if (is_of_core(p)) text_put(out, "core %u, ", p->number);
    if (b == CLUSTER_BLOCK_MONITOR)
        text_put(out, "contexts %u to %u, ", p->number * EXCLUSIVE_MONITOR_BANK,
                 (p->number + 1) * EXCLUSIVE_MONITOR_BANK - 1);
    text_put(out, "kernel '%s', near cycle %" PRIu64 "; a cycle of it is a request",
             machine_running(m)->kernel, machine_cycle(m));
}

static const struct twin_place_kind kind = {.settings = settings_of, .text = put_text};

static struct twin_place place_of(struct machine *m, enum cluster_block b, unsigned number, void *block,
                                  struct block_requests *requests) {
    return (struct twin_place){.kind = &kind,
                               .machine = m,
                               .number = number,
                               .twins = &requests->twins,
                               .block = b,
                               .model = block,
                               .cycles = &requests->count};
}

void shared_places(struct twin_places *l, struct machine *m) {
    struct exclusive_monitor *monitor = machine_monitor(m);
    struct work_group_dispatcher *groups = machine_groups(m);
    struct twin_place p;
    for (unsigned n = 0; n < monitor->banks; ++n) {
        p = place_of(m, CLUSTER_BLOCK_MONITOR, n, &monitor->bank[n], &monitor->bank[n].requests);
        twin_places_add(l, &p, "_bank%u", n);
    }
    p = place_of(m, CLUSTER_BLOCK_GROUPS, 0, groups, &groups->requests);
    twin_places_add(l, &p, "_shared");
}

/* Adds a kind of block of the cores. */
static void add_blocks(struct twin_places *l, struct machine *m, enum cluster_block b) {
    const struct machine_config *c = machine_configuration(m);
    for (unsigned n = 0; n < c->cluster.count * c->cluster.lanes; ++n) {
        const struct cluster *of = machine_cluster(m, n / c->cluster.lanes);
        struct superscalar *s = of->core[n % c->cluster.lanes].superscalar;
        struct branch_predictor *predictor = &s->front.predictor.block;
        struct window *w = s->window;
        const struct twin_place p =
            b == CLUSTER_BLOCK_PREDICTOR ? place_of(m, b, n, predictor, &predictor->requests)
            : b == CLUSTER_BLOCK_SELECT  ? place_of(m, b, n, &w->block, &w->block.requests)
                                         : place_of(m, b, n, &w->queue, &w->queue.requests);
        twin_places_add(l, &p, "_core%u", n);
    }
}

void core_places(struct twin_places *l, struct machine *m) {
    const uint32_t core = machine_configuration(m)->core.kind;
    struct snoop_directory *protocol = &machine_cluster(m, 0)->uncore->protocol;
    const struct twin_place p = place_of(m, CLUSTER_BLOCK_PROTOCOL, 0, protocol, &protocol->requests);
    twin_places_add(l, &p, "_l2s");
    if (core_kinds[core]->superscalar) add_blocks(l, m, CLUSTER_BLOCK_PREDICTOR);
    if (core != CORE_out_of_order) return;
    add_blocks(l, m, CLUSTER_BLOCK_SELECT);
    add_blocks(l, m, CLUSTER_BLOCK_QUEUE);
}
