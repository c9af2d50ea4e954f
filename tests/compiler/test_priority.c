/*
 * ICS-First insertion (compiler/source/priority.h), checked by execution: programs are instrumented, compiled
 * for the host with the priority operations replaced by functions that follow the level, and run with many
 * inputs. On every path each point of a function must be reached at the same level. No level may fall below
 * the outermost, and kernels must end at it. Results must equal those of the program
 * without instrumentation. */
#include "tests/compiler/compiler_run.h"
#include "tests/compiler/statement_cases.h"
#include "tests/spawn.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MAX_PROBES 8192
#define WORDS      16 /* size of a kernel's memory in words */
#define INPUTS     40

/* --- building and running --- */

/* Linked to each program: the level, and the level at which each probe was reached. Errors are counted. */
static const char follower[] = "int level, lowest, highest, errors, levels[8192], seen[8192], outermost;\n"
                               "void level_raise(void) { if (++level > highest) highest = level; }\n"
                               "void level_lower(int n) { level -= n; if (level < lowest) lowest = level; }\n"
                               "void level_outermost(void) { level = 0; outermost++; }\n"
                               "void probe(int id) {\n"
                               "    if (seen[id] && levels[id] != level) errors++;\n"
                               "    seen[id] = 1; levels[id] = level;\n"
                               "}\n";

static const char operations[] =
    "'-D__lockstep_raise()=level_raise()' '-D__lockstep_lower(n)=level_lower(n)' "
    "'-D__lockstep_set_outermost()=level_outermost()'";

static const char declarations[] =
    "void level_raise(void); void level_lower(int n); void level_outermost(void);\n";

static const char program_head[] = "void probe(int id);\n#define KERNEL_HEAD\n";

/* Compiles OpenCL C to NAME.so for the host. */
static void build_native(const char *name, const char *source, const char *options) {
    char file[64];
    struct run_result r;
    snprintf(file, sizeof file, "%s.native.cl", name);
    run_write(run_path(file), source);
    run_write(run_path("follower.c"), follower);
    r = run_command(
        "cd %s && clang-14 -w -O0 -fPIC -x cl -cl-std=CL1.2 -cl-no-stdinc %s -c %s.native.cl -o %s.o && "
        "clang-14 -O0 -shared -fPIC follower.c %s.o -o %s.so",
        run_directory, options, name, name, name, name);
    if (r.status != 0) fail_msg("%s does not compile for the host:\n%s", name, r.errors);
    free(r.errors);
}

/* Returns the source with priority operations. */
static char *instrument(const char *source) {
    size_t size;
    run_write(run_path("program.cl"), source);
    struct run_result r =
        run_command("%s/lockstep-cc --no-cache --emit=priority -o %s %s", run_build_directory(),
                    run_path("program.priority"), run_path("program.cl"));
    if (r.status != 0) fail_msg("lockstep-cc: %s\n%s", r.errors, source);
    free(r.errors);
    return run_read(run_path("program.priority"), &size);
}

struct native {
    void *library;
    int *level, *lowest, *highest, *errors, *levels, *seen, *outermost;
};

static struct native native_open(const char *name) {
    char file[64];
    struct native n;
    snprintf(file, sizeof file, "%s.so", name);
    n.library = dlopen(run_path(file), RTLD_NOW | RTLD_LOCAL);
    if (!n.library) fail_msg("%s", dlerror());
    n.level = dlsym(n.library, "level");
    n.lowest = dlsym(n.library, "lowest");
    n.highest = dlsym(n.library, "highest");
    n.errors = dlsym(n.library, "errors");
    n.levels = dlsym(n.library, "levels");
    n.seen = dlsym(n.library, "seen");
    n.outermost = dlsym(n.library, "outermost");
    return n;
}

static struct native build_instrumented(const char *name, const char *source) {
    char *instrumented = instrument(source);
    char *whole = malloc(strlen(instrumented) + sizeof declarations);
    strcpy(whole, declarations);
    strcat(whole, instrumented);
    build_native(name, whole, operations);
    free(instrumented);
    free(whole);
    return native_open(name);
}

typedef void kernel_function(int *a, int n, int fuel);

