#include "tests/compiler/structured_program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { END = 0, DEEPEST = 4 };
#define NOWHERE UINT32_MAX

/* A kernel being written. Nodes are made from the end of the code to its start, so that each node knows its
 * successor. The text is composed from the inside to the outside. */
struct maker {
    struct structured_program *p;
    struct seed *seed; /* NULL: the forms are given */
    const enum structured_form *form;
    enum structured_exit leave;
    FILE *functions; /* text of the kernel's functions */
    unsigned depth, labels, function_count;
    uint32_t break_to, continue_to, return_to, goto_to; /* nodes, or NOWHERE */
    bool left;                                          /* the given exit has been made */
};

/* Text and its first node. */
struct piece {
    char *text;
    uint32_t entry;
};

static char *text_of(const char *format, ...) __attribute__((format(printf, 1, 2)));
static char *text_of(const char *format, ...) {
    char *text;
    va_list list;
    va_start(list, format);
    assert_true(vasprintf(&text, format, list) >= 0);
    va_end(list);
    return text;
}

static uint32_t draw(struct maker *m, uint32_t below) {
    if (m->seed) return (uint32_t)seed_below(m->seed, below);
    return m->p->count % below; /* chosen forms vary, but are reproducible */
}

/* Returns the number of three bits of x. */
static uint32_t bits(struct maker *m) {
    return 3 + draw(m, 20);
}

static uint32_t add_node(struct maker *m, struct structured_node n) {
    assert_true(m->p->count < STRUCTURED_NODES);
    m->p->node[m->p->count] = n;
    return m->p->count++;
}

static uint32_t add_counter(struct maker *m) {
    assert_true(m->p->counters < STRUCTURED_COUNTERS);
    return m->p->counters++;
}

static uint32_t add_simple(struct maker *m, int kind, uint32_t number, uint32_t next) {
    return add_node(m, (struct structured_node){.kind = kind, .number = number, .next = {next}});
}

static uint32_t add_bit(struct maker *m, uint32_t shift, uint32_t zero, uint32_t one) {
    return add_node(m, (struct structured_node){.kind = NODE_BIT, .shift = shift, .next = {zero, one}});
}

/* Adds a node whose successor is set later, for loops. */
static uint32_t add_later(struct maker *m) {
    return add_simple(m, NODE_NOTHING, 0, END);
}

static struct piece leaf(struct maker *m, uint32_t next) {
    const uint32_t number = m->p->leaves++;
    return (struct piece){text_of("LEAF(%u)", number), add_simple(m, NODE_LEAF, number, next)};
}

/* Makes arithmetic that a pass may execute conditionally. It precedes every condition, so that no condition
 * follows from another. */
static struct piece mix(struct maker *m, uint32_t next) {
    const uint32_t number = draw(m, 1000);
    return (struct piece){text_of("MIX(%u)", number), add_simple(m, NODE_MIX, number, next)};
}

static struct piece statements(struct maker *m, uint32_t next);

static struct piece join(struct piece first, struct piece second) {
    struct piece both = {text_of("%s\n%s", first.text, second.text), first.entry};
    free(first.text);
    free(second.text);
    return both;
}

/* --- exits --- */

static uint32_t exit_target(const struct maker *m, enum structured_exit leave) {
    switch (leave) {
    case STRUCTURED_BREAK: return m->break_to;
    case STRUCTURED_CONTINUE: return m->continue_to;
    case STRUCTURED_RETURN: return m->return_to;
    case STRUCTURED_GOTO: return m->goto_to;
    default: return NOWHERE;
    }
}

static struct piece conditional_exit(struct maker *m, enum structured_exit leave, uint32_t next) {
    static const char *const words[] = {"", "break;", "continue;", "RETURN;", "goto out;"};
    const uint32_t shift = bits(m), target = exit_target(m, leave);
    struct piece work = leaf(m, target);
    struct piece all = {text_of("if (BIT(%u)) { %s %s }", shift, work.text, words[leave]),
                        add_bit(m, shift, next, work.entry)};
    free(work.text);
    m->left = true;
    return join(mix(m, all.entry), all);
}

