/* commit: the commit checker of a launch, from start to end (lockstep.h). */
#include "library/commit_parts.h"
#include "library/face.h"
#include "model/core/identity.h"
#include "model/machine/mimd_memory.h"

#include <stdlib.h>
#include <string.h>

#define UNKNOWN_STACK_BYTES 16384u /* bytes of stack of a thread whose need is unknown */

bool commit_is_open(const struct lockstep_checker *c) {
    if (!c) return face_tell("the checker is NULL");
    return c->lending == reference_lendings(c->reference) ||
           face_tell("the checker's launch has ended: its program has gone on, or its machine is destroyed");
}

/* --- memory --- */

static void *zeros(size_t count, size_t bytes) {
    void *p = calloc(count ? count : 1, bytes);
    require_memory(p);
    return p;
}

static uint32_t stack_bytes(const struct machine_launch *l, bool mimd) {
    if (mimd) return (uint32_t)mimd_memory_stack_bytes(l);
    const uint32_t need = l->stack_bytes ? l->stack_bytes + MACHINE_STACK_RESERVE : UNKNOWN_STACK_BYTES;
    uint32_t bytes = 1024;
    while (bytes < need) bytes *= 2;
    return bytes;
}

static uint32_t stacks_base(const struct lockstep_checker *c) {
    return c->mimd ? MIMD_STACKS_BASE : COMMIT_STACK_BASE;
}

static uint64_t stacks_bytes(const struct lockstep_checker *c) {
    return (uint64_t)c->stack_bytes * c->units * c->threads;
}

static bool add_region(struct memory *m, enum memory_kind kind, uint32_t base, uint32_t bytes, uint8_t *host,
                       bool writable, const char *name) {
    return !bytes || memory_add(m, kind, base, bytes, host, writable, name) >= 0 ||
           face_tell("too many buffers for a launch");
}

/* Makes copies of the memory that kernels can write. The checker has its own launch block and stacks. */
static bool make_shadow(struct lockstep_checker *c, struct memory *real) {
    memory_copy(c->shadow, real);
    for (unsigned n = real->used; n-- > 0;) {
        const int index = real->order[n];
        struct memory_region *r = &c->shadow->region[index];
        if (r->kind == MEMORY_STACK || r->base == MEMORY_LAUNCH_BASE) {
            memory_remove(c->shadow, index);
        } else if (r->writable) {
            uint8_t *copy = zeros(r->size_bytes, 1);
            memcpy(copy, r->host, r->size_bytes);
            r->host = copy;
        }
    }
    return add_region(c->shadow, MEMORY_LAUNCH, MEMORY_LAUNCH_BASE, sizeof c->block, (uint8_t *)&c->block,
                      false, "the launch block") &&
           (c->mimd || add_region(c->shadow, MEMORY_STACK, COMMIT_STACK_BASE, (uint32_t)stacks_bytes(c),
                                  c->reference_stacks, true, "private memory"));
}

static bool make_view(struct lockstep_checker *c, unsigned n) {
    struct commit_unit *u = &c->unit[n];
    const uint32_t local = c->launch->local_bytes;
    u->memory = zeros(1, sizeof *u->memory);
    memory_copy(u->memory, c->shadow);
    u->local = &c->local[n];
    u->local_region = -1;
    if (c->mimd &&
        !add_region(u->memory, MEMORY_LAUNCH, MIMD_STACKS_BASE + n * c->stack_bytes, c->stack_bytes,
                    c->reference_stacks + (size_t)n * c->stack_bytes, true, "the core's stack"))
        return false;
    if (!local) return true;
    u->local_region = memory_add(u->memory, MEMORY_LOCAL, MEMORY_LOCAL_BASE, local, u->local->reference, true,
                                 "local memory");
    return u->local_region >= 0 || face_tell("too many buffers for a launch");
}

/* --- start --- */

static void fill_block(struct lockstep_checker *c) {
    const struct machine_launch *l = c->launch;
    c->block = (struct launch_block){
        .mode = c->mimd ? MODE_MIMD : MODE_SIMT,
        .kernel_pc = c->mimd ? l->twin : l->thunk,
        .argument_block = l->argument_block,
        .stack_top = COMMIT_STACK_BASE + c->stack_bytes,
        .stack_size = c->stack_bytes,
        .stack_segment = c->stack_bytes,
        .core_stack_top = MIMD_STACKS_BASE + c->stack_bytes,
        .core_stack_size = c->stack_bytes,
        .work_group_size = (uint32_t)c->group_items,
        .local_size = {l->local_size[0], l->local_size[1], l->local_size[2]},
    };
}