static kernel_function *native_kernel(const struct native *n, unsigned number) {
    char name[32];
    snprintf(name, sizeof name, "k%u", number);
    void *symbol = dlsym(n->library, name);
    if (!symbol) fail_msg("no kernel %s", name);
    kernel_function *f;
    memcpy(&f, &symbol, sizeof f);
    return f;
}

static uint32_t random_state;
static uint32_t random_number(uint32_t below) {
    random_state = random_state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)random_state * below) >> 32);
}

/* Runs the first `count` kernels of both builds with many inputs. Returns the highest level reached. */
static int run_kernels(const struct native *plain, const struct native *with, unsigned count,
                       const char *source) {
    for (unsigned k = 0; k < count; k++) {
        kernel_function *expected = native_kernel(plain, k), *actual = native_kernel(with, k);
        for (int input = 0; input < INPUTS; input++) {
            int a[WORDS], b[WORDS];
            for (size_t i = 0; i < WORDS; i++) a[i] = b[i] = (int)random_number(1u << 16);
            *with->level = 0;
            expected(a, input, 60);
            actual(b, input, 60);
            if (memcmp(a, b, sizeof a))
                fail_msg("kernel %u, input %d: other results than without instrumentation\n%s", k, input,
                         source);
            if (*with->level != 0)
                fail_msg("kernel %u, input %d ends at level %d\n%s", k, input, *with->level, source);
            if (*with->lowest < 0)
                fail_msg("kernel %u, input %d: level below the outermost\n%s", k, input, source);
            if (*with->errors)
                fail_msg("kernel %u, input %d: a point was reached at two levels\n%s", k, input, source);
        }
    }
    return *with->highest;
}

static int check_program(const char *source, unsigned kernels) {
    build_native("plain", source, "");
    struct native plain = native_open("plain"), with = build_instrumented("instrumented", source);
    int highest = run_kernels(&plain, &with, kernels, source);
    dlclose(plain.library);
    dlclose(with.library);
    return highest;
}

/* --- every statement with every exit --- */

/* `make test` takes a third of the ways for each pair of statements, another one for each. */
static void test_every_statement_with_every_exit(void **state) {
    static struct program_text t;
    (void)state;
    random_state = 1;
    for (unsigned way = 0; way < CASE_WAYS; way++) {
        unsigned k = 0;
        t = (struct program_text){0};
        program_add(&t, "%s", program_head);
        for (unsigned outer = 0; outer < CASE_STATEMENTS; outer++)
            for (unsigned inner = 0; inner < CASE_STATEMENTS; inner++)
                if (getenv("LOCKSTEP_LONG") || (outer + inner + way) % 3 == 0)
                    statement_case(&t, k++, outer, inner, way);
        assert_true(t.probes < MAX_PROBES);
        assert_true(check_program(t.data, k) >= 3);
    }
}

/* --- random programs --- */

/* Surroundings of a random statement. */
struct surroundings {
    unsigned depth;
    bool loop, breakable, kernel;
};

static void add_random(struct program_text *t, struct surroundings s);

static void add_random_body(struct program_text *t, struct surroundings s, bool loop, bool breakable) {
    struct surroundings inside = {s.depth + 1, s.loop || loop, s.breakable || breakable, s.kernel};
    if (random_number(3) == 0) {
        add_random(t, inside);
        return;
    }
    program_add(t, "{ ");
    for (uint32_t i = 1 + random_number(3); i > 0; i--) add_random(t, inside);
    program_add(t, "}");
}

static void add_condition(struct program_text *t) {
    static const char *const conditions[] = {"n & %u", "x & %u", "a[x & 15] & %u", "(x & 1) && (n & %u)",
                                             "x > %u"};
    program_add(t, conditions[random_number(5)], 1 + random_number(7));
}

static void add_simple(struct program_text *t) {
    switch (random_number(4)) {
    case 0: program_add(t, "x = x * 5 + %u; ", random_number(99)); break;
    case 1: program_add(t, "a[x & 15] += %u; ", random_number(99)); break;
    case 2: program_add(t, "x ^= a[%u]; ", random_number(WORDS)); break;
    default: program_add(t, "probe(%u); ", t->probes++); break;
    }
}

