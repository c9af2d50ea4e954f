/*
 * beats: the memory accesses of a flight in X, beat by beat, for both pipelines of a cluster: home/in_lane.c
 * of a unit and model/fast/access.c include this file. Before it they define
 *
 *   BEATS, BEATS_FLIGHT        types of the pipeline and of its flights
 *   BEATS_PASSED(f)            threads whose condition holds
 *   BEATS_IN_STACK(f)          threads whose access begins in a stack object
 *   BEATS_EXECUTION(u, f)      the flight's execution, with the addresses by position
 *   BEATS_READ(u), _WRITE(u)   taken ports of the TPM, and BEATS_READS(u), _WRITES(u): how many there are
 *   BEATS_LATENCY(u)           cycles of a read of the TPM
 *   BEATS_PORTS(u)             whether the block tpo_address decides for lane 0
 *   BEATS_WORDS(u, f)          whether each lane of a round executes the position of of_round[]
 *   BEATS_RECORDER(u)          the recording, NULL: none
 *   BEATS_HOME(u, f)           warps and positions of the flight's threads, NULL: those of its warp
 *   BEATS_STALL(u, …)          records that a stage stalls with a flight in some cycles
 *   BEATS_LATER(u, cause, cycles, t)  passes a beat's cycles to lanes that charge them afterwards; whether
 *                              the lanes do so
 *   BEATS_LANDED(u, f, t)      the result of a landed flight becomes known in cycle t
 *   BEATS_TOOK_READ_PORTS(u, t)  a beat has taken read ports in cycle t
 *   BEATS_LOCATE(u, f, t)      with BEATS_PORTS, evaluates the block for the beat
 *   BEATS_OCCUPANCY(u, f)      cycles from a beat to the next
 *   BEATS_NEVER                a cycle that is not known
 *   beats_thread(u, f, lane)   position of the thread that accesses memory in a lane in the round, or
 *                              NO_THREAD
 *
 * A beat is one access of each thread of a round, made in one cycle. A multiple load or store has a beat for
 * each register; other instructions have one beat.
 */

/* Returns whether the lane's L2 could refuse a request now. */
static bool may_refuse(const struct private_l2 *l) {
    return l->outstanding + 2 > l->mshrs || l->outstanding + 2 > l->tags.ways;
}

/* Returns the address that thread k of a lane accesses in this beat, and sets the bytes in memory and the
 * words in the TPM. */
static inline __attribute__((always_inline)) uint32_t
beat_of(BEATS *u, const BEATS_FLIGHT *f, unsigned lane, unsigned k, uint32_t *in_memory, unsigned *words) {
    const uint32_t address = BEATS_EXECUTION(u, f)->address[k] + u->x_beat * u->x_bytes;
    if (BEATS_PORTS(u) && lane == 0) {
        *words = u->cluster->address.out.words;
        *in_memory = u->cluster->address.out.memory;
        return address;
    }
    *in_memory = u->x_bytes;
    *words = 0;
    if (BEATS_IN_STACK(f) >> k & 1) {
        const struct arm_threads *t = &u->cluster->threads[f->warp];
        *words = tpo_stack_words(t->stack_size, t->stack_objects, address, u->x_bytes, in_memory);
    }
    return address;
}

/* Returns 0 if every lane's L2 takes its request, so that the beat can start, or the cycle to try again. */
static uint64_t refused_until(BEATS *u, const BEATS_FLIGHT *f, uint64_t t) {
    uint64_t latest = 0;
    unsigned words;
    uint32_t bytes;
    for (unsigned lane = 0; lane < u->cluster->lanes; ++lane) {
        struct core *core = &u->cluster->core[lane];
        struct private_l2 *l2 = &core->l2;
        if (!may_refuse(l2)) continue;
        const int k = beats_thread(u, f, lane);
        if (k == NO_THREAD) continue;
        const uint32_t address = beat_of(u, f, lane, (unsigned)k, &bytes, &words);
        if (!bytes) continue;
        const uint64_t again =
            private_l2_refuses(l2, core_physical(core, address), bytes, f->i->is_store, t + 1);
        if (again > latest) latest = again;
    }
    return latest > t + 1 ? latest - 1 : 0;
}

