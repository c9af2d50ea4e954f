#include "compiler/source/priority_plan.h"

#include "compiler/source/priority_rules.h"
#include "compiler/driver/trouble.h"

#include <stdlib.h>
#include <string.h>

/* --- regions --- */

static void add_region(struct priority_plan *p, size_t list, size_t begin, size_t end, bool jump) {
    struct priority_place *l = &p->places[list];
    struct priority_region *r = NULL;
    for (size_t i = 0; i < l->region_count; i++)
        if (l->regions[i].end == end) r = &l->regions[i];
    if (!r) {
        l->regions = grow(l->regions, l->region_count, sizeof *l->regions);
        r = &l->regions[l->region_count++];
        *r = (struct priority_region){.begin = begin, .end = end};
    }
    if (begin < r->begin) r->begin = begin;
    if (jump && !r->label) r->label = ++p->labels;
}

/* Makes threads unable to leave one region inside another that they have not entered: the second begins
 * earlier. */
static void nest_regions(struct priority_place *l) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < l->region_count; i++)
            for (size_t j = 0; j < l->region_count; j++) {
                const struct priority_region *first = &l->regions[i];
                struct priority_region *second = &l->regions[j];
                if (first->begin >= second->begin || first->end <= second->begin || first->end >= second->end)
                    continue;
                second->begin = first->begin;
                changed = true;
            }
    }
}

static void add_jump_to_end(struct priority_plan *p, size_t jump, size_t list) {
    size_t from = list == NO_STATEMENT ? NO_STATEMENT : statements_element(&p->statements, list, jump);
    if (from != NO_STATEMENT) add_region(p, list, from, p->statements.list[list].child_count, true);
}

static size_t continued_list(const struct statements *s, size_t jump) {
    size_t loop = statements_around(s, jump, true);
    return loop == NO_STATEMENT ? NO_STATEMENT : s->list[loop].body;
}

/* The last statement of a function returns at its end anyway. */
static void add_return(struct priority_plan *p, size_t jump) {
    const struct statement *r = &p->statements.list[jump];
    if (r->parent != 0 || r->position + 1 != p->statements.list[0].child_count) add_jump_to_end(p, jump, 0);
}

static size_t label_of(const struct statements *s, size_t jump) {
    struct children name = syntax_children(s->list[jump].cursor);
    size_t label = NO_STATEMENT;
    CXCursor wanted = name.count ? clang_getCursorReferenced(name.list[0]) : clang_getNullCursor();
    children_free(&name);
    for (size_t n = 0; n < s->count && label == NO_STATEMENT; n++)
        if (s->list[n].kind == CXCursor_LabelStmt && syntax_begin(s->list[n].cursor) == syntax_begin(wanted))
            label = n;
    if (label == NO_STATEMENT) defect("a goto without its label");
    return label;
}

static bool holds(const struct statements *s, size_t outer, size_t statement) {
    while (statement != NO_STATEMENT && statement != outer) statement = s->list[statement].parent;
    return statement == outer;
}

/* Returns the innermost list that contains a jump and its label; NO_STATEMENT if they are in different parts
 * of one statement. */
static size_t common_list(const struct statements *s, size_t jump, size_t label) {
    size_t common = label, position;
    while (!holds(s, common, jump)) common = s->list[common].parent;
    if (s->list[common].list) return common;
    return statement_is_label(&s->list[common]) ? statements_list_of(s, common, &position) : NO_STATEMENT;
}

struct ends {
    size_t list, from, to; /* list: NO_STATEMENT if there is none */
    bool direct;           /* the label belongs to the element `to` itself */
};

static struct ends goto_ends(const struct statements *s, size_t jump) {
    size_t label = label_of(s, jump), position;
    struct ends e = {.list = common_list(s, jump, label)};
    if (e.list == NO_STATEMENT) return e;
    e.from = statements_element(s, e.list, jump);
    e.to = statements_element(s, e.list, label);
    e.direct = statements_list_of(s, label, &position) == e.list;
    return e;
}

static void add_goto(struct priority_plan *p, size_t jump) {
    const struct ends e = goto_ends(&p->statements, jump);
    if (e.list == NO_STATEMENT) return;
    if (e.from < e.to && e.direct) add_region(p, e.list, e.from, e.to, true);
    if (e.from > e.to || (e.from == e.to && e.direct)) add_region(p, e.list, e.to, e.from + 1, false);
}

