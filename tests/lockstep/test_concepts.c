/* concepts: every kernel of tests/kernels/concepts (concept.h) leaves the same bytes and prints the same text
 * in SIMT mode with every PC policy and several machines, in MIMD mode, and under qemu-arm. qemu-arm runs the
 * code for work-items and the code for whole work-groups. They equal tests/golden/concepts.txt, which was
 * recorded when PoCL agreed (test_concepts_pocl.c). Unoptimised code has the same results.
 *
 * LOCKSTEP_GOLDEN=write rewrites that file.
 * Needs: $(CONCEPT_PLAIN_IMAGES) */
#include "model/machine/machine.h"
#include "abi/printf_buffer.h"
#include "runtime/printf_text.h"
#include "tests/lockstep/concept.h"
#include "tests/oracle/oracle_run.h"
#include "tests/seed.h"
#include "tests/spawn.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { MOST_CONCEPTS = 256, NAME_BYTES = 64 };

static struct concept_file *files;
static unsigned file_count, concept_count;

/* Results of a kernel in SIMT mode on the default machine. */
struct result {
    const struct concept *concept;
    uint8_t *after[CONCEPT_PARTS];
    char *text;
};
static struct result results[MOST_CONCEPTS];

static void free_result(struct result *r) {
    for (unsigned p = 0; p < CONCEPT_PARTS; p++) free(r->after[p]);
    free(r->text);
    *r = (struct result){0};
}

static void assert_same(const struct result *wanted, const struct result *got, const char *where) {
    const struct concept *c = wanted->concept;
    for (unsigned p = 0; p < c->parts; p++) {
        const uint8_t *a = wanted->after[p], *b = got->after[p];
        for (uint32_t at = 0; a && at < c->part[p].size_bytes; at++)
            if (a[at] != b[at])
                fail_msg("%s, %s: byte %u is %#x on the default machine, %#x %s", c->kernel->name,
                         c->kernel->arguments[c->part[p].argument].name, at, a[at], b[at], where);
    }
    if (wanted->text && strcmp(wanted->text, got->text) != 0)
        fail_msg("%s printed on the default machine\n%s\nand %s\n%s", c->kernel->name, wanted->text, where,
                 got->text);
}

static int run_on_default_machine(void **state) {
    (void)state;
    static const char *const settings[] = {"mode=simt", NULL};
    files = concept_load_all(true, &file_count);
    for (unsigned f = 0; f < file_count; f++)
        for (unsigned k = 0; k < files[f].count; k++) {
            if (concept_count == MOST_CONCEPTS) return -1;
            struct result *r = &results[concept_count++];
            r->concept = &files[f].list[k];
            concept_run(r->concept, settings, r->after, &r->text);
        }
    return 0;
}

static int end(void **state) {
    (void)state;
    for (unsigned i = 0; i < concept_count; i++) free_result(&results[i]);
    concept_free_all(files, file_count);
    return 0;
}

/* --- other machines --- */

static void compare_with(const char *const *settings, const char *where) {
    for (unsigned i = 0; i < concept_count; i++) {
        struct result r = {0};
        concept_run(results[i].concept, settings, r.after, &r.text);
        assert_same(&results[i], &r, where);
        free_result(&r);
    }
}

/* All PC policies of the configuration's table. */
static void test_pc_policies(void **state) {
    (void)state;
    unsigned policies = 0;
    for (size_t i = 0; i < machine_config_table.count; i++) {
        const struct config_field *f = &machine_config_table.fields[i];
        if (strcmp(f->name, "simt.pc_policy") != 0) continue;
        for (const char *const *choice = f->choices; *choice; choice++, policies++) {
            char *setting = spawn_text("simt.pc_policy=%s", *choice);
            compare_with((const char *const[]){setting, "simt.warp_size=16", "cluster.lanes=4", NULL},
                         setting);
            free(setting);
        }
    }
    assert_true(policies >= 3);
}

static void test_shapes(void **state) {
    (void)state;
    static const char *const shapes[][6] = {
        {"simt.lane_map=cyclic", "simt.warp_size=16", "cluster.lanes=8", "simt.priority_levels=1", NULL},
        {"simt.lane_map=cyclic", "simt.warp_size=64", "cluster.lanes=16", "simt.pc_policy=first_ready", NULL},
        {"simt.warp_size=4", "cluster.lanes=1", "simt.pc_policy=min_pc", NULL}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) compare_with(shapes[s], shapes[s][0]);
}

static void test_mimd(void **state) {
    (void)state;
    compare_with((const char *const[]){"mode=mimd", NULL}, "in MIMD mode");
    compare_with((const char *const[]){"mode=mimd", "cluster.lanes=1", NULL}, "on one core in MIMD mode");
}

