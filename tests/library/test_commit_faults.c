/* commit: faults in the commit checker: comparisons, order, going back.
 * test_commit.c is linked with a copy of a file of the checker that contains one fault, and must fail.
 * With the original files it passes.
 * Needs: $(B)/tests/test_commit */
#include "tests/planted.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char checker[] = "library/commit.c", execute[] = "library/commit_execute.c",
                  history[] = "library/commit_history.c";

static const struct planted_fault faults[] = {
    /* PC and mask */
    {execute, "the PC is not compared", "if (LIKELY(!elsewhere)) return true;", "return true;"},
    {execute, "the PC of the first thread only is compared",
     "other_than(commit_row(u, ROW_PC), d->pc, lanes, c->threads);",
     "other_than(commit_row(u, ROW_PC), d->pc, lanes, 1);"},
    {execute, "the PC of threads outside the mask is compared",
     "differs |= (a[k] ^ value) & l->is[k]);\n    if (LIKELY(!differs)) return 0;\n    for (unsigned k = 0; "
     "k "
     "< threads; ++k) found |= (uint64_t)(((a[k] ^ value) & l->is[k]) != 0) << k;",
     "differs |= a[k] ^ value);\n    if (LIKELY(!differs)) return 0;\n    for (unsigned k = 0; k < threads; "
     "++k) found |= (uint64_t)((a[k] ^ value) != 0) << k;"},
    {execute, "threads that have ended commit", "    if (ended)\n", "    if (0)\n"},
    {execute, "the mask has threads that the warp does not have", "!d->mask || d->mask & ~commit_all(c) ||",
     "!d->mask ||"},
    {execute, "a mask without threads is taken", "if (!d->mask || d->mask", "if (d->mask"},
    {execute, "threads outside the mask may pass", " || d->passed & ~d->mask)", ")"},
    {execute, "the condition is not compared", "if (d->passed != x.passed) {", "if (0) {"},
    {execute, "a thread that passes and must not is not found", "if (d->passed != x.passed) {",
     "if (x.passed & ~d->passed) {"},
    {execute, "a thread that must pass and does not is not found", "if (d->passed != x.passed) {",
     "if (d->passed & ~x.passed) {"},
    /* destinations */
    {execute, "destinations are not compared", "if (LIKELY(told == must) || !passed) return true;",
     "return true;"},
    {execute, "a destination too many is not found", "if (LIKELY(told == must) || !passed) return true;",
     "if (!(must & ~told) || !passed) return true;"},
    {execute, "a destination too few is not found", "if (LIKELY(told == must) || !passed) return true;",
     "if (!(told & ~must) || !passed) return true;"},
    {execute, "destinations of instructions that did not pass are compared",
     "if (LIKELY(told == must) || !passed) return true;", "if (told == must) return true;"},
    {execute, "VFP registers are no destinations",
     "const uint64_t all = (UINT64_C(1) << ARM_REGISTERS) - 1, must = i->destinations & REGISTERS_MASK;",
     "const uint64_t all = 0xffff, must = i->destinations & 0x7fff;"},
    /* values */
    {execute, "values are not compared", "(!d->destinations || compare_values(c, u, d, d->pc, lanes));",
     "true;"},
    {execute, "the first value only is compared",
     "        const uint64_t differs = unequal(values, row, passed, c->threads);",
     "        rest &= -rest;\n        const uint64_t differs = unequal(values, row, passed, c->threads);"},
    {execute, "every value is compared with the first row",
     "        if (LIKELY(!differs)) continue;\n        const unsigned k",
     "        values -= c->threads;\n        if (LIKELY(!differs)) continue;\n        const unsigned k"},
    {execute, "values of the first 32 threads only are compared", "unequal(values, row, passed, c->threads);",
     "unequal(values, row, passed, c->threads < 32 ? c->threads : 32);"},
    {execute, "values of the last thread are not compared", "unequal(values, row, passed, c->threads);",
     "c->threads == 1 ? unequal(values, row, passed, 1) : unequal(values, row, passed, c->threads - 1);"},
    {execute, "values of threads that did not pass are compared",
     "(!d->destinations || compare_values(c, u, d, d->pc, lanes));",
     "(!d->destinations || compare_values(c, u, d, d->pc, &(struct lanes){{[0 ... 63] = ~0u}}));"},
    {execute, "the high halves of values are not compared",
     "EACH_THREAD(threads, differs |= (a[k] ^ b[k]) & l->is[k]);",
     "EACH_THREAD(threads, differs |= (a[k] ^ b[k]) & l->is[k] & 0xffff);"},
    {execute, "another thread is named", "found |= (uint64_t)(((a[k] ^ b[k]) & l->is[k]) != 0) << k;",
     "found |= (uint64_t)(((a[k] ^ b[k]) & l->is[k]) != 0) << (k ^ 1);"},
    {execute, "the overflow flag is not compared", "(c[k] & 1u << 29) | (v[k] >> 31) << 28);",
     "(c[k] & 1u << 29));"},
    {execute, "FPSCR is not compared", "        if (LIKELY(!differs)) continue;\n        const unsigned k",
     "        if (!differs || n == LOCKSTEP_FPSCR) continue;\n        const unsigned k"},
    {execute, "the flags are not compared",
     "        if (LIKELY(!differs)) continue;\n        const unsigned k",
     "        if (!differs || n == LOCKSTEP_NZCV) continue;\n        const unsigned k"},
    {execute, "VFP registers are not compared",
     "        if (LIKELY(!differs)) continue;\n        const unsigned k",
     "        if (!differs || (n >= 16 && n < 48)) continue;\n        const unsigned k"},
    {execute, "the difference's values are exchanged", "register_name(n), values[k], row[k], \"\"",
     "register_name(n), row[k], values[k], \"\""},
    /* memory */
    {execute, "addresses and data are not compared", "x.passed && !compare_access(c, u, d, i, &x, lanes))",
     "0)"},
    {execute, "addresses are not compared", "    if (differs) {\n", "    if (0) {\n"},
    {execute, "addresses of loads are not compared", "    if (differs) {\n",
     "    if (differs && i->is_store) {\n"},
    {execute, "addresses of threads that did not pass are compared",
     "unequal(d->addresses, x->address, passed, c->threads) : 0;",
     "unequal(d->addresses, x->address, &(struct lanes){{[0 ... 63] = ~0u}}, c->threads) : 0;"},
    {execute, "data are not compared", "if (!d->data || !i->is_store) return true;", "return true;"},
    {execute, "data of words are not compared", "if (LIKELY(word == d->data[k])) rest &=", "rest &="},
    {execute, "the first word of data only is compared", "for (unsigned at = 0; at < bytes; at += 4) {",
     "for (unsigned at = 0; at < bytes; at += bytes) {"},
    {execute, "bytes above a small store are compared",
     "        if (size < 4) told &= (1u << 8 * size) - 1;\n", ""},
    {execute, "the low byte of a small store only is compared", "told &= (1u << 8 * size) - 1;",
     "told &= 0xff, word &= 0xff;"},
    {execute, "data that a later thread overwrites are a difference",
     "if (told != word && !is_overwritten(x, k, bytes))", "if (told != word)"},
    {execute, "data of every thread but the last may differ",
     "if (x->address[__builtin_ctzll(rest)] - x->address[k] + bytes - 1 < 2 * bytes - 1) return true;",
     "return true;"},
    {execute, "an earlier thread overwrites, too", "x->stored & ~UINT64_C(0) << k & ~(UINT64_C(1) << k)",
     "x->stored & ~(UINT64_C(1) << k)"},
    {checker, "memory is not compared at the end",
     "if (!memcmp(design->host, reference->host, design->size_bytes)) return true;", "return true;"},
    {checker, "the last byte is not compared at the end",
     "reference->host, design->size_bytes)) return true;",
     "reference->host, design->size_bytes - 1)) return true;"},
    {checker, "the first buffer only is compared at the end",
     "            !compare_region(c, r, &c->shadow->region[real->order[n]]))\n            return false;",
     "            1)\n            return compare_region(c, r, &c->shadow->region[real->order[n]]);"},
    {checker, "a launch that has not ended is good",
     "    if (lockstep_checker_running(c))\n        return face", "    if (0)\n        return face"},
    /* order, work-groups, going back */
    {execute, "memory that has changed is not found", "if (host && u->reserved[k].value != value)", "if (0)"},
    {execute, "commits after a difference are taken", "        if (c->failed) return false;\n", ""},
    {execute, "a work-group may be taken twice", "if (!none && commit_bit(c->begun, answer))", "if (0)"},
    {execute, "a work-group may be too far", "if (!none && answer >= c->group_count)", "if (0)"},
    {execute, "a work-group may be left out", "for (uint64_t n = 0; none && n < c->group_count; ++n)",
     "for (uint64_t n = 0; 0;)"},
    {checker, "a work-item may be started twice",
     "if (commit_bit(c->begun, number * c->group_items + first_item + k))", "if (0)"},
    {history, "registers are not undone", "memcpy(commit_row(u, (unsigned)__builtin_ctzll(rows)), kept, ",
     "(void)(commit_row(u, (unsigned)__builtin_ctzll(rows)), kept, "},
    {history, "what the design has stored elsewhere stays", "    for (uint64_t rest = c->strayed; rest;",
     "    for (uint64_t rest = 0; rest;"},
    {history, "a work-group stays taken", "    if (r->taken) commit_take_back(c, r->taken - 1);\n", ""},
    {checker, "a work-group that is undone is not handed out again",
     "    commit_set_bit(c->handed, number, false);\n", ""},
};

static int begin(void **state) {
    (void)state;
    planted_begin("test_commit");
    return 0;
}

static int end(void **state) {
    (void)state;
    planted_end();
    return 0;
}

static void every_fault_is_found(void **state) {
    (void)state;
    assert_int_equal(planted_missed(faults, sizeof faults / sizeof faults[0]), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_fault_is_found)};
    return cmocka_run_group_tests(tests, begin, end);
}
