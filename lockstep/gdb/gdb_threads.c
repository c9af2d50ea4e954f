#include "lockstep/gdb/gdb_threads.h"

#include "model/cluster/cluster.h"
#include "model/memory/store_log.h"

#include <stdio.h>
#include <string.h>

#define USER_MODE 0x10u /* mode bits of CPSR */

#define CORE(n, type) "<reg name=\"" n "\" bitsize=\"32\" type=\"" type "\"/>"
#define DOUBLE(n)     "<reg name=\"d" #n "\" bitsize=\"64\" type=\"ieee_double\"/>"

const char gdb_target_description[] =
    "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\">"
    "<target version=\"1.0\"><architecture>arm</architecture>"
    "<feature name=\"org.gnu.gdb.arm.core\">" CORE("r0", "uint32") CORE("r1", "uint32") CORE("r2", "uint32")
        CORE("r3", "uint32") CORE("r4", "uint32") CORE("r5", "uint32") CORE("r6", "uint32")
            CORE("r7", "uint32") CORE("r8", "uint32") CORE("r9", "uint32") CORE("r10", "uint32")
                CORE("r11", "uint32") CORE("r12", "uint32") CORE("sp", "data_ptr") CORE("lr", "int")
                    CORE("pc",
                         "code_ptr") "<reg name=\"cpsr\" bitsize=\"32\" regnum=\"25\"/></feature>"
                                     "<feature name=\"org.gnu.gdb.arm.vfp\">" DOUBLE(0) DOUBLE(1) DOUBLE(2)
                                         DOUBLE(3) DOUBLE(4) DOUBLE(5) DOUBLE(6) DOUBLE(7) DOUBLE(8) DOUBLE(9)
                                             DOUBLE(10) DOUBLE(11) DOUBLE(12) DOUBLE(13) DOUBLE(14)
                                                 DOUBLE(15) "<reg name=\"fpscr\" bitsize=\"32\" type=\"int\" "
                                                            "group=\"float\"/></feature></target>";

/* --- numbers --- */

static bool is_mimd(const struct gdb_threads *g) {
    return machine_configuration(g->machine)->mode == MODE_MIMD;
}

static unsigned warp_size(const struct gdb_threads *g) {
    return machine_configuration(g->machine)->simt.warp_size;
}

static unsigned threads_of_cluster(const struct gdb_threads *g) {
    return is_mimd(g) ? machine_configuration(g->machine)->cluster.lanes
                      : machine_unit(g->machine, 0)->warps * warp_size(g);
}

unsigned gdb_threads_of_warp(const struct gdb_threads *g, unsigned cluster, unsigned warp,
                             unsigned position) {
    return cluster * threads_of_cluster(g) + warp * warp_size(g) + position + 1;
}

unsigned gdb_threads_of_core(const struct gdb_threads *g, const struct cluster *c, unsigned core) {
    return c->index * threads_of_cluster(g) + core + 1;
}

struct gdb_place gdb_threads_place(const struct gdb_threads *g, unsigned thread) {
    const unsigned each = threads_of_cluster(g), index = (thread - 1) / each, rest = (thread - 1) % each;
    if (!thread || index >= machine_configuration(g->machine)->cluster.count) return (struct gdb_place){0};
    struct gdb_place p = {.unit = machine_unit(g->machine, index)};
    p.core = is_mimd(g) ? &machine_cluster(g->machine, index)->core[rest] : NULL;
    p.warp = p.core ? 0 : rest / warp_size(g);
    p.position = p.core ? 0 : rest % warp_size(g);
    return p;
}

static bool lives(const struct gdb_threads *g, const struct gdb_place *p) {
    if (!machine_running(g->machine) || !p->unit || !p->unit->launch) return false;
    if (p->core)
        return ((const struct cluster *)p->unit)->mode == CLUSTER_MIMD && p->core->state != CORE_ASLEEP;
    return p->unit->kind->runs_warps(p->unit) && simt_warp_of(p->unit, p->warp).live >> p->position & 1;
}

bool gdb_threads_live(const struct gdb_threads *g, unsigned thread) {
    const struct gdb_place p = gdb_threads_place(g, thread);
    return lives(g, &p);
}