static void test_without_optimisation(void **state) {
    (void)state;
    unsigned count;
    struct concept_file *plain = concept_load_all(false, &count);
    assert_int_equal(count, file_count);
    for (int mimd = 0; mimd < 2; mimd++) {
        const struct result *wanted = results;
        for (unsigned f = 0; f < count; f++)
            for (unsigned k = 0; k < plain[f].count; k++, wanted++) {
                struct result r = {0};
                const char *const settings[] = {mimd ? "mode=mimd" : "mode=simt", NULL};
                concept_run(&plain[f].list[k], settings, r.after, &r.text);
                assert_same(wanted, &r, mimd ? "with -cl-opt-disable in MIMD mode" : "with -cl-opt-disable");
                free_result(&r);
            }
    }
    concept_free_all(plain, count);
}

/* --- with scalar kernels that the compiler makes --- */

/* Runs every kernel with a scalar kernel of one kind, where one can be generated; returns their number.
 * Kernels that only prefetch are left out if no unit can run them. */
static unsigned run_with_partners(const char *kind, bool left_out) {
    char *folder = spawn_folder(), *machine = spawn_text("%s/configs/gt640-scalar.yaml", spawn_source());
    char *compile =
        spawn_text("for f in %s/tests/kernels/concepts/*.cl; do n=${f##*/}; "
                   "%s/lockstep-cc --no-cache --scalar=%s --mode=simt --priorities=off --options -w "
                   "-o %s/${n%%.cl}.img $f || exit 1; done",
                   spawn_source(), spawn_build(), kind, folder);
    const char *const settings[] = {machine, NULL}, *const off[] = {machine, "scalar.mode=off", NULL};
    unsigned count, partners = 0;
    assert_int_equal(system(compile), 0);
    struct concept_file *made = concept_load_from(folder, &count);
    const struct result *wanted = results;
    assert_int_equal(count, file_count);
    for (unsigned f = 0; f < count; f++)
        for (unsigned k = 0; k < made[f].count; k++, wanted++) {
            partners += *made[f].list[k].kernel->scalar != 0;
            for (unsigned without = 0; without < (left_out ? 2 : 1); without++) {
                struct result r = {0};
                concept_run(&made[f].list[k], without ? off : settings, r.after, &r.text);
                assert_same(wanted, &r, without ? "on gt640-like" : kind);
                free_result(&r);
            }
        }
    concept_free_all(made, count);
    spawn_remove_folder(folder);
    free(compile);
    free(machine);
    print_message("%s: %u of %u kernels have a scalar kernel\n", kind, partners, concept_count);
    return partners;
}

static void test_scalar_partners(void **state) {
    (void)state;
    assert_true(run_with_partners("prefetch", true) > concept_count / 2);
    assert_true(run_with_partners("extract", false) > 0);
}

/* --- under qemu-arm --- */

static void give_to_oracle(struct oracle *o, const struct concept *c, bool twin) {
    static const uint8_t nothing[PRINTF_MAPPED_BYTES];
    struct oracle_launch l = {.entry = twin ? c->kernel->twin : c->kernel->thunk,
                              .argument_block = CONCEPT_LAUNCH,
                              .whole_groups = twin,
                              .work_dim = c->work_dim};
    snprintf(l.kernel, sizeof l.kernel, "%s", c->kernel->name);
    memcpy(l.global_size, c->global_size, sizeof l.global_size);
    memcpy(l.local_size, c->local_size, sizeof l.local_size);
    memcpy(l.global_offset, c->global_offset, sizeof l.global_offset);
    oracle_memory(o, CONCEPT_LAUNCH, c->launch, sizeof c->launch);
    if (c->kernel->prints) oracle_memory(o, PRINTF_ADDRESS, nothing, sizeof nothing);
    for (unsigned p = 0; p < c->parts; p++)
        oracle_memory(o, c->part[p].base, c->part[p].before, c->part[p].size_bytes);
    oracle_launch(o, &l);
    for (unsigned p = 0; p < c->parts; p++)
        if (c->part[p].output) oracle_result(o, c->part[p].base, c->part[p].size_bytes);
    if (c->kernel->prints) oracle_result(o, PRINTF_ADDRESS, PRINTF_MAPPED_BYTES);
}

