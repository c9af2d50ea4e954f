/* GPU-like machines as a whole, in the configurations of Lockstep (gpu-like.md §2 to §5), with kernels of a
 * few instructions; and diagnoses. */
#include "model/machine/machine.h"
#include "tests/spawn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define TEXT      MEMORY_CODE_BASE
#define DATA      MEMORY_BUFFER_BASE
#define DATA_SIZE (32u << 20)
#define ARGUMENTS 0x30000200u

/* Encodings, from the architecture manual. */
#define EXIT            0xee040711u /* mcr p7, 0, r0, c4, c1, 0 */
#define BARRIER         0xee040710u /* mcr p7, 0, r0, c4, c0, 0 */
#define LDR_R1_R0       0xe5901000u
#define LDR_R1_R1       0xe5911000u
#define LDR_R3_R2       0xe5923000u
#define STR_R3_R2       0xe5823000u
#define ADD_R2_R2_R1    0xe0822001u
#define ADD_R3_R2_R1    0xe0823001u
#define MRC_GLOBAL_ID_0 0xee112790u /* mrc p7, 0, r2, c1, c0, 4 */

struct gpu {
    struct machine_config config;
    struct machine *machine;
    struct machine_code code;
    struct machine_launch launch;
    struct machine_result result;
    struct error error;
    uint32_t arguments[16];
    uint8_t *data;
};

static struct gpu *gpu_create(const char *config) {
    struct gpu *g = calloc(1, sizeof *g);
    char *path = spawn_text("%s/configs/%s.yaml", spawn_source(), config);
    config_defaults(&machine_config_table, &g->config);
    assert_true(config_read(&machine_config_table, &g->config, path, &g->error));
    free(path);
    g->data = calloc(1, DATA_SIZE);
    return g;
}

/* Runs a one-dimensional launch; the first call builds the machine. */
static bool gpu_run(struct gpu *g, const uint32_t *text, unsigned words, uint32_t items, uint32_t local) {
    const uint32_t local_bytes = g->launch.local_bytes, registers = g->launch.registers;
    if (!g->machine) {
        g->machine = machine_create(&g->config, &g->error);
        if (!g->machine) fail_msg("%s", g->error.message);
        memory_add(machine_memory(g->machine), MEMORY_BUFFER, DATA, DATA_SIZE, g->data, true, "data");
        memory_add(machine_memory(g->machine), MEMORY_LAUNCH, ARGUMENTS, sizeof g->arguments,
                   (uint8_t *)g->arguments, false, "arguments");
    }
    machine_code_free(&g->code);
    g->code =
        (struct machine_code){.text_base = TEXT, .text_bytes = words * 4, .text = (const uint8_t *)text};
    machine_decode(&g->code);
    g->launch = (struct machine_launch){.kernel = "test",
                                        .code = &g->code,
                                        .thunk = TEXT,
                                        .argument_block = ARGUMENTS,
                                        .work_dim = 1,
                                        .global_size = {items, 1, 1},
                                        .local_size = {local, 1, 1},
                                        .local_bytes = local_bytes,
                                        .registers = registers ? registers : 16};
    return machine_run(g->machine, &g->launch, &g->result, &g->error);
}

static void gpu_free(struct gpu *g) {
    machine_destroy(g->machine);
    machine_code_free(&g->code);
    free(g->data);
    free(g);
}

static uint64_t counter(const struct gpu *g, const char *scope, const char *name) {
    const struct counter *c = counter_find(machine_counters(g->machine), scope, name);
    if (!c) fail_msg("there is no counter %s.%s", scope, name);
    return *c->value;
}

/* 30 SMs have their turns, one in each cycle of the launch: n work-groups have been dispatched after n
 * cycles, and SM 0 has room for the 31st in its second turn. */
static void the_tail_begins_after_the_last_dispatch(void **state) {
    (void)state;
    static const uint32_t text[] = {EXIT};
    static const unsigned groups[] = {1, 2, 30, 31};
    struct gpu *g = gpu_create("stsimt-30x8");
    uint64_t tail = 0;
    for (unsigned n = 0; n < sizeof groups / sizeof groups[0]; ++n) {
        assert_true(gpu_run(g, text, 1, 32 * groups[n], 32));
        tail += g->result.cycles - groups[n];
        assert_int_equal(counter(g, "work_group_dispatcher", "tail"), tail);
    }
    gpu_free(g);
}

