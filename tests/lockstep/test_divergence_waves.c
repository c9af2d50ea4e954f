/* Waves of a machine with a divergence engine agree with its counters (divergence.md §7): the utilization of
 * the pipeline's depth (equation 1 of the HARP paper) and width (equation 2), computed from rounds and
 * threads in the waves, equal the counters. */
#include "model/core/launch.h"
#include "sim/error.h"
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_VARIABLES = 4096, LANES = 16, PERIOD_PS = 1000 };

/* A variable of the waves: its name with scopes, its code, its value. */
static struct variable {
    char name[64], code[8];
    uint64_t value;
} variable[MOST_VARIABLES];
static unsigned variables;

static int by_code(const void *a, const void *b) {
    return strcmp(((const struct variable *)a)->code, ((const struct variable *)b)->code);
}

static struct variable *called(const char *scope, const char *name) {
    char whole[64];
    snprintf(whole, sizeof whole, "cluster0.%s.%s", scope, name);
    for (unsigned n = 0; n < variables; n++)
        if (strcmp(variable[n].name, whole) == 0) return &variable[n];
    fail_msg("no %s in the waves", whole);
    return NULL;
}

/* Reads the declarations, up to the first value. */
static char *declare(char *text) {
    char scope[256] = "", *line, *rest = text;
    variables = 0;
    while ((line = strsep(&rest, "\n")) != NULL && strncmp(line, "$enddefinitions", 15) != 0) {
        char name[64], code[8];
        if (sscanf(line, "$scope module %63s", name) == 1) {
            strcat(strcat(scope, name), ".");
        } else if (strncmp(line, "$upscope", 8) == 0) {
            scope[strlen(scope) - 1] = '\0';
            *(strrchr(scope, '.') ? strrchr(scope, '.') + 1 : scope) = '\0';
        } else if (sscanf(line, "$var %*s %*u %7s %63s", code, name) == 2) {
            assert_true(variables < MOST_VARIABLES);
            struct variable *v = &variable[variables++];
            assert_true((size_t)snprintf(v->name, sizeof v->name, "%s%s", scope, name) < sizeof v->name);
            strcpy(v->code, code);
            v->value = 0;
        }
    }
    qsort(variable, variables, sizeof variable[0], by_code);
    return rest;
}

static void set(const char *code, uint64_t value) {
    struct variable key = {.value = 0}, *v;
    snprintf(key.code, sizeof key.code, "%s", code);
    v = bsearch(&key, variable, variables, sizeof variable[0], by_code);
    if (v) v->value = value;
}

static struct { struct variable *warp, *round, *threads; } unit[2];
static struct variable *cause[2];
static uint64_t rounds, threads, cycles;

static void begin(void) {
    for (unsigned n = 0; n < 2; n++) {
        char name[16];
        snprintf(name, sizeof name, "sp%u", n);
        unit[n].warp = called(name, "warp");
        unit[n].round = called(name, "round");
        unit[n].threads = called(name, "threads");
        snprintf(name, sizeof name, "scheduler%u", n);
        cause[n] = called(name, "cause");
    }
    rounds = threads = cycles = 0;
}

/* Counts cycles with the values shown; `none`: the value for no warp. */
static void count(uint64_t by, uint64_t none) {
    for (unsigned n = 0; n < 2; n++) {
        cycles += cause[n]->value != MACHINE_CAUSE_NO_GROUP ? by : 0;
        if (unit[n].warp->value == none || unit[n].round->value != 0) continue;
        threads += by * (unsigned)__builtin_popcountll(unit[n].threads->value);
        for (uint64_t rest = unit[n].threads->value; rest; rest >>= LANES)
            rounds += by * ((rest & ((1u << LANES) - 1)) != 0);
    }
}

static void read_waves(char *text) {
    char *rest = declare(text), *line;
    uint64_t at = 0;
    begin();
    const uint64_t none = 48;
    while ((line = strsep(&rest, "\n")) != NULL) {
        char code[8], bits[80];
        if (line[0] == '#') {
            const uint64_t next = strtoull(line + 1, NULL, 10);
            count((next - at) / PERIOD_PS, none);
            at = next;
        } else if (sscanf(line, "b%79[01] %7s", bits, code) == 2)
            set(code, strtoull(bits, NULL, 2));
        else if (line[0] == '0' || line[0] == '1')
            set(line + 1, line[0] == '1');
    }
}

static uint64_t counter(const json_t *stats, const char *name) {
    size_t n;
    json_t *c;
    json_array_foreach(json_object_get(stats, "counters"), n, c) {
        if (strcmp(json_string_value(json_object_get(c, "scope")), "cluster0") == 0 &&
            strcmp(json_string_value(json_object_get(c, "name")), name) == 0)
            return (uint64_t)json_integer_value(json_object_get(c, "value"));
    }
    fail_msg("no counter %s", name);
    return 0;
}

static void counters_are_those_of_the_waves(void **state) {
    (void)state;
    static const char *const engines[] = {"sbr", "dwf", "harp"};
    char *config = spawn_text("%s/configs/fermi-like.yaml", spawn_source()),
         *program = spawn_text("%s/benchmarks/mandelbrot", spawn_build());
    for (unsigned n = 0; n < 3; n++) {
        char *engine = spawn_text("simt.divergence=%s", engines[n]);
        struct spawned s = LOCKSTEP("run", "--config", config, "--set", engine, "--set", "cluster.count=1",
                                    "--set", "cluster.clock_mhz=1000", "--trace", "w.vcd", "--stats",
                                    "s.json", "--", program, "--size", "8");
        assert_status(&s, EXIT_SOUND);
        char *path = fixture_path("w.vcd"), *text = spawn_read(path);
        assert_non_null(text);
        read_waves(text);
        json_t *stats = fixture_statistics("s.json");
        print_message("%s: %llu rounds, %llu threads in %llu cycles of schedulers\n", engines[n],
                      (unsigned long long)rounds, (unsigned long long)threads, (unsigned long long)cycles);
        assert_int_equal(rounds, counter(stats, "active_rounds"));
        assert_int_equal(threads, counter(stats, "thread_instructions"));
        assert_int_equal(cycles, counter(stats, "scheduler_cycles"));
        assert_true(rounds && threads < LANES * rounds);
        json_decref(stats);
        spawn_free(&s);
        free(text);
        free(path);
        free(engine);
    }
    free(config);
    free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(counters_are_those_of_the_waves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
