/* SIMT launches of the whole machine with foreign start-up code: incomplete start-up code is a fault, never a
 * launch that succeeds. */
#include "model/machine/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#define TEXT          MEMORY_CODE_BASE
#define TO_TPM        0xee060711u /* mcr p7, 0, r0, c6, c1, 0 */
#define NEXT_GROUP    0xee170710u /* mrc p7, 0, r0, c7, c0, 0 */
#define ENTER_SIMT    0xee060710u /* mcr p7, 0, r0, c6, c0, 0 */
#define WFI           0xe320f003u
#define THREAD_EXIT   0xee040711u /* mcr p7, 0, r0, c4, c1, 0 */
#define START_CONTEXT 0xec410751u /* mcrr p7, 5, r0, r1, c1 */
#define MOV_R0_TEXT   0xe3a00801u /* mov r0, #0x10000 */
#define SET_PC        0xee050710u /* mcr p7, 0, r0, c5, c0, 0 */
#define NOTHING       0xe3a00000u /* mov r0, #0 */
#define SET_CONTEXT   0xee050750u /* mcr p7, 0, r0, c5, c0, 2 */

/* One work-group of one work-item on one lane; the kernel is the first instruction. */
static void launch(const uint32_t *startup, unsigned words, bool sound, const char *says) {
    struct machine_config config;
    struct machine_result result;
    struct error error = {0};
    uint32_t text[32] = {THREAD_EXIT};
    memcpy(text + 1, startup, words * sizeof *text);
    config_defaults(&machine_config_table, &config);
    config.cluster.lanes = 1;
    config.cluster.threads_per_lane = 32;
    struct machine_code code = {
        .text_base = TEXT, .text_bytes = sizeof text, .text = (const uint8_t *)text, .startup = TEXT + 4};
    struct machine_launch l = {.kernel = "test",
                               .code = &code,
                               .thunk = TEXT,
                               .work_dim = 1,
                               .global_size = {1, 1, 1},
                               .local_size = {1, 1, 1}};
    machine_decode(&code);
    struct machine *m = machine_create(&config, &error);
    assert_non_null(m);
    memory_add(machine_memory(m), MEMORY_CODE, TEXT, sizeof text, (uint8_t *)text, false, "program");
    assert_int_equal(machine_run(m, &l, &result, &error), sound);
    assert_int_equal(error.status, sound ? EXIT_SOUND : EXIT_PROGRAM_FAULT);
    if (!sound && !strstr(error.message, says)) fail_msg("'%s' is not in: %s", says, error.message);
    machine_destroy(m);
    machine_code_free(&code);
}
#define LAUNCH(sound, says, ...)                                                                             \
    launch((const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4, sound, says)

static void a_thread_runs(void **state) {
    (void)state;
    LAUNCH(true, "", TO_TPM, NEXT_GROUP, MOV_R0_TEXT, SET_PC, NOTHING, SET_CONTEXT, START_CONTEXT, ENTER_SIMT,
           WFI);
}

static void simt_mode_without_a_thread_is_a_fault(void **state) {
    (void)state;
    LAUNCH(false, "core 0 enters SIMT mode, but no thread has been started", TO_TPM, NEXT_GROUP, ENTER_SIMT,
           WFI);
    LAUNCH(false, "core 0 enters SIMT mode without a work-group", TO_TPM, ENTER_SIMT, WFI);
}

static void a_context_that_cannot_start_is_a_fault(void **state) {
    (void)state;
    LAUNCH(false, "core 0 starts context 0 of 32: it runs already", TO_TPM, NEXT_GROUP, MOV_R0_TEXT, SET_PC,
           NOTHING, SET_CONTEXT, START_CONTEXT, SET_CONTEXT, START_CONTEXT, ENTER_SIMT, WFI);
    LAUNCH(false, "core 0 starts context 65536 of 32: there are no more", TO_TPM, NEXT_GROUP, MOV_R0_TEXT,
           SET_PC, SET_CONTEXT, START_CONTEXT, ENTER_SIMT, WFI);
}

static void work_that_is_left_is_a_fault(void **state) {
    (void)state;
    LAUNCH(false, "kernel 'test': its start-up code has ended after 0 of 1 work-groups", TO_TPM, NEXT_GROUP,
           WFI);
    LAUNCH(false, "kernel 'test': its start-up code has ended after 0 of 1 work-groups", WFI);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_runs),
        cmocka_unit_test(simt_mode_without_a_thread_is_a_fault),
        cmocka_unit_test(a_context_that_cannot_start_is_a_fault),
        cmocka_unit_test(work_that_is_left_is_a_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
