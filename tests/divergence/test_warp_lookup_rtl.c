/* warp_lookup: the Verilog beside the C model, with random inputs at several sizes; changes of it are seen.
 * LOCKSTEP_LONG=1: 10 million cycles of each size. */
#include "generated/warp_lookup_ports.h"
#include "model/divergence/warp_lookup.h"
#include "tb/twin.h"
#include "tests/seed.h"
#include "tests/spawn.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_LANES = 32, MOST_ENTRIES = 16 };

struct size {
    unsigned lanes, entries, groups, rows, renews;
};

/* The model with the ports of the Verilog. */
static struct {
    struct size size;
    struct warp_lookup lookup;
    struct warp_lookup_in in;
    struct warp_lookup_out out;
    struct warp_lookup_state q;
    uint32_t rows[MOST_LANES], rows_out[MOST_LANES]; /* of in, out */
    uint32_t pc[MOST_ENTRIES], group[MOST_ENTRIES], mask[MOST_ENTRIES], age[MOST_ENTRIES],
        row[MOST_ENTRIES * MOST_LANES]; /* of q */
    struct warp_lookup next;
    uint64_t joined, refused; /* cycles in which threads did, were */
} bench;

/* The slot of an entry in the Verilog: where it is does not matter to the model, so that the bench keeps it
 * in a lane that no size has. */
#define SLOT issued[REGROUPED_MAX_LANES - 1]
_Static_assert(MOST_LANES < REGROUPED_MAX_LANES, "the last lane is free");

/* Free slots keep what they had, but for their lanes. */
static void show(void) {
    const struct warp_lookup *l = &bench.lookup;
    memset(bench.mask, 0, sizeof bench.mask);
    memset(bench.age, 0, sizeof bench.age);
    for (unsigned n = 0; n < l->count; ++n) {
        const struct regrouped_warp *w = &l->entry[n].warp;
        const unsigned slot = (unsigned)l->entry[n].SLOT;
        bench.pc[slot] = w->pc;
        bench.group[slot] = w->group;
        bench.mask[slot] = (uint32_t)w->valid;
        for (unsigned later = n + 1; later < l->count; ++later) bench.age[slot] |= 1u << l->entry[later].SLOT;
        for (unsigned k = 0; k < bench.size.lanes; ++k)
            if (w->valid >> k & 1) bench.row[slot * bench.size.lanes + k] = w->row[k];
    }
    bench.q = (struct warp_lookup_state){bench.pc, bench.group, bench.mask, bench.row, bench.age, l->count};
}

static uint64_t first_free_slot(const struct warp_lookup *l, unsigned entries) {
    uint64_t used = 0;
    for (unsigned n = 0; n < entries; ++n) used |= 1ull << l->entry[n].SLOT;
    return (uint64_t)__builtin_ctzll(~used);
}

static void evaluate(void) {
    const struct warp_lookup_in *in = &bench.in;
    struct issued_warp w = {.warp = {.pc = in->come_pc, .group = in->come_group, .valid = in->come}};
    for (unsigned k = 0; k < bench.size.lanes; ++k) w.warp.row[k] = (uint16_t)bench.rows[k];
    bench.next = bench.lookup;
    for (unsigned n = 0; in->leave && n < bench.lookup.count; ++n)
        if (bench.lookup.entry[n].SLOT == in->leave_entry) warp_lookup_take(&bench.next, n);
    const uint64_t left = warp_lookup_merge(&bench.next, &w, in->come);
    const bool room = !left || warp_lookup_insert(&bench.next, &w, left);
    if (left && room)
        bench.next.entry[bench.next.count - 1].SLOT = first_free_slot(&bench.next, bench.next.count - 1);
    bench.out = (struct warp_lookup_out){
        .pc = bench.pc[in->leave_entry],
        .group = bench.group[in->leave_entry],
        .mask = bench.mask[in->leave_entry],
        .rows = bench.rows_out,
        .oldest = bench.lookup.count ? (uint32_t)bench.lookup.entry[0].SLOT : 0,
        .count = bench.lookup.count,
        .full = bench.lookup.count == bench.size.entries,
        .joined = in->come & ~(uint32_t)left,
        .bypass = room ? 0 : (uint32_t)left,
    };
    memcpy(bench.rows_out, &bench.row[in->leave_entry * bench.size.lanes], sizeof bench.rows_out);
}

static void clear(void) {
    warp_lookup_init(&bench.lookup, bench.size.entries, bench.size.renews);
    memset(bench.pc, 0, sizeof bench.pc);
    memset(bench.group, 0, sizeof bench.group);
    memset(bench.row, 0, sizeof bench.row);
    show();
}

static void begin(const struct size *size) {
    memset(&bench, 0, sizeof bench);
    bench.size = *size;
    bench.in.rows = bench.rows;
    clear();
}

