/* Describes a livelock of exclusive stores (struct exclusive_failures). */
#include "model/machine/machine_parts.h"
#include "model/report/object_name.h"

/* Appends the work-item of a warp. Returns false if the thread is of another unit. */
static bool put_work_item(struct text *out, struct simt *u, uint32_t thread) {
    for (unsigned w = 0; w < u->warps; ++w) {
        const struct arm_threads *t = simt_warp_of(u, w).threads;
        const uint32_t position = thread - t->first_thread;
        if (position >= t->positions) continue;
        text_thread(out, u, w, position);
        text_put(out, " of cluster %u, warp %u", u->index, w);
        return true;
    }
    return false;
}

static bool put_core(struct text *out, const struct cluster *c, uint32_t thread) {
    const uint32_t n = thread - c->core[0].threads.first_thread;
    if (n >= c->lanes) return false;
    const struct core *k = &c->core[n];
    text_put(out, "core %u of cluster %u", n, c->index);
    if (k->has_group) text_put(out, " in work-group (%u, %u, %u)", k->group[0], k->group[1], k->group[2]);
    return true;
}

/* Appends the thread and the instruction of a store. */
static void put_store(struct text *out, const struct machine *m, uint32_t thread, uint32_t pc) {
    bool known = false;
    for (unsigned k = 0; k < m->clusters && !known; ++k) known = put_core(out, &m->cluster[k], thread);
    for (unsigned k = 0; k < m->units && !known; ++k) known = put_work_item(out, m->unit[k], thread);
    if (!known) text_put(out, "a scalar thread");
    text_put(out, "\n  at ");
    text_instruction_at(out, m->launch->code, pc);
}

void machine_describe_failures(const struct machine *m, char *out, size_t size) {
    const struct exclusive_failures *f = &m->monitor->failures;
    struct text text = {out, size};
    text_put(
        &text,
        "livelock: exclusive loads and stores go on, but no exclusive store has succeeded since cycle "
        "%llu of the launch, for %llu cycles (mem.exclusive_livelock); %llu have failed\nthe last one at ",
        (unsigned long long)(f->first - m->first_cycle), (unsigned long long)m->monitor->limit,
        (unsigned long long)f->count);
    text_object(&text, m->launch, f->address);
    text_put(&text, ", by ");
    put_store(&text, m, f->thread, f->pc);
    if (!f->struck) {
        text_put(&text, "\nno store of others has taken a reservation: a STREX needs an LDREX of the same "
                        "place before it, and no other exclusive access between");
        return;
    }
    text_put(&text, "\n%llu plain stores have taken reservations, the last one by ",
             (unsigned long long)f->struck);
    put_store(&text, m, f->striker, f->striker_pc);
}