static void add_random_switch(struct program_text *t, struct surroundings s) {
    const int cases = random_number(4) ? 3 : 8;
    program_add(t, "switch (x & %d) { ", cases | 3);
    for (int i = 0; i < cases; i++) {
        program_add(t, i < cases - 1 ? "case %d: " : "default: ", i);
        add_random_body(t, s, false, true);
        if (random_number((uint32_t)cases) > 1) continue; /* into the next */
        program_add(t, "break; ");
    }
    program_add(t, "} ");
}

static void add_random_jump(struct program_text *t, struct surroundings s) {
    uint32_t kind = random_number(4);
    if (kind == 0 && s.breakable)
        program_add(t, "break; ");
    else if (kind == 1 && s.loop)
        program_add(t, "continue; ");
    else if (kind == 2)
        program_add(t, s.kernel ? "return; " : "return x ^ a[1]; ");
    else
        program_add(t, random_number(2) ? "{ if (fuel-- > 0) goto %s; } " : "if (fuel-- > 0) goto %s; ",
                    (const char *[]){"first", "middle", "last"}[random_number(3)]);
}

static void add_random(struct program_text *t, struct surroundings s) {
    static unsigned variable;
    uint32_t kind = s.depth > 5 ? random_number(5) : random_number(14);
    if (kind < 4) {
        add_simple(t);
    } else if (kind == 4) {
        program_add(t, "if (x & %u) ", 1 + random_number(7));
        add_random_jump(t, s);
    } else if (kind < 8) {
        program_add(t, "if (");
        add_condition(t);
        program_add(t, ") { ");
        add_random_body(t, s, false, false);
        program_add(t, "} ");
        if (random_number(2)) {
            program_add(t, "else ");
            add_random_body(t, s, false, false);
        }
    } else if (kind < 10) {
        unsigned v = variable++;
        program_add(t, "for (int v%u = 0; v%u < %s && fuel-- > 0; v%u++) ", v, v,
                    random_number(2) ? "(x & 7)" : "3", v);
        add_random_body(t, s, true, true);
    } else if (kind == 10) {
        program_add(t, "while (fuel-- > 0 && (a[3] & 7)) ");
        add_random_body(t, s, true, true);
    } else if (kind == 11) {
        program_add(t, "do ");
        add_random_body(t, s, true, true);
        program_add(t, " while (fuel-- > 0 && (x & 3)); ");
    } else if (kind == 12) {
        add_random_switch(t, s);
    } else {
        add_random_jump(t, s);
    }
    program_add(t, "\n");
}

static void add_random_function(struct program_text *t, unsigned k, bool kernel) {
    const struct surroundings top = {.kernel = kernel};
    if (kernel)
        program_add(t, "__kernel void k%u(__global int *a, int n, int fuel) { int x = f%u(a, n, fuel);\n", k,
                    k);
    else
        program_add(t, "int f%u(__global int *a, int n, int fuel) { int x = n;\n", k);
    program_add(t, "first: probe(%u);\n", t->probes++);
    for (int i = 0; i < 3; i++) add_random(t, top);
    program_add(
        t, "probe(%u); if (x & 1) { a[4]++; middle: probe(%u); x++; if (n & 2) { a[5]++; probe(%u); } }\n",
        t->probes, t->probes + 1, t->probes + 2);
    t->probes += 3;
    for (int i = 0; i < 3; i++) add_random(t, top);
    program_add(t, "last: probe(%u); a[6] += x; %s }\n", t->probes++, kernel ? "" : "return x;");
    assert_true(t->probes < MAX_PROBES);
}

static void test_random_programs(void **state) {
    static struct program_text t;
    const char *chosen = getenv("SEED");
    (void)state;
    for (uint32_t seed = chosen ? (uint32_t)strtoul(chosen, NULL, 10) : 1, last = chosen ? seed : 2;
         seed <= last; seed++) {
        printf("random programs, SEED=%u\n", seed);
        random_state = seed * 7919;
        t = (struct program_text){0};
        program_add(&t, "%s", program_head);
        for (unsigned k = 0; k < 40; k++) {
            add_random_function(&t, k, false);
            add_random_function(&t, k, true);
        }
        assert_true(check_program(t.data, 40) >= 4);
    }
}

/* --- single rules, by the inserted operations --- */

/* Returns the instrumented text after clang's own header, with its blanks. */
static char *instrumented_body(const char *source) {
    char *text = instrument(source), *last = NULL;
    for (char *p = text; (p = strstr(p, "# 1 \"/tmp/lockstep-test")); p++) last = p;
    if (!last) {
        fail_msg("no line marker of the program in: %s", text);
        return NULL;
    }
    char *body = strdup(strchr(last, '\n') + 1);
    free(text);
    return body;
}