static void place_rows(struct lockstep_checker *c, struct commit_unit *u) {
    struct arm_threads *t = &u->threads;
    *t = (struct arm_threads){.positions = c->threads,
                              .stack_size = c->stack_bytes,
                              .cumulative_flags = c->mimd || c->config.arm.cumulative_flags};
    u->rows = aligned_alloc(64, ((size_t)ROWS * c->threads * 4 + 63) / 64 * 64);
    require_memory(u->rows);
    memset(u->rows, 0, (size_t)ROWS * c->threads * 4);
    t->registers = u->rows;
    t->n = commit_row(u, ROW_N), t->z = commit_row(u, ROW_Z), t->c = commit_row(u, ROW_C);
    t->v = commit_row(u, ROW_V), t->q = commit_row(u, ROW_Q), t->ge = commit_row(u, ROW_GE);
    t->fpscr = commit_row(u, ROW_FPSCR);
    t->pc = commit_row(u, ROW_PC), t->next_pc = commit_row(u, ROW_NEXT_PC);
    t->stack_top = c->mimd ? NULL : commit_row(u, ROW_TOP);
}

/* Sets the registers of a thread that starts. */
static void begin_thread(struct lockstep_checker *c, struct commit_unit *u, unsigned k) {
    const unsigned n = (unsigned)(u - c->unit) * c->threads + k;
    const uint32_t top = stacks_base(c) + (n + 1) * c->stack_bytes;
    for (unsigned row = 0; row < ROWS; ++row) commit_row(u, row)[k] = 0;
    arm_set_apsr(&u->threads, k, 0);
    commit_row(u, ROW_TOP)[k] = top;
    commit_row(u, 13)[k] = top;
    commit_row(u, ROW_PC)[k] = c->mimd ? c->launch->code->startup_mimd : c->launch->thunk;
    if (!c->mimd) commit_row(u, 0)[k] = c->launch->argument_block;
    u->reserved[k].valid = false;
}

static bool make_units(struct lockstep_checker *c) {
    for (unsigned n = 0; n < c->units; ++n) {
        struct commit_unit *u = &c->unit[n];
        c->local[n].design = zeros(c->launch->local_bytes, 1);
        c->local[n].reference = zeros(c->launch->local_bytes, 1);
        place_rows(c, u);
        u->id = zeros(3 * (size_t)c->threads, sizeof *u->id);
        u->reserved = zeros(c->threads, sizeof *u->reserved);
        u->record = zeros(COMMIT_HISTORY, sizeof *u->record);
        u->kept = zeros((size_t)COMMIT_HISTORY * RECORD_ROWS * c->threads, sizeof *u->kept);
        if (!make_view(c, n)) return false;
        u->threads.memory = u->memory;
        if (!c->mimd) continue;
        begin_thread(c, u, 0);
        u->live = 1;
        u->crossing = c->launch->twin;
    }
    return true;
}

static bool is_good(const struct machine_config *config, unsigned units) {
    if (!units || units > COMMIT_UNITS)
        return face_tell("a design has 1 to %u cores or warps, not %u", COMMIT_UNITS, units);
    return config->mode != MODE_AUTO || face_tell("mode=auto: set mode to mimd for cores, or simt for warps");
}

static bool has_code(const struct lockstep_checker *c) {
    const struct machine_launch *l = c->launch;
    if (c->mimd ? l->twin && l->code->startup_mimd : l->thunk) return true;
    return face_tell("kernel '%s' was built without %s mode", l->kernel,
                     c->mimd ? "a twin for MIMD" : "SIMT");
}

/* Counts work-groups and work-items, which have numbers of 32 bits. */
static bool count(struct lockstep_checker *c) {
    const uint32_t *size = c->launch->local_size;
    machine_launch_groups(c->launch, c->groups);
    c->group_items = (uint64_t)size[0] * size[1] * size[2];
    c->group_count = 1;
    for (unsigned d = 0; d < 3; ++d) {
        if (c->groups[d] > UINT32_MAX / (c->group_count * c->group_items))
            return face_tell("kernel '%s': a launch that a design executes has at most %u work-items",
                             c->launch->kernel, UINT32_MAX);
        c->group_count *= c->groups[d];
    }
    c->items_left = c->group_count * c->group_items;
    return true;
}