unsigned gdb_threads_list(const struct gdb_threads *g, unsigned near, unsigned list[GDB_MOST_THREADS]) {
    const unsigned each = threads_of_cluster(g),
                   all = each * machine_configuration(g->machine)->cluster.count;
    const unsigned from = all > GDB_MOST_THREADS ? (near - 1) / each * each : 0,
                   end = all > GDB_MOST_THREADS ? from + each : all;
    unsigned count = 0;
    for (unsigned n = from; n < end && count < GDB_MOST_THREADS; n++)
        if (gdb_threads_live(g, n + 1)) list[count++] = n + 1;
    return count;
}

void gdb_threads_item(const struct gdb_threads *g, unsigned thread, uint32_t id[3]) {
    const struct gdb_place p = gdb_threads_place(g, thread);
    const struct simt_warp w = simt_warp_of(p.unit, p.warp);
    const struct machine_launch *l = machine_running(g->machine);
    for (unsigned d = 0; d < 3; d++) id[d] = machine_global_id(l, d, w.group[d], w.local_id[d][p.position]);
}

void gdb_threads_name(const struct gdb_threads *g, unsigned thread, char *text, size_t size) {
    const struct gdb_place p = gdb_threads_place(g, thread);
    if (p.core) {
        const uint32_t *id = p.core->group;
        int n = snprintf(text, size, "core %u of cluster %u", p.core->index, p.unit->index);
        if (p.core->has_group)
            snprintf(text + n, size - (size_t)n, " work-group (%u,%u,%u)", id[0], id[1], id[2]);
        return;
    }
    const struct simt_warp w = simt_warp_of(p.unit, p.warp);
    uint32_t id[3];
    gdb_threads_item(g, thread, id);
    snprintf(text, size, "item (%u,%u,%u) warp %u lane %u of work-group (%u,%u,%u)", id[0], id[1], id[2],
             p.warp, p.position, w.group[0], w.group[1], w.group[2]);
}

unsigned gdb_threads_unit(const struct gdb_threads *g, unsigned thread) {
    const struct gdb_place p = gdb_threads_place(g, thread);
    return p.core ? thread : p.unit ? simt_warp_of(p.unit, p.warp).slot : 0;
}

/* --- registers --- */

static struct arm_threads *threads_of(const struct gdb_place *p) {
    return p->core ? &p->core->threads : simt_warp_of(p->unit, p->warp).threads;
}

/* Returns the PC of a thread in SIMT mode. */
static uint32_t pc_of(const struct gdb_threads *g, const struct gdb_place *p) {
    const struct gdb_warp *now = &g->now;
    const uint64_t bit = UINT64_C(1) << p->position;
    if (now->i && now->threads == threads_of(p) && now->participating & bit)
        return now->done & bit ? arm_next_pc(now->threads, now->i, now->pc, now->x->passed, p->position)
                               : now->pc;
    return p->unit->kind->pc(p->unit, p->warp, p->position);
}

unsigned gdb_threads_register_bytes(unsigned number) {
    if (number <= GDB_PC || number == GDB_CPSR || number == GDB_FPSCR) return 4;
    return number >= GDB_D0 && number < GDB_FPSCR ? 8 : 0;
}

uint64_t gdb_threads_get(const struct gdb_threads *g, unsigned thread, unsigned number) {
    const struct gdb_place p = gdb_threads_place(g, thread);
    const struct arm_threads *t = threads_of(&p);
    const uint32_t *column = t->registers + p.position;
    if (number == GDB_PC) return p.core ? p.core->pc : pc_of(g, &p);
    if (number == GDB_CPSR) return arm_get_apsr(t, p.position) | USER_MODE;
    if (number == GDB_FPSCR) return t->fpscr[p.position];
    if (number < GDB_PC) return column[(size_t)number * t->positions];
    const size_t row = 16 + 2 * (size_t)(number - GDB_D0);
    return column[row * t->positions] | (uint64_t)column[(row + 1) * t->positions] << 32;
}