static unsigned count(const char *text, const char *word) {
    unsigned n = 0;
    for (; (text = strstr(text, word)); text++) n++;
    return n;
}

/* Checks the number of raises in a function body. */
static void expect_raises(unsigned raises, const char *statements_) {
    char source[2048];
    snprintf(source, sizeof source,
             "int g(int);\nint f(__global int *a, int n, float4 v) { int x = n, y = 3; %s return x + y + "
             "(int)v.x; }\n",
             statements_);
    char *body = instrumented_body(source);
    if (count(body, "__lockstep_raise()") != raises) fail_msg("expected %u raises in: %s", raises, body);
    free(body);
}

static void test_small_ifs_are_left_alone(void **state) {
    (void)state;
    expect_raises(0, "if (x > 3) x = 3;");
    expect_raises(0, "if (x < 0) { x = -x; y++; } else x += 2 * n;");
    expect_raises(0, "if (a[x] > 3) v.x = 1.0f;");
    expect_raises(0, "struct { int m; } s; s.m = n; if (x > 3) s.m = y; x = s.m;");
    expect_raises(0, "if (x > 3) ; else y <<= 2;");
}

static void test_other_ifs_are_not(void **state) {
    (void)state;
    expect_raises(1, "if (x > 3) a[1] = 3;");
    expect_raises(1, "if (x > 3) x = a[1];");
    expect_raises(1, "if (x > 3) x = *a;");
    expect_raises(1, "if (x > 3) v = v * 2.0f;");
    expect_raises(1, "struct { int m; } s, *p = &s; p->m = n; if (x > 3) p->m = y; x = s.m;");
    expect_raises(1, "struct { int m; } s, *p = &s; p->m = n; if (x > 3) x = p->m;");
    expect_raises(1, "if (x > 3) x = g(x);");
    expect_raises(1, "if (x > 3) x = x / y;");
    expect_raises(1, "if (x > 3) x = x ? 3 : y;");
    expect_raises(1, "if (x > 3 && y > 3) x = 3;");
    expect_raises(1, "if (x > 3) { x = 3; y = 4; v.x = 5.0f; }");
    expect_raises(1, "if (x > 3) { x = 3 + y + n + y * n - 4; }");
    expect_raises(1, "if (x > 3) { int z = y; x = z; }");
    expect_raises(2, "if (x > 3) { if (y) a[0] = 1; }");
    expect_raises(2, "if (x > 3) a[0] = 1; else if (y) a[1] = 2; else x = 1;");
}

/* Only one way leads to their end. The raise is that of the region of the function's returns. */
static void test_ifs_that_meet_nobody_are_left_alone(void **state) {
    (void)state;
    expect_raises(1, "if (x > 3) return g(x);");
    expect_raises(1, "while (x < 9) { x++; if (a[x]) { break; } if (a[x + 1]) { a[x] = 2; break; } }");
    expect_raises(2, "while (x < 9) { x++; if (a[x]) { a[x] = 1; continue; } else a[3] = 1; a[4] = 1; }");
    expect_raises(1, "if (x > 3) return g(x); else y = g(x);");
    expect_raises(1, "if (x > 3) { a[1] = 2; return 3; }");
    expect_raises(2, "if (x > 3) { a[1] = 2; if (y) return 3; }");
}

/* The operation at the end of the region follows them nevertheless. */
static void test_statements_that_end_a_region_are_left_alone(void **state) {
    (void)state;
    expect_raises(2, "while (x < 9) { x++; if (a[x]) { if (y) continue; a[x] = 1; } }");
    expect_raises(2, "if (x > 3) { a[1] = 2; goto out; } while (x < 9) x += a[x]; out:");
}

static void expect_text(const char *statements_, const char *expected) {
    char source[2048];
    snprintf(source, sizeof source, "int f(__global int *a, int n) { %s }\n", statements_);
    char *body = instrumented_body(source);
    if (!strstr(body, expected)) fail_msg("expected \"%s\" in: %s", expected, body);
    free(body);
}

