/* The SIMT pipeline of a cluster: the stages of timing.md, from the back to the front. */
#include "model/cluster.h"
#include "model/coprocessor.h"
#include "model/tpo_address.h"

#include "sim/error.h"

#include <string.h>

static uint64_t bit(unsigned w) {
    return 1ull << w;
}

/* Between a model's evaluation and its edge. */
static inline void run_twin(struct cluster *c, enum cluster_block block, uint64_t t) {
    if (__builtin_expect(c->twins != NULL, 0)) c->twins->cycle(c->twins->context, block, t);
}

void cluster_descriptors_cycle(struct cluster *c, uint64_t t) {
    thread_descriptor_table_note(&c->descriptors);
    run_twin(c, CLUSTER_BLOCK_DESCRIPTORS, t);
    thread_descriptor_table_edge(&c->descriptors);
}

/* --- who is ready to run --- */

void cluster_update_ready(struct cluster *c, unsigned warp, uint64_t since, enum machine_cause cause,
                          uint32_t pc) {
    const struct warp_descriptors *w = &c->descriptors.warp[warp];
    const bool ready = w->ready && !w->execution && !(c->front_end & bit(warp));
    if (w->ready | w->execution)
        c->stalled &= ~bit(warp);
    else
        c->stalled |= bit(warp);
    if (ready && !(c->ready_to_run & bit(warp))) c->wait[warp] = (struct warp_wait){since, cause, pc};
    if (ready)
        c->ready_to_run |= bit(warp);
    else
        c->ready_to_run &= ~bit(warp);
}

void cluster_simt_begin(struct cluster *c, uint64_t t) {
    c->mode = CLUSTER_SIMT;
    c->simt_first = t;
    c->stepped = c->exact || c->twins;
    c->a_warp = c->f_warp = c->d_warp = c->x_warp = c->shown_x_warp = c->left_warp = CLUSTER_NO_WARP;
    c->queue_count = c->collected_count = c->landing_count = 0;
    c->o_free = c->x_free = t;
    c->x_last = 0;
    c->read_ports.cycle = c->write_ports.cycle = c->address_cycle = CLUSTER_NEVER;
    c->o_stood = c->x_stood = CLUSTER_NEVER;
    c->front_end = c->ready_to_run = c->stalled = 0;
    c->committed = t;
    c->fetch_waits = false;
    c->barrier_release = c->landed = CLUSTER_NEVER;
    c->barriers.in.start = true;
    c->barriers.in.start_live = c->live;
    for (unsigned w = 0; w < c->warps; ++w)
        cluster_update_ready(c, w, t, MACHINE_CAUSE_FRONT_END, c->launch->thunk);
    if (c->uniform.on) cluster_uniform_begin(c, t);
    if (c->redundancy) redundancy_start(c->redundancy, cluster_live_warps(c));
}

/* Is it executed for one thread, and that by lane 0? */
static bool is_scalar(const struct warp_flight *f) {
    return f->uniform.form == UNIFORM_SCALAR;
}

/* --- C: commit --- */

static void step_pcs(struct cluster *c, unsigned warp, const struct warp_flight *f) {
    uint32_t *restrict pc = c->descriptors.warp[warp].pc;
    const uint32_t *restrict next = c->next_pc[warp];
    const unsigned warp_size = c->descriptors.warp_size;
    const uint64_t jump = f->i->writes_pc ? f->execution.passed : 0, step = f->participating & ~jump;
    if (step == c->descriptors.all)
        for (unsigned k = 0; k < warp_size; ++k) pc[k] += 4;
    else
        for (unsigned k = 0; k < warp_size; ++k)
            pc[k] = jump >> k & 1 ? next[k] : pc[k] + (uint32_t)((step >> k & 1) << 2);
}

static bool same_pc(const struct warp_descriptors *w, uint64_t threads, unsigned warp_size) {
    const uint32_t first = threads ? w->pc[__builtin_ctzll(threads)] : 0;
    uint32_t different = 0;
    for (unsigned k = 0; k < warp_size; ++k) different |= (w->pc[k] ^ first) & -(uint32_t)(threads >> k & 1);
    return !different;
}

static void change_priority(struct cluster *c, unsigned warp, const struct warp_flight *f,
                            struct coprocessor_decoded op) {
    const enum priority_operation p = op.operation == COPROCESSOR_RAISE   ? PRIORITY_RAISE
                                      : op.operation == COPROCESSOR_LOWER ? PRIORITY_LOWER
                                                                          : PRIORITY_OUTERMOST;
    unsigned position;
    if (tdt_priority(&c->descriptors, warp, f->execution.passed, p, op.index, &position)) return;
    c->descriptors.out.overflow = true;
    cluster_diagnose(c, (int)warp, position, f->pc,
                     p == PRIORITY_RAISE ? "raises its priority above level 255"
                                         : "lowers its priority below the outermost level");
}

static void check_levels(struct cluster *c, unsigned warp, const struct warp_flight *f) {
    for (uint64_t rest = f->execution.passed; rest; rest &= rest - 1) {
        const unsigned position = (unsigned)__builtin_ctzll(rest);
        const unsigned level = c->descriptors.warp[warp].level[position];
        if (level == 0) continue;
        cluster_diagnose(c, (int)warp, position, f->pc, "ends at priority level %u, not at the outermost",
                         level);
        return;
    }
}

/* Threads of `passed` that stop here: at a barrier or for good. Both are of one instruction class, take the
 * same time and so never commit in one cycle with another. */
static void leave(struct cluster *c, unsigned warp, const struct warp_flight *f, bool barrier) {
    struct warp_descriptors *w = &c->descriptors.warp[warp];
    const uint64_t threads = f->execution.passed;
    const unsigned count = (unsigned)__builtin_popcountll(threads);
    struct barrier_table_in *table = &c->barriers.in;
    c->left_warp = (int)warp;
    invariant(!table->arrive_count && !table->exit_count, "two warps reach barriers or exits in one cycle");
    if (barrier) {
        tdt_wait(w, threads);
        for (uint64_t rest = threads; rest; rest &= rest - 1) w->barrier_pc[__builtin_ctzll(rest)] = f->pc;
        table->arrive_count = c->descriptors.out.arrive_count = count;
        table->arrive_pc = c->descriptors.out.arrive_pc = f->pc;
    } else {
        if (c->check_levels) check_levels(c, warp, f);
        tdt_exit(w, threads);
        c->live -= count;
        table->exit_count = c->descriptors.out.exit_count = count;
        if (c->uniform.on && !tdt_live(w)) uniform_released(&c->uniform, warp);
    }
}

