#include "compiler/code/meetings.h"

#include "compiler/code/code_positions.h"
#include "compiler/scalar/scalar.h"
#include "compiler/driver/trouble.h"

#include <stdlib.h>
#include <string.h>

#define UNKNOWN SIZE_MAX

struct reader {
    const struct meeting_source *source;
    struct scalar_code code;
    struct code_positions positions;
    uint8_t *side; /* for each node: bit s: side s of the branch reaches it before the meeting */
};

static void open_reader(struct reader *r, const struct meeting_source *source, const struct text *image,
                        const json_t *kernels) {
    *r = (struct reader){.source = source};
    scalar_code_read(&r->code, image, kernels);
    code_positions_read(&r->positions, image, &r->code.section);
    r->side = allocate(NULL, r->code.node_count);
}

static void close_reader(struct reader *r) {
    free(r->side);
    code_positions_free(&r->positions);
    scalar_code_free(&r->code);
}

/* --- the source's meeting --- */

/* Returns the statement at whose end the threads of a branch meet in the source; UNKNOWN if unknown. */
static size_t source_meeting(const struct reader *r, size_t branch) {
    const struct code_position p = code_positions_at(&r->positions, r->code.nodes[branch].address);
    const size_t statement = meeting_source_find(r->source, &p.place);
    if (statement == UNKNOWN || !r->source->statements[statement].branches) return UNKNOWN;
    return r->source->statements[statement].meeting;
}

/* Returns in *place the position of an instruction in the function of a call: that of the call through which
 * it was inlined. Returns false if it is in no code of the function. */
static bool place_in_call(const struct reader *r, size_t node, size_t call, struct meeting_place *place) {
    struct code_position p = code_positions_at(&r->positions, r->code.nodes[node].address);
    while (p.call != call && p.call != CODE_NO_CALL) {
        p.place = r->positions.calls[p.call].place;
        p.call = r->positions.calls[p.call].caller;
    }
    *place = p.place;
    return p.call == call;
}

/* Returns whether an instruction is known to be outside the statement at whose end a branch's sides meet. */
static bool is_behind(const struct reader *r, size_t node, size_t branch, size_t statement) {
    const struct scalar_node *n = &r->code.nodes[node];
    const struct code_position at = code_positions_at(&r->positions, r->code.nodes[branch].address);
    struct meeting_place place;
    if (!n->address || !code_positions_at(&r->positions, n->address).place.file) return false;
    if (!place_in_call(r, node, at.call, &place)) return true;
    return place.file && !meeting_source_has(r->source, statement, &place);
}

/* --- late meetings --- */

static void mark_side(struct reader *r, size_t branch, size_t node, uint8_t bit) {
    const struct scalar_node *n = &r->code.nodes[node];
    if (node == r->code.nodes[branch].meeting || r->side[node] & bit) return;
    r->side[node] |= bit;
    for (size_t s = 0; s < n->successors; s++)
        mark_side(r, branch, r->code.successors[n->successor + s], bit);
}

/* Marks the nodes of the sides. For a branch with more than two successors, all sides but the first count as
 * one. */
static void mark_sides(struct reader *r, size_t branch) {
    const struct scalar_node *b = &r->code.nodes[branch];
    memset(r->side, 0, r->code.node_count);
    for (size_t s = 0; s < b->successors; s++)
        mark_side(r, branch, r->code.successors[b->successor + s], s ? 2 : 1);
}

static bool same_place(const struct code_position *a, const struct code_position *b) {
    return a->call == b->call && a->place.line == b->place.line && a->place.column == b->place.column &&
           a->place.file == b->place.file;
}

/* Returns whether only the other side has an instruction with the same position. */
static bool is_copied(const struct reader *r, const struct scalar_function *f, size_t node) {
    const struct code_position p = code_positions_at(&r->positions, r->code.nodes[node].address);
    for (size_t n = f->begin; n < f->end; n++) {
        const struct code_position q = code_positions_at(&r->positions, r->code.nodes[n].address);
        if (r->side[n] == (r->side[node] ^ 3) && r->code.nodes[n].address && same_place(&p, &q)) return true;
    }
    return false;
}

/* Returns whether code after the statement, between the branch and its meeting, is executed twice: each side
 * branches there, or has an instruction with the same position. */