/* Sets up the checker from the launch. */
static bool begin(struct lockstep_checker *c) {
    const struct machine_launch *l = c->launch;
    if (!count(c)) return false;
    c->stack_bytes = stack_bytes(l, c->mimd);
    if (stacks_bytes(c) > MIMD_STACKS_BYTES)
        return face_tell("the stacks of %u units, %u bytes each, take too much memory", c->units,
                         c->stack_bytes * c->threads);
    c->begun = zeros((c->mimd ? c->group_count : c->items_left) / 8 + 1, 1);
    c->handed = zeros(c->group_count / 8 + 1, 1);
    c->design_stacks = zeros(stacks_bytes(c), 1);
    c->reference_stacks = zeros(stacks_bytes(c), 1);
    fill_block(c);
    return has_code(c) && make_shadow(c, machine_memory(reference_machine(c->reference))) && make_units(c);
}

struct lockstep_checker *lockstep_checker_create(struct lockstep_machine *m,
                                                 const struct lockstep_range *range, unsigned units) {
    struct error e = {0};
    struct reference_range r;
    struct reference *reference = (struct reference *)m;
    if (!m && !face_tell("the machine is NULL")) return NULL;
    const struct machine_config *config = machine_configuration(reference_machine(reference));
    if (!is_good(config, units)) return NULL;
    if (range)
        memcpy(r.global, range->global, sizeof r.global), memcpy(r.local, range->local, sizeof r.local);
    const struct machine_launch *l = reference_lend(reference, range ? &r : NULL, &e);
    if (!l && !face_tell("%s", e.message)) return NULL;
    struct lockstep_checker *c = zeros(1, sizeof *c);
    reference_hold(reference);
    c->reference = reference;
    c->lending = reference_lendings(reference);
    c->launch = l;
    c->config = *config;
    c->mimd = config->mode == MODE_MIMD;
    c->units = units;
    c->threads = c->mimd ? 1 : config->simt.warp_size;
    c->unit = zeros(units, sizeof *c->unit);
    c->local = zeros(units, sizeof *c->local);
    c->shadow = zeros(1, sizeof *c->shadow);
    c->nothing = zeros(1, sizeof *c->nothing);
    if (begin(c)) return c;
    lockstep_checker_destroy(c);
    return NULL;
}

/* --- the end --- */

static void free_all(struct lockstep_checker *c) {
    const struct memory *real = machine_memory(reference_machine(c->reference));
    for (unsigned n = 0; n < c->units; ++n) {
        struct commit_unit *u = &c->unit[n];
        free(u->rows), free(u->id), free(u->reserved), free(u->record), free(u->kept), free(u->memory);
        free(c->local[n].design), free(c->local[n].reference);
    }
    for (unsigned n = 0; n < c->shadow->used; ++n) {
        const int index = c->shadow->order[n];
        uint8_t *host = c->shadow->region[index].host;
        if (c->shadow->region[index].writable && c->shadow->region[index].kind != MEMORY_STACK &&
            host != real->region[index].host)
            free(host);
    }
    free(c->begun), free(c->handed), free(c->design_stacks), free(c->reference_stacks);
    free(c->unit), free(c->local), free(c->shadow), free(c->nothing), free(c);
}

void lockstep_checker_destroy(struct lockstep_checker *c) {
    if (!c) return;
    struct reference *r = c->reference;
    const bool whole = !c->failed && c->items_left == 0, open = c->lending == reference_lendings(r);
    free_all(c);
    if (open) reference_return(r, whole);
    reference_release(r);
}

unsigned lockstep_checker_threads(const struct lockstep_checker *c) {
    return c ? c->threads : (unsigned)face_tell("the checker is NULL");
}

bool lockstep_checker_running(const struct lockstep_checker *c) {
    if (!commit_is_open(c)) return false;
    uint64_t live = 0;
    for (unsigned n = 0; n < c->units; ++n) live |= c->unit[n].live;
    return c->items_left || live;
}

/* Compares a region that kernels can write between both memories. */
static bool compare_region(struct lockstep_checker *c, const struct memory_region *design,
                           const struct memory_region *reference) {
    uint32_t n = 0;
    if (!memcmp(design->host, reference->host, design->size_bytes)) return true;
    while (design->host[n] == reference->host[n]) ++n;
    c->failed = true;
    c->difference = (struct lockstep_difference){.kernel = c->launch->kernel,
                                                 .file = "?",
                                                 .what = "memory",
                                                 .design = design->host[n],
                                                 .reference = reference->host[n]};
    return face_tell("kernel '%s' has ended, and byte %u of %s (address 0x%08x) is 0x%02x in the design's "
                     "memory, 0x%02x in the reference's",
                     c->launch->kernel, n, design->name, design->base + n, design->host[n],
                     reference->host[n]);
}