/* --- forms --- */

static struct piece make_if(struct maker *m, uint32_t next, bool otherwise) {
    const uint32_t shift = bits(m);
    struct piece then = statements(m, next), or = {strdup(""), next};
    if (otherwise) {
        free(or.text);
        or = leaf(m, next);
    }
    struct piece all = {otherwise ? text_of("if (BIT(%u)) {\n%s\n} else {\n%s\n}", shift, then.text, or.text)
                                  : text_of("if (BIT(%u)) {\n%s\n}", shift, then.text),
                        add_bit(m, shift, or.entry, then.entry)};
    free(then.text);
    free(or.text);
    return all;
}

static struct piece make_and_or(struct maker *m, uint32_t next, bool and) {
    const uint32_t first = bits(m), second = bits(m);
    struct piece then = statements(m, next), or = leaf(m, next);
    const uint32_t inner = add_bit(m, second, or.entry, then.entry);
    struct piece work = leaf(m, inner);
    struct piece all = {text_of("if (BIT(%u) %s ({ %s BIT(%u); })) {\n%s\n} else {\n%s\n}", first,
                                and? "&&" : "||", work.text, second, then.text, or.text),
                        and? add_bit(m, first, or.entry, work.entry)
                           : add_bit(m, first, work.entry, then.entry)};
    free(then.text);
    free(or.text);
    free(work.text);
    return all;
}

/* The form in a part is a statement expression. */
static struct piece make_ternary(struct maker *m, uint32_t next) {
    const uint32_t shift = bits(m);
    struct piece then = statements(m, next), or = leaf(m, next);
    struct piece all = {text_of("x = BIT(%u) ? ({\n%s\nx; }) : ({ %s x; });", shift, then.text, or.text),
                        add_bit(m, shift, or.entry, then.entry)};
    free(then.text);
    free(or.text);
    return all;
}

/* Makes the body of a loop, in which jumps have the loop's targets. */
static struct piece body_of(struct maker *m, uint32_t again, uint32_t behind) {
    const uint32_t break_to = m->break_to, continue_to = m->continue_to;
    m->break_to = behind;
    m->continue_to = again;
    struct piece body = statements(m, again);
    m->break_to = break_to;
    m->continue_to = continue_to;
    return body;
}

static struct piece make_for(struct maker *m, uint32_t next) {
    const uint32_t k = add_counter(m), shift = bits(m), head = add_later(m);
    const uint32_t step = add_simple(m, NODE_DECREASE, k, head);
    struct piece body = body_of(m, step, next);
    m->p->node[head].next[0] =
        add_node(m, (struct structured_node){.kind = NODE_COUNTER, .number = k, .next = {next, body.entry}});
    struct piece all = {
        text_of("for (uint k%u = TURNS(%u); k%u != 0; k%u--) {\n%s\n}", k, shift, k, k, body.text),
        add_node(m, (struct structured_node){.kind = NODE_SET, .number = k, .shift = shift, .next = {head}})};
    free(body.text);
    return all;
}

static struct piece make_while(struct maker *m, uint32_t next, bool endless) {
    const uint32_t k = add_counter(m), shift = bits(m), head = add_later(m);
    struct piece body = body_of(m, head, next);
    const uint32_t enter = add_simple(m, NODE_DECREASE, k, body.entry);
    m->p->node[head].next[0] =
        add_node(m, (struct structured_node){.kind = NODE_COUNTER, .number = k, .next = {next, enter}});
    struct piece all = {
        endless
            ? text_of("uint k%u = TURNS(%u);\nfor (;;) {\nif (k%u == 0) break;\nk%u--;\n%s\n}", k, shift, k,
                      k, body.text)
            : text_of("uint k%u = TURNS(%u);\nwhile (k%u != 0) {\nk%u--;\n%s\n}", k, shift, k, k, body.text),
        add_node(m, (struct structured_node){.kind = NODE_SET, .number = k, .shift = shift, .next = {head}})};
    free(body.text);
    return all;
}