/* Whatever the clock of the L2, it has accepted every store when a launch ends. A kernel with a memory
 * barrier takes no longer, except for the barrier and the exit themselves. */
static void a_launch_ends_when_the_l2_has_its_stores(void **state) {
    (void)state;
#define STORE                                                                                                \
    MRC_GLOBAL_ID_0, 0xe1a01102u /* lsl r1, r2, #2 */, 0xe2811206u /* add r1, r1, #DATA */, 0xe5812000u
    static const uint32_t text[] = {STORE, EXIT}, waits[] = {STORE, 0xf57ff05bu /* dmb ish */, EXIT};
    static const char *const machines[] = {"gtx285-like", "fermi-like", "gt640-like", "temporal-30x8"};
    for (unsigned m = 0; m < sizeof machines / sizeof machines[0]; ++m) {
        struct gpu *g = gpu_create(machines[m]), *w = gpu_create(machines[m]);
        for (unsigned launches = 1; launches <= 2; ++launches) {
            assert_true(gpu_run(g, text, sizeof text / 4, 4096, 128));
            assert_int_equal(counter(g, "l2", "writes"),
                             counter(g, "icnt", "requests") - counter(g, "l2", "reads"));
            uint64_t stores = 0, causes = 0;
            for (unsigned k = 0; k < g->config.cluster.count; ++k) {
                char scope[32];
                snprintf(scope, sizeof scope, "cluster%u.coalescer", k);
                stores += counter(g, scope, "transactions");
            }
            assert_int_equal(counter(g, "l2", "writes"), stores);
            for (unsigned n = 0; n < MACHINE_CAUSE_COUNT; ++n) causes += g->result.cause[n];
            assert_int_equal(causes, g->result.cycles * g->result.units);
            assert_true(gpu_run(w, waits, sizeof waits / 4, 4096, 128));
            if (launches == 2) assert_in_range(w->result.cycles, g->result.cycles, g->result.cycles + 120);
        }
        gpu_free(g);
        gpu_free(w);
    }
}

/* 4: a load of one thread that depends on the previous one, each in another idle bank. */
static void pointer_chase(void **state) {
    (void)state;
    uint64_t cycles[2];
    for (unsigned half = 0; half < 2; ++half) {
        const unsigned loads = half ? 7 : 3; /* loads in banks that the code has not opened */
        uint32_t text[20];
        struct gpu *g = gpu_create("gt640-like");
        text[0] = LDR_R1_R0;
        for (unsigned n = 1; n <= loads; ++n) {
            const uint32_t next = DATA + n * 8192;
            text[n] = LDR_R1_R1;
            memcpy(g->data + (n - 1) * 8192, &next, 4);
        }
        text[loads + 1] = EXIT;
        g->arguments[0] = DATA;
        assert_true(gpu_run(g, text, loads + 2, 1, 1));
        cycles[half] = g->result.cycles;
        gpu_free(g);
    }
    const double each = (double)(cycles[1] - cycles[0]) / 4;
    printf("gt640-like: %.2f cycles a load (paper: 300)\n", each);
    assert_true(each >= 299 && each <= 301);
}

/* A single warp that loads 32 adjacent words from idle banks is selected again after 279 cycles (±1,
 * depending on the clocks), after an addition 9 cycles later. */
static void a_miss_of_a_warp_alone(void **state) {
    (void)state;
    uint64_t cycles[2];
    for (unsigned load = 0; load < 2; ++load) {
        struct gpu *g = gpu_create("fermi-like");
        const uint32_t text[] = {LDR_R1_R0, MRC_GLOBAL_ID_0, 0xe0812102u /* add r2, r1, r2, lsl #2 */,
                                 load ? LDR_R3_R2 : ADD_R3_R2_R1, EXIT};
        g->arguments[0] = DATA + 4096;
        assert_true(gpu_run(g, text, 5, 32, 32));
        cycles[load] = g->result.cycles;
        gpu_free(g);
    }
    const uint64_t more = cycles[1] - cycles[0];
    printf("fermi-like: a miss takes %llu cycles more than an addition (design: 270)\n",
           (unsigned long long)more);
    assert_true(more >= 269 && more <= 271);
}

/* Returns thread-instructions per cycle of all 30 SMs, and issue slots of an SM per warp instruction. The
 * kernel has additions of `warps` warps in 10 or 20 iterations of a loop of 200. `value`: the instruction
 * that sets r1. */
