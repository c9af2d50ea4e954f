#include "model/memory/snoop_directory.h"

#include "model/memory/directory.h"
#include "model/memory/moesi.h"

#include <string.h>

void snoop_directory_init(struct snoop_directory *d, unsigned clusters, unsigned l2s) {
    memset(d, 0, sizeof *d);
    d->clusters = clusters;
    d->l2s = l2s;
    d->in.state = d->state;
    d->out.next = d->next;
}

/* --- a snoop --- */

/* Result of a snoop of several L2s. */
struct found {
    bool held, alone, dirty;
};

/* Lets all L2s of a cluster but one (`l2s`: none) snoop an event. */
static struct found snoop(struct snoop_directory *d, unsigned cluster, unsigned except,
                          enum moesi_event event) {
    struct found f = {0};
    for (unsigned n = 0; n < d->l2s; ++n) {
        const unsigned state = d->state[cluster * d->l2s + n];
        if (n == except || state == MOESI_I || state >= MOESI_STATE_COUNT) continue;
        const struct moesi_row row = moesi_table.row[state][event];
        f.held = true;
        f.alone |= moesi_alone(state);
        f.dirty |= moesi_dirty(state);
        d->next[cluster * d->l2s + n] = row.action == MOESI_IMPOSSIBLE ? (unsigned)MOESI_I : row.next;
        if (row.action != MOESI_SUPPLY || (d->out.supplied && !moesi_dirty(state))) continue;
        d->out.supplied = true;
        d->out.supplier_cluster = cluster;
        d->out.supplier_l2 = n;
    }
    return f;
}

static uint64_t with_copies(const struct snoop_directory *d, const uint32_t *state) {
    uint64_t clusters = 0;
    for (unsigned n = 0; n < d->clusters * d->l2s; ++n)
        if (state[n] != MOESI_I) clusters |= UINT64_C(1) << n / d->l2s;
    return clusters;
}

uint64_t snoop_directory_sharers(const struct snoop_directory *d) {
    return with_copies(d, d->next);
}

/* --- the directory --- */

static void enter(struct snoop_directory *d, unsigned entry, unsigned owner) {
    d->out.entry = entry;
    d->out.owner = entry == DIRECTORY_O || entry == DIRECTORY_X ? owner : 0;
}

/* Lets clusters other than the requester's snoop for the directory; `giver` (0: none) sends the line. */
static struct found ask(struct snoop_directory *d, uint64_t clusters, uint64_t giver,
                        enum moesi_event event) {
    struct found answer = {0};
    d->out.asked = clusters;
    for (; clusters; clusters &= clusters - 1) {
        const struct snoop_directory_out out = d->out;
        const struct found f = snoop(d, (unsigned)__builtin_ctzll(clusters), d->l2s, event);
        if (clusters & -clusters & giver)
            answer = f;
        else
            d->out = out;
    }
    return answer;
}

/* held: an L2 of the requester's cluster has the line. */
static void ask_directory(struct snoop_directory *d, bool held, uint64_t elsewhere) {
    const struct snoop_directory_in *in = &d->in;
    const bool read = in->request == SNOOP_DIRECTORY_READ;
    const enum directory_event event = held || in->request == SNOOP_DIRECTORY_UPGRADE ? DIRECTORY_UPGRADE
                                       : read                                         ? DIRECTORY_READ
                                                                                      : DIRECTORY_WRITE;
    const struct directory_row row = directory_table.row[in->entry][event];
    const bool forward = row.action == DIRECTORY_FORWARD || row.action == DIRECTORY_FORWARD_INVALIDATE;
    const uint64_t owner = forward ? UINT64_C(1) << in->owner & elsewhere : 0;
    const struct found f =
        ask(d, read ? owner : elsewhere, owner, read ? MOESI_SNOOP_READ : MOESI_SNOOP_WRITE);
    d->out.memory = row.action == DIRECTORY_MEMORY || row.action == DIRECTORY_MEMORY_INVALIDATE;
    if (row.next == DIRECTORY_B)
        enter(d, directory_table.row[DIRECTORY_B][f.dirty ? DIRECTORY_DIRTY : DIRECTORY_CLEAN].next,
              in->owner);
    else
        enter(d, read ? row.next : (unsigned)DIRECTORY_X, in->cluster);
}

/* --- requests --- */

static void request(struct snoop_directory *d, uint64_t elsewhere) {
    static const enum moesi_event event[] = {[SNOOP_DIRECTORY_READ] = MOESI_SNOOP_READ,
                                             [SNOOP_DIRECTORY_WRITE] = MOESI_SNOOP_WRITE,
                                             [SNOOP_DIRECTORY_UPGRADE] = MOESI_SNOOP_UPGRADE};
    const struct snoop_directory_in *in = &d->in;
    const bool read = in->request == SNOOP_DIRECTORY_READ, upgrade = in->request == SNOOP_DIRECTORY_UPGRADE;
    const struct found f = snoop(d, in->cluster, in->l2, event[in->request]);
    const enum moesi_event fill = upgrade               ? MOESI_GRANT
                                  : !read               ? MOESI_FILL_WRITE
                                  : f.held || elsewhere ? MOESI_FILL_SHARED
                                                        : MOESI_FILL_ALONE;
    d->next[in->cluster * d->l2s + in->l2] = moesi_table.row[upgrade ? MOESI_S : MOESI_I][fill].next;
    if (d->clusters > 1 && !f.alone && (!read || !f.held))
        ask_directory(d, f.held, elsewhere);
    else if (!upgrade)
        d->out.memory = !f.held;
}

static void evict(struct snoop_directory *d, uint64_t elsewhere) {
    const struct snoop_directory_in *in = &d->in;
    uint32_t *own = &d->next[in->cluster * d->l2s + in->l2];
    d->out.write_back = moesi_dirty(*own);
    *own = MOESI_I;
    if (d->clusters == 1) return;
    unsigned entry = in->entry;
    if (d->out.write_back && entry == DIRECTORY_O)
        entry = directory_table.row[DIRECTORY_O][DIRECTORY_WRITE_BACK].next;
    const bool held = snoop_directory_sharers(d) >> in->cluster & 1;
    if (!held && !elsewhere) entry = DIRECTORY_U;
    enter(d, entry, in->owner);
}

void snoop_directory_eval(struct snoop_directory *d) {
    const struct snoop_directory_in *in = &d->in;
    const uint64_t elsewhere = with_copies(d, d->state) & ~(UINT64_C(1) << in->cluster);
    memcpy(d->next, d->state, d->clusters * d->l2s * sizeof *d->next);
    d->out = (struct snoop_directory_out){.next = d->next};
    enter(d, d->clusters > 1 ? in->entry : DIRECTORY_U, in->owner);
    if (in->request == SNOOP_DIRECTORY_EVICT)
        evict(d, elsewhere);
    else if (in->request != SNOOP_DIRECTORY_NONE && in->request < SNOOP_DIRECTORY_EVICT)
        request(d, elsewhere);
}