/* do { … } while (k-- != 0): the counter is decremented on both paths out of the condition. */
static struct piece make_do(struct maker *m, uint32_t next) {
    const uint32_t k = add_counter(m), shift = bits(m), again = add_later(m), head = add_later(m);
    struct piece body = body_of(m, again, next);
    m->p->node[head].next[0] = body.entry;
    m->p->node[again].next[0] = add_node(
        m, (struct structured_node){
               .kind = NODE_COUNTER, .number = k, .next = {next, add_simple(m, NODE_DECREASE, k, head)}});
    struct piece all = {
        text_of("uint k%u = TURNS(%u);\ndo {\n%s\n} while (k%u-- != 0);", k, shift, body.text, k),
        add_node(m, (struct structured_node){.kind = NODE_SET, .number = k, .shift = shift, .next = {head}})};
    free(body.text);
    return all;
}

/* do { if (…) { …; flag = 1; } work } while (flag == 0 && k-- != 0): the condition is constant where the flag
 * is set. */
static struct piece make_flag(struct maker *m, uint32_t next) {
    const uint32_t k = add_counter(m), flag = add_counter(m), first = bits(m), second = bits(m);
    const uint32_t again = add_later(m), head = add_later(m);
    struct piece behind = leaf(m, again);
    const uint32_t break_to = m->break_to, continue_to = m->continue_to;
    m->break_to = next;
    m->continue_to = again;
    struct piece body = statements(m, add_simple(m, NODE_RAISE, flag, behind.entry));
    m->break_to = break_to;
    m->continue_to = continue_to;
    m->p->node[head].next[0] = add_bit(m, second, behind.entry, body.entry);
    const uint32_t count = add_node(
        m, (struct structured_node){
               .kind = NODE_COUNTER, .number = k, .next = {next, add_simple(m, NODE_DECREASE, k, head)}});
    m->p->node[again].next[0] =
        add_node(m, (struct structured_node){.kind = NODE_COUNTER, .number = flag, .next = {count, next}});
    const uint32_t set =
        add_node(m, (struct structured_node){.kind = NODE_SET, .number = k, .shift = first, .next = {head}});
    struct piece all = {
        text_of("uint k%u = TURNS(%u), k%u = 0;\ndo {\nif (BIT(%u)) {\n%s\nk%u = 1;\n}\n%s\n} while "
                "(k%u == 0 && k%u-- != 0);",
                k, first, flag, second, body.text, flag, behind.text, flag, k),
        add_simple(m, NODE_CLEAR, flag, set)};
    free(behind.text);
    free(body.text);
    return all;
}

/* LLVM makes an inner loop of a counter that one path through the body does not change. */
static struct piece make_turn(struct maker *m, uint32_t next, bool otherwise) {
    const uint32_t k = add_counter(m), l = add_counter(m), first = bits(m), second = bits(m),
                   head = add_later(m);
    struct piece body = body_of(m, head, next), work = leaf(m, head);
    const uint32_t choice =
        add_node(m, (struct structured_node){.kind = NODE_COUNTER,
                                             .number = l,
                                             .next = {add_simple(m, NODE_DECREASE, k, work.entry),
                                                      add_simple(m, NODE_DECREASE, l, body.entry)}});
    m->p->node[head].next[0] =
        add_node(m, (struct structured_node){.kind = NODE_COUNTER, .number = k, .next = {next, choice}});
    const uint32_t set =
        add_node(m, (struct structured_node){.kind = NODE_SET, .number = l, .shift = second, .next = {head}});
    struct piece all = {
        text_of(otherwise ? "uint k%u = TURNS(%u), k%u = TURNS(%u);\nwhile (k%u != 0) {\nif (k%u == 0) {\n"
                            "k%u--;\n%s\n} else {\nk%u--;\n%s\n}\n}"
                          : "uint k%u = TURNS(%u), k%u = TURNS(%u);\nwhile (k%u != 0) {\nif (k%u == 0) {\n"
                            "k%u--;\n%s\ncontinue;\n}\nk%u--;\n%s\n}",
                k, first, l, second, k, l, k, work.text, l, body.text),
        add_node(m, (struct structured_node){.kind = NODE_SET, .number = k, .shift = first, .next = {set}})};
    free(work.text);
    free(body.text);
    return all;
}