/* --- accesses that wait for their translations, the oldest first --- */

/* Ends a flight whose rounds have all started: in cycle t its last result is known to be ready in cycle
 * `result`. */
static void end_instruction(BEATS *u, BEATS_FLIGHT *f, uint64_t result, uint64_t t) {
    f->result = result;
    BEATS_LANDED(u, f, t);
    histogram_add(&u->cluster->memory_latency, result + 1 - f->x);
}

/* Does held_accesses_retry(). */
static inline bool retry(BEATS *u, uint64_t t, struct held_access *a, uint64_t *done) {
    if (__builtin_expect(!recorder_wants_access(BEATS_RECORDER(u), t), 1))
        return held_accesses_retry(&u->held, u->cluster->core, t, a, done);
    const BEATS_FLIGHT *f = &u->flight[u->held.entry[u->held.first].flight];
    const struct access_of of = {f->i, BEATS_EXECUTION(u, f), f->warp, 0, 0, BEATS_HOME(u, f)};
    return access_records_retry(u->cluster, &u->held, &of, t, a, done);
}

static void made_held(BEATS *u, BEATS_FLIGHT *f, uint64_t done, uint64_t t) {
    uint64_t *result = f->result == BEATS_NEVER ? &f->made : &f->result;
    if (done > *result) *result = done;
    if (!--f->held && f->result == BEATS_NEVER) end_instruction(u, f, f->made, t);
}

/* --- a round --- */

static inline struct access_of access_of(const BEATS *u, const BEATS_FLIGHT *f, int position) {
    return (struct access_of){f->i,      BEATS_EXECUTION(u, f), f->warp, (unsigned)position,
                              u->x_beat, BEATS_HOME(u, f)};
}

/* Records the accesses of a round that are to TPMs alone. */
static __attribute__((noinline)) void record_words(BEATS *u, const BEATS_FLIGHT *f, uint64_t t) {
    unsigned words;
    uint32_t bytes;
    for (unsigned lane = 0; lane < u->cluster->lanes; ++lane) {
        const int k = beats_thread(u, f, lane);
        if (k == NO_THREAD) continue;
        beat_of(u, f, lane, (unsigned)k, &bytes, &words);
        const struct access_of of = access_of(u, f, k);
        if (!bytes) access_records_tpm(u->cluster, lane, &of, t);
    }
}

/* Calls held_accesses_reach() for thread k. */
static inline bool reach(BEATS *u, const BEATS_FLIGHT *f, unsigned k, const struct held_access *a, uint64_t t,
                         uint64_t *done) {
    if (__builtin_expect(!recorder_wants_access(BEATS_RECORDER(u), t), 1))
        return held_accesses_reach(&u->held, &u->cluster->core[a->lane], a, t, done);
    const struct access_of of = access_of(u, f, (int)k);
    return access_records_reach(u->cluster, &u->held, a, &of, t, done);
}

/* Makes the access of thread k in cycle t. */
static inline void access_lane(BEATS *u, BEATS_FLIGHT *f, unsigned lane, unsigned k, uint32_t address,
                               uint32_t bytes, uint64_t t) {
    const struct held_access a = {.address = address,
                                  .bytes = bytes,
                                  .lane = (uint8_t)lane,
                                  .flight = (uint8_t)u->x_flight,
                                  .store = f->i->is_store};
    uint64_t done;
    if (!reach(u, f, k, &a, t, &done))
        ++f->held;
    else if (done > f->result)
        f->result = done;
}

