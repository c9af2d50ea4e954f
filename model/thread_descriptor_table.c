#include "model/thread_descriptor_table.h"

#include "sim/error.h"

#include <string.h>

void thread_descriptor_table_init(struct thread_descriptor_table *t, unsigned warps, unsigned warp_size,
                                  unsigned levels) {
    invariant(warps >= 1 && warps <= TDT_MAX_WARPS && warp_size >= 1 && warp_size <= TDT_MAX_WARP_SIZE &&
                  levels >= 1 && levels <= TDT_MAX_LEVELS,
              "thread descriptor table of %u warps, %u threads, %u levels", warps, warp_size, levels);
    memset(t, 0, sizeof *t);
    t->warps = warps;
    t->warp_size = warp_size;
    t->levels = levels;
    t->all = warp_size == 64 ? ~0ull : (1ull << warp_size) - 1;
}

void tdt_start(struct thread_descriptor_table *t, unsigned warp, unsigned position, uint32_t pc,
               uint32_t local_id, uint32_t stack_top) {
    struct warp_descriptors *w = &t->warp[warp];
    const uint64_t bit = 1ull << position;
    const uint64_t live = tdt_live(w);
    invariant(!(live & bit), "thread %u of warp %u is started but not Idle", position, warp);
    w->one_pc = live == 0 || (w->one_pc && w->pc[__builtin_ctzll(live)] == pc);
    w->ready |= bit;
    for (unsigned level = 0; level < t->levels; ++level) w->priority[level] &= ~bit;
    w->priority[0] |= bit;
    w->level[position] = 0;
    w->pc[position] = pc;
    for (unsigned d = 0; d < 3; ++d) w->local_id[d][position] = local_id >> (10 * d) & 0x3ff;
    w->n[position] = w->c[position] = w->v[position] = w->q[position] = w->ge[position] = 0;
    w->z[position] = 1; /* Z clear */
    w->fpscr[position] = 0;
    w->stack_top[position] = stack_top;
}

void tdt_schedule(struct warp_descriptors *w, uint64_t threads) {
    invariant((w->ready & threads) == threads, "Ready→Execution of threads %#llx, of which %#llx are Ready",
              (unsigned long long)threads, (unsigned long long)(w->ready & threads));
    w->ready &= ~threads;
    w->execution |= threads;
}

static void leave_execution(struct warp_descriptors *w, uint64_t threads) {
    invariant((w->execution & threads) == threads, "threads %#llx leave Execution, of which %#llx are in it",
              (unsigned long long)threads, (unsigned long long)(w->execution & threads));
    w->execution &= ~threads;
}

void tdt_commit(struct warp_descriptors *w, uint64_t threads) {
    leave_execution(w, threads);
    w->ready |= threads;
}

void tdt_wait(struct warp_descriptors *w, uint64_t threads) {
    leave_execution(w, threads);
    w->barrier |= threads;
}

void tdt_exit(struct warp_descriptors *w, uint64_t threads) {
    leave_execution(w, threads);
}

void tdt_release(struct warp_descriptors *w, uint64_t threads) {
    invariant((w->barrier & threads) == threads, "Barrier→Ready of threads %#llx, of which %#llx are at one",
              (unsigned long long)threads, (unsigned long long)(w->barrier & threads));
    w->barrier &= ~threads;
    w->ready |= threads;
}

bool tdt_priority(struct thread_descriptor_table *t, unsigned warp, uint64_t threads,
                  enum priority_operation op, unsigned by, unsigned *position) {
    struct warp_descriptors *w = &t->warp[warp];
    for (uint64_t rest = threads; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        const unsigned old = w->level[k];
        const unsigned level = op == PRIORITY_RAISE ? old + 1 : op == PRIORITY_LOWER ? old - by : 0;
        if (level > TDT_MAX_LEVEL) { /* also a level below 0, which wraps */
            *position = k;
            return false;
        }
        const unsigned top = t->levels - 1;
        w->priority[old < top ? old : top] &= ~(1ull << k);
        w->priority[level < top ? level : top] |= 1ull << k;
        w->level[k] = (uint8_t)level;
    }
    return true;
}

unsigned tdt_highest_level(const struct thread_descriptor_table *t, unsigned warp, uint64_t threads) {
    for (unsigned level = t->levels; level-- > 1;)
        if (t->warp[warp].priority[level] & threads) return level;
    return 0;
}