/* At the end of cycle t the instruction of a warp has left the machine: PCs, priorities and states change. */
static void commit(struct cluster *c, unsigned warp, uint64_t t) {
    struct warp_flight *f = &c->flight[warp];
    struct warp_descriptors *w = &c->descriptors.warp[warp];
    c->committed = t;
    c->descriptors.in.commit |= bit(warp);
    if (f->uniform.form == UNIFORM_COPY) {
        tdt_commit(w, f->participating);
        cluster_update_ready(c, warp, t + 1, MACHINE_CAUSE_LATENCY, f->pc);
        return;
    }
    if (f->uniform.inserts) cluster_uniform_committed(c, warp);
    const struct coprocessor_decoded op = f->i->is_coprocessor
                                              ? coprocessor_decode(f->i)
                                              : (struct coprocessor_decoded){COPROCESSOR_UNDEFINED, 0};
    const bool all = f->participating == tdt_live(w), straight = !f->i->writes_pc || !f->execution.passed;
    step_pcs(c, warp, f);
    uint64_t stay = f->participating;
    if (op.operation == COPROCESSOR_BARRIER || op.operation == COPROCESSOR_EXIT) {
        leave(c, warp, f, op.operation == COPROCESSOR_BARRIER);
        stay &= ~f->execution.passed;
    } else if (op.operation >= COPROCESSOR_RAISE && op.operation <= COPROCESSOR_OUTERMOST) {
        change_priority(c, warp, f, op);
    }
    tdt_commit(w, stay);
    if (!(w->one_pc && all && straight)) w->one_pc = same_pc(w, tdt_live(w), c->descriptors.warp_size);
    cluster_update_ready(c, warp, t + 1,
                         f->i->is_load || f->i->is_store ? MACHINE_CAUSE_MEMORY : MACHINE_CAUSE_LATENCY,
                         f->pc);
}

static void release_barrier(struct cluster *c, uint64_t t) {
    c->barrier_release = CLUSTER_NEVER;
    c->descriptors.in.release = true;
    for (unsigned w = 0; w < c->warps; ++w) {
        struct warp_descriptors *d = &c->descriptors.warp[w];
        if (!d->barrier) continue;
        const uint32_t pc = d->barrier_pc[__builtin_ctzll(d->barrier)];
        if (c->barriers.out.exited) cluster_note_short_barrier(c, pc);
        tdt_release(d, d->barrier);
        cluster_update_ready(c, w, t + 1, MACHINE_CAUSE_BARRIER, pc);
    }
}

/* The commits of cycle t have been counted. */
static bool step_barriers(struct cluster *c, uint64_t t) {
    struct barrier_table *b = &c->barriers;
    const bool active = barrier_table_active(b);
    if (!active && !c->twins) return false;
    barrier_table_eval(b);
    run_twin(c, CLUSTER_BLOCK_BARRIERS, t);
    if (b->out.release) release_barrier(c, t);
    if (b->out.opens) c->barrier_release = t + 1;
    barrier_table_clock(b);
    return active;
}

/* --- W: write back, one port for each line, one for scalar registers; the oldest instruction goes first ---
 */

static bool is_written(const struct warp_flight *f) {
    return !f->writes_left && !f->scalar_writes_left;
}

static bool commits_at(const struct warp_flight *f, uint64_t t) {
    return is_written(f) && f->result <= t;
}

static unsigned *left_of(struct warp_flight *f, bool scalar) {
    return scalar ? &f->scalar_writes_left : &f->writes_left;
}

static struct warp_flight *oldest_to_write(struct cluster *c, bool scalar, uint64_t t) {
    struct warp_flight *best = NULL;
    for (unsigned n = 0; n < c->landing_count; ++n) {
        struct warp_flight *f = &c->flight[c->landing[n]];
        if (*left_of(f, scalar) && f->result < t && (!best || f->s < best->s)) best = f;
    }
    return best;
}

/* Returns the ports that are left. */
static unsigned write_through(struct cluster *c, unsigned ports, bool scalar, uint64_t t) {
    struct warp_flight *f;
    while (ports && (f = oldest_to_write(c, scalar, t)) != NULL) {
        unsigned *left = left_of(f, scalar);
        const unsigned lines = *left < ports ? *left : ports;
        *left -= lines;
        ports -= lines;
        if (!is_written(f)) continue;
        c->tpm_wait[CLUSTER_TPM_WAIT_RESULTS] += t - f->result - 1;
        f->result = t;
    }
    return ports;
}

static bool write_back(struct cluster *c, uint64_t t) {
    if (t < c->landed) return false;
    const unsigned ports = c->config->tpm.write_ports;
    c->write_ports.cycle = t;
    c->write_ports.taken = ports - write_through(c, ports, false, t);
    const bool scalar = c->uniform.on && !write_through(c, 1, true, t);
    return c->write_ports.taken || scalar;
}

static bool commit_landed(struct cluster *c, uint64_t t) {
    bool moved = false;
    if (t < c->landed) return false;
    c->landed = CLUSTER_NEVER;
    for (unsigned n = 0; n < c->landing_count;) {
        const unsigned warp = c->landing[n];
        if (!commits_at(&c->flight[warp], t)) {
            if (c->flight[warp].result < c->landed) c->landed = c->flight[warp].result;
            ++n;
            continue;
        }
        c->landing[n] = c->landing[--c->landing_count];
        commit(c, warp, t);
        moved = true;
    }
    return moved;
}

/* --- X: rounds --- */

/* The cycles in which the lanes stood still before this instruction, each charged to what it then waited for.
 */
static void charge_gap(struct cluster *c, unsigned warp, uint64_t until) {
    const struct warp_flight *f = &c->flight[warp];
    const struct warp_wait *w = &c->wait[warp];
    uint64_t t = c->x_free;
    const struct {
        uint64_t end;
        enum machine_cause cause;
        uint32_t pc;
    } phase[] = {
        {w->since, w->cause, w->pc},
        {f->f + 1, MACHINE_CAUSE_FRONT_END, f->pc},
        {f->fetched + 1, MACHINE_CAUSE_FETCH, f->pc},
        {f->o, MACHINE_CAUSE_FRONT_END, f->pc},
        {until, MACHINE_CAUSE_OPERANDS, f->pc},
    };
    for (unsigned p = 0; p < sizeof phase / sizeof phase[0] && t < until; ++p) {
        const uint64_t end = phase[p].end < until ? phase[p].end : until;
        if (end <= t) continue;
        cluster_charge(c, phase[p].cause, phase[p].pc, end - t);
        t = end;
    }
}

