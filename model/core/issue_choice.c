#include "model/core/issue_choice.h"
#include "model/core/superscalar_parts.h"

#include <string.h>

static const struct window_entry *entry_of(const struct window *w, uint64_t number) {
    return &w->entry[number % WINDOW_SLOTS];
}

static unsigned slot_of(const struct window_entry *e) {
    return (unsigned)(e->number % WINDOW_SLOTS);
}

bool issue_choice_begin(struct issue_choice *s, const struct core *c, uint64_t t) {
    const struct window *w = c->superscalar->window;
    bool any = false;
    for (unsigned k = 0; k < READY_KINDS; ++k) any |= !slot_set_is_empty(&w->ready[k]);
    if (!any) return false;
    *s = (struct issue_choice){.unaddressed = w->unaddressed, .may_access = c->superscalar->load_store <= t};
    memcpy(s->before, w->ready, sizeof s->before);
    memcpy(s->ready, w->ready, sizeof s->ready);
    return true;
}

/* Returns the entries of a set, in the slots that they have in the block: number modulo window. */
static unsigned __int128 in_block(const struct window *w, const struct slot_set *set, bool needs_first) {
    unsigned __int128 all = 0;
    for (struct slot_set rest = slot_set_by_age(set, w->first); !slot_set_is_empty(&rest);) {
        const uint64_t number = w->first + slot_set_take_first(&rest);
        if (needs_first && !needs_first_unit(entry_of(w, number)->i->class)) continue;
        all |= issue_select_slot((unsigned)(number % w->block.cfg.window));
    }
    return all;
}

static uint32_t free_units(const struct core *c, uint64_t t) {
    const struct superscalar *s = c->superscalar;
    const unsigned integers = c->config->core.integer_units, vfps = c->config->core.vfp_units;
    uint32_t free = 0;
    for (unsigned n = 0; n < integers; ++n) free |= (uint32_t)(s->integer[n] <= t) << n;
    for (unsigned n = 0; n < vfps; ++n) free |= (uint32_t)(s->vfp[n] <= t) << (integers + n);
    return free | (uint32_t)(s->load_store <= t) << (integers + vfps);
}

void issue_choice_ask(const struct issue_choice *s, struct core *c, uint64_t t) {
    struct window *w = c->superscalar->window;
    w->block.in = (struct issue_select_in){
        .first = (uint32_t)(w->first % w->block.cfg.window),
        .integer = in_block(w, &s->ready[READY_INTEGER], false),
        .vfp = in_block(w, &s->ready[READY_VFP], false),
        .load = in_block(w, &s->ready[READY_LOAD], false),
        .store = in_block(w, &s->ready[READY_STORE], false),
        .needs_first = in_block(w, &s->ready[READY_INTEGER], true) | in_block(w, &s->ready[READY_VFP], true),
        .unknown = in_block(w, &s->unaddressed, false),
        .free = free_units(c, t),
    };
    issue_select_eval(&w->block);
    block_requests_cycle(&w->block.requests, CLUSTER_BLOCK_SELECT);
}

/* Returns the unit of a number; NULL if there is none. */
static uint64_t *unit_of_number(struct core *c, unsigned n) {
    struct superscalar *s = c->superscalar;
    const unsigned integers = c->config->core.integer_units, vfps = c->config->core.vfp_units;
    if (n < integers) return &s->integer[n];
    if (n < integers + vfps) return &s->vfp[n - integers];
    return n == integers + vfps ? &s->load_store : NULL;
}

struct window_entry *issue_choice_entry(const struct issue_choice *s, struct core *c, unsigned n,
                                        uint64_t **unit, uint64_t t) {
    struct window *w = c->superscalar->window;
    const unsigned window = w->block.cfg.window, first = (unsigned)(w->first % window);
    if (!(w->block.out.issue >> n & 1) || w->block.slot[n] >= window) return NULL;
    const uint64_t number = w->first + (w->block.slot[n] + window - first) % window;
    struct window_entry *e = &w->entry[number % WINDOW_SLOTS];
    *unit = unit_of_number(c, w->block.unit[n]);
    const bool is_ready = e->number == number && slot_set_has(&s->ready[e->ready], slot_of(e));
    return is_ready && *unit && **unit <= t && !e->selected ? e : NULL;
}

void issue_choice_turn_away(struct issue_choice *s, const struct core *c, const struct window_entry *e,
                            uint64_t t) {
    slot_set_take(&s->ready[e->ready], slot_of(e));
    if (c->superscalar->load_store > t) s->untranslated = e->number;
}

void issue_choice_end(const struct issue_choice *s, struct core *c, uint64_t t) {
    struct window *w = c->superscalar->window;
    bool may_access = s->may_access, held = false;
    unsigned selected = 0;
    for (uint64_t number = w->first; number < w->end; ++number) {
        const struct window_entry *e = entry_of(w, number);
        const bool is_access = e->ready >= READY_LOAD;
        if (!slot_set_has(&s->before[e->ready], slot_of(e))) continue;
        if (e->selected == t) {
            ++selected;
            if (is_access) may_access = false;
        } else if (e->ready == READY_LOAD && held) { /* as the load before it */
            continue;
        } else if (selected == c->config->core.issue_width || !is_access || !may_access) {
            w->waits_for_unit = true;
        } else if (e->ready == READY_LOAD && window_follows(w, e, &s->unaddressed)) {
            held = true;
            ++w->loads_held;
        } else if (slot_set_has(&s->ready[e->ready], slot_of(e))) {
            w->waits_for_unit = true; /* another policy has left it */
        } else if (e->number == s->untranslated) {
            may_access = false;
        }
    }
}