static double instructions_a_cycle(char *const *settings, uint32_t value, unsigned of_sm, double *slots) {
    enum { BODY = 200 };
    uint32_t text[BODY + 6];
    uint64_t cycles[2], instructions[2] = {0}, warps[2] = {0};
    for (unsigned half = 0; half < 2; ++half) {
        struct gpu *g = gpu_create("gtx285-like");
        for (char *const *s = settings; *s; ++s)
            assert_true(config_set(&machine_config_table, &g->config, *s, &g->error));
        text[0] = half ? 0xe3a03014u : 0xe3a0300au; /* mov r3, #20 or #10 */
        text[1] = value;
        text[2] = value + 0x1000; /* address of the next register */
        for (unsigned n = 3; n < BODY + 3; ++n) text[n] = ADD_R2_R2_R1;
        text[BODY + 3] = 0xe2533001u;                              /* subs r3, r3, #1 */
        text[BODY + 4] = 0x1a000000u | (0xffffffu & -(BODY + 3u)); /* bne to the first addition */
        text[BODY + 5] = EXIT;
        assert_true(gpu_run(g, text, BODY + 6, 30 * 32 * of_sm, 32 * of_sm));
        cycles[half] = g->result.cycles;
        for (unsigned k = 0; k < 30; ++k) {
            char scope[16];
            snprintf(scope, sizeof scope, "cluster%u", k);
            instructions[half] += counter(g, scope, "thread_instructions");
            warps[half] += counter(g, scope, "warp_instructions");
        }
        gpu_free(g);
    }
    *slots = 30.0 * (double)(cycles[1] - cycles[0]) / (double)(warps[1] - warps[0]);
    return (double)(instructions[1] - instructions[0]) / (double)(cycles[1] - cycles[0]);
}

/* 3: vector work only: at most 8 per cycle and SM, and nearly that: an instruction every four cycles; a
 * uniform one takes one cycle. */
static void peak(void **state) {
    (void)state;
    double slots;
    const double ipc = instructions_a_cycle((char *[]){NULL}, 0xee111790u /* mrc r1: global id */, 8, &slots);
    printf("gtx285-like, 8 warps an SM: IPC %.2f of 240, an instruction every %.2f cycles\n", ipc, slots);
    assert_true(ipc >= 239 && ipc <= 240);
    /* A collector is occupied for 3 cycles: of 2 collectors one is free every 1.5 cycles. */
    for (unsigned warps = 8; warps <= 16; warps *= 2) {
        char *collectors = warps == 8 ? "simt.collectors=2" : "simt.collectors=4";
        const double uniform =
            instructions_a_cycle((char *[]){"uniform.storage=token", "uniform.intra=on", collectors, NULL},
                                 0xe3a01001u /* mov r1, #1 */, warps, &slots);
        printf("with uniform.intra, uniform code, %u warps: IPC %.2f, an instruction every %.3f cycles\n",
               warps, uniform, slots);
        assert_true(uniform > 240);
        assert_true(warps == 8 ? slots >= 1.5 && slots < 1.65 : slots >= 1 && slots < 1.02);
    }
}

/* Returns the read rate of each of `count` SMXs, in GB/s, if each thread copies a word. It is measured by the
 * time for additional work-groups. */
static double copy_rate(unsigned count, const uint32_t *text, unsigned words) {
    const uint32_t items[2] = {2048 * 40 * count, 2048 * 120 * count};
    uint64_t cycles[2];
    for (unsigned half = 0; half < 2; ++half) {
        struct gpu *g = gpu_create("gt640-like");
        g->config.cluster.count = count;
        g->arguments[0] = DATA;
        g->arguments[1] = DATA + DATA_SIZE / 2;
        for (uint32_t n = 0; n < items[half]; ++n) ((uint32_t *)g->data)[n] = n * 3;
        if (!gpu_run(g, text, words, items[half], 256)) fail_msg("%s", g->error.message);
        assert_memory_equal(g->data, g->data + DATA_SIZE / 2, items[half] * 4);
        cycles[half] = g->result.cycles;
        gpu_free(g);
    }
    return 4.0 * (items[1] - items[0]) / count / ((double)(cycles[1] - cycles[0]) / 0.95);
}