/* All rounds have started; of uniform instructions it is known what is written where. */
static void land(struct cluster *c, unsigned warp, uint64_t result) {
    struct warp_flight *f = &c->flight[warp];
    f->result = result;
    f->writes_left = f->scalar_writes_left = 0;
    if (c->uniform.on) {
        f->writes_left = f->uniform.write_lines;
        f->scalar_writes_left = f->uniform.scalar_writes;
    } else if (f->execution.passed) {
        f->writes_left = (unsigned)__builtin_popcountll(f->i->destinations) * c->vtpo_lines;
    }
    c->landing[c->landing_count++] = warp;
    if (result < c->landed) c->landed = result;
}

static void count_execution(struct cluster *c, const struct warp_flight *f) {
    cluster_profile_row(c, f->pc)->executions += (unsigned)__builtin_popcountll(f->participating);
}

/* The result that another warp has left. */
static void reuse(struct cluster *c, unsigned warp) {
    struct warp_flight *f = &c->flight[warp];
    struct arm_threads *t = &c->threads[warp];
    if (c->check_uniform) {
        arm_execute(f->i, t, f->participating, &f->execution);
        const struct reuse_result r = reuse_result_of(f->i, t, (unsigned)__builtin_ctzll(f->participating));
        invariant(r.value == f->uniform.result.value && r.flags == f->uniform.result.flags,
                  "at %#x the reuse buffer has %#x, flags %#x for warp %u, but the result is %#x, %#x", f->pc,
                  f->uniform.result.value, f->uniform.result.flags, warp, r.value, r.flags);
    }
    reuse_result_put(f->i, t, f->participating, f->uniform.result);
    f->execution.passed = f->participating;
    f->execution.stored = f->execution.in_stack = 0;
    f->execution.fault = ARM_FAULT_NONE;
}

#define STREX_MASK 0x0f900ff0u /* and its likes for 1, 2 and 8 bytes */
#define STREX      0x01800f90u

/* Of an exclusive store, each thread that did store. */
static void note_claims(struct cluster *c, unsigned warp, const struct warp_flight *f) {
    for (uint64_t rest = f->execution.stored; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        const uint32_t address = f->execution.address[k] & ~3u;
        const int index = memory_find(c->memory, address, 4);
        if (index < 0) continue;
        const struct memory_region *r = &c->memory->region[index];
        uint32_t value;
        memcpy(&value, r->host + (address - r->base), 4);
        warp_claims_store(&c->claims, address, value, warp, k);
    }
}

/* For diagnoses. */
static void note_execution(struct cluster *c, unsigned warp, const struct warp_flight *f) {
    struct warp_trail *t = &c->trail[warp];
    warp_trail_add(t, f->pc);
    if (f->i->is_load && f->execution.passed) {
        t->load_pc = f->pc;
        t->load_address = f->execution.address[__builtin_ctzll(f->execution.passed)] & ~3u;
    } else if (__builtin_expect((f->i->encoding & STREX_MASK) == STREX, 0)) {
        note_claims(c, warp, f);
    }
}

static enum thread_operation thread_operation(struct coprocessor_decoded op) {
    switch (op.operation) {
    case COPROCESSOR_RAISE: return THREAD_RAISE;
    case COPROCESSOR_LOWER: return THREAD_LOWER;
    case COPROCESSOR_OUTERMOST: return THREAD_OUTERMOST;
    case COPROCESSOR_BARRIER: return THREAD_BARRIER;
    case COPROCESSOR_EXIT: return THREAD_EXIT;
    default: return THREAD_NONE;
    }
}

/* A copy is an instruction after which its threads are where they were. */
static void tell_descriptors(struct cluster *c, unsigned warp, const struct warp_flight *f) {
    if (f->uniform.form == UNIFORM_COPY) {
        tdt_execute(&c->descriptors, warp, f->participating, c->descriptors.warp[warp].pc, true, THREAD_NONE,
                    0);
        return;
    }
    const struct coprocessor_decoded op = f->i->is_coprocessor
                                              ? coprocessor_decode(f->i)
                                              : (struct coprocessor_decoded){COPROCESSOR_UNDEFINED, 0};
    const bool lowers = op.operation == COPROCESSOR_LOWER;
    tdt_execute(&c->descriptors, warp, f->execution.passed, c->next_pc[warp], f->i->writes_pc,
                thread_operation(op), lowers ? op.index : 0);
}

static bool execute(struct cluster *c, unsigned warp, uint64_t t) {
    struct warp_flight *f = &c->flight[warp];
    if (!f->i) {
        cluster_diagnose(c, (int)warp, (unsigned)__builtin_ctzll(f->participating), f->pc,
                         "jumps outside the program's code");
        return false;
    }
    if (__builtin_expect(c->fault != NULL, 0)) fault_reads(c, warp);
    if (f->uniform.form == UNIFORM_COPY) {
        f->execution.passed = f->participating;
        if (__builtin_expect(c->twins != NULL, 0)) tell_descriptors(c, warp, f);
        return true;
    }
    const struct uniform_warp w = {warp, f->participating, tdt_live(&c->descriptors.warp[warp]),
                                   &c->threads[warp]};
    if (__builtin_expect(c->redundancy != NULL, 0)) redundancy_before(c->redundancy, &w, f->pc, f->i);
    if (f->uniform.form == UNIFORM_REUSED)
        reuse(c, warp);
    else
        arm_execute(f->i, &c->threads[warp], f->participating, &f->execution);
    if (__builtin_expect(c->fault != NULL, 0)) fault_writes(c, warp);
    if (f->execution.fault != ARM_FAULT_NONE) {
        cluster_diagnose_fault(c, (int)warp, f->execution.fault_position, f->pc, f->i, &f->execution);
        return false;
    }
    if (f->i->is_coprocessor &&
        !cluster_read_identity(c, f->i, &c->threads[warp], (int)warp, 0, f->execution.passed, t)) {
        cluster_diagnose(c, (int)warp, (unsigned)__builtin_ctzll(f->participating), f->pc,
                         "executes a co-processor instruction that does not exist in SIMT mode");
        return false;
    }
    note_execution(c, warp, f);
    if (__builtin_expect(c->redundancy != NULL, 0))
        redundancy_after(c->redundancy, &w, f->pc, f->i, &f->execution);
    ++c->warp_instructions;
    const unsigned active = (unsigned)__builtin_popcountll(f->participating);
    c->thread_instructions += active;
    histogram_add(&c->active_threads, active);
    c->condition_failed += (unsigned)__builtin_popcountll(f->participating & ~f->execution.passed);
    if (__builtin_expect(c->profile != NULL, 0)) count_execution(c, f);
    if (__builtin_expect(c->twins != NULL, 0)) tell_descriptors(c, warp, f);
    return true;
}