static void test_returns_have_one_exit(void **state) {
    (void)state;
    expect_text("a[0] = 1; if (n < 0) return -1; while (a[n]) { if (n++ == 9) return a[1]; } return n;",
                "{ __typeof__(f(a, n)) __lockstep_value; a[0] = 1; __lockstep_raise();  "
                "if (n < 0) {__lockstep_value = -1; goto __lockstep_1;} "
                "{__lockstep_raise(); while (a[n]) "
                "{ if (n++ == 9) {__lockstep_value = a[1]; __lockstep_lower(1); goto __lockstep_1;} } "
                "__lockstep_lower(1); } {__lockstep_value = n; goto __lockstep_1;} "
                "__lockstep_1: __lockstep_lower(1); return __lockstep_value; }");
}

static void test_continues_have_one_place_at_the_end_of_the_body(void **state) {
    (void)state;
    expect_text("for (;;) { n++; if (a[n]) continue; if (a[0]) break; a[1]++; }",
                "{ n++; __lockstep_raise();  if (a[n]) goto __lockstep_1; "
                "if (a[0]) {__lockstep_lower(1); break;} a[1]++; __lockstep_1: __lockstep_lower(1);  }");
    expect_text("for (;;) if (a[n]) { n++; if (a[0]) continue; a[1]++; }",
                "{ __lockstep_raise(); if (a[n]) { n++; if (a[0]) goto __lockstep_1; a[1]++; } "
                "__lockstep_1: __lockstep_lower(1); }");
}

static void test_gotos_have_one_place_before_the_label(void **state) {
    (void)state;
    expect_text(
        "a[1]++; if (n) { a[2]++; if (a[0]) goto out; a[3]++; } a[4]++; out: a[5]++; return n;",
        "a[1]++; __lockstep_raise();  {__lockstep_raise(); if (n) { a[2]++; "
        "if (a[0]) {__lockstep_lower(1); goto __lockstep_1;} a[3]++; } __lockstep_lower(1); } a[4]++; "
        "__lockstep_1: __lockstep_lower(1);  out: a[5]++; return n;");
    expect_text("a[1]++; again: a[2]++; if (a[0]) goto again; a[5]++; return n;",
                "a[1]++; __lockstep_raise();  again: a[2]++; if (a[0]) goto again; __lockstep_lower(1);  "
                "a[5]++; return n;");
}

/* The region that a forward goto leaves overlaps a loop of gotos: both raises are at the beginning of the
 * union. */
static void test_crossing_regions_are_nested(void **state) {
    (void)state;
    expect_text("if (n) goto one; a[1]++; if (n < 3) goto two; a[2]++; one: a[3]++; two: a[4]++; return n;",
                "{ __lockstep_raise(); __lockstep_raise();  if (n) goto __lockstep_1; a[1]++; "
                "if (n < 3) {__lockstep_lower(1); goto __lockstep_2;} a[2]++; "
                "__lockstep_1: __lockstep_lower(1);  one: a[3]++; __lockstep_2: __lockstep_lower(1);  two:");
}

static void test_cases_that_fall_meet_at_the_next(void **state) {
    (void)state;
    expect_text("switch (n) { case 0: a[0]++; case 1: case 2: a[1]++; break; case 3: a[2]++; } return n;",
                "{__lockstep_raise(); __lockstep_raise(); switch (n) { __lockstep_raise();  case 0: a[0]++; "
                "case 1: case 2:__lockstep_lower(1);  a[1]++; break; goto __lockstep_1;  "
                "case 3:__lockstep_lower(1); __lockstep_1:  a[2]++; goto __lockstep_2; "
                "default: __lockstep_lower(1); __lockstep_2: ; } __lockstep_lower(1); } return n;");
}