static bool is_late(struct reader *r, size_t branch) {
    const size_t statement = source_meeting(r, branch);
    const struct scalar_function *f = &r->code.functions[r->code.nodes[branch].function];
    uint8_t branching = 0;
    if (statement == UNKNOWN) return false;
    mark_sides(r, branch);
    for (size_t n = f->begin; n < f->end && branching != 3; n++) {
        if (!r->side[n] || n == branch || !is_behind(r, n, branch, statement)) continue;
        if (r->code.nodes[n].successors > 1) branching |= r->side[n];
        if (r->side[n] != 3 && is_copied(r, f, n)) branching = 3;
    }
    return branching == 3;
}

/* --- the listing --- */

static void print_place(struct text *t, const struct meeting_place *p) {
    if (p->file)
        text_printf(t, "%s:%u", p->file, p->line);
    else
        text_add(t, "?");
}

static void print_source_meeting(struct text *t, const struct reader *r, size_t statement) {
    if (statement == UNKNOWN) {
        text_add(t, "?");
        return;
    }
    const struct meeting_statement *s = &r->source->statements[statement];
    text_printf(t, "end of %s at ", s->word);
    print_place(t, &s->begin);
}

/* Columns: address and place of the branch, of its meeting, the source's meeting. */
static void print_branch(struct text *t, struct reader *r, size_t branch) {
    const struct scalar_node *b = &r->code.nodes[branch];
    const struct scalar_function *f = &r->code.functions[b->function];
    const struct code_position at = code_positions_at(&r->positions, b->address);
    struct text from = {0}, to = {0};
    print_place(&from, &at.place);
    if (b->meeting >= f->end) {
        text_add(&to, "the function's end");
    } else {
        const uint32_t address = r->code.nodes[b->meeting].address;
        const struct code_position meets = code_positions_at(&r->positions, address);
        text_printf(&to, "%05x  ", address);
        print_place(&to, &meets.place);
    }
    text_printf(t, "  %05x  %-20s  meets at %-28s  source: ", b->address, text_string(&from),
                text_string(&to));
    print_source_meeting(t, r, source_meeting(r, branch));
    text_add(t, is_late(r, branch) ? "  LATE\n" : "\n");
    text_free(&from);
    text_free(&to);
}

static bool is_divergent(const struct scalar *s, uint32_t address) {
    for (size_t i = 0; i < s->classes.divergent_count; i++)
        if (s->code.nodes[s->classes.divergent[i]].address == address) return true;
    return false;
}

void meetings_list(const struct meeting_source *source, const struct text *image, const json_t *kernels,
                   struct text *listing) {
    struct reader r;
    struct scalar s;
    open_reader(&r, source, image, kernels);
    scalar_find(&s, image, kernels, SCALARIZE_CONVERGENT);
    for (size_t i = 0; i < r.code.function_count; i++) {
        const struct scalar_function *f = &r.code.functions[i];
        bool any = false;
        for (size_t n = f->begin; f->reached && n < f->end; n++) {
            if (r.code.nodes[n].successors < 2 || !is_divergent(&s, r.code.nodes[n].address)) continue;
            if (!any) text_printf(listing, "%s:\n", f->name);
            any = true;
            print_branch(listing, &r, n);
        }
    }
    scalar_free(&s);
    close_reader(&r);
}

/* --- the build log --- */

static void warn(struct text *log, const struct reader *r, size_t branch) {
    const struct code_position at = code_positions_at(&r->positions, r->code.nodes[branch].address);
    const size_t meeting = r->code.nodes[branch].meeting;
    const struct code_position meets = code_positions_at(&r->positions, r->code.nodes[meeting].address);
    print_place(log, &at.place);
    text_add(log, ": warning: threads that part here meet late: ");
    if (meets.place.file)
        print_place(log, &meets.place);
    else
        text_add(log, "at the function's end");
    text_add(log, ", not at the ");
    print_source_meeting(log, r, source_meeting(r, branch));
    text_add(log, "\n");
}

void meetings_warn(const struct meeting_source *source, const struct text *image, const json_t *kernels,
                   struct text *log) {
    struct reader r;
    struct scalar s = {0};
    bool classified = false;
    open_reader(&r, source, image, kernels);
    for (size_t n = 0; n < r.code.node_count; n++) {
        if (r.code.nodes[n].successors < 2 || !r.code.functions[r.code.nodes[n].function].reached ||
            !is_late(&r, n))
            continue;
        if (!classified) scalar_find(&s, image, kernels, SCALARIZE_CONVERGENT);
        classified = true;
        if (is_divergent(&s, r.code.nodes[n].address)) warn(log, &r, n);
    }
    if (classified) scalar_free(&s);
    close_reader(&r);
}
