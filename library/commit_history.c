/* commit_history: records, undoes and prints the latest instructions of a unit (lockstep.h). */
#include "library/commit_parts.h"
#include "library/face.h"

#include <stdio.h>
#include <string.h>

static uint32_t *kept_rows(const struct commit_unit *u, const struct commit_record *r) {
    return u->kept + (size_t)(r - u->record) * RECORD_ROWS * u->threads.positions;
}

static struct commit_record *latest(const struct commit_unit *u, unsigned back) {
    return &u->record[(u->committed - 1 - back) % COMMIT_HISTORY];
}

struct commit_record *commit_keep(struct commit_unit *u, uint32_t pc, uint64_t mask, uint64_t rows) {
    struct commit_record *r = &u->record[u->committed++ % COMMIT_HISTORY];
    const size_t positions = u->threads.positions;
    uint32_t *kept = kept_rows(u, r);
    if (u->undoable < COMMIT_HISTORY) ++u->undoable;
    *r = (struct commit_record){.pc = pc,
                                .mask = mask,
                                .rows = rows,
                                .group = u->number,
                                .in_kernel = u->in_kernel,
                                .crossing = u->crossing};
    for (; rows; rows &= rows - 1, kept += positions)
        memcpy(kept, commit_row(u, (unsigned)__builtin_ctzll(rows)), positions * sizeof *kept);
    return r;
}

/* Returns the part of a record behind its rows: the addresses, then the bytes of each thread. */
static uint32_t *kept_memory(const struct commit_unit *u, const struct commit_record *r) {
    return kept_rows(u, r) + (size_t)__builtin_popcountll(r->rows) * u->threads.positions;
}

void commit_keep_memory(struct commit_unit *u, struct commit_record *r, const uint32_t *address,
                        unsigned bytes) {
    uint32_t *at = kept_memory(u, r);
    uint8_t *data = (uint8_t *)(at + u->threads.positions);
    r->stored_bytes = bytes;
    memcpy(at, address, u->threads.positions * sizeof *at);
    const uint8_t *base = bytes == 4 ? commit_all_at(u, address, r->passed, bytes) : NULL;
    for (uint64_t rest = base ? r->passed : 0; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        memcpy(data + (size_t)k * 4, base + address[k], 4);
    }
    if (base) return;
    for (uint64_t rest = r->passed; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        const uint8_t *host = commit_at(u, address[k], bytes);
        if (host) memcpy(data + (size_t)k * bytes, host, bytes);
    }
}

/* Copies the reference's bytes at an address into the design's memory. */
static void put_back(struct lockstep_checker *c, struct commit_unit *u, uint32_t address, unsigned bytes) {
    uint8_t *design = lockstep_checker_memory(c, (unsigned)(u - c->unit), address, bytes);
    const uint8_t *reference = commit_at(u, address, bytes);
    if (design && reference && design != reference) memcpy(design, reference, bytes);
}

/* Restores memory, highest thread first, since that thread stored last. */
static void restore_memory(struct lockstep_checker *c, struct commit_unit *u, const struct commit_record *r) {
    const uint32_t *address = kept_memory(u, r);
    const uint8_t *data = (const uint8_t *)(address + u->threads.positions);
    for (unsigned k = u->threads.positions; k-- > 0;) {
        uint8_t *host = r->passed >> k & 1 ? commit_at(u, address[k], r->stored_bytes) : NULL;
        if (!host) continue;
        memcpy(host, data + (size_t)k * r->stored_bytes, r->stored_bytes);
    }
    for (uint64_t rest = r->passed; rest; rest &= rest - 1)
        put_back(c, u, address[__builtin_ctzll(rest)], r->stored_bytes);
}

void commit_undo(struct lockstep_checker *c, struct commit_unit *u) {
    struct commit_record *r = latest(u, 0);
    const size_t positions = u->threads.positions;
    const uint32_t *kept = kept_rows(u, r);
    for (uint64_t rows = r->rows; rows; rows &= rows - 1, kept += positions)
        memcpy(commit_row(u, (unsigned)__builtin_ctzll(rows)), kept, positions * sizeof *kept);
    for (uint64_t rest = r->mask; rest; rest &= rest - 1)
        commit_row(u, ROW_PC)[__builtin_ctzll(rest)] = r->pc;
    if (r->stored_bytes) restore_memory(c, u, r);
    u->live |= r->ended;
    u->in_kernel = r->in_kernel;
    u->crossing = r->crossing;
    c->items_left += r->done;
    if (!c->mimd && r->done) u->local->left += r->done, u->local->group = u->number;
    if (r->taken) commit_take_back(c, r->taken - 1);
    u->number = r->group;
    if (u->number) commit_group_ids(c, u->number - 1, u->group);
    --u->committed;
    --u->undoable;
}