static void take_from_oracle(struct oracle *o, const struct concept *c, struct result *r) {
    static uint8_t printed[PRINTF_MAPPED_BYTES];
    *r = (struct result){0};
    for (unsigned p = 0; p < c->parts; p++) {
        if (!c->part[p].output) continue;
        r->after[p] = malloc(c->part[p].size_bytes);
        assert_non_null(r->after[p]);
        oracle_read(o, r->after[p], c->part[p].size_bytes);
    }
    if (!c->kernel->prints) return;
    struct printf_text t;
    oracle_read(o, printed, sizeof printed);
    assert_true(printf_text_read(&t, c->file->image, printed));
    r->text = t.bytes;
}

/* One process for each file, for its image. */
static void compare_with_oracle(const struct concept_file *f, const struct result *wanted, bool twin) {
    const struct image *i = f->image;
    struct oracle o;
    oracle_start(&o);
    oracle_memory(&o, i->code_base, i->code, i->code_bytes);
    for (unsigned k = 0; k < f->count; k++) give_to_oracle(&o, &f->list[k], twin);
    char *said = oracle_finish(&o);
    if (said) fail_msg("%s: %s", f->source, said);
    for (unsigned k = 0; k < f->count; k++) {
        struct result r;
        take_from_oracle(&o, &f->list[k], &r);
        assert_same(&wanted[k], &r, twin ? "for whole work-groups under qemu-arm" : "under qemu-arm");
        free_result(&r);
    }
    oracle_end(&o);
}

static void test_qemu(void **state) {
    (void)state;
    const struct result *wanted = results;
    for (unsigned f = 0; f < file_count; wanted += files[f++].count) {
        compare_with_oracle(&files[f], wanted, false);
        compare_with_oracle(&files[f], wanted, true);
    }
}

/* --- as recorded --- */

static unsigned long checksum(const struct result *r) {
    unsigned long sum = crc32(0, NULL, 0);
    for (unsigned p = 0; p < r->concept->parts; p++)
        if (r->after[p]) sum = crc32(sum, r->after[p], r->concept->part[p].size_bytes);
    if (r->text) sum = crc32(sum, (const uint8_t *)r->text, (uInt)strlen(r->text));
    return sum;
}

static void test_as_recorded(void **state) {
    (void)state;
    char *path = spawn_text("%s/tests/golden/concepts.txt", spawn_source());
    const char *wish = getenv("LOCKSTEP_GOLDEN");
    const bool writing = wish && !strcmp(wish, "write");
    FILE *f = fopen(path, writing ? "w" : "r");
    if (!f) fail_msg("%s cannot be opened", path);
    for (unsigned i = 0; i < concept_count; i++) {
        const char *name = results[i].concept->kernel->name;
        char recorded[NAME_BYTES];
        unsigned long sum = 0;
        if (writing)
            fprintf(f, "%08lx %s\n", checksum(&results[i]), name);
        else if (fscanf(f, "%lx %63s", &sum, recorded) != 2 || strcmp(recorded, name) != 0)
            fail_msg("%s: no line of kernel %s where it should be", path, name);
        else if (sum != checksum(&results[i]))
            fail_msg("%s: %s leaves %08lx now instead of %08lx", path, name, checksum(&results[i]), sum);
    }
    fclose(f);
    free(path);
}

/* Kernels that leave nothing prove nothing. */
static void test_every_kernel_does_something(void **state) {
    (void)state;
    for (unsigned i = 0; i < concept_count; i++) {
        const struct concept *c = results[i].concept;
        for (unsigned p = 0; p < c->parts; p++)
            if (c->part[p].output && !memcmp(c->part[p].before, results[i].after[p], c->part[p].size_bytes))
                fail_msg("%s leaves %s as it was", c->kernel->name,
                         c->kernel->arguments[c->part[p].argument].name);
    }
    print_message("%u kernels in %u files\n", concept_count, file_count);
    assert_true(concept_count >= 60);
}

/* The order of the text is that of the ids, not that of running. */
static void test_printed_text(void **state) {
    (void)state;
    for (unsigned i = 0; i < concept_count; i++) {
        if (strcmp(results[i].concept->kernel->name, "print_in_loops") != 0) continue;
        const char *at = results[i].text;
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 6; x++) {
                char *line = spawn_text("(%d,%d) done, ", x, y);
                at = strstr(at, line);
                if (!at) fail_msg("no \"%s\" where it should be in\n%s", line, results[i].text);
                free(line);
            }
        return;
    }
    fail_msg("no kernel print_in_loops");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kernel_does_something),
        cmocka_unit_test(test_pc_policies),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_mimd),
        cmocka_unit_test(test_without_optimisation),
        cmocka_unit_test(test_scalar_partners),
        cmocka_unit_test(test_qemu),
        cmocka_unit_test(test_printed_text),
        cmocka_unit_test(test_as_recorded),
    };
    return cmocka_run_group_tests(tests, run_on_default_machine, end);
}
