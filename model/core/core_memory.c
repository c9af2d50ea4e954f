/* core_memory: the loads and stores of a core, in time (core.h). */
#include "model/core/core_parts.h"

#include "model/core/access_values.h"

/* Counts of a core's L2 before an access. */
struct core_counts {
    uint64_t accesses, misses, upgrades, joined;
};

static struct core_counts count(const struct core *c) {
    return (struct core_counts){c->l2.tags.accesses, c->l2.tags.misses, c->l2.upgrades, c->l2.joined};
}

uint64_t core_access_l2(struct core *c, const struct arm_instruction *i, uint32_t address, uint64_t t) {
    const unsigned shift = c->l2.tags.line_shift;
    const uint32_t last = (address + i->access_bytes - 1) >> shift;
    uint64_t at = t, latest = t;
    for (uint32_t line = address >> shift; line <= last; ++line)
        core_later(&latest, core_l2_done(c, line << shift, i->is_store, ++at));
    return i->is_load ? latest + 1 - t : 1;
}

/* Makes a load wait for a line until cycle `until`. Returns the core's next cycle, which is t if the load
 * does not block. */
static uint64_t await_line(struct core *c, uint64_t until, uint64_t t) {
    unsigned waiting = 0, first = 0;
    c->awaited[c->awaited_count++] = until;
    for (unsigned n = 0; n < c->awaited_count; ++n)
        if (c->awaited[n] > t) c->awaited[waiting++] = c->awaited[n];
    c->awaited_count = waiting;
    if (waiting <= c->config->core.hit_under_miss) return t;
    for (unsigned n = 1; n < waiting; ++n)
        if (c->awaited[n] < c->awaited[first]) first = n;
    t = c->awaited[first];
    c->awaited[first] = c->awaited[--c->awaited_count];
    return t;
}

/* Records an access of a MIMD launch that has been made with its address in X in cycle t. */
static __attribute__((noinline)) void record_access(const struct core *c, const struct core_counts *before,
                                                    bool store, uint32_t address, unsigned bytes,
                                                    uint64_t t) {
    const struct private_l2 *l2 = &c->l2;
    const enum record_hit hit = l2->tags.misses > before->misses       ? RECORD_HIT_MEMORY
                                : l2->upgrades > before->upgrades      ? RECORD_HIT_UPGRADE
                                : l2->joined > before->joined          ? RECORD_HIT_FLIGHT
                                : l2->tags.accesses > before->accesses ? RECORD_HIT_L2
                                                                       : RECORD_HIT_L1;
    const uint32_t virtual = address - c->local_offset - MEMORY_LOCAL_BASE < c->local_bytes
                                 ? address - c->local_offset
                                 : address;
    recorder_access(c->record.recorder, t, c->record.place, hit, virtual,
                    access_values_at(&c->threads, 0, virtual, bytes), bytes, store,
                    private_l2_pending(l2, t));
}

struct access_time core_access_once(struct core *c, const struct arm_instruction *i, uint32_t address,
                                    unsigned bytes, uint64_t t) {
    const unsigned shift = c->l1d.tags.line_shift;
    const uint32_t first = address >> shift, last = (address + bytes - 1) >> shift;
    struct access_time a = {0};
    uint64_t there = 0, extra = 0;
    const bool recorded = __builtin_expect(recorder_wants_access(c->record.recorder, t), 0);
    const struct core_counts before = recorded ? count(c) : (struct core_counts){0};
    for (uint32_t line = first;; ++extra) {
        const uint32_t at = line == first ? address : line << shift;
        if (i->is_store)
            a.full += l1d_store(&c->l1d, at, t + 1 + extra + a.full);
        else
            core_later(&there, l1d_load(&c->l1d, at, t + 1 + extra));
        if (line++ == last) break;
    }
    if (recorded) record_access(c, &before, i->is_store, address, bytes, t);
    a.next = t + c->config->core.occupancy_cycles[i->class] + extra + a.full;
    a.result = t + c->config->core.latency_cycles[i->class] + extra;
    if (i->is_load) a.result += c->l1d.latency_cycles - 1;
    if (there > a.next) {
        const uint64_t on = await_line(c, there, a.next);
        a.blocked = on - a.next;
        a.next = on;
    }
    core_later(&a.result, there);
    return a;
}

static void charge_access(struct core *c, const struct access_time *a, uint64_t held) {
    c->account[MACHINE_CAUSE_MEMORY] += a->blocked;
    c->account[MACHINE_CAUSE_WRITE_BUFFER] += a->full;
    c->account[MACHINE_CAUSE_OCCUPIED] += held - a->blocked - a->full;
}

/* Returns the registers of the next access of a multiple access: one register, with Advanced SIMD one D
 * register. Elements of interleaved structures set all their registers. */
static uint64_t registers_of_access(const struct arm_instruction *i, uint64_t rest) {
    const uint64_t first = rest & -rest;
    if (i->class != ARM_CLASS_NEON_LOAD) return first;
    if (i->structure > 1) return rest;
    return first | (first < arm_row_bit(ARM_REGISTERS) ? first << 1 : 0);
}

