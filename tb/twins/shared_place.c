#include "tb/twins/shared_place.h"

#include "model/cluster/cluster.h"
#include "model/cluster/uncore.h"
#include "model/config/core_kind.h"
#include "model/config/core_kinds.h"
#include "model/core/out_of_order.h"
#include "model/machine/sms.h"

#include <inttypes.h>
#include <stdio.h>

static struct exclusive_monitor *monitor_of(struct machine *m) {
    return machine_sms(m) ? &machine_sms(m)->shared.monitor : &machine_cluster(m, 0)->uncore->monitor;
}

static struct work_group_dispatcher *groups_of(struct machine *m) {
    return machine_sms(m) ? &machine_sms(m)->shared.groups : &machine_cluster(m, 0)->uncore->groups;
}

/* Returns the number of superscalar cores. */
static unsigned cores_of(const struct machine_config *c) {
    return c->contexts == CONTEXTS_TPM && core_kinds[c->core.kind]->superscalar
               ? c->cluster.count * c->cluster.lanes
               : 0;
}

/* Returns the number of blocks of each of them. */
static unsigned blocks_of(const struct machine_config *c) {
    return c->core.kind == CORE_out_of_order ? 3 : 1;
}

/* Returns the number of shared places: the banks of the monitor, then the dispatcher, then, for clusters of
 * cores, the protocol of their L2s and the blocks of the cores. */
unsigned shared_place_count(struct machine *m) {
    const struct machine_config *c = machine_configuration(m);
    return monitor_of(m)->banks + (machine_sms(m) ? 1 : 2) + cores_of(c) * blocks_of(c);
}

static struct shared_place core_place(struct machine *m, unsigned n) {
    const struct machine_config *c = machine_configuration(m);
    const unsigned lanes = c->cluster.lanes, cores = cores_of(c), number = n % cores;
    struct superscalar *s = machine_cluster(m, number / lanes)->core[number % lanes].superscalar;
    struct branch_predictor *p = &s->front.predictor.block;
    if (n < cores) return (struct shared_place){CLUSTER_BLOCK_PREDICTOR, number, p, &p->requests, m};
    struct issue_select *select = &s->window->block;
    if (n < 2 * cores)
        return (struct shared_place){CLUSTER_BLOCK_SELECT, number, select, &select->requests, m};
    struct load_store_queue *queue = &s->window->queue;
    return (struct shared_place){CLUSTER_BLOCK_QUEUE, number, queue, &queue->requests, m};
}

static bool is_of_core(const struct shared_place *p) {
    return p->block >= CLUSTER_BLOCK_PREDICTOR;
}

struct shared_place shared_place_of(struct machine *m, unsigned n) {
    struct work_group_dispatcher *groups = groups_of(m);
    if (n == monitor_of(m)->banks)
        return (struct shared_place){CLUSTER_BLOCK_GROUPS, 0, groups, &groups->requests, m};
    if (n > monitor_of(m)->banks + 1) return core_place(m, n - monitor_of(m)->banks - 2);
    if (n > monitor_of(m)->banks) {
        struct snoop_directory *protocol = &machine_cluster(m, 0)->uncore->protocol;
        return (struct shared_place){CLUSTER_BLOCK_PROTOCOL, 0, protocol, &protocol->requests, m};
    }
    struct exclusive_bank *bank = &monitor_of(m)->bank[n];
    return (struct shared_place){CLUSTER_BLOCK_MONITOR, n, bank, &bank->requests, m};
}

unsigned shared_place_settings(const struct shared_place *p,
                               struct verilog_setting settings[VERILOG_MAX_PARAMETERS]) {
    const struct machine_config *c = machine_configuration(p->machine);
    settings[0] = (struct verilog_setting){"THREADS", EXCLUSIVE_MONITOR_BANK};
    settings[1] = (struct verilog_setting){"CLUSTERS", c->cluster.count};
    settings[2] = (struct verilog_setting){"L2S", c->cluster.lanes};
    if (!is_of_core(p)) return 3;
    if (p->block == CLUSTER_BLOCK_QUEUE) {
        settings[0] = (struct verilog_setting){"QUEUE", c->core.lsq};
        return 1;
    }
    if (p->block == CLUSTER_BLOCK_SELECT) {
        const struct issue_select *select = p->model;
        settings[0] = (struct verilog_setting){"WINDOW", select->cfg.window};
        settings[1] = (struct verilog_setting){"ISSUE_WIDTH", select->cfg.issue_width};
        settings[2] = (struct verilog_setting){"INTEGER_UNITS", select->cfg.integer_units};
        settings[3] = (struct verilog_setting){"VFP_UNITS", select->cfg.vfp_units};
        return 4;
    }
    const struct branch_predictor *b = p->model;
    settings[3] = (struct verilog_setting){"FETCH_WIDTH", b->cfg.fetch_width};
    settings[4] = (struct verilog_setting){"COMMITS", b->cfg.commits};
    settings[5] = (struct verilog_setting){"COUNTERS", b->cfg.counters};
    settings[6] = (struct verilog_setting){"TAG_BITS", b->cfg.tag_bits};
    return 7;
}

struct error *shared_place_error(const struct shared_place *p) {
    return machine_error(p->machine);
}

bool shared_place_traced(const struct shared_place *p) {
    const uint64_t t = machine_cycle(p->machine);
    return machine_sms(p->machine) ? sms_traced(machine_sms(p->machine), t)
                                   : cluster_traced(machine_cluster(p->machine, 0), t);
}

sim_time shared_place_time(const struct shared_place *p) {
    const struct sms *s = machine_sms(p->machine);
    const uint64_t t = machine_cycle(p->machine);
    return machine_time_of(p->machine, s && s->end > t ? s->end : t);
}

void shared_place_name(const struct shared_place *p, char name[SHARED_PLACE_NAME]) {
    if (p->block == CLUSTER_BLOCK_MONITOR || is_of_core(p))
        snprintf(name, SHARED_PLACE_NAME, p->block == CLUSTER_BLOCK_MONITOR ? "bank%u" : "core%u", p->number);
    else
        snprintf(name, SHARED_PLACE_NAME, p->block == CLUSTER_BLOCK_PROTOCOL ? "l2s" : "shared");
}

void shared_place_text(const struct shared_place *p, char *text, size_t size) {
    struct machine *m = p->machine;
    const int used = is_of_core(p) ? snprintf(text, size, "core %u, ", p->number)
                     : p->block != CLUSTER_BLOCK_MONITOR
                         ? 0
                         : snprintf(text, size, "contexts %u to %u, ", p->number * EXCLUSIVE_MONITOR_BANK,
                                    (p->number + 1) * EXCLUSIVE_MONITOR_BANK - 1);
    if (used < 0 || (size_t)used >= size) return;
    snprintf(text + used, size - (size_t)used,
             "kernel '%s', near cycle %" PRIu64 "; a cycle of it is a request", machine_running(m)->kernel,
             machine_cycle(m));
}
