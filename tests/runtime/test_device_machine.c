/* Parts of the device library that only the machine can run (work-item functions, barriers, atomics, copies
 * by a work-group). Kernels of tests/device/machine.cl run on machines with both lane maps and several
 * widths.
 * Needs: $(DEVICE_TEST)/machine.img */
#include "model/cluster/cluster.h"
#include "model/machine/machine.h"
#include "runtime/image.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum {
    ARGUMENTS = MEMORY_LOCAL_BASE - 0x1000,
    BUFFER = MEMORY_BUFFER_BASE,
    BUFFER_WORDS = 1 << 16,
    IDS = 32
};

static struct image *image;
static struct machine_code code;
static uint8_t arguments[256];
static uint32_t buffer[BUFFER_WORDS];

static const char *const widths[][4] = {
    {"simt.lane_map=block"},
    {"simt.lane_map=cyclic"},
    {"simt.lane_map=block", "cluster.lanes=8", "simt.warp_size=16"},
    {"simt.lane_map=cyclic", "cluster.lanes=2", "simt.warp_size=32"},
};
enum { WIDTHS = sizeof widths / sizeof *widths };

static struct machine *make_machine(unsigned width) {
    struct machine_config config;
    struct error e = {0};
    config_defaults(&machine_config_table, &config);
    for (unsigned i = 0; i < 4 && widths[width][i]; i++)
        if (!config_set(&machine_config_table, &config, widths[width][i], &e)) fail_msg("%s", e.message);
    struct machine *m = machine_create(&config, &e);
    if (!m) fail_msg("%s", e.message);
    memory_add(machine_memory(m), MEMORY_CODE, image->code_base, image->code_bytes, image->code, false,
               "program");
    memory_add(machine_memory(m), MEMORY_LAUNCH, ARGUMENTS, sizeof arguments, arguments, false, "arguments");
    memory_add(machine_memory(m), MEMORY_BUFFER, BUFFER, sizeof buffer, (uint8_t *)buffer, true, "buffer");
    memset(buffer, 0, sizeof buffer);
    return m;
}

static void launch(struct machine *m, const char *name, const uint32_t global[3], const uint32_t local[3],
                   const uint32_t offset[3], uint32_t local_bytes) {
    const struct image_kernel *k = image_find(image, name);
    assert_non_null(k);
    struct machine_launch l = {.kernel = name,
                               .code = &code,
                               .thunk = k->thunk,
                               .argument_block = ARGUMENTS,
                               .work_dim = 3,
                               .local_bytes = image->local_bytes + local_bytes};
    memcpy(l.global_size, global, sizeof l.global_size);
    memcpy(l.local_size, local, sizeof l.local_size);
    memcpy(l.global_offset, offset, sizeof l.global_offset);
    struct machine_result r;
    struct error e = {0};
    if (!machine_run(m, &l, &r, &e)) fail_msg("%s: %s", name, e.message);
}

static void set_arguments(uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t words[3] = {a, b, c};
    memcpy(arguments, words, sizeof words);
}

static void check_ids(const uint32_t global[3], const uint32_t local[3], const uint32_t offset[3]) {
    for (uint32_t w = 0; w < global[0] * global[1] * global[2]; w++) {
        const uint32_t at[3] = {w % global[0], w / global[0] % global[1], w / global[0] / global[1]};
        const uint32_t *o = &buffer[w * IDS];
        for (unsigned d = 0; d < 4; d++) {
            const bool real = d < 3;
            assert_int_equal(o[d], real ? at[d] % local[d] : 0);
            assert_int_equal(o[4 + d], real ? at[d] + offset[d] : 0);
            assert_int_equal(o[8 + d], real ? at[d] / local[d] : 0);
            assert_int_equal(o[12 + d], real ? global[d] / local[d] : 1);
            assert_int_equal(o[16 + d], real ? local[d] : 1);
            assert_int_equal(o[20 + d], real ? global[d] : 1);
            assert_int_equal(o[24 + d], real ? offset[d] : 0);
        }
        assert_int_equal(o[28], 3);
        assert_int_equal(o[29], o[2]);
        assert_int_equal(o[30], global[1]);
        assert_int_equal(o[31], o[8]);
    }
}

static void test_ids(void **state) {
    (void)state;
    static const uint32_t shapes[][3][3] = {{{14, 10, 3}, {7, 5, 3}, {0, 100, 1}},
                                            {{256, 2, 1}, {128, 1, 1}, {3, 0, 0}},
                                            {{16, 16, 2}, {16, 8, 1}, {0, 0, 5}},
                                            {{1, 1, 40}, {1, 1, 20}, {9, 8, 7}},
                                            {{5, 1, 1}, {1, 1, 1}, {0, 0, 0}}};
    for (unsigned width = 0; width < WIDTHS; width++) {
        struct machine *m = make_machine(width);
        set_arguments(BUFFER, 0, 0);
        for (unsigned s = 0; s < sizeof shapes / sizeof *shapes; s++) {
            launch(m, "ids", shapes[s][0], shapes[s][1], shapes[s][2], 0);
            check_ids(shapes[s][0], shapes[s][1], shapes[s][2]);
        }
        machine_destroy(m);
    }
}

