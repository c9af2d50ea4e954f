/* tpo_address: the equations of dual-mode §3.5, and that the machine's registers are those words. */
#include "model/cluster/cluster.h"
#include "model/control/tpo_address.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

/* Worked by hand: N_it 8, n_tpo 128 (the paper's example of §3.5). */
static void the_papers_example(void **state) {
    (void)state;
    assert_int_equal(tpo_address(8, 128, 0, 0), 0);
    assert_int_equal(tpo_address(8, 128, 7, 0), 7);       /* v 7 of warp 0 */
    assert_int_equal(tpo_address(8, 128, 0, 1), 8);       /* the next vTPO */
    assert_int_equal(tpo_address(8, 128, 8, 0), 1024);    /* warp 1 starts after warp 0's 128 objects */
    assert_int_equal(tpo_address(8, 128, 13, 2), 1045);   /* (1 · 128 + 2) · 8 + 5 */
    assert_int_equal(tpo_address(8, 128, 63, 127), 8191); /* the last word of 32 KB */
}

/* Starts a launch of one work-group on a cluster. Returns false if its registers do not fit. */
static bool launch(struct cluster *c, struct uncore *uncore, const struct machine_config *config,
                   unsigned group) {
    static struct memory memory;
    static const struct machine_code code;
    static struct error e;
    struct machine_launch l = {
        .kernel = "k", .code = &code, .global_size = {group, 1, 1}, .local_size = {group, 1, 1}};
    struct launch_block block = {.work_group_size = group};
    const unsigned size = config->simt.warp_size,
                   contexts = (group + size - 1) / size * (size / config->cluster.lanes);
    if (contexts > config->cluster.threads_per_lane || contexts * ARM_REGISTERS * 4 > config->l1d.size_bytes)
        return false;
    memory_init(&memory);
    uncore_init(uncore, config);
    cluster_init(c, 0, config, &memory, uncore);
    uncore_begin_launch(uncore, &l);
    cluster_launch(c, &l, 0, &block, &memory, NULL, 0, &e);
    assert_int_equal(c->n_act, contexts);
    assert_int_equal(c->n_tpo, config->l1d.size_bytes / (contexts * 4));
    return true;
}

/* Checks that the words of a vTPO are contiguous, in as many lines as one access takes. */
static void a_vtpo_is_in_its_lines(const struct cluster *c, unsigned m, unsigned d) {
    const uint32_t line = c->config->l1d.line_bytes,
                   first = tpo_address(c->rounds, c->n_tpo, m * c->rounds, d);
    const uint32_t last = tpo_address(c->rounds, c->n_tpo, m * c->rounds + c->rounds - 1, d);
    assert_int_equal(last - first, c->rounds - 1);
    assert_int_equal(4 * last / line - 4 * first / line + 1, c->vtpo_lines);
}

/* Returns the place of an object of a context in the TPM. */
static const uint32_t *word_of(const struct cluster *c, unsigned lane, unsigned context, unsigned object) {
    const uint32_t word = tpo_address(c->rounds, c->n_tpo, context, object);
    const unsigned position = cluster_position(c, lane, tpo_round(c->rounds, word));
    return &c->tpm[tpo_row(c->rounds, word) * c->config->simt.warp_size + position];
}

/* Checks that every (lane, context, object) has its own word, within the lane's cache and the warp's rows,
 * and that instructions use this word. */
static void every_object_has_its_own_word(struct cluster *c) {
    const struct machine_config *config = c->config;
    const uint32_t lane_words = config->l1d.size_bytes / 4, words = c->lanes * lane_words;
    uint8_t *seen = calloc(words, 1);
    for (unsigned i = 0; i < c->lanes; ++i)
        for (unsigned j = 0; j < c->n_act; ++j)
            for (unsigned d = 0; d < c->n_tpo; ++d) {
                const uint32_t *word = word_of(c, i, j, d);
                const unsigned warp = j / c->rounds, position = cluster_position(c, i, j % c->rounds);
                if (tpo_address(c->rounds, c->n_tpo, j, d) >= lane_words || word - c->tpm >= words ||
                    seen[word - c->tpm]++ ||
                    word != &c->threads[warp].registers[d * config->simt.warp_size + position])
                    fail_msg("lane %u, context %u, object %u: L1D %u, %u lanes, warps of %u", i, j, d,
                             config->l1d.size_bytes, c->lanes, config->simt.warp_size);
            }
    for (unsigned m = 0; m < c->n_act / c->rounds; ++m)
        for (unsigned d = 0; d < c->n_tpo; ++d) a_vtpo_is_in_its_lines(c, m, d);
    free(seen);
}