/* Three bits choose one of five cases, of which the third falls through, or a default. */
static struct piece make_switch(struct maker *m, uint32_t next) {
    const uint32_t shift = bits(m), break_to = m->break_to;
    struct piece body[6];
    m->break_to = next;
    for (unsigned c = 6; c-- > 0;)
        body[c] = c == 1 ? statements(m, next) : leaf(m, c == 2 ? body[3].entry : next);
    m->break_to = break_to;
    struct structured_node n = {.kind = NODE_PART, .shift = shift};
    for (unsigned v = 0; v < 8; v++) n.next[v] = body[v < 5 ? v : 5].entry;
    struct piece all = {text_of("switch (x >> %u & 7) {\ncase 0: %s break;\ncase 1: {\n%s\n} break;\ncase 2: "
                                "%s\ncase 3: %s break;\n"
                                "case 4: %s break;\ndefault: %s\n}",
                                shift, body[0].text, body[1].text, body[2].text, body[3].text, body[4].text,
                                body[5].text),
                        add_node(m, n)};
    for (unsigned c = 0; c < 6; c++) free(body[c].text);
    return all;
}

static struct piece make_again(struct maker *m, uint32_t next) {
    const uint32_t k = add_counter(m), shift = bits(m), label = m->labels++, head = add_later(m);
    const uint32_t back = add_simple(m, NODE_DECREASE, k, head);
    const uint32_t test =
        add_node(m, (struct structured_node){.kind = NODE_COUNTER, .number = k, .next = {next, back}});
    struct piece body = statements(m, test);
    m->p->node[head].next[0] = body.entry;
    struct piece all = {
        text_of("uint k%u = TURNS(%u);\nagain%u:;\n%s\nif (k%u != 0) { k%u--; goto again%u; }", k, shift,
                label, body.text, k, k, label),
        add_node(m, (struct structured_node){.kind = NODE_SET, .number = k, .shift = shift, .next = {head}})};
    free(body.text);
    return all;
}

/* Makes a call of a function of x. Every second function is not inlined. Its text precedes the kernel. */
static struct piece make_call(struct maker *m, uint32_t next) {
    struct maker inner = *m;
    const unsigned number = m->function_count++;
    inner.function_count = m->function_count;
    inner.break_to = inner.continue_to = inner.goto_to = NOWHERE;
    inner.return_to = next;
    struct piece body = statements(&inner, next);
    fprintf(m->functions,
            "#undef RETURN\n#define RETURN return x\n%suint %s_f%u(uint x) {\n%s\nreturn x;\n}\n",
            number % 2 ? "__attribute__((noinline)) " : "", m->p->name, number, body.text);
    free(body.text);
    m->function_count = inner.function_count;
    m->labels = inner.labels;
    m->left = inner.left;
    return (struct piece){text_of("x = %s_f%u(x);", m->p->name, number), body.entry};
}

static struct piece make_form(struct maker *m, enum structured_form form, uint32_t next) {
    struct piece made = {0};
    m->depth++;
    switch (form) {
    case STRUCTURED_IF: made = make_if(m, next, false); break;
    case STRUCTURED_IF_ELSE: made = make_if(m, next, true); break;
    case STRUCTURED_AND: made = make_and_or(m, next, true); break;
    case STRUCTURED_OR: made = make_and_or(m, next, false); break;
    case STRUCTURED_TERNARY: made = make_ternary(m, next); break;
    case STRUCTURED_FOR: made = make_for(m, next); break;
    case STRUCTURED_WHILE: made = make_while(m, next, false); break;
    case STRUCTURED_DO: made = make_do(m, next); break;
    case STRUCTURED_ENDLESS: made = make_while(m, next, true); break;
    case STRUCTURED_FLAG: made = make_flag(m, next); break;
    case STRUCTURED_TURN: made = make_turn(m, next, false); break;
    case STRUCTURED_SIDE: made = make_turn(m, next, true); break;
    case STRUCTURED_SWITCH: made = make_switch(m, next); break;
    case STRUCTURED_AGAIN: made = make_again(m, next); break;
    default: made = make_call(m, next);
    }
    m->depth--;
    return join(mix(m, made.entry), made);
}