/* A result that is there already is in the lanes for a cycle. */
static unsigned occupancy_of(const struct cluster *c, const struct warp_flight *f) {
    return f->uniform.form == UNIFORM_REUSED ? 1 : c->config->core.occupancy_cycles[f->i->class];
}

static unsigned latency_of(const struct cluster *c, const struct warp_flight *f) {
    return f->uniform.form == UNIFORM_REUSED ? 1 : c->config->core.latency_cycles[f->i->class];
}

/* Of an instruction without memory accesses. */
static void charge_rounds(struct cluster *c, const struct warp_flight *f) {
    cluster_charge(c, MACHINE_CAUSE_EXECUTE, f->pc, f->rounds);
    cluster_charge(c, MACHINE_CAUSE_OCCUPIED, f->pc, (uint64_t)f->rounds * (occupancy_of(c, f) - 1));
}

/* An instruction without memory accesses: all its rounds are known now. */
static void run_rounds(struct cluster *c, unsigned warp, uint64_t t) {
    const struct warp_flight *f = &c->flight[warp];
    const unsigned occupancy = occupancy_of(c, f);
    c->x_last = t + (uint64_t)(f->rounds - 1) * occupancy;
    c->x_free = c->x_last + occupancy;
    charge_rounds(c, f);
    land(c, warp, c->x_last + latency_of(c, f) - 1);
}

#define NO_THREAD (-1)

/* Could the lane's L2 refuse a request now? Only then is the round's start a question. */
static bool may_refuse(const struct private_l2 *l) {
    return l->outstanding + 2 > l->mshrs || l->outstanding + 2 > l->tags.ways;
}

/* The thread that accesses memory in a lane in this round: its position, or NO_THREAD. */
static int accessing(const struct cluster *c, const struct warp_flight *f, unsigned lane) {
    if (is_scalar(f)) return lane == 0 ? __builtin_ctzll(f->execution.passed) : NO_THREAD;
    const unsigned k = cluster_position(c, lane, c->x_round);
    return f->execution.passed >> k & 1 ? (int)k : NO_THREAD;
}

/* What a lane's thread k of a warp accesses in this beat: bytes in memory from an address, words in its TPM.
 */
static uint32_t beat_of(const struct cluster *c, const struct warp_flight *f, unsigned lane, unsigned k,
                        uint32_t *in_memory, unsigned *words) {
    const uint32_t address = f->execution.address[k] + c->x_beat * c->x_bytes;
    if (__builtin_expect(c->twins && lane == 0, 0)) {
        *words = c->address.out.words;
        *in_memory = c->address.out.memory;
        return address;
    }
    *in_memory = c->x_bytes;
    *words = 0;
    if (f->execution.in_stack >> k & 1) {
        const struct arm_threads *t = &c->threads[c->x_warp];
        *words = tpo_stack_words(t->stack_size, t->stack_objects, address, c->x_bytes, in_memory);
    }
    return address;
}

/* --- beside twins: tpo_address for lane 0, in every cycle --- */

static void run_address(struct cluster *c, uint64_t t) {
    tpo_address_eval(&c->address);
    run_twin(c, CLUSTER_BLOCK_ADDRESS, t);
    c->address_cycle = t;
}

/* The access of the beat that starts. */
static void locate_access(struct cluster *c, const struct warp_flight *f, uint64_t t) {
    struct tpo_address_in *in = &c->address.in;
    const int accesses = accessing(c, f, 0);
    const unsigned k = accesses == NO_THREAD ? cluster_position(c, 0, c->x_round) : (unsigned)accesses;
    const bool block = c->config->simt.lane_map == LANE_MAP_BLOCK;
    const unsigned lane = block ? k / c->rounds : k % c->lanes; /* whose stacks: a scalar's may be any */
    in->context = (unsigned)c->x_warp * c->rounds + (block ? k % c->rounds : k / c->lanes);
    in->top = c->stack_top + (lane << (in->stack_bits + in->contexts_bits));
    in->object = f->i->rd;
    in->access = accesses != NO_THREAD;
    if (in->access) in->address = f->execution.address[k] + c->x_beat * c->x_bytes;
    in->bytes = c->x_bytes;
    run_address(c, t);
}

/* No access starts: the first operand that is read, of the warp's first thread in the lane. */
static void locate_operand(struct cluster *c, uint64_t t) {
    struct tpo_address_in *in = &c->address.in;
    const struct operand_collector_out *o = &c->collector.out;
    if (c->address_cycle == t) return;
    in->access = false;
    if (o->objects) {
        in->context = o->warp * c->rounds;
        in->object = (unsigned)__builtin_ctzll(o->objects);
    }
    run_address(c, t);
}

/* A beat of a round starts only if every lane's L2 takes its requests: the cycle to try again, or 0. */
static uint64_t refused_until(struct cluster *c, const struct warp_flight *f, uint64_t t) {
    uint64_t later = 0;
    unsigned words;
    uint32_t bytes;
    for (unsigned lane = 0; lane < c->lanes; ++lane) {
        struct core *core = &c->core[lane];
        struct private_l2 *l2 = &core->l2;
        if (!may_refuse(l2)) continue;
        const int k = accessing(c, f, lane);
        if (k == NO_THREAD) continue;
        const uint32_t address = beat_of(c, f, lane, (unsigned)k, &bytes, &words);
        if (!bytes) continue;
        const uint64_t again =
            private_l2_refuses(l2, core_physical(core, address), bytes, f->i->is_store, t + 1);
        if (again > later) later = again;
    }
    return later > t + 1 ? later - 1 : 0;
}