static inline void access_round(BEATS *u, BEATS_FLIGHT *f, uint64_t t) {
    const bool in_stack = BEATS_IN_STACK(f) || BEATS_PORTS(u);
    unsigned words;
    uint32_t bytes;
    if (in_stack && recorder_wants_access(BEATS_RECORDER(u), t)) record_words(u, f, t);
    for (unsigned lane = 0; lane < u->cluster->lanes; ++lane) {
        const int k = beats_thread(u, f, lane);
        if (k == NO_THREAD) continue;
        const uint32_t address = beat_of(u, f, lane, (unsigned)k, &bytes, &words);
        if (in_stack) {
            u->cluster->stack_held += words != 0;
            u->cluster->stack_spilled += bytes && BEATS_IN_STACK(f) >> k & 1;
        }
        if (bytes) access_lane(u, f, lane, (unsigned)k, address, bytes, t);
    }
}

/* --- words in the TPM --- */

/* Returns the largest number of words that a lane accesses in its TPM in this beat. */
static unsigned most_words(BEATS *u, const BEATS_FLIGHT *f) {
    unsigned most = 0, words;
    uint32_t bytes;
    for (unsigned lane = 0; lane < u->cluster->lanes; ++lane) {
        const int k = beats_thread(u, f, lane);
        if (k == NO_THREAD || !(BEATS_IN_STACK(f) >> k & 1)) continue;
        beat_of(u, f, lane, (unsigned)k, &bytes, &words);
        if (words > most) most = words;
    }
    return most;
}

/* Returns the ports that a beat may have in cycle t. */
static inline unsigned free_ports(const BEATS *u, bool store, uint64_t t) {
    if (!store) return BEATS_READS(u);
    return BEATS_WRITES(u) - (BEATS_WRITE(u).cycle == t ? BEATS_WRITE(u).taken : 0);
}

/* Accesses as many words of the beat as there are ports in cycle t. Returns whether it took read ports. */
static inline bool access_tpm(BEATS *u, BEATS_FLIGHT *f, uint64_t t) {
    const bool store = f->i->is_store;
    const unsigned ports = free_ports(u, store, t), taken = u->x_words < ports ? u->x_words : ports;
    const uint64_t done = store ? t : t + BEATS_LATENCY(u) - 1;
    if (done > f->result) f->result = done;
    u->x_words -= taken;
    if (store) return false;
    BEATS_READ(u).cycle = t;
    BEATS_READ(u).taken = taken;
    return true;
}

/* Charges the cycles that a beat stalls, or takes. */
static inline void charge_stall(BEATS *u, const BEATS_FLIGHT *f, enum machine_cause cause, uint64_t cycles,
                                uint64_t t) {
    (void)t;
    if (!BEATS_LATER(u, cause, cycles, t)) simt_charge(&u->cluster->simt, cause, f->pc, cycles);
}
static inline void charge_beat(BEATS *u, const BEATS_FLIGHT *f, unsigned cycles, uint64_t t) {
    const enum machine_cause cause = u->x_beat ? MACHINE_CAUSE_OCCUPIED : MACHINE_CAUSE_EXECUTE;
    (void)t;
    if (BEATS_LATER(u, cause, cycles, t)) return;
    simt_charge(&u->cluster->simt, cause, f->pc, 1);
    simt_charge(&u->cluster->simt, MACHINE_CAUSE_OCCUPIED, f->pc, cycles - 1);
}

/* Lets the rest of a beat wait for ports until the next cycle. */
static void wait_for_ports(BEATS *u, const BEATS_FLIGHT *f, uint64_t t) {
    const bool others = f->i->is_store && BEATS_WRITE(u).cycle == t && BEATS_WRITE(u).taken;
    ++u->cluster->tpm_wait[others ? CLUSTER_TPM_WAIT_STORES : CLUSTER_TPM_WAIT_WORDS];
    charge_stall(u, f, MACHINE_CAUSE_TPM, 1, t);
    BEATS_STALL(u, RECORD_STAGE_TPM, f, t, t + 1);
    u->x_stood = t;
    u->x_next = t + 1;
}

/* Returns the number of lanes that access words of their TPMs in this beat, and sets the largest number of
 * words of a lane. Returns 0 if a lane accesses memory, or none accesses anything. */