/* --- lists of statements --- */

/* Adds work before or after the statement. Without work after it, its sides reconverge at the enclosing
 * statement's end. */
static struct piece chosen(struct maker *m, uint32_t next) {
    const bool in_front = (m->p->seed >> m->depth) % 2;
    struct piece work = {0}, inner;
    if (!in_front) {
        work = leaf(m, next);
        next = work.entry;
    }
    if (m->depth < 3)
        inner = make_form(m, m->form[m->depth], next);
    else if (exit_target(m, m->leave) != NOWHERE)
        inner = conditional_exit(m, m->leave, next);
    else
        inner = mix(m, next);
    return in_front ? join(leaf(m, inner.entry), inner) : join(inner, work);
}

static struct piece at_random(struct maker *m, uint32_t next) {
    const uint32_t choice = draw(m, 10);
    if (choice < 2) return mix(m, next);
    if (choice < 4 || m->p->count > STRUCTURED_NODES / 4) return leaf(m, next);
    if (choice < 6 && m->depth > 0) {
        const enum structured_exit leave = 1 + draw(m, STRUCTURED_EXITS - 1);
        if (exit_target(m, leave) != NOWHERE) return conditional_exit(m, leave, next);
    }
    if (m->depth == DEEPEST) return leaf(m, next);
    return make_form(m, draw(m, STRUCTURED_FORMS), next);
}

static struct piece statements(struct maker *m, uint32_t next) {
    if (!m->seed) return chosen(m, next);
    struct piece all = {strdup(""), next};
    for (unsigned n = 1 + draw(m, 3); n > 0; n--) all = join(at_random(m, all.entry), all);
    return all;
}

/* --- immediate post-dominators --- */

enum { WORDS = STRUCTURED_NODES / 64 };

static unsigned ways_of(const struct structured_node *n) {
    return n->kind == NODE_PART ? 8 : n->kind == NODE_BIT || n->kind == NODE_COUNTER ? 2 : 1;
}

/* Computes the nodes that every path from a node to the end contains, including the node: the largest
 * solution of "a node, and the common ones of all its successors". */
static void find_post_dominators(const struct structured_program *p, uint64_t (*set)[WORDS]) {
    memset(set, 0xff, p->count * sizeof *set);
    memset(set[END], 0, sizeof *set);
    set[END][0] = 1;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = 1; n < p->count; n++) {
            uint64_t now[WORDS];
            memcpy(now, set[p->node[n].next[0]], sizeof now);
            for (unsigned w = 1; w < ways_of(&p->node[n]); w++)
                for (unsigned i = 0; i < WORDS; i++) now[i] &= set[p->node[n].next[w]][i];
            now[n / 64] |= UINT64_C(1) << n % 64;
            changed |= memcmp(now, set[n], sizeof now) != 0;
            memcpy(set[n], now, sizeof now);
        }
    }
}

static unsigned size_of(const uint64_t *set) {
    unsigned size = 0;
    for (unsigned i = 0; i < WORDS; i++) size += (unsigned)__builtin_popcountll(set[i]);
    return size;
}

/* The immediate post-dominator is the one that has all others, hence most. */
static void find_meetings(struct structured_program *p) {
    uint64_t(*set)[WORDS] = calloc(STRUCTURED_NODES, sizeof *set);
    assert_non_null(set);
    find_post_dominators(p, set);
    for (uint32_t n = 1; n < p->count; n++)
        for (uint32_t d = 0, most = 0; d < p->count; d++) {
            if (d == n || !(set[n][d / 64] >> d % 64 & 1) || size_of(set[d]) <= most) continue;
            most = size_of(set[d]);
            p->meeting[n] = (uint16_t)d;
        }
    free(set);
}

/* --- kernels --- */

