/* lane_scheduler: eligible and waiting warps, by hand; random inputs compared with the definition, group by
 * group. */
#include "model/control/lane_scheduler.h"
#include "tests/seed.h"

static struct lane_scheduler scheduler;

static void begin(unsigned warps, unsigned groups, bool bound) {
    lane_scheduler_init(&scheduler, &(struct lane_scheduler_config){warps, groups, bound});
    scheduler.in.sp_room = scheduler.in.sfu_room = scheduler.in.ldst_room = scheduler.in.registers =
        (1u << groups) - 1;
}

static void expect(uint64_t eligible, uint32_t groups, uint32_t conflicts) {
    lane_scheduler_eval(&scheduler);
    assert_int_equal(scheduler.out.eligible, eligible);
    assert_int_equal(scheduler.out.groups, groups);
    assert_int_equal(scheduler.out.conflicts, conflicts);
}

/* Warps 0, 8 and 16 are in group 0, 3 in group 3. */
static void warps_are_bound_to_groups(void **state) {
    (void)state;
    begin(32, 8, true);
    expect(0, 0, 0);
    scheduler.in.sp = 0x010101;
    expect(0x010101, 0x01, 0); /* one group: no warp waits */
    scheduler.in.ldst = 0x8;
    expect(0x010109, 0x09, 1);
    scheduler.in.registers = 0xfe; /* group 0 has still to read */
    expect(0x8, 0x08, 0);
    scheduler.in.ldst_room = 0xf7; /* no collector of group 3 */
    expect(0, 0, 0);
    scheduler.in.sfu = 0x8; /* for the special function unit only */
    expect(0x8, 0x08, 0);
    scheduler.in.sp = 0xfe;
    expect(0xfe, 0xfe, 3); /* six wait */
    scheduler.in.sp = 0x1e;
    expect(0x1e, 0x1e, 3); /* three */
    scheduler.in.sp = 0x0e;
    expect(0x0e, 0x0e, 2);
}

static void unbound_warps_go_to_any_group(void **state) {
    (void)state;
    begin(32, 8, false);
    scheduler.in.sp = 0x0101;
    expect(0x0101, 0xff, 1); /* two warps: one waits */
    scheduler.in.sp_room = 0x80;
    expect(0x0101, 0x80, 0); /* for one group, which no other warp could use */
    scheduler.in.registers = 0x7f;
    expect(0, 0, 0);
    scheduler.in.ldst = 0x2;
    expect(0x2, 0x7f, 0);
}

static bool is_eligible(unsigned w, bool bound, unsigned groups) {
    const struct lane_scheduler_in *in = &scheduler.in;
    for (unsigned l = 0; l < groups; ++l) {
        if ((bound && w % groups != l) || !(in->registers >> l & 1)) continue;
        if ((in->sp >> w & 1 && in->sp_room >> l & 1) || (in->sfu >> w & 1 && in->sfu_room >> l & 1) ||
            (in->ldst >> w & 1 && in->ldst_room >> l & 1))
            return true;
    }
    return false;
}

static void random_inputs(void **state) {
    (void)state;
    struct seed s = seed_start();
    for (unsigned n = 0; n < 20000; ++n) {
        const unsigned warps = 1 + seed_below(&s, 64), groups = 1 + seed_below(&s, 16);
        const uint64_t all = warps == 64 ? ~UINT64_C(0) : (UINT64_C(1) << warps) - 1;
        const uint32_t every = (1u << groups) - 1;
        begin(warps, groups, seed_below(&s, 2));
        scheduler.in = (struct lane_scheduler_in){seed_next(&s) & all & seed_next(&s),
                                                  seed_next(&s) & all & seed_next(&s),
                                                  seed_next(&s) & all,
                                                  (uint32_t)seed_next(&s) & every,
                                                  (uint32_t)seed_next(&s) & every,
                                                  (uint32_t)seed_next(&s) & every,
                                                  (uint32_t)seed_next(&s) & every};
        uint64_t eligible = 0;
        uint32_t asked = 0;
        for (unsigned w = 0; w < warps; ++w)
            if (is_eligible(w, scheduler.cfg.bound, groups)) {
                eligible |= UINT64_C(1) << w;
                asked |= 1u << w % groups;
            }
        lane_scheduler_eval(&scheduler);
        assert_int_equal(scheduler.out.eligible, eligible);
        if (!scheduler.cfg.bound) continue;
        const int waiting = __builtin_popcount(asked) - 1;
        assert_int_equal(scheduler.out.groups, asked);
        assert_int_equal(scheduler.out.conflicts, waiting < 0 ? 0 : waiting > 3 ? 3 : waiting);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warps_are_bound_to_groups),
        cmocka_unit_test(unbound_warps_go_to_any_group),
        cmocka_unit_test(random_inputs),
    };
    return cmocka_run_group_tests_name("lane_scheduler", tests, NULL, NULL);
}
