/* Verilog that drives, with faulty wrappers: test_rtl_drive.c is linked with a copy of a file that contains
 * one fault. Outputs of the Verilog are dropped, swapped or delayed, the wrong block drives, or differences
 * are not reported. The test must fail. Linked with the original files, it passes.
 * Needs: $(B)/tests/test_rtl_drive */
#include "tests/planted.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char twin[] = "tb/twins/twin.c", twins[] = "tb/twins/twins.c",
                  operands[] = "model/slots/contexts/tpm_ports.c",
                  front[] = "model/slots/front/select_first_ports.c",
                  arbiter[] = "model/slots/divergence/pc_ports.c", barriers[] = "model/unit/commit.c",
                  accesses[] = "model/slots/home/in_lane.c";

/* Code that stores an output, that lets it drive, and the order of a cycle. */
#define STORES "store((char *)out + p->offset, p->bytes, r->verilog[p->slot]);"
#define DRIVES                                                                                               \
    "    if (drive && !r->equal && !t->broken && !t->stopped) {\n        drive_outputs(t, r, out);\n"        \
    "        drive_arrays(t, r, out);\n    }"
#define SETTLES           "t->stopped = t->library.settle(t->instance, in);"
#define WIDENS            "        widen_model(t, r);\n        twin_read(t, r->verilog);\n        first ="
#define CALLS(twin, eval) .text = "    " eval "\n    " twin, .instead = "    " twin "\n    " eval

static const struct planted_fault faults[] = {
    {twin, "all outputs are dropped", DRIVES, ""},
    {twin, "the first output is dropped", "if (p->output && !p->array) store",
     "if (p->output && !p->array && i != t->inputs) store"},
    {twin, "all outputs but the first are dropped", "if (p->output && !p->array) store",
     "if (p->output && !p->array && i == t->inputs) store"},
    {twin, "an output gets the value of the next", STORES,
     "store((char *)out + p->offset, p->bytes, r->verilog[p[1].output ? p[1].slot : p->slot]);"},
    {twin, "an output's value goes to the next", STORES,
     "store((char *)out + (p[1].output ? p[1].offset : p->offset), p->bytes, r->verilog[p->slot]);"},
    {twin, "all bits of outputs are inverted", STORES,
     "store((char *)out + p->offset, p->bytes, ~r->verilog[p->slot]);"},
    {twin, "outputs that are arrays are dropped", "        drive_arrays(t, r, out);\n", ""},
    {twin, "an element gets the value of the next",
     "store(elements + (size_t)n * p->bytes, p->bytes, r->verilog[p->slot + n]);",
     "store(elements + (size_t)n * p->bytes, p->bytes, r->verilog[p->slot + (n + 1) % p->elements]);"},
    {twin, "outputs are those from before the inputs came", WIDENS,
     "        widen_model(t, r);\n        first ="},
    {twin, "outputs are those of the cycle after", SETTLES,
     SETTLES " if (t->library.edge) t->library.edge(t->instance); " SETTLES},
    {twin, "outputs drive in every second cycle", DRIVES, "if (cycle % 2) {" DRIVES "}"},
    {twin, "only the first output is compared", "for (unsigned i = t->inputs; i < t->compared; ++i)",
     "for (unsigned i = t->inputs; i <= t->inputs; ++i)"},
    {twins, "no block drives", "|| (bound->mode == TWINS_DRIVE && twin_block_decides(b))", ""},
    {twins, "the next block's mode counts", "twin_cycle(twin, t, b->in, b->out, b->q, b->drives)",
     "twin_cycle(twin, t, b->in, b->out, b->q, b[1].drives)"},
    {twins, "every second cycle is left out", "if (__builtin_expect(s->twins->untimed == 0, 0))",
     "if (t % 2) return; if (__builtin_expect(s->twins->untimed == 0, 0))"},
    {twins, "a difference of what drives is forgotten", "report(s, block, different, NULL, &s->difference);",
     ";"},
    {twins, "a difference of what is checked is forgotten",
     "report(s, block, b->twin.broken || b->twin.stopped ? NULL : different, NULL, error_of(s));", ";"},
    {twins, "differences are not judged", "if (s->attached[k].difference.status != EXIT_SOUND)", "if (0)"},
    {.file = front,
     .what = "the scheduler's outputs come before the model's",
     CALLS("unit_run_twin(u, CLUSTER_BLOCK_SCHEDULER, t);", "warp_scheduler_eval(s);")},
    {.file = operands,
     .what = "the collector's outputs come before the model's",
     CALLS("unit_run_twin(u, CLUSTER_BLOCK_COLLECTOR, t);", "operand_collector_eval(o);")},
    {.file = operands,
     .what = "the write-back's outputs come before the model's",
     CALLS("unit_run_twin(u, CLUSTER_BLOCK_WRITEBACK, t);", "writeback_arbiter_eval(a);")},
    {operands, "who writes is what the model says",
     "        twins->registered(twins->context, CLUSTER_BLOCK_WRITEBACK);", "        ;"},
    {.file = arbiter,
     .what = "the arbiter's outputs come before the model's",
     CALLS("    unit_run_twin(u, CLUSTER_BLOCK_ARBITER, t);", "    warp_pc_arbiter_eval(a);")},
    {.file = barriers,
     .what = "the barrier table's outputs come before the model's",
     CALLS("unit_run_twin(u, CLUSTER_BLOCK_BARRIERS, t);", "barrier_table_eval(b);")},
    {.file = accesses,
     .what = "the address' outputs come before the model's",
     CALLS("unit_run_twin(u, CLUSTER_BLOCK_ADDRESS, t);", "tpo_address_eval(a);")},
};

static int begin(void **state) {
    (void)state;
    planted_begin("test_rtl_drive");
    return 0;
}

static int end(void **state) {
    (void)state;
    planted_end();
    return 0;
}

static void sound_wrappers_pass(void **state) {
    (void)state;
    for (unsigned n = 0; n < sizeof faults / sizeof faults[0]; ++n) {
        if (n && faults[n].file == faults[n - 1].file) continue;
        struct spawned s = planted_run(&(struct planted_fault){.file = faults[n].file});
        if (s.status) fail_msg("%s as it is: %s", faults[n].file, s.out);
        spawn_free(&s);
    }
}

/* The run ends without help: a test fails or an invariant does not hold. */
static void every_fault_is_found(void **state) {
    (void)state;
    unsigned missed = 0;
    for (unsigned n = 0; n < sizeof faults / sizeof faults[0]; ++n) {
        struct spawned s = planted_run(&faults[n]);
        const bool found = s.status && (strstr(s.out, "[  FAILED  ]") || strstr(s.out, "lockstep: "));
        if (!found) fprintf(stderr, "%s: %s: exit status %d\n", faults[n].file, faults[n].what, s.status);
        missed += !found;
        spawn_free(&s);
    }
    assert_int_equal(missed, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sound_wrappers_pass),
                                       cmocka_unit_test(every_fault_is_found)};
    return cmocka_run_group_tests(tests, begin, end);
}
