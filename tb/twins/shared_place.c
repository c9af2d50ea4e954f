#include "tb/twins/shared_place.h"

#include "model/cluster/cluster.h"
#include "model/cluster/uncore.h"
#include "model/config/core_kind.h"
#include "model/core/superscalar.h"
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

/* Returns the number of shared places: the banks of the monitor, then the dispatcher, then, for clusters of
 * cores, the protocol of their L2s and the cores. */
unsigned shared_place_count(struct machine *m) {
    return monitor_of(m)->banks + (machine_sms(m) ? 1 : 2) + cores_of(machine_configuration(m));
}

static struct shared_place core_place(struct machine *m, unsigned n) {
    const unsigned lanes = machine_configuration(m)->cluster.lanes;
    struct core *core = &machine_cluster(m, n / lanes)->core[n % lanes];
    struct branch_predictor *p = &core->superscalar->front.predictor.block;
    return (struct shared_place){CLUSTER_BLOCK_PREDICTOR, n, p, &p->requests, m};
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
    if (p->block != CLUSTER_BLOCK_PREDICTOR) return 3;
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
    if (p->block == CLUSTER_BLOCK_MONITOR || p->block == CLUSTER_BLOCK_PREDICTOR)
        snprintf(name, SHARED_PLACE_NAME, p->block == CLUSTER_BLOCK_MONITOR ? "bank%u" : "core%u", p->number);
    else
        snprintf(name, SHARED_PLACE_NAME, p->block == CLUSTER_BLOCK_PROTOCOL ? "l2s" : "shared");
}

void shared_place_text(const struct shared_place *p, char *text, size_t size) {
    struct machine *m = p->machine;
    const int used = p->block == CLUSTER_BLOCK_PREDICTOR ? snprintf(text, size, "core %u, ", p->number)
                     : p->block != CLUSTER_BLOCK_MONITOR
                         ? 0
                         : snprintf(text, size, "contexts %u to %u, ", p->number * EXCLUSIVE_MONITOR_BANK,
                                    (p->number + 1) * EXCLUSIVE_MONITOR_BANK - 1);
    if (used < 0 || (size_t)used >= size) return;
    snprintf(text + used, size - (size_t)used,
             "kernel '%s', near cycle %" PRIu64 "; a cycle of it is a request", machine_running(m)->kernel,
             machine_cycle(m));
}