unsigned lockstep_checker_rewind(struct lockstep_checker *c, unsigned instructions) {
    if (!commit_is_open(c)) return 0;
    if (!c->difference.what) return (unsigned)face_tell("nothing differs");
    struct commit_unit *u = &c->unit[c->difference.unit];
    unsigned n = 0;
    for (; n < instructions && u->undoable; ++n) commit_undo(c, u);
    for (uint64_t rest = c->strayed; rest; rest &= rest - 1)
        put_back(c, u, c->stray[__builtin_ctzll(rest)], c->stray_bytes);
    c->strayed = 0;
    c->failed = false;
    return n;
}

/* --- printing --- */

/* Restores one thread's rows to their values before a record. */
static void take_back(const struct commit_unit *u, const struct commit_record *r, unsigned thread,
                      uint32_t value[ROWS]) {
    const uint32_t *kept = kept_rows(u, r);
    for (uint64_t rows = r->rows; rows; rows &= rows - 1, kept += u->threads.positions)
        value[__builtin_ctzll(rows)] = kept[thread];
}

static void print_state(FILE *f, const uint32_t value[ROWS], uint64_t rows) {
    bool first = true;
    for (uint64_t rest = rows & ((UINT64_C(1) << ARM_REGISTERS) - 1) & ~(UINT64_C(1) << 15); rest;
         rest &= rest - 1, first = false) {
        const unsigned n = (unsigned)__builtin_ctzll(rest);
        fprintf(f, "%s%c%u = 0x%08x", first ? "  with " : ", ", n < 16 ? 'r' : 's', n < 16 ? n : n - 16,
                value[n]);
    }
    if (rows >> ROW_N & 1)
        fprintf(f, "%sflags %c%c%c%c", first ? "  with " : ", ", value[ROW_N] >> 31 ? 'N' : 'n',
                value[ROW_Z] ? 'z' : 'Z', value[ROW_C] ? 'C' : 'c', value[ROW_V] >> 31 ? 'V' : 'v');
    if (!first || rows >> ROW_N & 1) fputc('\n', f);
}

static void print_instruction(const struct lockstep_checker *c, FILE *f, const struct commit_record *r) {
    const struct machine_code *code = c->launch->code;
    const struct arm_instruction *i = machine_code_at(code, r->pc);
    char text[80] = "?";
    const char *file = "?";
    unsigned line = 0;
    if (i) arm_disassemble(i->encoding, r->pc, text, sizeof text);
    if (code->line) code->line(code->line_context, r->pc, &file, &line);
    fprintf(f, "  0x%08x  %-32s %s:%u\n", r->pc, text, file, line);
}

bool lockstep_checker_print(const struct lockstep_checker *c, unsigned instructions, char *text,
                            size_t size) {
    uint32_t value[ROWS];
    uint64_t read = 0, written = 0;
    if (!commit_is_open(c)) return false;
    if (!c->failed) return face_tell("nothing differs");
    if (!size || !text) return face_tell("there is no room for the text");
    const struct commit_unit *u = &c->unit[c->difference.unit];
    const unsigned count = instructions < u->undoable ? instructions : u->undoable;
    FILE *f = fmemopen(text, size, "w");
    require_memory(f);
    for (unsigned row = 0; row < ROWS; ++row) value[row] = commit_row(u, row)[c->difference.thread];
    for (unsigned back = 0; back < count; ++back) take_back(u, latest(u, back), c->difference.thread, value);
    for (unsigned back = count; back-- > 0;) {
        const struct arm_instruction *i = machine_code_at(c->launch->code, latest(u, back)->pc);
        if (!i) continue;
        uint64_t reads = i->reads & ((UINT64_C(1) << ARM_REGISTERS) - 1);
        if (i->condition != 14 || i->reads & ARM_STATE_NZCV) reads |= UINT64_C(1) << ROW_N;
        read |= reads & ~written;
        written |=
            (i->writes & ((UINT64_C(1) << ARM_REGISTERS) - 1)) | (i->sets_flags ? UINT64_C(1) << ROW_N : 0);
    }
    print_state(f, value, read);
    for (unsigned back = count; back-- > 0;) print_instruction(c, f, latest(u, back));
    fclose(f);
    text[size - 1] = 0;
    return true;
}