/* One level for any number of cases; not where a goto or a case inside a loop leads into them. */
static void test_long_chains_of_cases_have_gates(void **state) {
    (void)state;
    expect_text(
        "switch (n) { case 0: a[0]++; case 1: a[1]++; case 2: a[2]++; case 3: a[3]++; default: a[4]++; }",
        "{unsigned __lockstep_case_1; __lockstep_raise(); __lockstep_raise(); switch (n) { "
        "case 0:__lockstep_case_1 = 0; __lockstep_1: __lockstep_lower(1); __lockstep_raise(); "
        "if (__lockstep_case_1 > 0) goto __lockstep_2;  a[0]++; "
        "__lockstep_2: __lockstep_lower(1); goto __lockstep_7;  "
        "case 1:__lockstep_case_1 = 1; goto __lockstep_1; __lockstep_7: ; __lockstep_raise(); "
        "if (__lockstep_case_1 > 1) goto __lockstep_3;  a[1]++; ");
    static const char *const without[] = {"switch (n) { case 0: a[0]++; case 1: in: a[1]++; case 2: a[2]++; "
                                          "case 3: a[3]++; default: if (a[4]) goto in; }",
                                          "switch (n) { case 0: a[0]++; case 1: do { case 9: a[1]++; } while "
                                          "(a[0]); case 2: a[2]++; case 3: a[3]++; "
                                          "default: a[4]++; }"};
    for (int i = 0; i < 2; i++) {
        char *source = spawn_text("int f(__global int *a, int n) { %s return n; }", without[i]);
        char *body = instrumented_body(source);
        assert_null(strstr(body, "__lockstep_case_"));
        free(body);
        free(source);
    }
}

static void test_literal_loops_are_left_alone(void **state) {
    (void)state;
    expect_raises(0, "for (int i = 0; i < 16; i++) a[i] = g(i);");
    expect_raises(0, "for (int i = 4 * 4; i >= -1; i -= 2) { a[i] = g(i); }");
    expect_raises(0, "\n#pragma unroll\nfor (int i = 0; i != 8; ++i) x += a[i];");
    expect_raises(1, "for (int i = 0; i < n; i++) x += a[i];");
    expect_raises(1, "for (int i = n; i < 9; i++) x += a[i];");
    expect_raises(1, "for (int i = 0; i < 16; i += x) a[i] = 1;");
    expect_raises(1, "for (int i = 0; i < 16; i++) { if (a[i]) break; }");
    expect_raises(2, "for (int i = 0; i < 16; i++) { if (a[i]) continue; x++; }");
    expect_raises(1, "for (int i = 0; i < 16; i++) { i = g(i); }");
    expect_raises(1, "for (int i = 0; i < 16; i++) { (i)++; }");
    expect_raises(1, "for (;;) { if (g(x)) break; }");
}

static void test_pragma_stays_next_to_its_loop(void **state) {
    (void)state;
    char *body = instrumented_body("void f(__global int *a, int n) {\n  a[0] = 1;\n#pragma unroll 4\n  for "
                                   "(int i = 0; i < n; i++)\n    a[i] = i;\n}\n");
    assert_string_equal(
        body, "void f(__global int *a, int n) {\n  a[0] = 1;\n{__lockstep_raise(); _Pragma(\"unroll 4\")\n"
              "  for (int i = 0; i < n; i++)\n    a[i] = i; __lockstep_lower(1); }\n}\n");
    free(body);
}

static void test_kernels_start_outermost_unless_called(void **state) {
    (void)state;
    char *body = instrumented_body("__kernel void a(__global int *p) { if (p[0]) p[1] = 2; }\n"
                                   "__kernel void b(__global int *p) { if (p[0]) a(p); }\n");
    assert_string_equal(body, "__kernel void a(__global int *p) { {__lockstep_raise(); if (p[0]) p[1] = 2; "
                              "__lockstep_lower(1); } }\n"
                              "__kernel void b(__global int *p) {__lockstep_set_outermost();  "
                              "{__lockstep_raise(); if (p[0]) a(p); __lockstep_set_outermost(); } }\n");
    free(body);
}

static void test_value_is_computed_before_the_level_is_lowered(void **state) {
    (void)state;
    char *body =
        instrumented_body("int g(int x);\nint f(int n) { while (n) { g(1); return g(n); } return 0; }\n");
    assert_non_null(
        strstr(body, "{ g(1); {__lockstep_value = g(n); __lockstep_lower(1); goto __lockstep_1;} }"));
    free(body);
}

static void test_statements_made_by_macros_are_instrumented(void **state) {
    (void)state;
    char *body = instrumented_body(
        "#define WHEN(c, s) if (c) { s }\nvoid f(__global int *a) { WHEN(a[0], a[1] = 2; a[2] = 3;) }\n");
    assert_int_equal(count(body, "__lockstep_raise()"), 1);
    free(body);
}

