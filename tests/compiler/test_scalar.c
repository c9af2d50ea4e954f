/*
 * The rules of scalarization (lanes.md §3), each by a program whose result depends on this rule alone
 * (scalar_cases.h).
 */
#include "compiler/scalar/scalar.h"
#include "tests/compiler/scalar_cases.h"
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

/* Assembles and links code. Labels become symbols of the image. */
static struct text assemble(const char *code) {
    static const char head[] =
        ".syntax unified\n.arm\n.arch armv7ve\n.fpu vfpv3-d16\n.text\n"
        ".macro FUNCTION name\n.type \\name, %function\n.global \\name\n\\name:\n.endm\n"
        ".macro END name\n.size \\name, .-\\name\n.endm\n";
    char *whole = spawn_text("%s%s", head, code);
    free(fixture_file("k.s", whole, 0600));
    struct spawned s = spawn(fixture_folder, (char *[]){"/bin/sh", "-c",
                                                        "arm-linux-gnueabihf-as -o k.o k.s && "
                                                        "arm-linux-gnueabihf-ld -Ttext=0x10000 -e 0 -o k k.o",
                                                        NULL});
    struct text image = {0};
    char *path = fixture_path("k");
    if (s.status != 0) fail_msg("%s\n%s", s.err, code);
    assert_true(text_read_file(&image, path));
    spawn_free(&s);
    free(path);
    free(whole);
    return image;
}

static size_t node_at(const struct scalar *s, const char *label, size_t length) {
    for (size_t i = 0; i < s->code.section.symbol_count; i++) {
        const char *name = code_section_name(&s->code.section, i);
        if (strlen(name) != length || strncmp(name, label, length) != 0) continue;
        for (size_t n = 0; n < s->code.node_count; n++)
            if (s->code.nodes[n].is_instruction &&
                s->code.nodes[n].address == s->code.section.symbols[i].st_value)
                return n;
    }
    fail_msg("no label %.*s", (int)length, label);
    return 0;
}

/* Returns the web for "a.r1": the one that the instruction at a writes to r1. */
static size_t web_of(const struct scalar *s, const char *text, const char **end) {
    const char *dot = strchr(text, '.');
    const size_t node = node_at(s, text, (size_t)(dot - text));
    char *rest;
    const unsigned r = (unsigned)strtoul(dot + 2, &rest, 10) + (dot[1] == 's' ? 16 : 0);
    const struct scalar_operands o = scalar_operands(s, node);
    *end = rest;
    assert_true(o.writes >> r & 1);
    return scalar_written(s, &o, node, r);
}

static bool web_is_scalar(const struct scalar *s, size_t web) {
    return s->classes.webs[web].why == SCALAR_IS_SCALAR;
}

/* Evaluates an expectation such as "a<r1", "a!>s16". */
static bool operand_holds(const struct scalar *s, const char *text) {
    const char *at = strpbrk(text, "<>");
    const bool no = at[-1] == '!';
    const struct scalar_operands o = scalar_operands(s, node_at(s, text, (size_t)(at - no - text)));
    const unsigned r = (unsigned)strtoul(at + 2, NULL, 10) + (at[1] == 's' ? 16 : 0);
    return ((*at == '<' ? o.reads : o.writes) >> r & 1) != no;
}

static bool holds(const struct scalar *s, const char *text) {
    const char *end;
    if (strncmp(text, "V=", 2) == 0) return s->registers.vectors[0] == strtoul(text + 2, NULL, 10);
    if (strncmp(text, "S=", 2) == 0) return s->registers.scalars[0] == strtoul(text + 2, NULL, 10);
    if (strpbrk(text, "<>")) return operand_holds(s, text);
    if (!strchr(text, '.')) {
        const char *equals = strchr(text, '=');
        const struct scalar_operands o = scalar_operands(s, node_at(s, text, (size_t)(equals - text)));
        return o.scalar == (equals[1] == 's');
    }
    const size_t web = web_of(s, text, &end);
    if (end[0] == '=' && end[1] != '=') return web_is_scalar(s, web) == (end[1] == 's');
    const size_t other = web_of(s, end + 2, &(const char *){NULL});
    const bool same = s->registers.number[web] == s->registers.number[other] &&
                      web_is_scalar(s, web) == web_is_scalar(s, other);
    return same == (end[0] == '=');
}

static unsigned failures(const struct scalar_case *c) {
    struct scalar s;
    struct text image = assemble(c->code);
    json_t *kernels = json_pack("[{ss}]", "thunk", "__lockstep_thunk_k");
    if (strstr(c->code, "__lockstep_thunk_j"))
        json_array_append_new(kernels, json_pack("{ss}", "thunk", "__lockstep_thunk_j"));
    unsigned failed = 0;
    scalar_find(&s, &image, kernels, c->rule);
    char *expected = strdup(c->expected), *rest = NULL;
    for (char *word = strtok_r(expected, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        if (holds(&s, word)) continue;
        print_error("%s: not %s\n%s\n", c->name, word, c->code);
        failed++;
    }
    free(expected);
    json_decref(kernels);
    scalar_free(&s);
    text_free(&image);
    return failed;
}

static void each_rule_decides(void **state) {
    (void)state;
    unsigned failed = 0;
    for (unsigned i = 0; i < scalar_case_count; i++) failed += failures(&scalar_cases[i]);
    assert_int_equal(failed, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(each_rule_decides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