static unsigned lanes_in_tpm(BEATS *u, const BEATS_FLIGHT *f, unsigned *most) {
    unsigned count = 0, words;
    uint32_t bytes;
    *most = 0;
    for (unsigned lane = 0; lane < u->cluster->lanes; ++lane) {
        const int k = beats_thread(u, f, lane);
        if (k == NO_THREAD) continue;
        beat_of(u, f, lane, (unsigned)k, &bytes, &words);
        if (bytes) return 0;
        *most = words > *most ? words : *most;
        ++count;
    }
    return count;
}

/* Does the work of start_beat() if each thread accesses one word of its TPM. */
static inline bool start_words(BEATS *u, const BEATS_FLIGHT *f, uint64_t t) {
    const unsigned count = (unsigned)__builtin_popcountll(BEATS_PASSED(f) & u->cluster->of_round[u->x_round]);
    if (count && !free_ports(u, f->i->is_store, t)) {
        wait_for_ports(u, f, t);
        return false;
    }
    u->cluster->stack_held += count;
    u->x_words = count != 0;
    if (recorder_wants_access(BEATS_RECORDER(u), t)) record_words(u, f, t);
    return true;
}

/* Notes whether all accesses of a flight are in TPMs, and whether each thread accesses one word in each
 * beat. */
static inline void look_for_tpm(BEATS *u, const BEATS_FLIGHT *f) {
    const uint32_t *address_of = BEATS_EXECUTION(u, f)->address;
    const struct arm_threads *t = &u->cluster->threads[f->warp];
    uint32_t unaligned = u->x_bytes ^ 4, beyond = 0;
    u->x_in_tpm = u->x_one_word = false;
    if (BEATS_IN_STACK(f) != BEATS_PASSED(f)) return;
    for (uint64_t rest = BEATS_PASSED(f); rest; rest &= rest - 1) {
        const uint32_t address = address_of[__builtin_ctzll(rest)];
        unaligned |= address & 3;
        beyond |= tpo_stack_index(t->stack_size, address) >= t->stack_objects;
    }
    u->x_in_tpm = !beyond;
    u->x_one_word = !beyond && !unaligned && BEATS_WORDS(u, f);
}

/* --- a beat --- */

/* Starts the accesses of a beat together. Returns false if they cannot start in cycle t. */
static inline bool start_beat(BEATS *u, BEATS_FLIGHT *f, uint64_t t) {
    unsigned most;
    if (u->x_one_word) return start_words(u, f, t);
    if (BEATS_PORTS(u)) BEATS_LOCATE(u, f, t);
    const unsigned in_tpm = BEATS_IN_STACK(f) ? lanes_in_tpm(u, f, &most) : 0;
    if (in_tpm && free_ports(u, f->i->is_store, t)) {
        u->cluster->stack_held += in_tpm;
        u->x_words = most;
        if (recorder_wants_access(BEATS_RECORDER(u), t)) record_words(u, f, t);
        return true;
    }
    const uint64_t again = refused_until(u, f, t);
    if (again) {
        charge_stall(u, f, MACHINE_CAUSE_MSHR, again - t, t);
        BEATS_STALL(u, RECORD_STAGE_MSHR, f, t, again);
        u->x_next = u->x_refused = again;
        return false;
    }
    const unsigned words = BEATS_IN_STACK(f) ? most_words(u, f) : 0;
    if (words && !free_ports(u, f->i->is_store, t)) {
        wait_for_ports(u, f, t);
        return false;
    }
    access_round(u, f, t);
    u->x_words = words;
    return true;
}

/* Does the beat of cycle t. Returns false if it cannot end in this cycle. */
static inline bool access_beat(BEATS *u, BEATS_FLIGHT *f, uint64_t t) {
    if (!u->x_words && !start_beat(u, f, t)) return false;
    if (u->x_words && access_tpm(u, f, t)) BEATS_TOOK_READ_PORTS(u, t);
    if (u->x_words) {
        wait_for_ports(u, f, t);
        return false;
    }
    const unsigned occupancy = BEATS_OCCUPANCY(u, f);
    charge_beat(u, f, occupancy, t);
    u->x_next = t + occupancy;
    return true;
}