bool lockstep_checker_end(struct lockstep_checker *c) {
    if (!commit_is_open(c)) return false;
    if (c->failed) return false;
    if (lockstep_checker_running(c))
        return face_tell("kernel '%s': %llu work-items have not ended, or a core has not reached WFI",
                         c->launch->kernel, (unsigned long long)c->items_left);
    const struct memory *real = machine_memory(reference_machine(c->reference));
    for (unsigned n = 0; n < real->used; ++n) {
        const struct memory_region *r = &real->region[real->order[n]];
        if (r->kind == MEMORY_BUFFER && r->writable &&
            !compare_region(c, r, &c->shadow->region[real->order[n]]))
            return false;
    }
    return true;
}

/* --- warps --- */

void commit_group_ids(const struct lockstep_checker *c, uint64_t number, uint32_t group[3]) {
    group[0] = (uint32_t)(number % c->groups[0]);
    group[1] = (uint32_t)(number / c->groups[0] % c->groups[1]);
    group[2] = (uint32_t)(number / c->groups[0] / c->groups[1]);
}

/* Returns the local memory of a work-group. If none of its warps has started, a free one is cleared and
 * returned; NULL if all are in use. */
static struct commit_local *local_of(struct lockstep_checker *c, uint64_t number) {
    struct commit_local *found = NULL;
    for (unsigned n = 0; n < c->units; ++n) {
        if (c->local[n].group == number + 1) return &c->local[n];
        if (!c->local[n].group && !found) found = &c->local[n];
    }
    if (!found) return NULL;
    found->group = number + 1;
    found->left = (uint32_t)c->group_items;
    memset(found->design, 0, c->launch->local_bytes);
    memset(found->reference, 0, c->launch->local_bytes);
    return found;
}

static bool may_start(struct lockstep_checker *c, unsigned unit, const uint32_t group[3],
                      uint32_t first_item) {
    if (!commit_is_open(c)) return false;
    if (!group) return face_tell("the work-group is NULL");
    if (c->mimd) return face_tell("cores start by themselves: they begin with the start-up code");
    if (unit >= c->units) return face_tell("there is no warp %u: the design has %u", unit, c->units);
    if (c->unit[unit].live) return face_tell("warp %u has threads that have not ended", unit);
    for (unsigned d = 0; d < 3; ++d)
        if (group[d] >= c->groups[d])
            return face_tell("there is no work-group (%u,%u,%u)", group[0], group[1], group[2]);
    return first_item < c->group_items || face_tell("a work-group has %llu work-items: there is no number %u",
                                                    (unsigned long long)c->group_items, first_item);
}

bool lockstep_checker_start(struct lockstep_checker *c, unsigned unit, const uint32_t group[3],
                            uint32_t first_item) {
    if (!may_start(c, unit, group, first_item)) return false;
    struct commit_unit *u = &c->unit[unit];
    const uint32_t *size = c->launch->local_size;
    const uint64_t number = commit_group_number(c, group);
    const uint64_t left = c->group_items - first_item, count = left < c->threads ? left : c->threads;
    for (uint64_t k = 0; k < count; ++k)
        if (commit_bit(c->begun, number * c->group_items + first_item + k))
            return face_tell("work-item %llu of work-group (%u,%u,%u) has been started before",
                             (unsigned long long)first_item + k, group[0], group[1], group[2]);
    struct commit_local *local = local_of(c, number);
    if (!local) return face_tell("more work-groups are in flight than the design has warps");
    u->local = local;
    if (u->local_region >= 0) u->memory->region[u->local_region].host = local->reference;
    memcpy(u->group, group, sizeof u->group);
    u->number = number + 1;
    for (unsigned k = 0; k < count; ++k) {
        const uint32_t item = first_item + k;
        begin_thread(c, u, k);
        commit_set_bit(c->begun, number * c->group_items + item, true);
        u->id[k] = item % size[0];
        u->id[c->threads + k] = item / size[0] % size[1];
        u->id[2 * c->threads + k] = item / size[0] / size[1];
    }
    u->live = count == 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
    u->undoable = 0;
    return true;
}

/* --- state --- */

static const struct commit_unit *thread_of(const struct lockstep_checker *c, unsigned unit, unsigned thread) {
    if (!c) return face_tell("the checker is NULL"), NULL;
    if (unit < c->units && thread < c->threads) return &c->unit[unit];
    face_tell("there is no thread %u of unit %u: the design has %u, of %u threads", thread, unit, c->units,
              c->threads);
    return NULL;
}

