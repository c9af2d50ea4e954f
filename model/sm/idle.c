#include "model/sm/idle.h"

#include "sim/error.h"

#include <stdlib.h>

void sm_count_idle(struct sm *s, struct counter_registry *r) {
    static const struct {
        const char *name, *description;
        enum thread_place_state state;
    } states[] = {
        {"ready", "that could be selected", PLACE_READY},
        {"inactive", "that wait for others from which they have parted, or to which they could join",
         PLACE_INACTIVE},
        {"meeting", "that wait where they meet others again", PLACE_MEETING},
        {"barrier", "that wait at the barrier of their work-group", PLACE_BARRIER},
    };
    char scope[32];
    s->idle = calloc(1, sizeof *s->idle);
    require_memory(s->idle);
    snprintf(scope, sizeof scope, "cluster%u.idle", s->index);
    counter_register(r, scope, "cycles", "cycles", "of schedulers with threads that issue nothing",
                     &s->idle->cycles);
    counter_register(r, scope, "threads", "threads", "in these cycles, summed over them", &s->idle->all);
    counter_register(r, scope, "dependent", "threads", "of these, whose instruction is in flight",
                     &s->idle->dependent);
    for (size_t n = 0; n < sizeof states / sizeof *states; ++n)
        counter_register(r, scope, states[n].name, "threads", states[n].description,
                         &s->idle->threads[states[n].state]);
    counter_register(r, scope, "parted", "threads", "inactive or meeting", &s->idle->parted);
}

struct visit {
    struct sm_idle *idle;
    uint64_t cycles;
};

static void add(void *context, const struct thread_place *p) {
    const struct visit *v = context;
    const uint64_t threads = p->count * v->cycles;
    v->idle->all += threads;
    v->idle->threads[p->state] += threads;
    if (p->state == PLACE_FLIGHT || p->state == PLACE_MEMORY) v->idle->dependent += threads;
    if (p->state == PLACE_INACTIVE || p->state == PLACE_MEETING) v->idle->parted += threads;
}

void sm_idle_note(struct sm *s, unsigned scheduler, uint64_t cycles) {
    struct visit v = {s->idle, cycles};
    if (!s->scheduler[scheduler].live) return;
    s->idle->cycles += cycles;
    s->divergence->places(s, scheduler, add, &v);
}