/* One thread's access in cycle t; the cycle at whose end it is done (a load) or accepted (a store). */
static uint64_t access_lane(struct core *core, bool store, uint32_t address, uint32_t bytes, uint64_t t) {
    const unsigned shift = core->l2.tags.line_shift;
    const uint64_t translation = core_translate(core, address, t + 1);
    address = core_physical(core, address);
    const uint32_t last = (address + bytes - 1) >> shift;
    uint64_t done, latest = t;
    for (uint32_t line = address >> shift; line <= last; ++line) {
        ++t;
        while (!private_l2_access(&core->l2, line << shift, store, t, &done)) t = done;
        if (done > latest) latest = done;
    }
    return (store ? t : latest) + translation;
}

static void access_round(struct cluster *c, struct warp_flight *f, uint64_t t) {
    const bool store = f->i->is_store;
    unsigned words;
    uint32_t bytes;
    for (unsigned lane = 0; lane < c->lanes; ++lane) {
        const int k = accessing(c, f, lane);
        if (k == NO_THREAD) continue;
        const uint32_t address = beat_of(c, f, lane, (unsigned)k, &bytes, &words);
        c->stack_held += words != 0;
        c->stack_spilled += bytes && f->execution.in_stack >> k & 1;
        if (!bytes) continue;
        const uint64_t done = access_lane(&c->core[lane], store, address, bytes, t);
        if (done > f->result) f->result = done;
    }
}

/* The most words that a lane accesses in its TPM in this beat. */
static unsigned most_words(const struct cluster *c, const struct warp_flight *f) {
    unsigned most = 0, words;
    uint32_t bytes;
    for (unsigned lane = 0; lane < c->lanes; ++lane) {
        const int k = accessing(c, f, lane);
        if (k == NO_THREAD || !(f->execution.in_stack >> k & 1)) continue;
        beat_of(c, f, lane, (unsigned)k, &bytes, &words);
        if (words > most) most = words;
    }
    return most;
}

static void stand_still(struct cluster *c, uint64_t t) {
    ++c->tpm_wait[CLUSTER_TPM_WAIT_LOADS];
    ++c->o_since;
    c->o_stood = t;
}

/* The read ports that others have taken in cycle t may delay the collection in progress. */
static void delay_collection(struct cluster *c, uint64_t t) {
    const unsigned ports = c->config->tpm.read_ports;
    if (t >= c->o_free || t != c->read_ports.cycle || c->twins) return;
    const unsigned read = (unsigned)((t - c->o_since) / c->config->tpm.latency_cycles) * ports;
    const unsigned left = read < c->o_lines ? c->o_lines - read : 0, wanted = left < ports ? left : ports;
    if (c->read_ports.taken + wanted <= ports) return;
    stand_still(c, t);
    ++c->o_free;
    ++c->flight[c->collected[c->collected_count - 1]].collected;
}

/* Ports that a beat may have in cycle t. */
static unsigned free_ports(const struct cluster *c, bool store, uint64_t t) {
    if (!store) return c->config->tpm.read_ports;
    return c->config->tpm.write_ports - (c->write_ports.cycle == t ? c->write_ports.taken : 0);
}

/* The beat's words in the TPM, as many as there are ports in cycle t. */
static void access_tpm(struct cluster *c, struct warp_flight *f, uint64_t t) {
    const bool store = f->i->is_store;
    const unsigned ports = free_ports(c, store, t), taken = c->x_words < ports ? c->x_words : ports;
    const uint64_t done = store ? t : t + c->config->tpm.latency_cycles - 1;
    if (done > f->result) f->result = done;
    c->x_words -= taken;
    if (store) return;
    c->read_ports.cycle = t;
    c->read_ports.taken = taken;
    delay_collection(c, t);
}

/* The rest of a beat waits for ports until the next cycle. */
static void wait_for_ports(struct cluster *c, const struct warp_flight *f, uint64_t t) {
    const bool others = f->i->is_store && c->write_ports.cycle == t && c->write_ports.taken;
    ++c->tpm_wait[others ? CLUSTER_TPM_WAIT_STORES : CLUSTER_TPM_WAIT_WORDS];
    cluster_charge(c, MACHINE_CAUSE_TPM, f->pc, 1);
    c->x_stood = t;
    c->x_next = t + 1;
}

/* The accesses of a round start together. False: not in cycle t. */
static bool start_beat(struct cluster *c, struct warp_flight *f, uint64_t t) {
    if (__builtin_expect(c->twins != NULL, 0)) locate_access(c, f, t);
    const uint64_t again = refused_until(c, f, t);
    if (again) {
        cluster_charge(c, MACHINE_CAUSE_MSHR, f->pc, again - t);
        c->x_next = again;
        return false;
    }
    const unsigned words = f->execution.in_stack ? most_words(c, f) : 0;
    if (words && !free_ports(c, f->i->is_store, t)) {
        wait_for_ports(c, f, t);
        return false;
    }
    access_round(c, f, t);
    c->x_words = words;
    return true;
}

/* A beat of the last round: a load has a register for it, a store may write its base back in the end. */
static void write_beat(struct cluster *c, unsigned warp) {
    const struct arm_instruction *i = c->flight[warp].i;
    if (i->is_store && c->x_beat + 1 < i->access_count) return;
    cluster_uniform_write(c, warp, c->x_beat);
}

/* A beat: what each thread of the round accesses in one cycle, a register of a multiple access or all. False:
 * it cannot end in cycle t. */
static bool access_beat(struct cluster *c, struct warp_flight *f, uint64_t t) {
    if (!c->x_words && !start_beat(c, f, t)) return false;
    if (c->x_words) access_tpm(c, f, t);
    if (c->x_words) {
        wait_for_ports(c, f, t);
        return false;
    }
    const unsigned occupancy = occupancy_of(c, f);
    cluster_charge(c, c->x_beat ? MACHINE_CAUSE_OCCUPIED : MACHINE_CAUSE_EXECUTE, f->pc, 1);
    cluster_charge(c, MACHINE_CAUSE_OCCUPIED, f->pc, occupancy - 1);
    c->x_next = t + occupancy;
    if (c->uniform.on && c->x_round + 1 == f->rounds) write_beat(c, (unsigned)c->x_warp);
    return true;
}