static void test_more_than_15_levels_are_lowered_in_steps(void **state) {
    char source[4096] = "int g(int);\nint f(__global int *a) { ";
    (void)state;
    for (int i = 0; i < 17; i++) strcat(source, "while (a[0]) { a[1]++; ");
    strcat(source, "return 3; ");
    for (int i = 0; i < 17; i++) strcat(source, "} ");
    strcat(source, "return 4; }\n");
    char *body = instrumented_body(source);
    assert_non_null(strstr(body, "= 3; __lockstep_lower(15); __lockstep_lower(2); goto"));
    free(body);
}

/* The operations of the goto and of the statements around it are at one place of the text. */
static void test_gotos_that_end_or_touch_other_statements(void **state) {
    (void)state;
    static const char source[] = "void probe(int id);\n"
                                 "kernel void k0(global int *a, int n, int fuel) {"
                                 " for (int i = 0; i < n; i++) if (a[i & 15] % 5 == 0) goto out;"
                                 " probe(0); a[0] = 1; return; out: probe(1); a[1]++; if (n & 1) { probe(2); "
                                 "a[2] *= 3; a[3] /= n; } }\n"
                                 "kernel void k1(global int *a, int n, int fuel) {"
                                 " for (int i = 0; i < n; i++) while (fuel-- > 0) if (a[fuel & 15] % 7 == i) "
                                 "goto out; else a[i & 15]++;"
                                 " probe(3);out:probe(4); a[1]++; }\n"
                                 "kernel void k2(global int *a, int n, int fuel) {"
                                 " back: probe(5); for (int i = 0; i < n; i++) if (a[i & 15] % 3 == 0) { if "
                                 "(fuel-- > 0) goto back; else"
                                 " goto in; }probe(6);if (n % 3 == 1) {goto in;if (n == 2) { probe(7); a[5] "
                                 "/= 3; }in:probe(8); a[6]++; }"
                                 " probe(9); a[7]++; }\n";
    assert_true(check_program(source, 3) >= 1);
}

static void test_functions_with_jumps_into_statements(void **state) {
    /* Case labels inside a loop inside their switch. The switch is at the level of the loop's
     * body already. */
    static const char duff[] = "void probe(int id);\nint f0(__global int *a, int n) { int x = 0; switch (n & "
                               "3) { case 0: do { x++; a[x & 15] = n; "
                               "case 1: a[3]++; case 2: a[2]++; } while (x < (n & 7)); } return x; }\n"
                               "__kernel void k0(__global int *a, int n, int fuel) { probe(0); a[1] = f0(a, "
                               "n + fuel); probe(0); }\n";
    (void)state;
    char *body = instrumented_body(duff);
    assert_non_null(strstr(body, "{__lockstep_raise(); __lockstep_raise(); switch"));
    free(body);
    check_program(duff, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_statement_with_every_exit),
        cmocka_unit_test(test_random_programs),
        cmocka_unit_test(test_small_ifs_are_left_alone),
        cmocka_unit_test(test_other_ifs_are_not),
        cmocka_unit_test(test_ifs_that_meet_nobody_are_left_alone),
        cmocka_unit_test(test_statements_that_end_a_region_are_left_alone),
        cmocka_unit_test(test_returns_have_one_exit),
        cmocka_unit_test(test_continues_have_one_place_at_the_end_of_the_body),
        cmocka_unit_test(test_gotos_have_one_place_before_the_label),
        cmocka_unit_test(test_crossing_regions_are_nested),
        cmocka_unit_test(test_cases_that_fall_meet_at_the_next),
        cmocka_unit_test(test_long_chains_of_cases_have_gates),
        cmocka_unit_test(test_literal_loops_are_left_alone),
        cmocka_unit_test(test_pragma_stays_next_to_its_loop),
        cmocka_unit_test(test_kernels_start_outermost_unless_called),
        cmocka_unit_test(test_value_is_computed_before_the_level_is_lowered),
        cmocka_unit_test(test_statements_made_by_macros_are_instrumented),
        cmocka_unit_test(test_more_than_15_levels_are_lowered_in_steps),
        cmocka_unit_test(test_gotos_that_end_or_touch_other_statements),
        cmocka_unit_test(test_functions_with_jumps_into_statements),
    };
    return cmocka_run_group_tests(tests, run_setup, run_teardown);
}
