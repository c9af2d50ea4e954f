#include "model/memory/memory.h"

#include "sim/error.h"

#include <stdio.h>
#include <string.h>

void memory_init(struct memory *m) {
    memset(m, 0, sizeof *m);
}

void memory_copy(struct memory *copy, const struct memory *m) {
    for (unsigned n = 0; n < copy->used; ++n)
        copy->region[copy->order[n]] = (struct memory_region){.kind = MEMORY_NONE};
    for (unsigned n = 0; n < m->used; ++n) copy->region[m->order[n]] = m->region[m->order[n]];
    memcpy(copy->order, m->order, m->used * sizeof m->order[0]);
    copy->used = m->used;
    copy->history = m->history;
    copy->history_context = m->history_context;
    copy->outside = m->outside;
}

static uint64_t region_end(const struct memory_region *r) {
    return (uint64_t)r->base + r->size_bytes;
}

/* Returns whether other cores can write between two addresses, in regions before or behind the n-th in the
 * order of bases. */
static bool others_write(const struct memory *m, unsigned n, uint64_t from, uint64_t to) {
    bool writable = false;
    for (unsigned k = n; k-- > 0 && region_end(&m->region[m->order[k]]) > from;)
        writable |= m->region[m->order[k]].writable;
    for (unsigned k = n + 1; k < m->used && m->region[m->order[k]].base < to; ++k)
        writable |= m->region[m->order[k]].writable;
    return writable;
}

/* Returns the part of the n-th region of a view that only its owner can change: without the first and the
 * last line if other cores can write into the rest of these. Size 0: none. */
static struct memory_region own_part(const struct memory *view, unsigned n, uint32_t stack,
                                     uint32_t line_bytes) {
    struct memory_region r = view->region[view->order[n]];
    const uint64_t first = (uint64_t)r.base / line_bytes * line_bytes, end = region_end(&r);
    const uint64_t last = (end - 1) / line_bytes * line_bytes;
    if (r.kind == MEMORY_LOCAL) return r;
    if (r.writable && r.base != stack && r.kind != MEMORY_STACK) return (struct memory_region){0};
    const uint64_t from = others_write(view, n, first, r.base) ? first + line_bytes : r.base;
    const uint64_t to = others_write(view, n, end, last + line_bytes) ? last : end;
    if (to <= from) return (struct memory_region){0};
    r.host += from - r.base;
    r.base = (uint32_t)from;
    r.size_bytes = (uint32_t)(to - from);
    return r;
}

void memory_own(struct memory *own, const struct memory *view, uint32_t stack, uint32_t line_bytes) {
    memory_copy(own, view);
    for (unsigned n = view->used; n-- > 0;) {
        const struct memory_region part = own_part(view, n, stack, line_bytes);
        if (view->outside || !part.size_bytes)
            memory_remove(own, view->order[n]);
        else
            own->region[view->order[n]] = part;
    }
    own->outside = NULL;
}

/* Returns the position in `order` of the first region that begins above the address. */
static unsigned upper_bound(const struct memory *m, uint32_t address) {
    unsigned low = 0, high = m->used;
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        if (m->region[m->order[middle]].base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int free_slot(const struct memory *m) {
    for (int i = 0; i < MEMORY_REGIONS; ++i)
        if (m->region[i].kind == MEMORY_NONE) return i;
    return -1;
}

int memory_add(struct memory *m, enum memory_kind kind, uint32_t base, uint32_t size_bytes, uint8_t *host,
               bool writable, const char *name) {
    const unsigned at = upper_bound(m, base);
    const int slot = free_slot(m);
    if (slot < 0) return -1;
    invariant(kind != MEMORY_NONE && size_bytes > 0, "region %s has no kind or size", name);
    invariant((uint64_t)base + size_bytes <= 1ull << 32, "region %s passes the end of the address space",
              name);
    invariant(at == 0 || region_end(&m->region[m->order[at - 1]]) <= base, "region %s overlaps %s", name,
              m->region[m->order[at - 1]].name);
    invariant(at == m->used || (uint64_t)base + size_bytes <= m->region[m->order[at]].base,
              "region %s overlaps %s", name, m->region[m->order[at]].name);

    struct memory_region *r = &m->region[slot];
    *r = (struct memory_region){
        .base = base, .size_bytes = size_bytes, .host = host, .kind = kind, .writable = writable};
    snprintf(r->name, sizeof r->name, "%s", name);
    memmove(&m->order[at + 1], &m->order[at], (m->used - at) * sizeof m->order[0]);
    m->order[at] = (uint16_t)slot;
    ++m->used;
    return slot;
}

void memory_remove(struct memory *m, int index) {
    invariant(index >= 0 && index < MEMORY_REGIONS && m->region[index].kind != MEMORY_NONE,
              "region %d removed, which is not there", index);
    const unsigned at = upper_bound(m, m->region[index].base) - 1;
    memmove(&m->order[at], &m->order[at + 1], (m->used - at - 1) * sizeof m->order[0]);
    --m->used;
    m->region[index] = (struct memory_region){0};
}

int memory_find(const struct memory *m, uint32_t address, uint32_t size_bytes) {
    const unsigned above = upper_bound(m, address);
    if (above == 0) return -1;
    const int index = m->order[above - 1];
    return (uint64_t)address + size_bytes <= region_end(&m->region[index]) ? index : -1;
}

static void note_first(struct memory_outside *o, uint32_t pc, bool store, uint32_t address,
                       uint32_t size_bytes, const char *where, const char *region) {
    if (o->accessed) return;
    *o = (struct memory_outside){o->host, true, store, pc, address, size_bytes, ""};
    snprintf(o->first_place, sizeof o->first_place, "%s%s", where, region);
}

int memory_find_outside(struct memory *m, uint32_t pc, bool store, uint32_t address, uint32_t size_bytes) {
    if (!m->outside) return -1;
    const unsigned above = upper_bound(m, address);
    const uint64_t base = above > 0 ? region_end(&m->region[m->order[above - 1]]) : 0;
    const uint64_t end = above < m->used ? m->region[m->order[above]].base : UINT32_MAX;
    if (address < base || (uint64_t)address + size_bytes > end) return -1;
    const int index = memory_add(m, MEMORY_OUTSIDE, (uint32_t)base, (uint32_t)(end - base),
                                 m->outside->host + base, true, "no buffer");
    if (index >= 0) note_first(m->outside, pc, store, address, size_bytes, "outside every buffer", "");
    return index;
}

bool memory_write_passes(struct memory *m, int index, uint32_t pc, uint32_t address, uint32_t size_bytes) {
    const struct memory_region *r = &m->region[index];
    if (!m->outside || r->kind != MEMORY_BUFFER) return false;
    note_first(m->outside, pc, true, address, size_bytes, "in ", r->name);
    return true;
}

void memory_forget_outside(struct memory *m) {
    for (unsigned n = m->used; n-- > 0;)
        if (m->region[m->order[n]].kind == MEMORY_OUTSIDE) memory_remove(m, m->order[n]);
    if (m->outside) m->outside->accessed = false;
}

const struct memory_region *memory_nearest(const struct memory *m, uint32_t address) {
    const unsigned above = upper_bound(m, address);
    const struct memory_region *below = above > 0 ? &m->region[m->order[above - 1]] : NULL;
    const struct memory_region *next = above < m->used ? &m->region[m->order[above]] : NULL;
    if (!below || !next) return below ? below : next;
    return address - region_end(below) <= next->base - address ? below : next;
}
