/* scripts/formal proves our Verilog (the quick way), and refuses broken copies of it. */
#include "tests/spawn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct spawned formal(const char *options) {
    char *line =
        spawn_text("B='%s' '%s/scripts/formal' --quick %s 2>&1", spawn_build(), spawn_source(), options);
    struct spawned s = spawn("/tmp", (char *[]){"sh", "-c", line, NULL});
    free(line);
    return s;
}

static void our_verilog_is_proved(void **state) {
    (void)state;
    struct spawned s = formal("warp_scheduler greedy_oldest_scheduler warp_pc_arbiter barrier_table");
    if (s.status != 0) fail_msg("%s", s.out);
    assert_non_null(strstr(s.out, "8 proved, 0 bounded, 0 failed, 0 vacuous or in error"));
    spawn_free(&s);
}

/* A block with `to` for `from`: exit status 1, and `part` is printed. */
static void assert_block_fails(const char *how, const char *block, const char *from, const char *to,
                               const char *part) {
    char *own = spawn_text("%s/rtl/%s.sv", spawn_source(), block), *text = spawn_read(own);
    char *at = text ? strstr(text, from) : NULL;
    assert_non_null(at);
    *at = '\0';
    char *changed = spawn_text("%s%s%s", text, to, at + strlen(from)), *folder = spawn_folder();
    char *path = spawn_text("%s/%s.sv", folder, block),
         *options = spawn_text("%s --rtl '%s' %s", how, folder, block);
    spawn_write(path, changed);
    struct spawned s = formal(options);
    if (!strstr(s.out, part)) fail_msg("'%s' is not in:\n%s", part, s.out);
    assert_int_equal(s.status, 1);
    spawn_free(&s);
    spawn_remove_folder(folder);
    free(own);
    free(text);
    free(changed);
    free(path);
    free(options);
}

static void assert_block_refused(const char *block, const char *from, const char *to, const char *part) {
    assert_block_fails("", block, from, to, part);
}

static void assert_refused(const char *from, const char *to, const char *part) {
    assert_block_refused("warp_scheduler", from, to, part);
}

static void an_operand_of_another_row_is_refused(void **state) {
    (void)state;
    assert_block_refused("srf_rename", "scalar1_o = read_map[32'(read_row1_i)",
                         "scalar1_o = read_map[32'(read_row0_i)", "FAILED: reads_the_map");
}

static void an_unfair_scheduler_is_refused(void **state) {
    (void)state;
    assert_refused("WARPS'(2) << last_q", "WARPS'(1) << last_q", "FAILED: ");
}

static void a_scheduler_that_never_grants_makes_properties_vacuous(void **state) {
    (void)state;
    assert_refused("take_i && ready_i != '0;", "1'b0;", "VACUOUS: ");
}

static void verilog_that_cannot_be_read_is_an_error(void **state) {
    (void)state;
    assert_refused("assign valid_o", "assigned valid_o", "ERROR: ");
}

/* A search for a counterexample: a broken copy's property and cycle. A sound block is not reported
 * as proved. */
static void a_broken_block_is_refuted(void **state) {
    (void)state;
    assert_block_fails("--refute", "warp_scheduler", "WARPS'(2) << last_q", "WARPS'(1) << last_q",
                       ", in cycle ");
    /* Without flip-flops, the property fails for some inputs. */
    assert_block_fails("--refute", "first_ready_arbiter", "pc_i[k*PC_BITS +: PC_BITS] == pc_o",
                       "pc_i[k*PC_BITS +: PC_BITS] != pc_o", ", in cycle 0");
    struct spawned s = formal("--refute warp_scheduler");
    if (s.status != 0) fail_msg("%s", s.out);
    assert_non_null(strstr(s.out, "not refuted"));
    assert_non_null(strstr(s.out, "0 proved, 0 bounded, 0 failed"));
    spawn_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(our_verilog_is_proved),
        cmocka_unit_test(a_broken_block_is_refuted),
        cmocka_unit_test(an_operand_of_another_row_is_refused),
        cmocka_unit_test(an_unfair_scheduler_is_refused),
        cmocka_unit_test(a_scheduler_that_never_grants_makes_properties_vacuous),
        cmocka_unit_test(verilog_that_cannot_be_read_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