/* Makes the accesses of cycle `next`: one register of an instruction, or all. The first access writes the
 * base back. */
static void next_access(struct core *c) {
    struct core_access *m = &c->access;
    const struct arm_instruction *i = m->i;
    const uint64_t t = c->next;
    const struct access_time a = core_access_once(c, i, m->address + m->done * m->bytes, m->bytes, t);
    if (m->count == 1) {
        core_set_ready(c, i, a.result);
    } else {
        if (m->done == 0 && i->write_back) c->ready[i->rn] = a.result;
        const uint64_t loaded = registers_of_access(i, m->rest);
        for (uint64_t rest = i->is_load ? loaded : 0; rest; rest &= rest - 1)
            c->ready[__builtin_ctzll(rest)] = a.result;
        if (i->structure < 2) m->rest &= ~loaded;
    }
    core_later(&m->result, a.result);
    c->next = a.next;
    charge_access(c, &a, a.next - t - (m->done == 0));
    if (++m->done < m->count) return;
    m->i = NULL;
    if (m->branches) core_branch(c, i->is_load ? m->result : 0);
}

struct core_access core_access_of(const struct arm_instruction *i, uint32_t pc, uint32_t address) {
    const uint64_t base = i->write_back ? UINT64_C(1) << i->rn : 0;
    return (struct core_access){.i = i,
                                .pc = pc,
                                .address = address,
                                .count = i->access_count,
                                .bytes = i->access_bytes / i->access_count,
                                .rest = i->destinations & ~base,
                                .branches = i->writes_pc};
}

/* Handles a translation that arrives in cycle `there`. */
static void translated(struct core *c, uint64_t there) {
    c->access.address = core_physical(c, c->access.address);
    c->access.translated = true;
    c->account[MACHINE_CAUSE_MEMORY] += there - c->next;
    c->next = there;
}

/* Makes an access of a MIMD launch. */
static void access_cached(struct core *c, const struct arm_instruction *i, uint32_t address, uint64_t t,
                          uint64_t there) {
    if (__builtin_expect(i->access_count == 1 && there == t, 1)) {
        const struct access_time a = core_access_once(c, i, core_physical(c, address), i->access_bytes, t);
        core_set_ready(c, i, a.result);
        c->next = a.next;
        charge_access(c, &a, a.next - t - 1);
        if (i->writes_pc) core_branch(c, i->is_load ? a.result : 0);
        return;
    }
    c->access = core_access_of(i, c->pc, address);
    c->next = t;
    translated(c, there);
    if (there == t) next_access(c);
}

void core_access_memory(struct core *c, const struct arm_instruction *i, uint32_t address, uint64_t t) {
    const uint64_t there = core_translate(c, &c->dtlb, address, t);
    if (c->caches_data) {
        access_cached(c, i, address, t, there);
        return;
    }
    const uint64_t occupied = (uint64_t)c->config->core.occupancy_cycles[i->class] * i->access_count;
    const uint64_t unblocked = there + core_access_l2(c, i, core_physical(c, address), there);
    c->next = t + occupied;
    core_later(&c->next, unblocked);
    c->account[MACHINE_CAUSE_OCCUPIED] += occupied - 1;
    c->account[MACHINE_CAUSE_MEMORY] += c->next - t - occupied;
    core_set_ready(c, i, i->is_load ? c->next : t + c->config->core.latency_cycles[i->class]);
    if (i->writes_pc) core_branch(c, c->next);
}

/* --- accesses after the instruction's cycle --- */

void core_put_off_access(struct core *c, const struct arm_instruction *i, uint32_t address) {
    c->access = core_access_of(i, c->pc, address);
    c->access.own = true;
}

void core_continue_access(struct core *c) {
    if (!c->access.translated) {
        const uint64_t t = c->next;
        translated(c, core_translate(c, &c->dtlb, c->access.address, t));
        if (c->next > t) return;
    }
    next_access(c);
}

/* Returns whether the caches answer the next access. A line that must be fetched evicts another, which
 * depends on other cores' requests until then. */
static bool caches_answer(struct core *c, uint32_t address) {
    const struct core_access *m = &c->access;
    const unsigned shift = c->l1d.tags.line_shift;
    const uint32_t last = (address + m->bytes - 1) >> shift;
    for (uint32_t line = address >> shift; line <= last; ++line)
        if (m->i->is_store ? !private_l2_may_write(&c->l2, line << shift)
                           : !cache_peek(&c->l1d.tags, line << shift))
            return false;
    return true;
}

bool core_continues_alone(struct core *c) {
    const struct core_access *m = &c->access;
    if (!m->own) return false;
    if (m->translated) return caches_answer(c, m->address + m->done * m->bytes);
    if (c->next >= c->dtlb.next_end) tlb_end_walks(&c->dtlb, c->next);
    if (tlb_holds(&c->dtlb, m->address)) return caches_answer(c, core_physical(c, m->address));
    return c->config->mem.page_walk == PAGE_WALK_FIXED;
}