void structured_begin(FILE *source) {
    /* The empty assembly in MIX keeps a branch over it: predicated code does not part threads, so that those
     * of two branches could execute the leaves behind both together. */
    fputs("#define BIT(s) (x >> (s) & 1)\n"
          "#if defined BOUNDED || defined PLAIN\n#define MIX(n) x = (x ^ x >> 7) + n##u;\n"
          "#else\n#define MIX(n) x = (x ^ x >> 7) + n##u; __asm__ volatile(\"\" : \"+r\"(x));\n#endif\n"
          "#ifdef BOUNDED\n#define TURNS(s) (x >> (s) & 3)\n"
          "#else\n#define TURNS(s) ({ uint turns = x >> (s) & 3; __asm__ volatile(\"\" : \"+r\"(turns)); "
          "turns; })\n#endif\n"
          "#ifdef PLAIN\n"
          "#define NOP __builtin_arm_nop();\n"
          "#define MARK(n) __builtin_arm_dbg(n / 16 % 16); __builtin_arm_dbg(n % 16);\n"
          "#define EIGHT(n) NOP NOP NOP NOP NOP NOP MARK(n)\n"
          "#if LENGTH == 8\n#define NOPS EIGHT\n#else\n#define NOPS(n) EIGHT(n) EIGHT(n) EIGHT(n) EIGHT(n) "
          "EIGHT(n) EIGHT(n) EIGHT(n) EIGHT(n) EIGHT(n)\n#endif\n"
          "#define LEAF(n) x = x * 1664525u + 1013904223u + n; MARK(n) __builtin_arm_dmb(11); NOPS(n)\n"
          "#else\n"
          "#define EIGHT \"nop\\n\\tnop\\n\\tnop\\n\\tnop\\n\\tnop\\n\\tnop\\n\\tnop\\n\\tnop @ \"\n"
          "#if LENGTH == 8\n#define NOPS EIGHT\n#else\n#define NOPS EIGHT \"\\n\\t\" EIGHT \"\\n\\t\" "
          "EIGHT\n#endif\n"
          "#define LEAF(n) x = x * 1664525u + 1013904223u + n; "
          "__asm__ volatile(NOPS __FUNCTION_NAME \" \" #n : \"+r\"(x));\n"
          "#endif\n",
          source);
}

static void make(struct maker *m, FILE *source, unsigned number, uint32_t seed) {
    char *functions;
    size_t size;
    *m->p = (struct structured_program){.seed = seed ^ seed >> 16};
    snprintf(m->p->name, sizeof m->p->name, "k%u", number);
    m->functions = open_memstream(&functions, &size);
    assert_non_null(m->functions);
    add_later(m); /* END */
    const uint32_t store = add_simple(m, NODE_STORE, 0, END);
    m->break_to = m->continue_to = NOWHERE;
    m->return_to = END;
    m->goto_to = store;
    struct piece last = leaf(m, store), body = statements(m, last.entry);
    const uint32_t entry = add_simple(m, NODE_NOTHING, 0, body.entry);
    fclose(m->functions);
    fprintf(
        source,
        "#undef __FUNCTION_NAME\n#define __FUNCTION_NAME \"%s\"\n%s#undef RETURN\n#define RETURN return\n"
        "__kernel void %s(__global uint *o) {\nconst uint i = get_global_id(0);\nuint x = i * 2654435761u + "
        "%uu;\n%s\n%s\nout: o[i] = x;\n}\n",
        m->p->name, functions, m->p->name, m->p->seed, body.text, last.text);
    assert_int_equal(entry, m->p->count - 1);
    free(functions);
    free(body.text);
    free(last.text);
    find_meetings(m->p);
}

void structured_random(struct structured_program *p, FILE *source, unsigned number, struct seed *seed) {
    struct maker m = {.p = p, .seed = seed};
    make(&m, source, number, (uint32_t)seed_next(seed));
}

bool structured_nested(struct structured_program *p, FILE *source, unsigned number,
                       const enum structured_form form[3], enum structured_exit leave) {
    struct maker m = {.p = p, .form = form, .leave = leave};
    make(&m, source, number, number * 2654435769u);
    return m.left || leave == STRUCTURED_NO_EXIT;
}