/* The last round has been started in cycle t. */
static void end_accesses(struct cluster *c, unsigned warp, uint64_t t) {
    struct warp_flight *f = &c->flight[warp];
    c->x_last = t;
    c->x_free = c->x_next;
    c->x_warp = CLUSTER_NO_WARP;
    histogram_add(&c->memory_latency, f->result + 1 - f->x);
    if (c->uniform.on) cluster_uniform_executed(c, warp);
    land(c, warp, f->result);
}

static void run_beat(struct cluster *c, uint64_t t) {
    struct warp_flight *f = &c->flight[c->x_warp];
    if (!access_beat(c, f, t) || ++c->x_beat < f->i->access_count) return;
    c->x_beat = 0;
    if (++c->x_round == f->rounds) end_accesses(c, (unsigned)c->x_warp, t);
}

static bool accesses_memory(const struct warp_flight *f) {
    return (f->i->is_load || f->i->is_store) && f->execution.passed;
}

static void enter_lanes(struct cluster *c, unsigned warp) {
    c->x_warp = (int)warp;
    c->x_last = CLUSTER_NEVER;
    c->x_free = CLUSTER_NEVER;
}

/* A thread alone in its warp accesses its stack: only its lane has it. */
static void run_as_vector(const struct cluster *c, struct warp_flight *f) {
    f->rounds = c->rounds;
    f->uniform.form = UNIFORM_VECTOR;
}

static void begin_accesses(struct cluster *c, unsigned warp, uint64_t t) {
    struct warp_flight *f = &c->flight[warp];
    if (is_scalar(f) && f->execution.in_stack) run_as_vector(c, f);
    c->memory_instructions += (unsigned)__builtin_popcountll(f->execution.passed);
    enter_lanes(c, warp);
    c->x_round = c->x_beat = c->x_words = 0;
    c->x_bytes = f->i->access_bytes / f->i->access_count;
    f->result = t;
}

static bool is_collected(const struct cluster *c, uint64_t t) {
    return c->collected_count && c->flight[c->collected[0]].collected < t;
}

/* The oldest collected instruction goes to the lanes. False: it fails. */
static bool take_collected(struct cluster *c, uint64_t t) {
    const unsigned warp = c->collected[0];
    charge_gap(c, warp, t);
    for (unsigned n = 1; n < c->collected_count; ++n) c->collected[n - 1] = c->collected[n];
    --c->collected_count;
    c->flight[warp].x = t;
    c->shown_x_warp = (int)warp;
    if (!execute(c, warp, t)) return false;
    if (__builtin_expect(c->fault != NULL, 0) && !c->uniform.on) fault_executed(c, warp);
    return true;
}

/* What is no load or store writes all its results at once. */
static void execute_uniform(struct cluster *c, unsigned warp) {
    if (c->flight[warp].execution.passed) cluster_uniform_write(c, warp, 0);
    if (__builtin_expect(c->fault != NULL, 0)) fault_executed(c, warp);
    cluster_uniform_executed(c, warp);
}

static bool start_rounds(struct cluster *c, uint64_t t) {
    if (t < c->x_free || !is_collected(c, t)) return false;
    const unsigned warp = c->collected[0];
    if (!take_collected(c, t)) return true;
    if (accesses_memory(&c->flight[warp])) {
        begin_accesses(c, warp, t);
        run_beat(c, t);
    } else {
        if (c->uniform.on) execute_uniform(c, warp);
        run_rounds(c, warp, t);
    }
    return true;
}

static bool run_lanes(struct cluster *c, uint64_t t) {
    if (c->x_warp == CLUSTER_NO_WARP) return start_rounds(c, t);
    if (t < c->x_next) return false;
    run_beat(c, t);
    return true;
}

/* --- X, step by step: the same, as the dispatcher says --- */

/* The oldest collected instruction. How many rounds and beats it has is known once it is executed. */
static void offer(struct cluster *c, uint64_t t) {
    struct subwarp_dispatcher_in *in = &c->dispatcher.in;
    *in = (struct subwarp_dispatcher_in){.rounds = c->rounds, .beats = 1, .occupancy = 1};
    in->valid = is_collected(c, t);
    if (!in->valid) return;
    const struct warp_flight *f = &c->flight[c->collected[0]];
    in->warp = c->collected[0];
    if (f->i) in->occupancy = occupancy_of(c, f);
}

/* The dispatcher takes it. False: it fails. */
static bool take_offered(struct cluster *c, uint64_t t) {
    struct subwarp_dispatcher_in *in = &c->dispatcher.in;
    struct warp_flight *f = &c->flight[in->warp];
    if (!take_collected(c, t)) return false;
    if (accesses_memory(f)) {
        in->beats = f->i->access_count;
        c->x_next = t;
        begin_accesses(c, in->warp, t);
        in->rounds = f->rounds;
        return true;
    }
    if (c->uniform.on) execute_uniform(c, in->warp);
    in->rounds = f->rounds;
    in->occupancy = occupancy_of(c, f);
    enter_lanes(c, in->warp);
    c->x_next = t + (uint64_t)in->rounds * in->occupancy;
    charge_rounds(c, f);
    return true;
}

/* Do the lanes finish the beat that is made in cycle t? */
static bool finish_beat(struct cluster *c, uint64_t t) {
    const struct subwarp_dispatcher_out *out = &c->dispatcher.out;
    if (c->x_warp == CLUSTER_NO_WARP) return true;
    struct warp_flight *f = &c->flight[c->x_warp];
    if (!accesses_memory(f)) return true;
    if (t < c->x_next) return false;
    const unsigned v = out->context % c->rounds, first = c->rounds - f->rounds;
    c->x_round = v < first ? 0 : v - first;
    c->x_beat = out->beat;
    if (!access_beat(c, f, t)) return false;
    if (++c->x_beat == f->i->access_count) c->x_beat = 0;
    return true;
}

/* After the dispatcher's evaluation. The lanes stand while it makes no beat although it could. */
static void end_beat(struct cluster *c, uint64_t t) {
    const struct subwarp_dispatcher *d = &c->dispatcher;
    const unsigned warp = (unsigned)c->x_warp;
    struct warp_flight *f = &c->flight[warp];
    if (t >= c->x_next) {
        cluster_charge(c, MACHINE_CAUSE_OCCUPIED, f->pc, 1);
        c->x_next = t + 1;
    }
    if (!d->out.valid || d->in.hold || !d->out.last) return;
    if (accesses_memory(f)) {
        end_accesses(c, warp, t);
        return;
    }
    c->x_last = t;
    c->x_free = c->x_next;
    c->x_warp = CLUSTER_NO_WARP;
    land(c, warp, t + latency_of(c, f) - 1);
}