/* 4: each of 2,048 threads of an SMX copies a word, work-group after work-group. Read rate of an SMX in GB/s:
 * at most that of 2,048 loads in flight with the latency of 300 cycles of 950 MHz, 25.9, and half of the
 * pins' rate, 80. Also with addresses that are not arguments. */
static void copy_bandwidth(void **state) {
    (void)state;
#define COPY 0xe7913102u /* ldr r3, [r1, r2, lsl #2] */, 0xe7843102u /* str r3, [r4, r2, lsl #2] */
    static const uint32_t text[] = {MRC_GLOBAL_ID_0, 0xe5901000u /* ldr r1, [r0] */,
                                    0xe5904004u /* ldr r4, [r0, #4] */, COPY, EXIT};
    static const uint32_t bare[] = {MRC_GLOBAL_ID_0, 0xe3a01206u /* mov r1, #DATA */,
                                    0xe2814401u /* add r4, r1, #DATA_SIZE / 2 */, COPY, EXIT};
    for (unsigned count = 1; count <= 2; ++count) {
        const double read = copy_rate(count, text, sizeof text / 4),
                     without = copy_rate(count, bare, sizeof bare / 4);
        const double by_latency = 2048 * 4 / (300 / 0.95), by_pins = 80.0 / 2 / count;
        const double most = by_latency < by_pins ? by_latency : by_pins;
        printf("gt640-like, copy by %u SMX: %.1f GB/s read by each (without arguments %.1f), %.0f %% of 25.9 "
               "(latency), %.0f %% of %.0f (pins)\n",
               count, read, without, 100 * read / by_latency, 100 * read / by_pins, by_pins);
        assert_true(read <= most * 1.01 && read > 0.5 * most);
        assert_true(without <= most * 1.01 && without > 0.5 * most);
    }
}

/* 5: returns the number of transactions of 32 threads that load a word each, `stride` words apart, at an
 * offset of `shift` bytes. Transactions of 128 bytes are two lines of gtx285-like's L1D (test_coalescer tests
 * the rule alone). */
static uint64_t transactions(const char *config, unsigned stride, unsigned shift) {
    struct gpu *g = gpu_create(config);
    /* r2 = global id; r2 = r1 + r2 · 4 · stride */
    const uint32_t lsl = 2 + (uint32_t)__builtin_ctz(stride);
    const uint32_t text[] = {LDR_R1_R0, MRC_GLOBAL_ID_0, 0xe0812002u | lsl << 7, LDR_R3_R2, EXIT};
    g->arguments[0] = DATA + shift;
    if (!gpu_run(g, text, 5, 32, 32)) fail_msg("%s", g->error.message);
    const uint64_t found = counter(g, "cluster0.coalescer", "transactions");
    gpu_free(g);
    return found;
}

static void coalescing(void **state) {
    (void)state;
    static const struct {
        const char *config;
        unsigned stride, shift;
        uint64_t expected;
    } cases[] = {{"gtx285-like", 1, 0, 2},   {"gtx285-like", 2, 0, 4}, {"gtx285-like", 4, 0, 8},
                 {"gtx285-like", 32, 0, 32}, {"gtx285-like", 1, 4, 4}, {"fermi-like", 1, 0, 2},
                 {"fermi-like", 2, 0, 4},    {"fermi-like", 4, 0, 8},  {"fermi-like", 32, 0, 32},
                 {"fermi-like", 1, 4, 3},    {"gt640-like", 1, 0, 1},  {"gt640-like", 32, 0, 16},
                 {"gt640-like", 2, 0, 1},    {"gt640-like", 1, 4, 1},  {"gt640-like", 64, 0, 32}};
    for (unsigned n = 0; n < sizeof cases / sizeof *cases; ++n) {
        const uint64_t found = transactions(cases[n].config, cases[n].stride, cases[n].shift);
        printf("%s, stride %u words, %u bytes off: %llu transactions\n", cases[n].config, cases[n].stride,
               cases[n].shift, (unsigned long long)found);
        assert_int_equal(found, cases[n].expected);
    }
}

