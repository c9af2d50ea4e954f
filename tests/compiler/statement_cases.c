#include "tests/compiler/statement_cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

void program_add(struct program_text *t, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int size = vsnprintf(t->data + t->size, sizeof t->data - t->size, format, list);
    va_end(list);
    assert_true(size >= 0 && (size_t)size < sizeof t->data - t->size);
    t->size += (size_t)size;
}

/* %s is the body: one statement, so that it needs no braces. Trip counts depend on the input. */
static const char *const statements[CASE_STATEMENTS] = {
    "if ((n >> 1) & 1) %s",
    "if (n & 1) %s else { x += 7; a[2] ^= x; }",
    "if (n & 4) x = a[x & 15]; else %s",
    "if (n & 1) { a[3] += x; } else if (n & 2) %s else if (n & 4) { a[4] -= x; } else { a[5] ^= 9; }",
    "for (int i%d = 0; i%d < (n & 7) && fuel-- > 0; i%d++) %s",
    "while (fuel-- > 0 && (x & 15) != 3) %s",
    "do %s while (fuel-- > 0 && (a[x & 15] & 3));",
    "switch (n & 3) { case 0: a[6]++; break; case 1: x += 3; case 2: %s default: a[7] += x; }",
    "\n#pragma unroll 2\nfor (int i%d = 0; i%d < 5; i%d++) %s",
    "for (;;) { if (fuel-- <= 0) break; %s if (x & 1) break; }",
    "{ int y = ({ if (n & 1) { a[9]++; x ^= 5; a[8] = x; } x; }); a[1] ^= y; %s }",
    "{ x = (n & 1) && ({ if (x & 2) { a[10] += 3; x ^= a[1]; } x & 1; }) ? a[11] + x : x - n; %s }",
    "{ x = n & 1 ? x : ({ while (fuel-- > 0 && (x & 3)) { x += a[2]; a[3]++; } x; }); %s }",
    "switch (n & 3) { case 0: do { a[12]++; case 1: x++; case 2: %s } while (fuel-- > 0 && (x & 2)); }",
    ("switch (n & 7) { case 5: a[14]++; case 0: x += 2; case 3: %s case 1: a[15] ^= x; case 6: x ^= n; "
     "default: a[7]++; }"),
    "{ redo%d: a[13]++; %s if (fuel-- > 0 && (x & 5) == 1) goto redo%d; }",
    "__attribute__((opencl_unroll_hint(2))) for (int i%d = 0; i%d < 4; ++i%d) %s",
};

static const char *const exits[CASE_EXITS] = {"",          "break;",     "continue;", "RETURN(x + a[0]);",
                                              "goto out;", "goto again;"};

/* One statement with %s, and %d for its own number, filled in. */
static void add_statement(struct program_text *t, const char *statement, const char *body, unsigned number) {
    for (const char *p = statement; *p; p++) {
        if (*p == '%' && p[1] == 's') {
            program_add(t, "%s", body);
            p++;
        } else if (*p == '%' && p[1] == 'd') {
            program_add(t, "%u", number);
            p++;
        } else {
            program_add(t, "%c", *p);
        }
    }
}

/* Adds the innermost statements: a jump after work, or as the only statement of a branch; without an exit,
 * work. */
static void add_body(struct program_text *t, char *body, size_t size, const char *leave, bool bare) {
    if (!*leave)
        snprintf(body, size, "{ x = x * 5 + 1; probe(%u); a[x & 15] ^= x; }", t->probes++);
    else if (bare)
        snprintf(body, size, "if ((x ^ n) & 2 && fuel-- > 0) %s else { probe(%u); x = x * 3 + 1; }", leave,
                 t->probes++);
    else
        snprintf(body, size,
                 "{ x = x * 3 + 1; probe(%u); if ((x >> 1) & 1 && fuel-- > 0) { a[x & 15] += 3; probe(%u); "
                 "%s } a[1] += x; }",
                 t->probes, t->probes + 1, leave);
    if (*leave && !bare) t->probes += 2;
}

/* A loop around, so that break and continue always have a target. */
static void add_function_body(struct program_text *t, const char *outer, const char *inner, const char *leave,
                              bool bare) {
    static struct program_text nested;
    char body[512];
    add_body(t, body, sizeof body, leave, bare);
    nested.size = 0;
    add_statement(&nested, inner, body, 2);
    program_add(t, "int x = n;\nagain: probe(%u);\nfor (int w = 0; w < 3; w++) { probe(%u);\n", t->probes,
                t->probes + 1);
    add_statement(t, outer, nested.data, 1);
    program_add(t, "\nprobe(%u); x ^= a[w]; }\nprobe(%u);\nout: probe(%u); RETURN(x); }\n", t->probes + 2,
                t->probes + 3, t->probes + 4);
    t->probes += 5;
}

void statement_case(struct program_text *t, unsigned k, unsigned outer, unsigned inner, unsigned way) {
    static const char *const parameters = "__global int *a, int n, int fuel";
    const bool in_kernel = way % 2, bare = way / 2 >= CASE_EXITS; /* no exit has no bare form */
    const char *leave = exits[bare ? way / 2 - CASE_EXITS + 1 : way / 2];
    program_add(t, "#undef RETURN\n#define RETURN(value) %s\n",
                in_kernel ? "do { a[0] ^= (value); return; } while (0)" : "return value");
    if (in_kernel) {
        program_add(t, "__kernel void k%u(%s) { KERNEL_HEAD ", k, parameters);
        add_function_body(t, statements[outer], statements[inner], leave, bare);
        return;
    }
    program_add(t, "int f%u(%s) { ", k, parameters);
    add_function_body(t, statements[outer], statements[inner], leave, bare);
    program_add(t,
                "__kernel void k%u(%s) { KERNEL_HEAD probe(%u); "
                "if (n & 8) { probe(%u); a[0] += f%u(a, n, fuel); probe(%u); } probe(%u); }\n",
                k, parameters, t->probes, t->probes + 1, k, t->probes + 1, t->probes);
    t->probes += 2;
}