/* Lines of 32 and 64 bytes, L1D of 8 to 64 KB, 2 to 16 lanes, warps of 16 to 64, work-groups of 32 to 512. */
static void registers_are_the_tpos(void **state) {
    (void)state;
    static const unsigned groups[] = {32, 84, 256, 512};
    static struct cluster c;
    static struct uncore uncore;
    unsigned fit = 0;
    for (unsigned n = 0; n < 4 * 4 * 3 * 4; ++n)
        for (unsigned k = 0; k < 2; ++k) {
            struct machine_config config;
            config_defaults(&machine_config_table, &config);
            config.l1d.size_bytes = 8192u << n % 4;
            config.cluster.lanes = 2u << n / 4 % 4;
            config.simt.warp_size = 16u << n / 16 % 3;
            config.l1d.line_bytes = 32u << k;
            config.simt.lane_map = (n + k) % 2 ? LANE_MAP_CYCLIC : LANE_MAP_BLOCK;
            const unsigned most = TDT_MAX_WARPS * config.simt.warp_size / config.cluster.lanes;
            config.cluster.threads_per_lane = most < TPM_MAX_CONTEXTS ? most : TPM_MAX_CONTEXTS;
            if (!launch(&c, &uncore, &config, groups[n / 48])) continue;
            ++fit;
            every_object_has_its_own_word(&c);
            cluster_free(&c);
            uncore_free(&uncore);
        }
    /* With 192 bytes a context, of 48 configurations for each width (and line), these fit: 30 with 2 lanes,
     * 39 with 4, 45 with 8, 48. */
    assert_int_equal(fit, 2 * (30 + 39 + 45 + 48));
}

/* N_it 8, n_tpo 58: 10 words of each stack are objects. Stacks of 256 bytes, lane 0's from 0x50008000 down:
 * that of context 9 (warp 1, round 1) from 0x50007700. */
static void accesses_worked_out_by_hand(void **state) {
    (void)state;
    struct tpo_address a = {.in = {.rounds_bits = 3,
                                   .contexts_bits = 7,
                                   .stack_bits = 8,
                                   .n_tpo = 58,
                                   .base = 58, /* base of warp 1 */
                                   .top = 0x50008000,
                                   .context = 9,
                                   .object = 13}};
    static const struct {
        uint32_t address, bytes;
        bool own;
        unsigned words, memory, object;
    } rows[] = {
        {0x500076fc, 4, true, 1, 0, 48}, /* the first word below SP */
        {0x500076fd, 1, true, 1, 0, 48},
        {0x500076f8, 8, true, 2, 0, 48},  /* a double-word: its last word is the first object */
        {0x500076fa, 4, true, 2, 0, 48},  /* unaligned: two words */
        {0x500076d8, 4, true, 1, 0, 57},  /* the last object, index 9 */
        {0x500076d4, 4, true, 0, 4, 13},  /* the next is in memory, no object of the next warp */
        {0x500076d4, 8, true, 1, 4, 57},  /* half of a double-word */
        {0x500076d7, 2, true, 1, 1, 57},  /* half of a half-word */
        {0x50007600, 1, true, 0, 1, 13},  /* the end of the stack */
        {0x500075ff, 1, false, 0, 1, 13}, /* context 10's */
        {0x50007700, 4, false, 0, 4, 13}, /* context 8's */
        {0x500076fe, 4, false, 0, 4, 13}, /* partly context 8's */
        {0x50008000, 4, false, 0, 4, 13}, /* lane 1's */
        {0x60000000, 4, false, 0, 4, 13},
    };
    for (unsigned n = 0; n < sizeof rows / sizeof rows[0]; ++n) {
        a.in.access = true;
        a.in.address = rows[n].address;
        a.in.bytes = rows[n].bytes;
        tpo_address_eval(&a);
        assert_int_equal(a.out.own, rows[n].own);
        assert_int_equal(a.out.words, rows[n].words);
        assert_int_equal(a.out.memory, rows[n].memory);
        assert_int_equal(a.out.row, 1 * 58 + rows[n].object);
        assert_int_equal(a.out.round, 1);
        assert_int_equal(a.out.word, (58 + rows[n].object) * 8 + 1);
        a.in.access = false; /* a register */
        tpo_address_eval(&a);
        assert_false(a.out.own);
        assert_int_equal(a.out.words + a.out.memory, 0);
        assert_int_equal(a.out.word, (58 + 13) * 8 + 1);
    }
}

static void a_stack_has_no_more_objects_than_words(void **state) {
    (void)state;
    assert_int_equal(tpo_stack_objects(256, 48 + 10, 48), 10);
    assert_int_equal(tpo_stack_objects(256, 48 + 64, 48), 64);
    assert_int_equal(tpo_stack_objects(256, 48 + 65, 48), 64);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_papers_example),
        cmocka_unit_test(registers_are_the_tpos),
        cmocka_unit_test(accesses_worked_out_by_hand),
        cmocka_unit_test(a_stack_has_no_more_objects_than_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
