/* Describes the short loop that a warp or a core repeats, the data that it reads, and the thread that wrote
 * them. */
#include "model/report/cluster_text.h"
#include "model/core/core_outlook.h"

#include <string.h>

/* Writes the distinct PCs of a trail in ascending order. Returns their number. */
static unsigned different(const struct execution_trail *t, uint32_t pc[EXECUTION_TRAIL]) {
    unsigned count = 0;
    for (unsigned n = 0; n < EXECUTION_TRAIL; ++n) {
        unsigned at = count;
        while (at && pc[at - 1] > t->pc[n]) --at;
        if (at && pc[at - 1] == t->pc[n]) continue;
        memmove(&pc[at + 1], &pc[at], (count - at) * sizeof *pc);
        pc[at] = t->pc[n];
        ++count;
    }
    return count;
}

/* --- writers of a word --- */

static void put_cluster(struct text *out, const struct cluster *c) {
    if (c->config->cluster.count > 1) text_put(out, " of cluster %u", c->index);
}

static void put_thread(struct text *out, const struct cluster *c, const struct exclusive_claim *holder) {
    static const char stored[] = " made it so by an exclusive store (it may hold a lock) and ";
    const struct warp_descriptors *w = &c->descriptors.warp[holder->warp];
    const unsigned k = holder->position;
    text_put(out, "      ");
    if (memcmp(c->group, holder->group, sizeof c->group) != 0) {
        text_put(out, "a work-item of work-group (%u, %u, %u)%shas ended\n", holder->group[0],
                 holder->group[1], holder->group[2], stored);
        return;
    }
    text_thread(out, &c->simt, holder->warp, k);
    text_put(out, " of warp %u", holder->warp);
    put_cluster(out, c);
    text_put(out, "%s", stored);
    if (!(tdt_live(w) >> k & 1)) {
        text_put(out, "has ended\n");
        return;
    }
    const bool waits = w->barrier >> k & 1;
    text_put(out, "%s at ", w->execution >> k & 1 ? "executes" : waits ? "waits at the barrier" : "is Ready");
    text_place(out, c->launch->code, waits ? w->barrier_pc[k] : tdt_pc(w, k));
    text_put(out, "\n");
}

static void put_core(struct text *out, const struct cluster *c, const struct exclusive_claim *holder,
                     bool itself) {
    const struct core *k = &c->core[holder->warp];
    const bool same = k->has_group && memcmp(k->group, holder->group, sizeof k->group) == 0;
    text_put(out, "      %s", itself ? "this core" : "core ");
    if (!itself) text_put(out, "%u", holder->warp);
    if (!itself) put_cluster(out, c);
    text_put(out, " made it so by an exclusive store (it may hold a lock) in ");
    if (itself && same) {
        text_put(out, "this work-group\n");
        return;
    }
    text_put(out, "work-group (%u, %u, %u), which ", holder->group[0], holder->group[1], holder->group[2]);
    if (!same) {
        text_put(out, "has ended\n");
        return;
    }
    text_put(out, "is at ");
    text_place(out, c->launch->code, core_working_pc(k));
    text_put(out, "\n");
}

/* Appends the present value of a word, and its writer if known. `memory` is the reader's view, `place` the
 * word's address in the machine. */
static const struct exclusive_claim *put_polled(struct text *out, const struct cluster *c,
                                                const struct execution_trail *t, const struct memory *memory,
                                                uint32_t place) {
    const int index = t->load_pc ? memory_find(memory, t->load_address, 4) : -1;
    uint32_t value;
    if (index < 0) return NULL;
    const struct memory_region *r = &memory->region[index];
    memcpy(&value, r->host + (t->load_address - r->base), 4);
    text_put(out, "      it reads 0x%08x in %s, now 0x%x, at ", t->load_address, r->name, value);
    text_place(out, c->launch->code, t->load_pc);
    text_put(out, "\n");
    const struct exclusive_claim *holder = exclusive_claims_find(&c->uncore->claims, place);
    return holder && holder->value == value ? holder : NULL;
}

/* --- loops --- */

/* Appends the source lines of instructions. */
static void put_lines(struct text *out, const struct cluster *c, const uint32_t *pc, unsigned count) {
    const struct machine_code *code = c->launch->code;
    const char *file, *last_file = NULL;
    unsigned line, last = 0;
    for (unsigned n = 0; code->line && n < count; ++n) {
        if (!code->line(code->line_context, pc[n], &file, &line) || (line == last && file == last_file))
            continue;
        text_put(out, "%s%s:%u", last_file ? ", " : ", of ", file, line);
        last_file = file;
        last = line;
    }
}

struct loop {
    uint32_t pc[EXECUTION_TRAIL + 1];
    unsigned count;
};

/* Finds a short loop; returns false if there is none. The latest load is forgotten if it was before the
 * loop. */
static bool find_loop(struct execution_trail *t, struct loop *loop) {
    unsigned n = 0;
    if (t->count < EXECUTION_TRAIL) return false;
    loop->count = different(t, loop->pc);
    while (n < loop->count && loop->pc[n] != t->load_pc) ++n;
    if (n == loop->count) t->load_pc = t->load_address = 0;
    return loop->count <= EXECUTION_TRAIL / 2;
}

static void put_loop(struct text *out, const struct cluster *c, const struct loop *loop) {
    text_put(out, "    goes round %u instruction%s, pc 0x%x to 0x%x", loop->count,
             loop->count == 1 ? "" : "s", loop->pc[0], loop->pc[loop->count - 1]);
    put_lines(out, c, loop->pc, loop->count);
    text_put(out, "\n");
}

void cluster_put_loop(struct text *out, const struct cluster *c, unsigned warp) {
    struct execution_trail t = c->trail[warp];
    struct loop loop;
    if (!find_loop(&t, &loop)) return;
    put_loop(out, c, &loop);
    const struct exclusive_claim *holder =
        put_polled(out, c, &t, c->memory, core_physical(&c->core[0], t.load_address));
    if (holder) put_thread(out, holder->cluster, holder);
}

static bool find_core_loop(const struct cluster *c, unsigned core, struct execution_trail *t,
                           struct loop *loop) {
    const struct core *k = &c->core[core];
    if (k->state != CORE_RUN || !k->in_kernel) return false;
    core_outlook(k, c->launch->code, t);
    return find_loop(t, loop);
}

/* Returns the first core that repeats the same loop and reads the same data. */
static unsigned first_like(const struct cluster *c, unsigned core, const struct execution_trail *t,
                           const struct loop *loop) {
    struct execution_trail others;
    struct loop other;
    const uint32_t place = core_physical(&c->core[core], t->load_address);
    unsigned n = 0;
    while (n < core && !(find_core_loop(c, n, &others, &other) && other.count == loop->count &&
                         memcmp(other.pc, loop->pc, loop->count * sizeof loop->pc[0]) == 0 &&
                         core_physical(&c->core[n], others.load_address) == place))
        ++n;
    return n;
}

void cluster_put_core_loop(struct text *out, const struct cluster *c, unsigned core) {
    const struct core *k = &c->core[core];
    struct execution_trail t;
    struct loop loop;
    if (!find_core_loop(c, core, &t, &loop)) return;
    const unsigned first = first_like(c, core, &t, &loop);
    if (first < core) {
        text_put(out, "    goes round the same, for the same word as core %u\n", first);
        return;
    }
    put_loop(out, c, &loop);
    const struct exclusive_claim *holder =
        put_polled(out, c, &t, k->threads.memory, core_physical(k, t.load_address));
    if (holder) put_core(out, holder->cluster, holder, holder->cluster == c && holder->warp == core);
}