/* 6: passes of a load of local memory. */
static void local_memory(void **state) {
    (void)state;
    static const struct {
        const char *config;
        uint64_t passes[6]; /* strides of 1, 2, 4, 8, 16 words; all one word */
    } cases[] = {{"gtx285-like", {2, 4, 8, 16, 32, 2}}, {"gt640-like", {1, 2, 4, 8, 16, 1}}};
    for (unsigned c = 0; c < 2; ++c)
        for (unsigned n = 0; n < 6; ++n) {
            struct gpu *g = gpu_create(cases[c].config);
            /* r1 = the window; r2 = r1 + r2 · 4 · stride, or r1 */
            const uint32_t address = n < 5 ? 0xe0812002u | (2 + n) << 7 : 0xe1a02001u;
            const uint32_t text[] = {LDR_R1_R0, MRC_GLOBAL_ID_0, address, LDR_R3_R2, EXIT};
            g->arguments[0] = MEMORY_LOCAL_BASE;
            g->launch.local_bytes = 4096;
            if (!gpu_run(g, text, 5, 32, 32)) fail_msg("%s", g->error.message);
            const uint64_t passes = counter(g, "cluster0.local", "passes");
            printf(n < 5 ? "%s, local memory: %llu passes, stride %u words\n"
                         : "%s, local memory: %llu passes, one word\n",
                   cases[c].config, (unsigned long long)passes, 1u << n);
            assert_int_equal(passes, cases[c].passes[n]);
            gpu_free(g);
        }
}

/* LDREX and STREX of a work-item of SM 0, and in between a store by one of SM 1, `offset` bytes further on:
 * STREX fails if the store is in the same eight bytes. No launch executes STREX a second time. */
static void stores_beside_an_atomic_operation(void **state) {
    (void)state;
    static const uint32_t text[] = {
        0xe5904004, /* ldr r4, [r0, #4] */
        0xe5905008, /* ldr r5, [r0, #8] */
        0xe5900000, /* ldr r0, [r0] */
        MRC_GLOBAL_ID_0,
        0xe3520000, /* cmp r2, #0 */
        0x01901f9f, /* ldrexeq r1, [r0] */
        0x15842000, /* strne r2, [r4] */
        0x01803f91, /* strexeq r3, r1, [r0] */
        0x05853000, /* streq r3, [r5] */
        EXIT,
    };
    static const struct {
        int offset;
        uint32_t failed;
    } cases[] = {{0, 1}, {4, 1}, {7, 1}, {-4, 0}, {8, 0}, {12, 0}, {56, 0}, {256, 0}};
    for (unsigned n = 0; n < sizeof cases / sizeof cases[0]; ++n) {
        struct gpu *g = gpu_create("stsimt-30x8");
        const uint32_t status = 4096, word = 512;
        g->arguments[0] = DATA + word;
        g->arguments[1] = DATA + word + (uint32_t)cases[n].offset;
        g->arguments[2] = DATA + status;
        g->data[status] = 0x55;
        if (!gpu_run(g, text, sizeof text / 4, 2, 1)) fail_msg("%s", g->error.message);
        if (g->data[status] != cases[n].failed)
            fail_msg("STREX says %u with a store %d bytes on", g->data[status], cases[n].offset);
        gpu_free(g);
    }
}

/* Half of a work-group's warps reach one barrier, the others another. */
static void deadlock(void **state) {
    (void)state;
    struct gpu *g = gpu_create("gtx285-like");
    /* mrc r2 = global id; tst r2, #32; beq +2 (the second barrier); barrier; b exit; barrier; exit */
    const uint32_t text[] = {MRC_GLOBAL_ID_0, 0xe3120020u, 0x0a000001u, BARRIER, 0xea000000u, BARRIER, EXIT};
    assert_false(gpu_run(g, text, 7, 64, 64));
    assert_int_equal(g->error.status, EXIT_PROGRAM_FAULT);
    assert_non_null(strstr(g->error.message, "deadlock"));
    assert_non_null(strstr(g->error.message, "waiting at the barrier"));
    gpu_free(g);
}

/* Rounds of doubles take 8 cycles, on fermi-like those of divisions 16. */
static void doubles_hold_the_lanes(void **state) {
    (void)state;
    static const char *const configs[] = {"gtx285-like", "gtx285-like-16", "stsimt-30x8", "gt640-like",
                                          "fermi-like"};
    static const enum arm_class classes[] = {ARM_CLASS_VFP_ADD_DOUBLE, ARM_CLASS_VFP_MULTIPLY_DOUBLE,
                                             ARM_CLASS_VFP_CHAINED_DOUBLE, ARM_CLASS_VFP_DIVIDE_DOUBLE};
    for (unsigned n = 0; n < 5; ++n) {
        struct gpu *g = gpu_create(configs[n]);
        for (unsigned k = 0; k < 4; ++k)
            assert_int_equal(g->config.core.occupancy_cycles[classes[k]], n == 4 && k == 3 ? 16 : 8);
        gpu_free(g);
    }
}

