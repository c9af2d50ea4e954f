/* Random kernels leave the same memory with scalar kernels that the compiler derives from them
 * (docs/scalar-unit.md): these prefetch, execute parts of the work-items' work, or assign iterations of
 * loops. Each kernel begins with constructs suited for that: a loop that work-items leave at different times,
 * work of a single work-item, and common work. Three of four have reqd_work_group_size. Prefetching kernels
 * also prefetch from wrong addresses. `make test` runs 10 kernels, LOCKSTEP_LONG=1 (`make test-long`) 1,000;
 * random_run.h describes how a run is stopped and continued. */
#include "model/config/scheduler_kind.h"
#include "tests/attacks/random_batch.h"
#include "tests/attacks/random_run.h"
#include "tests/spawn.h"

#include <string.h>

enum { SOME_KERNELS = 10, ALL_KERNELS = 1000, WRONG = 3, KINDS };

static struct machine_config machine;

static int read_machine(void **state) {
    (void)state;
    struct error e = {0};
    char *path = spawn_text("%s/configs/gt640-scalar.yaml", spawn_source());
    config_defaults(&machine_config_table, &machine);
    const bool good = config_read(&machine_config_table, &machine, path, &e);
    if (!good) print_error("%s\n", e.message);
    free(path);
    return !good;
}

/* Makes a machine with units, clocks, work-groups in flight, SMs and schedulers unlike any machine of the
 * papers. */
static struct machine_config a_machine(struct seed *s) {
    struct machine_config c = machine;
    struct error e = {0};
    c.cluster.count = 1 + seed_below(s, 2);
    c.cluster.groups = 1 + seed_below(s, 16);
    c.scalar.units = 1 + seed_below(s, 6);
    c.scalar.clock_divisor = 1u << seed_below(s, 4);
    c.simt.scheduler = seed_below(s, 2) ? SCHEDULER_round_robin : SCHEDULER_greedy_oldest;
    c.simt.issue_width = 1 + seed_below(s, 2);
    c.simt.fetches = 1 + seed_below(s, 2);
    if (!config_check(&machine_config_table, &c, &e)) fail_msg("%s", e.message);
    return c;
}

/* Work for scalar threads, of this seed's constants and forms. */
static void put_work(FILE *f, const struct random_subject *s) {
    static const char *const bodies[] = {
        "if (pl & 1) { px += pf[pl]; } else { px ^= pl << 3; pr.b += px & 7; }",
        "px = px * 5 + pl; if (px & 4) { pr.a += pf[pl & 7]; continue; } pr.c += 0.5f;",
        "for (uint pi = 0; pi < (pl & 3); pi++) px += pf[pi] + pu;",
        "switch (pl % 3) { case 0: px += 2; break; "
        "case 1: px ^= lid; pf++; break; default: pr.e -= px; }"};
    struct seed r = seed_of(s->seed ^ 0xd1f);
    const unsigned most = 1 + (unsigned)seed_below(&r, 12), kind = (unsigned)seed_below(&r, 3);
    const char *const body = bodies[seed_below(&r, 4)];
    fprintf(f,
            "    const uint pu = grp * %uu + pb, pv = (pu ^ 0x55u) + ls * 3u - (pu >> 2);\n"
            "    __global const uint *const pg = in + (grp * 5u + (pu & 3u) + (pv & 7u)) %% 64u;\n"
            "    record pr = {(int)lid, 1, 2.0f, {1, 2, 3}, 4};\n"
            "    __global const uint *pf = in + (lid & 31u);\n"
            "    uint pl = in[(lid * 7u + grp) %% %uu] %% %uu, px = lid;\n",
            1 + (unsigned)seed_below(&r, 9), RANDOM_INPUT_WORDS, most + 1);
    if (kind == 0) fprintf(f, "    while (pl-- > 0) { %s }\n", body);
    if (kind == 1) fprintf(f, "    for (; pl > 0; pl--) { %s }\n", body);
    if (kind == 2) fprintf(f, "    do { %s } while (pl-- > 0);\n", body);
    fprintf(f,
            "    if (get_local_id(0) == %uu && get_local_id(1) == 0 && get_local_id(2) == 0) {"
            " px += pg[pl & 3u] + pv; own[2] = in[pv & 15u]; }\n"
            "    own[1] += px + (uint)pr.a + pr.b + (uint)pr.c + (uint)pr.e + (uint)(pf - in);\n",
            (unsigned)seed_below(&r, s->kernel.local_size[0] + 1));
}