uint32_t lockstep_checker_pc(const struct lockstep_checker *c, unsigned unit, unsigned thread) {
    const struct commit_unit *u = thread_of(c, unit, thread);
    return u && u->live >> thread & 1 ? commit_row(u, ROW_PC)[thread] : 1;
}

uint32_t lockstep_checker_register(const struct lockstep_checker *c, unsigned unit, unsigned thread,
                                   unsigned number) {
    const struct commit_unit *u = thread_of(c, unit, thread);
    if (!u) return 0;
    if (number == LOCKSTEP_NZCV) return arm_get_apsr(&u->threads, thread) & 0xf0000000u;
    if (number == LOCKSTEP_FPSCR) return commit_row(u, ROW_FPSCR)[thread];
    if (number < ARM_REGISTERS && number != 15) return commit_row(u, number)[thread];
    face_tell("there is no register %u", number);
    return 0;
}

uint8_t *lockstep_checker_memory(struct lockstep_checker *c, unsigned unit, uint32_t address,
                                 uint32_t size_bytes) {
    const struct commit_unit *u = commit_is_open(c) ? thread_of(c, unit, 0) : NULL;
    if (!u) return NULL;
    const uint32_t stack = address - stacks_base(c), local = address - MEMORY_LOCAL_BASE,
                   block = address - MEMORY_LAUNCH_BASE;
    if ((uint64_t)stack + size_bytes <= stacks_bytes(c)) return c->design_stacks + stack;
    if ((uint64_t)local + size_bytes <= c->launch->local_bytes) return u->local->design + local;
    if ((uint64_t)block + size_bytes <= sizeof c->block) return (uint8_t *)&c->block + block;
    struct memory *real = machine_memory(reference_machine(c->reference));
    const int n = memory_find(real, address, size_bytes);
    if (n >= 0) return real->region[n].host + (address - real->region[n].base);
    face_tell("nothing is at 0x%08x, %u bytes", address, size_bytes);
    return NULL;
}

struct identity commit_identity(const struct lockstep_checker *c, const struct commit_unit *u) {
    return (struct identity){.config = &c->config,
                             .launch = c->launch,
                             .first_lane = (uint32_t)(u - c->unit),
                             .map = {.kind = LANE_MAP_BLOCK, .lanes = 1, .rounds = c->threads},
                             .contexts = c->units,
                             .groups_in_flight = c->units,
                             .group = u->group,
                             .local_id = {u->id, u->id + c->threads, u->id + 2 * c->threads}};
}

uint32_t commit_hand_out(struct lockstep_checker *c) {
    while (c->next_group < c->group_count && commit_bit(c->handed, c->next_group)) ++c->next_group;
    if (c->next_group == c->group_count) return UINT32_MAX;
    commit_set_bit(c->handed, c->next_group, true);
    return (uint32_t)c->next_group++;
}

void commit_take_back(struct lockstep_checker *c, uint64_t number) {
    commit_set_bit(c->begun, number, false);
    commit_set_bit(c->handed, number, false);
    if (c->next_group > number) c->next_group = number;
}

uint32_t lockstep_checker_coprocessor(struct lockstep_checker *c, unsigned unit, unsigned thread,
                                      uint32_t instruction) {
    struct arm_instruction i;
    const struct commit_unit *u = commit_is_open(c) ? thread_of(c, unit, thread) : NULL;
    if (!u) return 0;
    arm_decode(instruction, 0, &i);
    if (!i.is_coprocessor || !i.coprocessor_reads || i.coprocessor_two)
        return (uint32_t)face_tell("0x%08x is no MRC from the co-processor", instruction);
    const enum coprocessor_operation op = coprocessor_decode(&i).operation;
    if (op == COPROCESSOR_LAUNCH_BLOCK) return MEMORY_LAUNCH_BASE;
    if (op == COPROCESSOR_NEXT_GROUP) return commit_hand_out(c);
    uint32_t rows[ARM_REGISTERS * ARM_MAX_POSITIONS] = {0};
    struct arm_threads answer = {.positions = c->threads, .registers = rows};
    const struct identity d = commit_identity(c, u);
    identity_read(&d, &i, &answer, UINT64_C(1) << thread, 0);
    return rows[i.rd * c->threads + thread];
}

uint64_t lockstep_commits(const struct lockstep_checker *c) {
    return c ? c->commits : 0;
}

bool lockstep_checker_difference(const struct lockstep_checker *c, struct lockstep_difference *d) {
    if (!commit_is_open(c)) return false;
    if (!c->failed) return face_tell("nothing differs");
    if (d) *d = c->difference;
    return true;
}
