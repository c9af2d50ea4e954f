/* The Verilog of each block beside its C model: constrained random cycles at several sizes. LOCKSTEP_LONG=1:
 * 10 million cycles of each block and size, and more sizes. */
#include "tests/rtl_stimulus.h"
#include "tests/spawn.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct size {
    unsigned warps, warp_size, levels;
} sizes[] = {{16, 32, 8}, {1, 4, 1}, {64, 64, 16}, {5, 7, 3}, {2, 64, 2}, {64, 4, 9}};
#define FIRST_SIZES 3

static bool is_long(void) {
    const char *l = getenv("LOCKSTEP_LONG");
    return l && *l && strcmp(l, "0") != 0;
}

/* Of our Verilog, or of the file `source`. */
static void open_twin(struct twin *t, enum cluster_block b, const char *source, const struct size *size) {
    const struct verilog_setting settings[] = {
        {"WARPS", size->warps}, {"WARP_SIZE", size->warp_size}, {"LEVELS", size->levels}};
    struct error e = {0};
    char *own = spawn_text("%s/rtl/%s.sv", spawn_source(), twin_block[b].name);
    if (!twin_init(t, &twin_block[b], source ? source : own, settings, 3, &e)) fail_msg("%s", e.message);
    free(own);
}

static void say(const struct twin *t, const struct twin_port *p, const struct size *size) {
    const struct twin_record *r = twin_history(t, 0);
    print_error("%s, %u warps of %u, %u levels, cycle %" PRIu64 ": %s%s is %" PRIx64
                ", in the Verilog %" PRIx64 "\n",
                t->block->name, size->warps, size->warp_size, size->levels, r->cycle, p->signal->name,
                twin_suffix[p->signal->kind], r->model[p->slot], r->verilog[p->slot]);
}

static void agree(enum cluster_block b, uint64_t cycles) {
    static struct twin twin;
    static struct stimulus stimulus;
    struct seed seed = seed_start();
    const unsigned count = is_long() ? sizeof sizes / sizeof sizes[0] : FIRST_SIZES;
    for (unsigned n = 0; n < count; ++n) {
        stimulus_init(&stimulus, (struct seed){seed_next(&seed)}, sizes[n].warps, sizes[n].warp_size,
                      sizes[n].levels);
        open_twin(&twin, b, NULL, &sizes[n]);
        for (uint64_t cycle = 0; cycle < cycles; ++cycle) {
            const struct twin_port *different = stimulus_cycle(&stimulus, &twin, cycle);
            if (!different) continue;
            say(&twin, different, &sizes[n]);
            fail();
        }
        assert_int_equal(twin.comparisons, cycles);
        assert_int_equal(twin.mismatches, 0);
        twin_free(&twin);
    }
}

static uint64_t cycles(void) {
    return is_long() ? 10000000 : 200000;
}

static void the_scheduler_agrees(void **state) {
    (void)state;
    agree(CLUSTER_BLOCK_SCHEDULER, cycles());
}

static void the_arbiter_agrees(void **state) {
    (void)state;
    agree(CLUSTER_BLOCK_ARBITER, cycles());
}

static void the_barrier_table_agrees(void **state) {
    (void)state;
    agree(CLUSTER_BLOCK_BARRIERS, cycles());
}

/* Each of these changes of our Verilog must be seen. */
static void changes_of_the_verilog_are_seen(void **state) {
    (void)state;
    static const struct {
        enum cluster_block block;
        const char *from, *to;
    } changes[] = {
        {CLUSTER_BLOCK_SCHEDULER, "w > 32'(last_q)", "w >= 32'(last_q)"},
        {CLUSTER_BLOCK_ARBITER, "&& wtid_o != '0 &&", "&&"},
        {CLUSTER_BLOCK_BARRIERS, "release_q <= opens_o;", "release_q <= 1'b0;"},
        {CLUSTER_BLOCK_BARRIERS, "all_wait && !mixed_d", "all_wait"},
    };
    static struct twin twin;
    static struct stimulus stimulus;
    struct seed seed = seed_start();
    char *folder = spawn_folder();
    for (unsigned n = 0; n < sizeof changes / sizeof changes[0]; ++n) {
        char *own = spawn_text("%s/rtl/%s.sv", spawn_source(), twin_block[changes[n].block].name);
        char *text = spawn_read(own), *at = strstr(text, changes[n].from);
        assert_non_null(at);
        *at = '\0';
        char *changed = spawn_text("%s%s%s", text, changes[n].to, at + strlen(changes[n].from));
        char *path = spawn_text("%s/changed%u.sv", folder, n);
        spawn_write(path, changed);
        stimulus_init(&stimulus, (struct seed){seed_next(&seed)}, 16, 32, 8);
        open_twin(&twin, changes[n].block, path, &sizes[0]);
        uint64_t cycle = 0;
        while (cycle < 100000 && !stimulus_cycle(&stimulus, &twin, cycle)) ++cycle;
        print_message("%s for %s: seen in cycle %" PRIu64 "\n", changes[n].to, changes[n].from, cycle);
        assert_true(cycle < 100000);
        assert_int_equal(twin.mismatches, 1);
        twin_free(&twin);
        free(own);
        free(text);
        free(changed);
        free(path);
    }
    spawn_remove_folder(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scheduler_agrees),
        cmocka_unit_test(the_arbiter_agrees),
        cmocka_unit_test(the_barrier_table_agrees),
        cmocka_unit_test(changes_of_the_verilog_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