bool gdb_threads_set(const struct gdb_threads *g, unsigned thread, unsigned number, uint64_t value) {
    const struct gdb_place p = gdb_threads_place(g, thread);
    struct arm_threads *t = threads_of(&p);
    uint32_t *column = t->registers + p.position;
    const size_t row = 16 + 2 * (size_t)(number - GDB_D0);
    if (number == GDB_PC) return value == gdb_threads_get(g, thread, number);
    if (number == GDB_CPSR) {
        arm_set_apsr(t, p.position, (uint32_t)value);
    } else if (number == GDB_FPSCR) {
        t->fpscr[p.position] = (uint32_t)value;
    } else if (number < GDB_PC) {
        column[(size_t)number * t->positions] = (uint32_t)value;
    } else {
        column[row * t->positions] = (uint32_t)value;
        column[(row + 1) * t->positions] = (uint32_t)(value >> 32);
    }
    return true;
}

/* --- memory --- */

/* Returns the register that holds a word of a stack; NULL if the word is in memory. */
static uint32_t *stack_word(struct simt *u, unsigned warp, uint32_t address) {
    for (unsigned n = 0; u->kind->runs_warps(u) && n < u->warps; n++) { /* its own warp first */
        const struct arm_threads *t = simt_warp_of(u, (warp + n) % u->warps).threads;
        for (unsigned k = 0; t->stack_objects && t->stack_top && k < t->positions; k++) {
            if (t->stack_top[k] - 1 - address >= t->stack_size) continue;
            const uint32_t index = tpo_stack_index(t->stack_size, address);
            return index < t->stack_objects
                       ? &t->registers[(size_t)(ARM_REGISTERS + index) * t->positions + k]
                       : NULL;
        }
    }
    return NULL;
}

/* Returns the host address of a thread's bytes from `address` on, at most *size bytes; NULL if no memory is
 * there. *size becomes their number. */
static uint8_t *host_of(const struct gdb_place *p, uint32_t address, uint32_t *size, bool writes) {
    const struct memory *m = threads_of(p)->memory;
    const int index = memory_find(m, address, 1);
    if (index < 0) return NULL;
    const struct memory_region *r = &m->region[index];
    const bool in_warp = r->kind == MEMORY_STACK && !p->core;
    uint32_t *word = in_warp ? stack_word(p->unit, p->warp, address) : NULL;
    const uint32_t left = word ? 4 - (address & 3) : r->size_bytes - (address - r->base);
    if (writes && !r->writable) return NULL;
    if (*size > left) *size = left;
    if (in_warp && *size > 4 - (address & 3)) *size = 4 - (address & 3);
    if (threads_of(p)->log && *size > STORE_LOG_READ) *size = STORE_LOG_READ;
    return word ? (uint8_t *)word + (address & 3) : r->host + (address - r->base);
}

/* Reads bytes as the thread sees them: stores of an SM may still be in its log. */
static void read_bytes(const struct gdb_place *p, const uint8_t *host, uint8_t *bytes, uint32_t size) {
    const struct store_log *log = threads_of(p)->log;
    if (log && log->count)
        store_log_read(log, host, size, bytes);
    else
        memcpy(bytes, host, size);
}

static void write_bytes(const struct gdb_place *p, uint8_t *host, const uint8_t *bytes, uint32_t size) {
    struct store_log *log = threads_of(p)->log;
    if (log) {
        store_log_reserve(log, 1, size);
        host = store_log_add(log, host, size);
    }
    memcpy(host, bytes, size);
}

uint32_t gdb_threads_read(const struct gdb_threads *g, unsigned thread, uint32_t address, uint8_t *bytes,
                          uint32_t size) {
    const struct gdb_place p = gdb_threads_place(g, thread);
    uint32_t done = 0;
    while (done < size) {
        uint32_t n = size - done;
        const uint8_t *host = host_of(&p, address + done, &n, false);
        if (!host) break;
        read_bytes(&p, host, bytes + done, n);
        done += n;
    }
    return done;
}

bool gdb_threads_write(const struct gdb_threads *g, unsigned thread, uint32_t address, const uint8_t *bytes,
                       uint32_t size) {
    const struct gdb_place p = gdb_threads_place(g, thread);
    for (unsigned round = 0; round < 2; round++) /* the first round only checks the addresses */
        for (uint32_t done = 0, n; done < size; done += n) {
            n = size - done;
            uint8_t *host = host_of(&p, address + done, &n, true);
            if (!host) return false;
            if (round) write_bytes(&p, host, bytes + done, n);
        }
    return true;
}
