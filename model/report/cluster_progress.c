/* Checks whether a cluster in SIMT mode makes progress, and describes what blocks a warp. */
#include "model/report/cluster_text.h"
#include "model/unit/view.h"

#include "model/config/contexts_kind.h"
#include "sim/error.h"

/* --- livelock: nothing is committed --- */

/* Returns the cycles that one access can take: the access itself and all others of the machine before it; and
 * its page walk, with two accesses or a fixed time, after those of all other warps' threads. */
static uint64_t slowest_access(const struct machine_config *c) {
    const uint64_t others = (uint64_t)c->cluster.count * c->cluster.lanes * c->mem.mshrs;
    const uint64_t queue = others * (c->l2.line_bytes / c->mem.bandwidth_bytes + 1);
    const uint64_t coherence = others * (c->snoop.occupancy_cycles + c->directory.occupancy_cycles) +
                               c->snoop.latency_cycles + 2 * c->directory.hop_cycles +
                               c->directory.latency_cycles;
    const uint64_t one = c->mem.latency_cycles + queue + coherence + c->l2.latency_cycles;
    const uint64_t walk = c->mem.page_walk == PAGE_WALK_FIXED ? c->mem.tlb_miss_cycles : 2 * one;
    const uint64_t warps = machine_threads(c) / c->simt.warp_size;
    return one + warps * walk;
}

/* Returns twice the time of the slowest instruction: two lines for each of 32 registers of every round's
 * threads. */
static uint64_t slowest_instruction(const struct machine_config *c) {
    uint64_t longest = 0;
    for (unsigned n = 0; n < ARM_CLASS_COUNT; ++n)
        if (c->core.occupancy_cycles[n] + c->core.latency_cycles[n] > longest)
            longest = c->core.occupancy_cycles[n] + c->core.latency_cycles[n];
    return 2 * (c->simt.warp_size / c->cluster.lanes) * (64 * slowest_access(c) + longest) +
           c->simt.arbitrate_cycles;
}

uint64_t cluster_livelock_cycles(const struct machine_config *c) {
    return c->simt.livelock_cycles ? c->simt.livelock_cycles : slowest_instruction(c);
}

/* Returns the status of the failure. Among the blocks, only the scheduler may do nothing for ever without
 * breaking its contract. */
static enum exit_status blame(struct text *out, const struct cluster *c, const struct unit_view *v) {
    if (!v->refused) return EXIT_PROGRAM_FAULT;
    text_put(out, "warp_scheduler grants no warp, although %d are ready to run and the front end takes one",
             (int)warp_set_count(v->ready));
    if (!c->twins || !c->twins->replaced[CLUSTER_BLOCK_SCHEDULER]) return EXIT_PROGRAM_FAULT;
    text_put(out, ": the mistake is in the Verilog that replaces it");
    return EXIT_TWINS_DISAGREE;
}

void cluster_diagnose_livelock(struct cluster *c, uint64_t t) {
    char report[3500], whose[200] = "nothing that is under way has ended";
    struct text out = {whose, sizeof whose};
    struct unit_view v;
    unit_view(c, t, &v);
    cluster_report(&c->simt, t, report, sizeof report);
    const enum exit_status status = blame(&out, c, &v);
    error_set(c->error, status,
              "kernel '%s': livelock: no instruction has been committed for %llu cycles "
              "(simt.livelock_cycles)\n%s\n%s",
              c->launch->kernel, (unsigned long long)(t - v.committed), whose, report);
}

/* --- what a warp waits for --- */

static const char *stage(const struct unit_view *v, const struct unit_view_flight *f) {
    if (!f) return "is in the pipeline before execution";
    if (f == v->arbitrate) return "selected, its PC is being arbitrated";
    if (f == v->fetch)
        return f->fetched > v->cycle ? "waits for its instruction (L1I or ITLB miss)" : "fetches";
    const bool accesses = f->i && (f->i->is_load || f->i->is_store);
    if (f == v->execute) return accesses ? "its memory accesses are being started" : "waits for its result";
    if (f->stage <= UNIT_STAGE_LANES) return accesses ? "waits for memory" : "waits for its result";
    return "is in the pipeline before execution";
}

/* Appends the L2 misses that a load or store may wait for. */
static void put_misses(struct text *out, const struct cluster *c, const struct unit_view_flight *f) {
    if (!f || !f->i || !(f->i->is_load || f->i->is_store)) return;
    const char *before = "; MSHRs taken: ";
    for (unsigned i = 0; i < c->lanes; ++i) {
        if (!c->core[i].l2.outstanding) continue;
        text_put(out, "%slane %u %u of %u", before, i, c->core[i].l2.outstanding, c->core[i].l2.mshrs);
        before = ", ";
    }
}

/* Returns the live threads of a warp that do not wait at the barrier at pc. */
static uint64_t missing(const struct warp_descriptors *w, uint32_t pc) {
    uint64_t at = 0;
    for (uint64_t rest = w->barrier; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        if (w->barrier_pc[k] == pc) at |= 1ull << k;
    }
    return tdt_live(w) & ~at;
}

/* Appends the threads that a barrier waits for. */
static void put_absent(struct text *out, const struct cluster *c, uint32_t pc) {
    unsigned threads = 0, warps = 0;
    int first = -1;
    for (unsigned w = 0; w < c->warps; ++w) {
        const uint64_t absent = missing(&c->descriptors.warp[w], pc);
        threads += (unsigned)__builtin_popcountll(absent);
        warps += absent != 0;
        if (absent && first < 0) first = (int)w;
    }
    if (first < 0) return; /* the barrier is being opened */
    const struct warp_descriptors *w = &c->descriptors.warp[first];
    const unsigned k = (unsigned)__builtin_ctzll(missing(w, pc));
    text_put(out, "waits at the barrier for %u live thread%s of %u warp%s, first ", threads,
             threads == 1 ? "" : "s", warps, warps == 1 ? "" : "s");
    text_thread(out, &c->simt, (unsigned)first, k);
    text_put(out, " of warp %d, which %s", first,
             w->barrier >> k & 1     ? "waits at another"
             : w->execution >> k & 1 ? "executes"
                                     : "is Ready");
}

void cluster_put_wait(struct text *out, const struct cluster *c, unsigned warp, uint64_t t) {
    const struct warp_descriptors *w = &c->descriptors.warp[warp];
    struct unit_view v;
    unit_view(c, t, &v);
    if (w->execution || warp_set_has(v.front_end, warp)) {
        text_put(out, "%s", stage(&v, v.of_warp[warp]));
        if (w->execution) put_misses(out, c, v.of_warp[warp]);
    } else if (warp_set_has(v.ready, warp)) {
        text_put(out, "ready to run for %llu cycles, waits for the grant of warp_scheduler",
                 (unsigned long long)(t > v.since[warp] ? t - v.since[warp] : 0));
    } else if (w->barrier) {
        put_absent(out, c, w->barrier_pc[__builtin_ctzll(w->barrier)]);
    }
}