/* A barrel's scheduler has its part of the warps and registers, and a group is one scheduler's. */
static void the_largest_group_has_room(void **state) {
    (void)state;
    static const uint32_t text[] = {EXIT};
    static const struct {
        const char *config;
        uint32_t threads, most; /* threads of the configuration; 0: unchanged */
    } machines[] = {{"fermi-like", 0, 672}, {"fermi-like", 128, 64}, {"gtx285-like", 0, 320}};
    char fields[200];
    for (unsigned n = 0; n < sizeof machines / sizeof *machines; ++n) {
        struct gpu *g = gpu_create(machines[n].config);
        if (machines[n].threads) g->config.cluster.threads = machines[n].threads;
        assert_int_equal(machine_max_work_group(&g->config), machines[n].most);
        g->launch.registers = 8;
        assert_true(gpu_run(g, text, 1, 2 * machines[n].most, machines[n].most));
        assert_int_equal(g->result.work_groups, 2);
        if (machines[n].threads) {
            assert_true(machine_room_for(&g->config, 65, 0, fields, sizeof fields));
            assert_string_equal(fields, "cluster.threads=192");
        }
        gpu_free(g);
    }
}

/* A scheduler of fermi-like has 16,384 words: with 26 registers 19 warps (15,808 words), with 48 registers
 * ten. Fields that add registers make room for more. */
static void a_kernel_has_groups_that_fit_its_registers(void **state) {
    (void)state;
    struct gpu *g = gpu_create("fermi-like");
    char fields[200];
    assert_int_equal(machine_kernel_work_group(&g->config, 8), 672);
    assert_int_equal(machine_kernel_work_group(&g->config, 26), 19 * 32);
    assert_int_equal(machine_kernel_work_group(&g->config, 48), 10 * 32);
    assert_int_equal(machine_kernel_work_group(&g->config, 0), 672);
    for (uint32_t registers = 1; registers <= ARM_REGISTERS; ++registers)
        for (uint32_t items = 32; items <= 1024; items += 32) {
            struct machine_config larger = g->config;
            char *rest = fields, *field;
            if (!machine_room_for(&g->config, items, registers, fields, sizeof fields)) continue;
            while ((field = strtok_r(rest, " ", &rest)) != NULL)
                assert_true(config_set(&machine_config_table, &larger, field, &g->error));
            assert_true(machine_kernel_work_group(&larger, registers) >= items);
        }
    gpu_free(g);
}

/* 20 warps of 48 registers: 30,720 words, but a scheduler has 16,384. */
static void a_group_of_too_many_registers_is_refused(void **state) {
    (void)state;
    static const uint32_t text[] = {EXIT};
    struct gpu *g = gpu_create("fermi-like");
    g->launch.registers = ARM_REGISTERS;
    assert_false(gpu_run(g, text, 1, 640, 640));
    assert_int_equal(g->error.status, EXIT_USER);
    assert_non_null(strstr(g->error.message,
                           "a scheduler has no room for the 20 warps of a work-group, of 48 "
                           "registers a thread: it has 16384 words of vrf.registers 32768"));
    gpu_free(g);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pointer_chase),
                                       cmocka_unit_test(copy_bandwidth),
                                       cmocka_unit_test(a_miss_of_a_warp_alone),
                                       cmocka_unit_test(peak),
                                       cmocka_unit_test(a_launch_ends_when_the_l2_has_its_stores),
                                       cmocka_unit_test(the_tail_begins_after_the_last_dispatch),
                                       cmocka_unit_test(coalescing),
                                       cmocka_unit_test(local_memory),
                                       cmocka_unit_test(stores_beside_an_atomic_operation),
                                       cmocka_unit_test(deadlock),
                                       cmocka_unit_test(doubles_hold_the_lanes),
                                       cmocka_unit_test(the_largest_group_has_room),
                                       cmocka_unit_test(a_kernel_has_groups_that_fit_its_registers),
                                       cmocka_unit_test(a_group_of_too_many_registers_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
