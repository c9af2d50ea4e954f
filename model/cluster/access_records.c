#include "model/cluster/access_records.h"

/* State before an access: counts of the L2, and whether a miss for the line is in flight. */
struct before {
    uint64_t misses, upgrades, joined;
    bool comes;
};

static struct before look(struct core *k, uint32_t address, uint64_t t) {
    const struct private_l2 *l2 = &k->l2;
    const struct cache_line *line = cache_peek(&l2->tags, core_physical(k, address));
    return (struct before){l2->tags.misses, l2->upgrades, l2->joined,
                           line && line->present > t + 1 + l2->latency_cycles};
}

static enum record_hit hit_of(const struct core *k, const struct before *b) {
    const struct private_l2 *l2 = &k->l2;
    if (l2->tags.misses > b->misses) return RECORD_HIT_MEMORY;
    if (l2->upgrades > b->upgrades) return RECORD_HIT_UPGRADE;
    return b->comes || l2->joined > b->joined ? RECORD_HIT_FLIGHT : RECORD_HIT_L2;
}

static unsigned bytes_of(const struct arm_instruction *i) {
    return i->access_bytes / i->access_count;
}

static void add(struct cluster *c, unsigned lane, const struct access_of *of, enum record_hit hit,
                uint64_t t) {
    const unsigned bytes = bytes_of(of->i);
    const unsigned size = c->descriptors.warp_size;
    const unsigned home = of->home ? of->home[of->position] : of->warp * size + of->position;
    if (!recorder_wants_access(c->recorder, t)) return;
    recorder_access(c->recorder, t, lane, hit, of->x->address[of->position] + of->beat * bytes,
                    access_values_of(&c->access_values, home / size, home % size, of->beat), bytes,
                    of->i->is_store, private_l2_pending(&c->core[lane].l2, t));
}

bool access_records_reach(struct cluster *c, struct held_accesses *h, const struct held_access *a,
                          const struct access_of *of, uint64_t t, uint64_t *done) {
    struct core *k = &c->core[a->lane];
    const struct before b = look(k, a->address, t);
    const bool made = held_accesses_reach(h, k, a, t, done);
    add(c, a->lane, of, made ? hit_of(k, &b) : RECORD_HIT_TRANSLATION, t);
    return made;
}

/* Returns *of with the thread and the beat to which a held access belongs; the translated address identifies
 * them. */
static struct access_of find_access(const struct cluster *c, const struct access_of *of,
                                    const struct held_access *a) {
    struct access_of found = *of;
    const struct core *k = &c->core[a->lane];
    for (uint64_t rest = of->x->passed & c->of_lane[a->lane]; rest; rest &= rest - 1)
        for (unsigned beat = 0; beat < of->i->access_count; ++beat) {
            const unsigned n = (unsigned)__builtin_ctzll(rest);
            if (core_physical(k, of->x->address[n] + beat * bytes_of(of->i)) != a->address) continue;
            found.position = n;
            found.beat = beat;
            return found;
        }
    return found;
}

bool access_records_retry(struct cluster *c, struct held_accesses *h, const struct access_of *of, uint64_t t,
                          struct held_access *a, uint64_t *done) {
    const struct held_access first = h->entry[h->first];
    struct core *k = &c->core[first.lane];
    const struct before b = look(k, first.address, t);
    if (!held_accesses_retry(h, c->core, t, a, done)) return false;
    const struct access_of found = find_access(c, of, a);
    add(c, a->lane, &found, hit_of(k, &b), t);
    return true;
}

void access_records_tpm(struct cluster *c, unsigned lane, const struct access_of *of, uint64_t t) {
    add(c, lane, of, RECORD_HIT_TPM, t);
}

void access_records_note(struct cluster *c, unsigned warp, const struct arm_instruction *i,
                         const struct arm_execution *x) {
    if (c->access_values.positions)
        access_values_note(&c->access_values, warp, i, &c->threads[warp], x->passed, x->address);
}