/* Only gates know the case of each thread of a chain: threads must not enter it by another way. */
static bool may_have_gates(const struct priority_plan *p, size_t list) {
    const struct statements *s = &p->statements;
    const size_t choice = s->list[list].parent;
    size_t position;
    for (size_t n = 0; n < s->count; n++) {
        if (s->list[n].kind == CXCursor_LabelStmt && holds(s, choice, n)) return false;
        if (statement_is_case(&s->list[n]) && statements_switch_of(s, n) == choice &&
            statements_list_of(s, n, &position) != list)
            return false;
    }
    return true;
}

static void add_gates(struct priority_plan *p, size_t list, size_t first, const size_t *falls, size_t count) {
    struct priority_place *l = &p->places[list];
    const unsigned start = ++p->labels;
    for (size_t i = 0; i <= count; i++) {
        const size_t at = i ? falls[i - 1] : first;
        l->gates = grow(l->gates, l->gate_count, sizeof *l->gates);
        l->gates[l->gate_count++] = (struct priority_gate){at, (unsigned)i, start, i == count};
        if (i < count) add_region(p, list, at, falls[i], true);
    }
}

static void add_chain(struct priority_plan *p, size_t list, size_t first, const size_t *falls, size_t count) {
    if (count > PRIORITY_FALLS && may_have_gates(p, list)) {
        add_gates(p, list, first, falls, count);
        return;
    }
    for (size_t i = count > PRIORITY_FALLS ? count - PRIORITY_FALLS : 0; i < count; i++)
        add_region(p, list, first, falls[i], false);
}

/* Adds regions for cases that control falls into. */
static void add_falls(struct priority_plan *p, size_t list) {
    const struct statements *s = &p->statements;
    const struct statement *l = &s->list[list];
    size_t first = NO_STATEMENT, count = 0, *falls = allocate(NULL, (l->child_count + 1) * sizeof *falls);
    for (size_t i = 0; i < l->child_count; i++) {
        if (!statements_has_case(s, list, i)) continue;
        if (first != NO_STATEMENT && statements_reach_end(s, l->children[i - 1])) {
            falls[count++] = i;
            continue;
        }
        add_chain(p, list, first, falls, count);
        first = i;
        count = 0;
    }
    add_chain(p, list, first, falls, count);
    free(falls);
}

static void find_regions(struct priority_plan *p, bool outermost) {
    const struct statements *s = &p->statements;
    for (size_t n = 0; n < s->count; n++) {
        switch (s->list[n].kind) {
        case CXCursor_ReturnStmt:
            if (!outermost) add_return(p, n);
            break;
        case CXCursor_ContinueStmt: add_jump_to_end(p, n, continued_list(s, n)); break;
        case CXCursor_GotoStmt: add_goto(p, n); break;
        case CXCursor_SwitchStmt: add_falls(p, s->list[n].body); break;
        default: break;
        }
    }
    for (size_t n = 0; n < s->count; n++) nest_regions(&p->places[n]);
}

/* --- levels --- */

unsigned priority_plan_before(const struct priority_plan *p, size_t list, size_t at) {
    const struct priority_place *l = &p->places[list];
    unsigned level = l->level;
    for (size_t i = 0; i < l->region_count; i++) level += l->regions[i].begin < at && l->regions[i].end >= at;
    return level;
}

unsigned priority_plan_behind(const struct priority_plan *p, size_t list, size_t at) {
    const struct priority_place *l = &p->places[list];
    unsigned level = l->level;
    for (size_t i = 0; i < l->region_count; i++) level += l->regions[i].begin <= at && l->regions[i].end > at;
    return level;
}

const struct priority_region *priority_plan_end(const struct priority_plan *p, size_t list, size_t at) {
    const struct priority_place *l = &p->places[list];
    for (size_t i = 0; i < l->region_count; i++)
        if (l->regions[i].end == at) return &l->regions[i];
    return NULL;
}

const struct priority_gate *priority_plan_gate(const struct priority_plan *p, size_t list, size_t at) {
    const struct priority_place *l = &p->places[list];
    for (size_t i = 0; i < l->gate_count; i++)
        if (l->gates[i].at == at) return &l->gates[i];
    return NULL;
}