static bool step_dispatcher(struct cluster *c, uint64_t t) {
    struct subwarp_dispatcher *d = &c->dispatcher;
    offer(c, t);
    subwarp_dispatcher_eval(d);
    if (d->out.first && d->in.valid && c->x_warp == CLUSTER_NO_WARP && !take_offered(c, t)) return true;
    d->in.hold = d->out.valid && !finish_beat(c, t);
    subwarp_dispatcher_eval(d);
    run_twin(c, CLUSTER_BLOCK_DISPATCHER, t);
    if (c->x_warp != CLUSTER_NO_WARP) end_beat(c, t);
    subwarp_dispatcher_clock(d);
    return d->in.valid || d->out.busy;
}

/* --- O: operand collection --- */

static unsigned collection_cycles(struct cluster *c) {
    const unsigned latency = c->config->tpm.latency_cycles, ports = c->config->tpm.read_ports;
    const unsigned reads = (c->o_lines + ports - 1) / ports;
    if (!reads) return 1;
    c->tpm_wait[CLUSTER_TPM_WAIT_OPERANDS] += reads - 1;
    c->tpm_wait[CLUSTER_TPM_WAIT_LATENCY] += reads * (latency - 1);
    return reads * latency;
}

static void start_collection(struct cluster *c, uint64_t t) {
    const unsigned warp = c->queue[0];
    struct warp_flight *f = &c->flight[warp];
    for (unsigned n = 1; n < c->queue_count; ++n) c->queue[n - 1] = c->queue[n];
    --c->queue_count;
    f->o = t;
    c->o_since = t;
    c->o_lines = f->read_lines;
    f->collected = t + collection_cycles(c) - 1;
    c->o_free = f->collected + 1;
    c->collected[c->collected_count++] = warp;
    delay_collection(c, t);
    if (c->uniform.on && f->i && (f->uniform.uniform || c->config->uniform.broadcast_cycles))
        cluster_uniform_collect(c, warp);
}

static void offer_operands(struct cluster *c, struct operand_collector_in *in) {
    const struct warp_flight *f = &c->flight[c->queue[0]];
    in->valid = true;
    in->warp = c->queue[0];
    if (!f->i) return;
    const uint64_t scalars = c->uniform.on ? f->i->sources & f->uniform.tokens : 0;
    const bool elsewhere = !c->uniform.registers.scalar_lines; /* in a file of their own */
    in->sources = elsewhere ? f->i->sources & ~scalars : f->i->sources;
    in->scalars = elsewhere ? 0 : scalars;
}

/* Beside twins: what operand_collector says, cycle by cycle. Scalars are then brought to the lanes. */
static bool collect_as_told(struct cluster *c, uint64_t t) {
    struct operand_collector *o = &c->collector;
    const bool goes_on = o->q.busy;
    o->in = (struct operand_collector_in){
        .take = c->shown_x_warp >= 0 && c->flight[c->shown_x_warp].x == t,
        .hold = t <= c->x_last,
        .taken = c->read_ports.cycle == t ? c->read_ports.taken : 0,
    };
    if (c->queue_count && t >= c->o_free) offer_operands(c, &o->in);
    operand_collector_eval(o);
    run_twin(c, CLUSTER_BLOCK_COLLECTOR, t);
    operand_collector_clock(o);
    if (o->out.start) start_collection(c, t);
    if (o->out.stall) stand_still(c, t);
    if (!goes_on && !o->out.start) return false;
    struct warp_flight *f = &c->flight[c->collected[c->collected_count - 1]];
    c->o_free = o->out.done ? t + 1 + f->uniform.broadcast : CLUSTER_NEVER;
    f->collected = c->o_free - 1;
    return true;
}

static bool collect(struct cluster *c, uint64_t t) {
    if (__builtin_expect(c->twins != NULL, 0)) return collect_as_told(c, t);
    const unsigned held = c->collected_count + (t <= c->x_last);
    if (!c->queue_count || t < c->o_free || held >= c->config->simt.collectors) return false;
    start_collection(c, t);
    return true;
}

/* --- S, A, F, D: the front end, handed over at the end of the cycle --- */

static void fetch(struct cluster *c, unsigned warp, uint64_t t) {
    struct warp_flight *f = &c->flight[warp];
    const struct machine_code *code = c->launch->code;
    const uint32_t offset = f->pc - code->text_base;
    f->f = t;
    f->fetched = t;
    f->i = offset < code->text_bytes && offset % 4 == 0 ? &code->decoded[offset / 4] : NULL;
    if (!f->i) return;
    c->fetch_waits = c->ahead && !core_fetches_alone(&c->core[0], f->pc);
    if (!c->fetch_waits) f->fetched = core_fetch(&c->core[0], f->pc, t);
}

static void arbitrate(struct cluster *c, unsigned warp, uint64_t t) {
    struct warp_descriptors *w = &c->descriptors.warp[warp];
    struct warp_flight *f = &c->flight[warp];
    warp_pc_arbiter_read(&c->arbiter, w);
    warp_pc_arbiter_eval(&c->arbiter);
    run_twin(c, CLUSTER_BLOCK_ARBITER, t);
    f->pc = c->arbiter.out.pc;
    f->participating = c->arbiter.out.participating;
    tdt_schedule(w, f->participating);
    if (__builtin_expect(c->twins != NULL, 0)) {
        struct thread_descriptor_table_in *in = &c->descriptors.in;
        w->warp_pc = in->schedule_pc = f->pc;
        in->schedule_threads = f->participating;
        in->schedule = true;
    }
    c->front_end &= ~bit(warp);
}

/* D: how the instruction will be executed. */
static void decode(struct cluster *c, unsigned warp) {
    struct warp_flight *f = &c->flight[warp];
    f->rounds = c->rounds;
    f->read_lines = f->i ? (unsigned)__builtin_popcountll(f->i->sources) * c->vtpo_lines : 0;
    f->uniform.form = UNIFORM_VECTOR;
    f->uniform.inserts = false;
    f->uniform.broadcast = 0;
    if (c->uniform.on && f->i) cluster_uniform_decode(c, warp);
}

