#include "model/check/memory_check.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

#define NOWHERE UINT32_MAX

struct memory_check {
    bool wrong_way;
    const struct machine_launch *launch;
    uint32_t *group; /* linear number of the work-group in each slot */
    uint32_t
        *base; /* address of the twin's records in each slot (abi/image_note.h: stride); 0: not known yet */
    uint32_t *first; /* for each instruction that accesses several words: its first address, or NOWHERE */
    struct memory_finding finding[MEMORY_FINDINGS];
    size_t findings;
    uint64_t accesses, known;
};

struct memory_check *memory_check_create(unsigned slots, bool wrong_way) {
    struct memory_check *m = calloc(1, sizeof *m);
    require_memory(m);
    m->wrong_way = wrong_way;
    m->group = calloc(slots, sizeof *m->group);
    m->base = calloc(slots, sizeof *m->base);
    require_memory(m->group && m->base ? m : NULL);
    return m;
}

void memory_check_destroy(struct memory_check *m) {
    if (!m) return;
    free(m->group);
    free(m->base);
    free(m->first);
    free(m);
}

void memory_check_launch(struct memory_check *m, const struct machine_launch *l) {
    const size_t bytes = l->code->text_bytes / 4 * sizeof *m->first;
    m->launch = l;
    m->findings = 0;
    m->first = realloc(m->first, bytes + 1);
    require_memory(m->first);
    memset(m->first, 0xff, bytes);
}

void memory_check_group(struct memory_check *m, unsigned slot, uint64_t number) {
    m->group[slot] = (uint32_t)number;
    m->base[slot] = 0;
}

static inline bool inside(const struct machine_object *o, uint32_t address, uint32_t bytes) {
    return o->size_bytes >= bytes && address - o->address <= o->size_bytes - bytes;
}

static inline bool holds(const struct machine_object *o, uint32_t address, uint32_t bytes) {
    if (bytes <= 4) return inside(o, address, bytes);
    return inside(o, address, 4) || inside(o, address + bytes - 4, 4);
}

/* Returns whether an instruction that accesses several words has had several addresses, in this execution for
 * `threads` or before. `base`: subtracted from the addresses of each thread; NULL: nothing. */
static bool varies(struct memory_check *m, const struct checked_access *a, uint64_t threads,
                   const uint32_t *base) {
    uint32_t *first = &m->first[(a->pc - m->launch->code->text_base) / 4];
    for (; threads; threads &= threads - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(threads);
        const uint32_t address = a->address[k] - (base ? base[k] : 0);
        if (*first == NOWHERE) *first = address;
        if (*first != address) return true;
    }
    return false;
}

/* Sets the fault of an access outside an object, or partly outside. */
static void set_fault(struct memory_fault *f, unsigned k, const struct machine_object *o, uint32_t address,
                      uint32_t bytes) {
    *f = (struct memory_fault){k, address, bytes, o};
    const uint32_t left = o->size_bytes - (address - o->address); /* bytes inside */
    if (inside(o, address, 1) && left < bytes) {
        f->address += left;
        f->bytes -= left;
    } else if (bytes > 4 && inside(o, address + bytes - 1, 1)) {
        f->bytes = o->address - address;
    }
}

/* Notes that a thread reads a write-only buffer. */
static __attribute__((noinline)) void note(struct memory_check *m, unsigned slot,
                                           const struct checked_access *a, unsigned k) {
    size_t n = 0;
    while (n < m->findings && m->finding[n].pc != a->pc) ++n;
    if (n == MEMORY_FINDINGS) return;
    if (n == m->findings) {
        ++m->findings;
        m->finding[n] = (struct memory_finding){a->pc, a->address[k], m->group[slot], a->first_item + k, 0};
        if (a->first_item == NO_ITEM) m->finding[n].item = NO_ITEM;
    }
    ++m->finding[n].count;
}

/* Returns whether an address is outside the code's constants and the argument block: an instruction added by
 * the compiler has the line of the one before it, but no object. */
static inline bool has_objects(uint32_t address) {
    return address >= MEMORY_BUFFER_BASE ||
           address - MEMORY_LOCAL_BASE < MEMORY_STACK_BASE - MEMORY_LOCAL_BASE;
}

/* Private memory of a thread up to which the compiler reaches its own data at a constant distance from the
 * stack pointer. In a larger frame, it may compute their addresses. */
#define NEAR_BYTES 4095

/* Returns whether an access is at a constant distance from the stack pointer or, in a twin, from the frame
 * pointer: it may be of the compiler's own data. */
static bool is_in_frame(const struct arm_instruction *i, bool of_twin) {
    return !i->register_offset && (i->rn == 13 || (of_twin && i->rn == 11));
}