/* Prints the size of work-groups for three of four seeds. Without it, no loop is remapped. */
static void put_size(FILE *f, const struct random_subject *s) {
    const uint32_t *size = s->kernel.local_size;
    if (s->seed % 4)
        fprintf(f, "__attribute__((reqd_work_group_size(%u, %u, %u))) ", size[0], size[1], size[2]);
}

/* Compiles the batch with scalar kernels, and runs it without scalar threads for comparison. */
static void give_work(struct random_batch *b) {
    static const char pointers[] = "    __global uint *group = mid + grp * ls;\n";
    char *text = NULL, *from = b->source;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    assert_non_null(f);
    for (unsigned n = 0; n < b->count; n++) {
        char *begin = spawn_text("__kernel void %s(", b->subject[n].kernel.name), *at = strstr(from, begin);
        assert_non_null(at);
        fprintf(f, "%.*s__kernel ", (int)(at - from), from);
        put_size(f, &b->subject[n]);
        from = at + strlen("__kernel ");
        at = strstr(from, pointers);
        assert_non_null(at);
        at += strlen(pointers);
        fprintf(f, "%.*s", (int)(at - from), from);
        put_work(f, &b->subject[n]);
        from = at;
        free(begin);
    }
    fputs(from, f);
    assert_int_equal(fclose(f), 0);
    free(b->source);
    b->source = text;
    random_batch_compile_again(b, "--coalescing=modern", NULL);
    for (unsigned n = 0; n < b->count; n++)
        random_batch_run(b, &b->subject[n], "mode=simt", &b->subject[n].after);
}

/* The batch with scalar kernels that load ahead, as text, each from somewhere else. */
static void give_wrong_addresses(struct random_batch *b) {
    static const char load[] = "::\"r\"(", end[] = "));\n";
    char *folder = spawn_folder(), *from = spawn_text("%s/k.cl", folder),
         *to = spawn_text("%s/out.cl", folder), *compiler = spawn_text("%s/lockstep-cc", spawn_build()),
         *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    assert_non_null(f);
    spawn_write(from, b->source);
    struct spawned s = spawn(folder, (char *[]){compiler, "--no-cache", "--options=-w", "--scalar=prefetch",
                                                "--emit=scalar-kernel", "-o", to, from, NULL});
    if (s.status) fail_msg("%s", s.err);
    char *made = spawn_read(to), *at = made;
    for (char *next; (next = strstr(at, load)) != NULL;) {
        char *stop = strstr(next, end);
        assert_non_null(stop);
        next += strlen(load);
        fprintf(f, "%.*s*(&(%.*s) + (get_group_id(0) * 0x1357 - 0x2468))", (int)(next - at), at,
                (int)(stop - next), next);
        at = stop;
    }
    fputs(at, f);
    assert_int_equal(fclose(f), 0);
    free(b->source);
    b->source = text;
    free(made);
    spawn_free(&s);
    free(compiler);
    free(from);
    free(to);
    spawn_remove_folder(folder);
}

static void memory_is_the_same(void **state) {
    (void)state;
    static const char *const counted[] = {"equal", "prefetch", "extract", "divergence", "wrong", NULL};
    static char *const made[KINDS] = {"--scalar=prefetch", "--scalar=extract", "--scalar=divergence",
                                      "--scalar=off"};
    struct random_run r = random_run_start(SOME_KERNELS, ALL_KERNELS, counted);
    while (random_run_next(&r)) {
        struct random_batch *b = random_batch_make(random_run_seed(&r), r.batch);
        give_work(b);
        for (unsigned kind = 0; kind < KINDS; kind++) {
            if (kind == WRONG) give_wrong_addresses(b);
            random_batch_compile_again(b, "--priorities=off", made[kind]);
            for (unsigned n = 0; n < b->count; n++) {
                static struct random_contents c;
                struct random_subject *s = &b->subject[n];
                struct seed seed = seed_of(s->seed ^ 0x5ca1a ^ kind);
                const struct machine_config on = a_machine(&seed);
                if (!*image_find(b->image, s->kernel.name)->scalar) continue;
                random_batch_run_on(b, s, &on, false, made[kind], &c);
                random_batch_same(s, &c, made[kind], true);
                r.count[1 + kind]++;
            }
        }
        for (unsigned n = 0; n < b->count; n++) r.count[0] += !b->subject[n].differs;
        random_batch_free(b);
    }
    random_run_end(&r);
    assert_int_equal(r.count[0], r.done);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_the_same),
    };
    return cmocka_run_group_tests(tests, read_machine, NULL);
}