/* The scheduler's cycle t; did it pick a warp, or move otherwise? */
static bool schedule(struct cluster *c, bool a_leaves, uint64_t t) {
    struct warp_scheduler *s = &c->scheduler;
    s->in.ready = c->ready_to_run;
    s->in.stalled = c->stalled;
    s->in.take = c->a_warp < 0 || a_leaves;
    if (!s->in.take && !s->out.valid && !c->twins && s->cfg.policy != SCHEDULER_TWO_LEVEL) return false;
    warp_scheduler_eval(s);
    run_twin(c, CLUSTER_BLOCK_SCHEDULER, t);
    const bool moves = warp_scheduler_moves(s);
    warp_scheduler_clock(s);
    return moves || s->out.valid;
}

/* From D to C a warp with a load or store waits for memory. */
static void note_stall(struct cluster *c, unsigned warp) {
    const struct arm_instruction *i = c->flight[warp].i;
    if (i && (i->is_load || i->is_store)) c->stalled |= bit(warp);
}

static bool hand_over(struct cluster *c, uint64_t t) {
    const bool f_leaves = c->f_warp >= 0 && c->flight[c->f_warp].fetched <= t &&
                          c->queue_count + (c->d_warp >= 0) < c->config->simt.queue_entries;
    const bool a_leaves = c->a_warp >= 0 && (c->f_warp < 0 || f_leaves);
    const bool moved = schedule(c, a_leaves, t) || c->d_warp >= 0 || f_leaves || a_leaves;
    if (c->d_warp >= 0) {
        decode(c, (unsigned)c->d_warp);
        note_stall(c, (unsigned)c->d_warp);
        c->queue[c->queue_count++] = (unsigned)c->d_warp;
        histogram_add(&c->queue_occupancy, c->queue_count);
    }
    c->d_warp = CLUSTER_NO_WARP;
    if (f_leaves) {
        c->d_warp = c->f_warp;
        c->f_warp = CLUSTER_NO_WARP;
    }
    c->arbiter.in.ready = 0; /* the arbiter sees a warp in the cycle in which A hands it over */
    if (a_leaves) {
        arbitrate(c, (unsigned)c->a_warp, t);
        fetch(c, (unsigned)c->a_warp, t + 1);
        c->f_warp = c->a_warp;
        c->a_warp = CLUSTER_NO_WARP;
    } else if (c->twins) {
        warp_pc_arbiter_eval(&c->arbiter);
        run_twin(c, CLUSTER_BLOCK_ARBITER, t);
    }
    if (c->scheduler.out.valid) {
        c->descriptors.in.select = true;
        c->descriptors.in.select_warp = c->scheduler.out.warp;
        c->a_warp = (int)c->scheduler.out.warp;
        c->flight[c->a_warp].s = t;
        c->front_end |= bit((unsigned)c->a_warp);
        c->ready_to_run &= ~bit((unsigned)c->a_warp);
    }
    return moved;
}

/* --- the cycle --- */

static void earliest(uint64_t *next, uint64_t candidate, uint64_t t) {
    if (candidate > t && candidate < *next) *next = candidate;
}

/* Nothing moved in cycle t: the first cycle in which time alone changes that. */
static uint64_t next_timer(const struct cluster *c, uint64_t t) {
    uint64_t next = CLUSTER_NEVER;
    earliest(&next, c->barrier_release, t);
    if (c->f_warp >= 0) earliest(&next, c->flight[c->f_warp].fetched, t);
    if (c->x_warp >= 0) earliest(&next, c->x_next, t);
    if (c->collected_count) {
        earliest(&next, c->x_free, t);
        earliest(&next, c->flight[c->collected[0]].collected + 1, t);
    }
    if (c->queue_count) {
        earliest(&next, c->o_free, t);
        if (c->x_last != CLUSTER_NEVER) earliest(&next, c->x_last + 1, t);
    }
    for (unsigned n = 0; n < c->landing_count; ++n) {
        const struct warp_flight *f = &c->flight[c->landing[n]];
        earliest(&next, f->result + !is_written(f), t);
    }
    return next;
}

/* The last thread has exited, and the lanes are free at the end of cycle t. The instruction that started
 * rounds last was its exit. */
static uint64_t leave_simt(struct cluster *c, uint64_t t) {
    const uint64_t end = t + 1;
    cluster_charge(c, MACHINE_CAUSE_LATENCY, c->flight[c->shown_x_warp].pc, end - c->x_free);
    c->mode = CLUSTER_LEAVE;
    c->simt_cycles += t + 1 - c->simt_first;
    c->resume = end + c->config->simt.leave_cycles - 1;
    c->cause[MACHINE_CAUSE_MODE_SWITCH] += c->resume - end;
    return c->resume;
}

/* The fetch of this cycle, now that it is this cluster's turn. */
static uint64_t fetch_in_turn(struct cluster *c, uint64_t t) {
    fetch(c, (unsigned)c->f_warp, t + 1);
    return t + 1;
}

uint64_t cluster_simt_step(struct cluster *c, uint64_t t) {
    if (__builtin_expect(c->fetch_waits, 0)) return fetch_in_turn(c, t);
    if (__builtin_expect(c->fault != NULL, 0)) fault_step(c, t);
    bool moved = write_back(c, t);
    moved |= c->stepped ? step_dispatcher(c, t) : run_lanes(c, t);
    moved |= collect(c, t);
    moved |= hand_over(c, t);
    if (c->uniform.on) cluster_uniform_step(c, t);
    moved |= commit_landed(c, t);
    moved |= step_barriers(c, t);
    if (__builtin_expect(c->twins != NULL, 0)) {
        locate_operand(c, t);
        cluster_descriptors_cycle(c, t);
    }
    if (c->error->status != EXIT_SOUND) return CLUSTER_NEVER;
    if (!c->live) return t + 1 < c->x_free ? t + 1 : leave_simt(c, t);
    if (__builtin_expect(c->fetch_waits, 0)) return t;
    if (__builtin_expect(t - c->committed >= c->livelock_cycles, 0)) {
        cluster_diagnose_livelock(c, t);
        return CLUSTER_NEVER;
    }
    if (moved) return t + 1;
    uint64_t next = next_timer(c, t);
    if (next == CLUSTER_NEVER && c->ready_to_run) return t + 1; /* the scheduler has let a cycle pass */
    if (next == CLUSTER_NEVER) {
        cluster_diagnose_deadlock(c, t);
        return CLUSTER_NEVER;
    }
    earliest(&next, c->committed + c->livelock_cycles, t);
    return cluster_skips(c, t) && !c->twins ? next : t + 1;
}