/* Returns whether an access may only be of private variables with a known place. */
static bool is_of_private(const struct machine_launch *l, const struct machine_object_set *set,
                          const struct arm_instruction *i) {
    const struct machine_object *first = &l->objects[set->object[0]];
    const uint32_t frame = first->of_twin ? l->twin_stack_bytes : l->stack_bytes;
    for (unsigned n = 0; n < set->count; ++n) {
        const struct machine_object *o = &l->objects[set->object[n]];
        if (!memory_check_is_private(o) || !o->size_bytes) return false;
    }
    if (is_in_frame(i, first->of_twin)) return false;
    return frame && frame <= NEAR_BYTES;
}

/* Returns the base of a private object for a thread. In MIMD mode the stack pointer is lower while arguments
 * of a call are stored, so it is the highest since the work-group began. */
static uint32_t base_of(struct memory_check *m, unsigned slot, const struct checked_access *a,
                        const struct machine_object *o, unsigned k) {
    const uint32_t base = a->registers->registers[(size_t)o->base * a->registers->positions + k];
    if (!o->stride) return base;
    if (base > m->base[slot]) m->base[slot] = base;
    return m->base[slot];
}

/* Returns the distance of a thread's access from an object's base. With a stride, a distance within the array
 * becomes that of the first work-item. */
static uint32_t distance_of(struct memory_check *m, unsigned slot, const struct checked_access *a,
                            const struct machine_object *o, unsigned k) {
    const uint32_t *size = m->launch->local_size, distance = a->address[k] - base_of(m, slot, a, o, k);
    const uint64_t all = (uint64_t)o->stride * size[0] * size[1] * size[2];
    return distance < all ? distance % o->stride : distance;
}

static bool check_private(struct memory_check *m, unsigned slot, const struct machine_object_set *set,
                          const struct checked_access *a, struct memory_fault *f) {
    const struct machine_launch *l = m->launch;
    const struct machine_object *first = &l->objects[set->object[0]];
    const uint32_t *const base = a->registers->registers + (size_t)first->base * a->registers->positions;
    const bool whole = a->i->access_bytes > 4 && varies(m, a, a->in_stack, base);
    for (uint64_t rest = a->in_stack; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest), bytes = a->i->access_bytes;
        unsigned n = 0;
        while (n < set->count && !holds(&l->objects[set->object[n]],
                                        distance_of(m, slot, a, &l->objects[set->object[n]], k), bytes))
            ++n;
        const struct machine_object *o = &l->objects[set->object[n < set->count ? n : 0]];
        const uint32_t distance = distance_of(m, slot, a, o, k);
        if (n < set->count && (!whole || inside(o, distance, bytes))) continue;
        set_fault(f, k, o, distance, bytes);
        return false;
    }
    return true;
}

/* Returns the object that an access outside all of a set was meant for: the last that begins before it. */
static const struct machine_object *nearest(const struct machine_launch *l,
                                            const struct machine_object_set *set, uint32_t address) {
    const struct machine_object *o = &l->objects[set->object[0]];
    for (unsigned n = 1; n < set->count; ++n) {
        const struct machine_object *other = &l->objects[set->object[n]];
        if (address - other->address < address - o->address) o = other;
    }
    return o;
}

bool memory_check_access(struct memory_check *m, unsigned slot, const struct checked_access *a,
                         struct memory_fault *f) {
    const struct machine_launch *l = m->launch;
    const struct machine_object_set *set = machine_objects_of(l->code, a->pc);
    const struct machine_object *first = set && l->objects ? &l->objects[set->object[0]] : NULL;
    const bool read = m->wrong_way && a->i->is_load && !arm_is_exclusive(a->i);
    const bool whole = first && a->i->access_bytes > 4 && varies(m, a, a->threads, NULL);
    for (uint64_t rest = a->threads; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        const uint32_t address = a->address[k], bytes = a->i->access_bytes;
        const struct machine_object *o = first;
        if (!has_objects(address)) continue;
        ++m->accesses;
        if (!first) continue;
        ++m->known;
        for (unsigned n = 1; !holds(o, address, bytes); o = &l->objects[set->object[n++]])
            if (n == set->count) {
                set_fault(f, k, nearest(l, set, address), address, bytes);
                return false;
            }
        if (whole && !inside(o, address, bytes)) {
            set_fault(f, k, o, address, bytes);
            return false;
        }
        if (read && o->write_only) note(m, slot, a, k);
    }
    if (first && a->in_stack && is_of_private(l, set, a->i)) return check_private(m, slot, set, a, f);
    return true;
}

const struct memory_finding *memory_check_findings(const struct memory_check *m, size_t *count) {
    *count = m->findings;
    return m->finding;
}

void memory_check_register_counters(struct memory_check *m, struct counter_registry *r) {
    static const char scope[] = "checks";
    counter_register(r, scope, "accesses", "accesses", "of threads to local memory and buffers",
                     &m->accesses);
    counter_register(r, scope, "accesses_by_object", "accesses",
                     "of these, those to known objects of the source", &m->known);
    counter_register_ratio(r, scope, "by_object", "%", "share of the accesses to known objects",
                           "100 * accesses_by_object / accesses");
}