/* --- execution --- */

struct thread {
    uint32_t x, counter[STRUCTURED_COUNTERS], *result;
};

/* Executes a node for a thread. Returns the next node. */
static uint32_t execute(const struct structured_program *p, struct thread *t, uint32_t node) {
    const struct structured_node *n = &p->node[node];
    switch (n->kind) {
    case NODE_LEAF: t->x = t->x * 1664525u + 1013904223u + n->number; break;
    case NODE_MIX: t->x = (t->x ^ t->x >> 7) + n->number; break;
    case NODE_SET: t->counter[n->number] = t->x >> n->shift & 3; break;
    case NODE_DECREASE: t->counter[n->number]--; break;
    case NODE_CLEAR: t->counter[n->number] = 0; break;
    case NODE_RAISE: t->counter[n->number] = 1; break;
    case NODE_STORE: *t->result = t->x; break;
    case NODE_BIT: return n->next[t->x >> n->shift & 1];
    case NODE_COUNTER: return n->next[t->counter[n->number] != 0];
    case NODE_PART: return n->next[t->x >> n->shift & 7];
    case NODE_NOTHING: break;
    }
    return n->next[0];
}

struct entry {
    uint32_t node, meeting, threads;
};

struct stack {
    struct entry e[STRUCTURED_NODES];
    unsigned depth;
};

static void push(struct stack *s, uint32_t node, uint32_t meeting, uint32_t threads) {
    assert_true(s->depth < STRUCTURED_NODES);
    if (node != meeting) s->e[s->depth++] = (struct entry){node, meeting, threads};
}

/* Diverges the top of the stack to the next nodes of its threads. The entry itself waits at the
 * re-convergence point. */
static void part(struct stack *s, const uint32_t *next, uint32_t meeting) {
    struct entry top = s->e[--s->depth];
    const uint32_t first = next[__builtin_ctz(top.threads)];
    uint32_t same = 0;
    for (unsigned t = 0; t < STRUCTURED_WARP; t++) same |= (uint32_t)(next[t] == first) << t;
    if (!(top.threads & ~same)) {
        push(s, first, top.meeting, top.threads);
        return;
    }
    push(s, meeting, top.meeting, top.threads);
    for (uint32_t left = top.threads; left;) {
        const uint32_t node = next[__builtin_ctz(left)];
        uint32_t side = 0;
        for (unsigned t = 0; t < STRUCTURED_WARP; t++) side |= (left >> t & (next[t] == node)) << t;
        push(s, node, meeting, side);
        left &= ~side;
    }
}

static uint64_t execute_warp(const struct structured_program *p, struct thread *threads) {
    static struct stack s;
    uint64_t leaves = 0;
    s.depth = 0;
    push(&s, p->count - 1, END, UINT32_MAX);
    while (s.depth) {
        const struct entry top = s.e[s.depth - 1];
        uint32_t next[STRUCTURED_WARP] = {0};
        leaves += p->node[top.node].kind == NODE_LEAF;
        for (unsigned t = 0; t < STRUCTURED_WARP; t++)
            if (top.threads >> t & 1) next[t] = execute(p, &threads[t], top.node);
        part(&s, next, p->meeting[top.node]);
    }
    return leaves;
}

uint64_t structured_execute(const struct structured_program *p, uint32_t items, uint32_t *o) {
    uint64_t leaves = 0;
    assert_int_equal(items % STRUCTURED_WARP, 0);
    for (uint32_t first = 0; first < items; first += STRUCTURED_WARP) {
        struct thread threads[STRUCTURED_WARP] = {0};
        for (uint32_t t = 0; t < STRUCTURED_WARP; t++) {
            threads[t].x = (first + t) * 2654435761u + p->seed;
            threads[t].result = &o[first + t];
            o[first + t] = STRUCTURED_UNWRITTEN;
        }
        leaves += execute_warp(p, threads);
    }
    return leaves;
}