/* The inputs of a cycle; true: there was a reset before. */
static bool drive(struct seed *s) {
    const struct size *z = &bench.size;
    const uint32_t all = ~0u >> (32 - z->lanes);
    const bool resets = seed_below(s, 1024) == 0;
    if (resets) {
        clear();
    }
    bench.in.leave = bench.lookup.count && seed_below(s, 4) == 0;
    bench.in.leave_entry = seed_below(s, z->entries);
    if (bench.in.leave)
        bench.in.leave_entry = (uint32_t)bench.lookup.entry[seed_below(s, bench.lookup.count)].SLOT;
    bench.in.come =
        seed_below(s, 3) ? (uint32_t)(seed_next(s) & (seed_below(s, 2) ? seed_next(s) : ~0ull)) & all : 0;
    bench.in.come_pc = 0x100 + 4 * seed_below(s, 3);
    bench.in.come_group = seed_below(s, z->groups < 2 ? z->groups : 2);
    for (unsigned k = 0; k < z->lanes; ++k) bench.rows[k] = seed_below(s, z->rows);
    evaluate();
    return resets;
}

#define SIGNAL(kind, part, name, type, array) {#name, kind, offsetof(struct part, name), sizeof(type), array},
static const struct twin_signal signals[] = {WARP_LOOKUP_SIGNALS(SIGNAL)};
static const struct twin_block block = {
    .slot = CLUSTER_BLOCK_COUNT,
    .name = "warp_lookup",
    .module = "warp_lookup",
    .signal = signals,
    .count = sizeof signals / sizeof signals[0],
};

/* The cycle in which model and Verilog differ; `cycles`: none. */
static uint64_t differs(const char *path, const struct size *z, uint64_t cycles, struct seed *seed) {
    static struct twin twin;
    struct error e = {0};
    const struct verilog_setting settings[] = {{"LANES", z->lanes},
                                               {"SLOTS", z->entries},
                                               {"GROUPS", z->groups},
                                               {"REGISTER_ROWS", z->rows},
                                               {"RENEWS", z->renews}};
    begin(z);
    if (!twin_init(&twin, &block, path, settings, 5, &e)) fail_msg("%s", e.message);
    uint64_t n = 0;
    for (; n < cycles; ++n) {
        if (drive(seed)) twin_reset(&twin);
        const struct twin_port *p = twin_cycle(&twin, n, &bench.in, &bench.out, &bench.q, false);
        if (p) {
            const struct twin_difference d = twin_difference(&twin, p);
            print_message("%u lanes, %u entries, cycle %" PRIu64 ": %s, element %u is %" PRIx64
                          ", in the Verilog %" PRIx64 "\n",
                          z->lanes, z->entries, n, p->signal->name, d.element, d.model, d.verilog);
            break;
        }
        bench.joined += bench.out.joined != 0;
        bench.refused += bench.out.bypass != 0;
        bench.lookup = bench.next;
        show();
    }
    twin_free(&twin);
    return n;
}

static void model_and_verilog_agree(void **state) {
    (void)state;
    static const struct size sizes[] = {
        {16, 8, 8, 64, 1}, {16, 8, 8, 64, 0}, {1, 1, 1, 2, 1}, {5, 3, 2, 7, 1}, {32, 16, 64, 1024, 1}};
    struct seed seed = seed_start();
    const char *l = getenv("LOCKSTEP_LONG");
    const uint64_t cycles = l && *l && strcmp(l, "0") != 0 ? 10000000 : 30000;
    char *path = spawn_text("%s/rtl/divergence/warp_lookup.sv", spawn_source());
    for (unsigned n = 0; n < sizeof sizes / sizeof sizes[0]; ++n) {
        assert_int_equal(differs(path, &sizes[n], cycles, &seed), cycles);
        assert_true(bench.refused > 100);
        assert_true(sizes[n].lanes == 1 || bench.joined > 100);
    }
    free(path);
}

/* Each of these changes of the Verilog must be seen. */
static void changes_of_the_verilog_are_seen(void **state) {
    (void)state;
    static const char *const changes[][2] = {
        {" &&\n                   group_q[n*GROUP_BITS +: GROUP_BITS] == come_group_i", ""},
        {" && !mask_q[n*MASK_BITS+k]", ""},
        {" && elder == '0", ""},
        {"RENEWS != 0 && ", "RENEWS == 0 && "},
        {"!full_o || leave_i", "!full_o"},
        {"renewed[n] == renewed[t] ? age_q[n*AGE_BITS+t] : ", ""},
        {"left != '0 && !remains[n]", "left != '0 && mask_q[n*MASK_BITS +: MASK_BITS] == '0"},
    };
    static const struct size small = {4, 3, 2, 8, 1};
    struct seed seed = seed_start();
    char *folder = spawn_folder(), *own = spawn_text("%s/rtl/divergence/warp_lookup.sv", spawn_source());
    char *text = spawn_read(own);
    for (unsigned n = 0; n < sizeof changes / sizeof changes[0]; ++n) {
        const char *at = strstr(text, changes[n][0]);
        assert_non_null(at);
        char *changed =
            spawn_text("%.*s%s%s", (int)(at - text), text, changes[n][1], at + strlen(changes[n][0]));
        char *path = spawn_text("%s/changed%u.sv", folder, n);
        spawn_write(path, changed);
        if (differs(path, &small, 100000, &seed) == 100000)
            fail_msg("'%s' for '%s' was not seen", changes[n][1], changes[n][0]);
        free(changed);
        free(path);
    }
    free(text);
    free(own);
    spawn_remove_folder(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_and_verilog_agree),
        cmocka_unit_test(changes_of_the_verilog_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