static void test_atomics(void **state) {
    (void)state;
    enum { ITEMS = 600, GROUP = 100 };
    for (unsigned width = 0; width < WIDTHS; width++) {
        struct machine *m = make_machine(width);
        set_arguments(BUFFER, 0, 0);
        launch(m, "atomics", (uint32_t[]){ITEMS, 1, 1}, (uint32_t[]){GROUP, 1, 1}, (uint32_t[]){0, 0, 0}, 0);
        uint32_t parity = 0;
        for (uint32_t i = 0; i < ITEMS; i++) parity ^= i;
        const int *got = (const int *)buffer;
        assert_int_equal(got[0], ITEMS * (ITEMS - 1) / 2);
        assert_int_equal(got[1], -ITEMS * (ITEMS - 1) / 2);
        assert_int_equal(got[2], ITEMS);
        assert_int_equal(got[3], -ITEMS);
        assert_int_equal(got[4], -(ITEMS - 1));
        assert_int_equal(got[5], ITEMS - 1);
        assert_int_equal(buffer[6], ~0u);
        assert_int_equal(buffer[7], parity);
        float sum;
        memcpy(&sum, &buffer[8], sizeof sum);
        assert_true((int)(2 * sum) == ITEMS - ITEMS / 3);
        for (unsigned g = 0; g < ITEMS / GROUP; g++) assert_int_equal(got[16 + g], GROUP);
        machine_destroy(m);
    }
}

/* Returns the warp instructions of a launch of one work-group. */
static uint64_t count_instructions(struct machine *m, const char *kernel, uint32_t items) {
    const uint64_t *executed = &machine_cluster(m, 0)->warp_instructions, before = *executed;
    launch(m, kernel, (uint32_t[]){items, 1, 1}, (uint32_t[]){items, 1, 1}, (uint32_t[]){0, 0, 0}, 0);
    return *executed - before;
}

/* Regression: a failed comparison stored the old value, which made the exclusive stores of all others fail. A
 * warp of 32 then iterated 32 times, and time grew with the square of the threads. The loop has six
 * instructions for 32 bits (LDREX, MOV, CMP, STREXEQ, CMP, BNE), and two more for 64 (MOV, CMPEQ). The thread
 * that leaves is the first at its level and lowers its priority before the others continue: one more. */
static void test_comparisons_that_fail(void **state) {
    (void)state;
    static const struct {
        const char *kernel;
        unsigned round, word; /* instructions, and which word of the result tells */
    } kernels[] = {{"compare", 6 + 1, 0}, {"compare_long", 8 + 1, 1}};
    struct machine *m = make_machine(0);
    for (unsigned n = 0; n < 2; n++) {
        const char *kernel = kernels[n].kernel;
        const uint32_t *word = &buffer[kernels[n].word];
        memset(buffer, 0, 16);
        set_arguments(BUFFER, 5, 6);
        const uint64_t once = count_instructions(m, kernel, 1);
        assert_int_equal(count_instructions(m, kernel, 32), once);
        assert_int_equal(count_instructions(m, kernel, 128), 4 * once);
        assert_int_equal(*word, 0);
        set_arguments(BUFFER, 0, 7); /* one thread stores, the others iterate once more and see it */
        assert_int_equal(count_instructions(m, kernel, 32), once + kernels[n].round);
        assert_int_equal(*word, 7);
        set_arguments(BUFFER, 7, 7); /* all store, one after the other */
        assert_int_equal(count_instructions(m, kernel, 32), once + 31 * kernels[n].round);
    }
    machine_destroy(m);
}

static void test_copies(void **state) {
    (void)state;
    enum { ITEMS = 210, GROUP = 70 };
    for (unsigned width = 0; width < WIDTHS; width++) {
        struct machine *m = make_machine(width);
        set_arguments(BUFFER, BUFFER + 4096, MEMORY_LOCAL_BASE + image->local_bytes);
        for (uint32_t i = 0; i < ITEMS; i++) buffer[i] = i * 7 + 1;
        launch(m, "copies", (uint32_t[]){ITEMS, 1, 1}, (uint32_t[]){GROUP, 1, 1}, (uint32_t[]){0, 0, 0},
               GROUP * 4);
        for (uint32_t i = 0; i < ITEMS; i++) {
            const uint32_t mirrored = i / GROUP * GROUP + GROUP - 1 - i % GROUP;
            assert_int_equal(buffer[1024 + 2 * i], mirrored * 7 + 1);
            assert_int_equal(buffer[1024 + 2 * i + 1], 0);
        }
        machine_destroy(m);
    }
}

static int load(void **state) {
    (void)state;
    char path[4096];
    static uint8_t bytes[1 << 20];
    const char *b = getenv("B");
    snprintf(path, sizeof path, "%s/tests/device/machine.img", b ? b : "build");
    FILE *f = fopen(path, "rb");
    if (!f) return -1;
    const size_t n = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    struct error e = {0};
    image = image_load(bytes, n, &e);
    if (!image) {
        print_error("%s: %s\n", path, e.message);
        return -1;
    }
    code = (struct machine_code){.text_base = image->text_base,
                                 .text_bytes = image->text_bytes,
                                 .text = image->code + (image->text_base - image->code_base),
                                 .startup = image->startup};
    machine_decode(&code);
    return 0;
}

static int unload(void **state) {
    (void)state;
    machine_code_free(&code);
    image_free(image);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ids),
        cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_comparisons_that_fail),
        cmocka_unit_test(test_copies),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
