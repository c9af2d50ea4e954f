/* commit: faults in the commit checker: exclusive stores, kinds of commits, rewinds and DPI.
 * test_commit_kinds.c is linked with a copy of a file of the checker that contains one fault, and must fail.
 * With the original files it passes.
 * Needs: $(B)/tests/test_commit_kinds */
#include "tests/planted.h"

static const char execute[] = "library/commit_execute.c", history[] = "library/commit_history.c",
                  dpi[] = "library/commit_dpi.c";

static const struct planted_fault faults[] = {
    /* exclusive accesses */
    {execute, "an exclusive store needs no load",
     "if (host && (!u->reserved[k].valid || u->reserved[k].address != x->address[k]))", "if (0)"},
    {execute, "an exclusive store may be elsewhere than the load",
     "!u->reserved[k].valid || u->reserved[k].address != x->address[k]", "!u->reserved[k].valid"},
    {execute, "a load serves two exclusive stores", "u->reserved[__builtin_ctzll(rest)].valid = false;", ";"},
    {execute, "an exclusive store that fails in the design stores", "fails |= UINT64_C(1) << k;", ";"},
    /* order */
    {execute, "a batch is taken from its end",
     "for (const struct lockstep_committed *d = committed; d < committed + count; ++d) {",
     "for (const struct lockstep_committed *d = committed + count; d-- > committed;) {"},
    {execute, "a branch goes on behind itself", "    if (!i->writes_pc) return;\n", "    return;\n"},
    {execute, "threads whose branch did not pass branch", "spread(passed, u->threads.positions, &branched);",
     "branched = *mask;"},
    {execute, "a thread that has ended is live", "    u->live &= ~ended;\n", ""},
    /* loads and skips whose values the design knows */
    {execute, "LOADED takes no values", "return take_values(c, u, d, x.passed);", "return true;"},
    {execute, "LOADED is a kind of every instruction", "        if (!i->is_load)\n            return",
     "        if (0)\n            return"},
    {execute, "SKIPPED takes no values", "    take_values(c, u, d, d->passed);\n    advance", "    advance"},
    {execute, "SKIPPED takes values of threads that did not pass",
     "    take_values(c, u, d, d->passed);\n    advance", "    take_values(c, u, d, d->mask);\n    advance"},
    {execute, "SKIPPED stays at its PC", "    advance(u, i, lanes, 0);\n    return true;",
     "    return true;"},
    {execute, "SKIPPED moves all threads", "    advance(u, i, lanes, 0);\n    return true;",
     "    advance(u, i, &(struct lanes){{[0 ... 63] = ~0u}}, 0);\n    return true;"},
    {execute, "branches can be skipped", "if (!i || i->writes_pc || i->is_wait)", "if (!i)"},
    {execute, "SKIPPED executes, too", "    take_values(c, u, d, d->passed);\n    advance",
     "    struct arm_execution x;\n    arm_execute(i, &u->threads, d->mask, &x);\n    "
     "take_values(c, u, d, d->passed);\n    advance"},
    {execute, "SKIPPED takes no flags", "            if (n == LOCKSTEP_NZCV)\n",
     "            if (n == LOCKSTEP_NZCV && d->kind == LOCKSTEP_SKIPPED) continue;\n"
     "            if (n == LOCKSTEP_NZCV)\n"},
    {execute, "taken values are those of the first destination",
     "rest &= rest - 1, values += c->threads) {\n        const unsigned n = "
     "(unsigned)__builtin_ctzll(rest);\n"
     "        for",
     "rest &= rest - 1) {\n        const unsigned n = (unsigned)__builtin_ctzll(rest);\n        for"},
    /* squashes and batches */
    {execute, "values of a squash are not compared",
     "return !d->destinations || compare_values(c, u, d, pc, lanes);", "return true;"},
    {execute, "a squash is an instruction longer", "if (n + 1 == d->instructions) break;",
     "if (n == d->instructions) break;"},
    {execute, "a squash may part the threads", "        if (parted)\n", "        if (0)\n"},
    {execute, "a squash is counted as one", "        c->commits++;\n    }\n    return !d->destinations",
     "    }\n    return !d->destinations"},
    {execute, "a squash reads what only the design knows",
     "    if (d->instructions > 1)\n        return face", "    if (0)\n        return face"},
    {execute, "a batch ends after its first commit",
     "        if (!same) return false;\n        c->commits++;",
     "        if (!same) return false;\n        c->commits++;\n        break;"},
    {execute, "a commit that differs is counted", "        if (!same) return false;\n        c->commits++;",
     "        c->commits++;\n        if (!same) return false;"},
    {execute, "a batch goes on after a difference", "        if (!same) return false;\n        c->commits++;",
     "        c->failed = false;\n        c->commits++;"},
    /* going back */
    {history, "the PC is not undone", "commit_row(u, ROW_PC)[__builtin_ctzll(rest)] = r->pc;", ";"},
    {history, "memory is not undone", "if (r->stored_bytes) restore_memory(c, u, r);", ""},
    {history, "the design's memory is not undone",
     "    for (uint64_t rest = r->passed; rest; rest &= rest - 1)\n"
     "        put_back(c, u, address[__builtin_ctzll(rest)], r->stored_bytes);\n",
     ""},
    {history, "threads that have ended stay so", "    u->live |= r->ended;\n", ""},
    {history, "work-items stay ended", "    c->items_left += r->done;\n", ""},
    {history, "a difference stays", "    c->failed = false;\n    return n;", "    return n;"},
    /* DPI */
    {dpi, "values of the next commit keep their registers",
     "t->destinations = t->data = t->has_addresses = 0;", "t->data = t->has_addresses = 0;"},
    {dpi, "addresses are not told", ".addresses = t->has_addresses ? t->addresses : NULL,",
     ".addresses = NULL,"},
    {dpi, "data are not told", ".data = t->data ? t->words : NULL};", ".data = NULL};"},
    {dpi, "all pass", ".passed = passed,", ".passed = mask,"},
};

int main(void) {
    return planted_main("test_commit_kinds", faults, sizeof faults / sizeof faults[0]);
}