/* Returns whether at most one path leads to the statement's end, or a region ends there as well. */
static bool meets_nobody(const struct priority_plan *p, size_t statement) {
    const struct statements *s = &p->statements;
    const struct statement *n = &s->list[statement];
    size_t position, list = statements_list_of(s, statement, &position);
    if (list != NO_STATEMENT && priority_plan_end(p, list, position + 1)) return true;
    if (n->kind != CXCursor_IfStmt) return false;
    return !statements_reach_end(s, n->body) ||
           (n->otherwise != NO_STATEMENT && !statements_reach_end(s, n->otherwise));
}

static void set_levels(struct priority_plan *p, size_t statement, unsigned level) {
    const struct statement *n = &p->statements.list[statement];
    struct priority_place *place = &p->places[statement];
    place->level = place->inside = level;
    if (statement_is_conditional(n)) {
        place->alone = meets_nobody(p, statement) || priority_leaves_alone(p->statements.syntax, n->cursor);
        if (!place->alone) place->inside++;
    }
    for (size_t i = 0; i < n->child_count; i++)
        set_levels(p, n->children[i], n->list ? priority_plan_behind(p, statement, i) : place->inside);
}

unsigned priority_plan_entry(const struct priority_plan *p, size_t list, size_t at) {
    return priority_plan_end(p, list, at) ? priority_plan_before(p, list, at)
                                          : priority_plan_behind(p, list, at);
}

static void set_dispatch(struct priority_plan *p) {
    const struct statements *s = &p->statements;
    size_t position;
    for (size_t n = 0; n < s->count; n++) p->places[n].dispatch = p->places[n].inside;
    for (size_t n = 0; n < s->count; n++) {
        if (!statement_is_case(&s->list[n])) continue;
        size_t list = statements_list_of(s, n, &position);
        struct priority_place *choice = &p->places[statements_switch_of(s, n)];
        unsigned entry = priority_plan_entry(p, list, position);
        if (entry > choice->dispatch) choice->dispatch = entry;
    }
}

/* --- jumps --- */

static struct priority_target target_end(const struct priority_plan *p, size_t list) {
    size_t end = p->statements.list[list].child_count;
    const struct priority_region *r = priority_plan_end(p, list, end);
    return (struct priority_target){priority_plan_before(p, list, end), r ? r->label : 0};
}

/* Cases and labels before one element are all reached at the level of the switch. */
static struct priority_target target_goto(const struct priority_plan *p, size_t jump) {
    const struct statements *s = &p->statements;
    const struct ends e = goto_ends(s, jump);
    if (e.list != NO_STATEMENT && e.from < e.to && e.direct)
        return (struct priority_target){priority_plan_before(p, e.list, e.to),
                                        priority_plan_end(p, e.list, e.to)->label};
    size_t label = label_of(s, jump), position, list = statements_list_of(s, label, &position);
    bool has_case = list != NO_STATEMENT && statements_has_case(s, list, position);
    return (struct priority_target){
        has_case ? p->places[statements_switch_of(s, label)].dispatch : p->places[label].level, 0};
}

struct priority_target priority_plan_target(const struct priority_plan *p, size_t jump) {
    const struct statements *s = &p->statements;
    switch (s->list[jump].kind) {
    case CXCursor_ReturnStmt: return target_end(p, 0);
    case CXCursor_GotoStmt: return target_goto(p, jump);
    case CXCursor_ContinueStmt: {
        size_t list = continued_list(s, jump);
        if (statements_element(s, list, jump) != NO_STATEMENT) return target_end(p, list);
        return (struct priority_target){p->places[statements_around(s, jump, true)].inside, 0};
    }
    default: return (struct priority_target){p->places[statements_around(s, jump, false)].inside, 0};
    }
}

void priority_plan_make(struct priority_plan *p, const struct syntax *s, CXCursor function, bool outermost) {
    *p = (struct priority_plan){0};
    statements_read(&p->statements, s, function);
    p->places = allocate(NULL, p->statements.count * sizeof *p->places);
    memset(p->places, 0, p->statements.count * sizeof *p->places);
    find_regions(p, outermost);
    set_levels(p, 0, 0);
    set_dispatch(p);
}

void priority_plan_free(struct priority_plan *p) {
    for (size_t n = 0; n < p->statements.count; n++) {
        free(p->places[n].regions);
        free(p->places[n].gates);
    }
    free(p->places);
    statements_free(&p->statements);
    *p = (struct priority_plan){0};
}
