/* Register accesses compared with counts from a wave of the same run: reads of the operand collector in each
 * cycle, and writes of each instruction in the lanes, by its text. The programs' warps are full: each
 * register of a warp instruction counts for 32 threads. */
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

#define WARP_SIZE 32

/* Signals of cluster 0 in a value change dump, and counts of them. */
struct wave {
    char objects[8], busy[8], warp[8], pc[8], instruction[8]; /* codes of the variables */
    uint64_t read_in_a_cycle;                                 /* registers */
    bool lanes_busy, next;                                    /* next: another instruction is shown */
    bool only_reads;                                          /* writes are not counted */
    char text[256];
    uint64_t time, read, written, dispatched;
};

static void declare(struct wave *w, const char *scope, const char *code, const char *name) {
    const struct {
        const char *scope, *name;
        char *code;
    } wanted[] = {{"operand_collector", "objects_o", w->objects},
                  {"dispatcher", "busy", w->busy},
                  {"dispatcher", "warp", w->warp},
                  {"dispatcher", "pc", w->pc},
                  {"dispatcher", "instruction", w->instruction}};
    for (unsigned n = 0; n < sizeof wanted / sizeof *wanted; n++)
        if (strcmp(scope, wanted[n].scope) == 0 && strcmp(name, wanted[n].name) == 0)
            snprintf(wanted[n].code, sizeof w->objects, "%s", code);
}

/* Returns the number of registers in a list: commas plus one. */
static unsigned listed(const char *list) {
    unsigned n = 1;
    for (; *list != '}'; list++) n += *list == ',';
    return n;
}

/* Returns the registers that an instruction writes. Only the program's instructions are expected. */
static unsigned writes(const char *text) {
    static const char *const none[] = {"cmp\\040",   "bcs\\040",       "vstr\\040",
                                       "raise\\040", "outermost\\040", "thread\\040exit"},
                             *const one[] = {"ldr\\040", "add\\040", "vldr\\040", "vadd.f32\\040",
                                             "global\\040id:"};
    for (unsigned n = 0; n < sizeof none / sizeof *none; n++)
        if (strncmp(text, none[n], strlen(none[n])) == 0) return 0;
    for (unsigned n = 0; n < sizeof one / sizeof *one; n++)
        if (strncmp(text, one[n], strlen(one[n])) == 0) return 1;
    if (strncmp(text, "ldm\\040", 7) != 0) fail_msg("%s is no instruction that is expected", text);
    return listed(strchr(text, '{'));
}

/* Counts until `time` with the present values, after all changes of a time are known. */
static void stay(struct wave *w, uint64_t time) {
    if (w->next && w->lanes_busy) {
        if (!w->only_reads) w->written += writes(w->text);
        w->dispatched++;
    }
    w->next = false;
    w->read += w->read_in_a_cycle * ((time - w->time) / 1000);
    w->time = time;
}

static void change(struct wave *w, const char *value, const char *code) {
    if (strcmp(code, w->busy) == 0) w->lanes_busy = *value == '1';
    if (strcmp(code, w->warp) == 0 || strcmp(code, w->pc) == 0) w->next = true;
    if (strcmp(code, w->instruction) == 0) {
        snprintf(w->text, sizeof w->text, "%s", value);
        w->next = true;
    }
    if (strcmp(code, w->objects) != 0) return;
    w->read_in_a_cycle = 0;
    for (; *value; value++) w->read_in_a_cycle += *value == '1';
}

static void read_line(struct wave *w, char *line, char scope[64]) {
    char code[8], name[64], *space = strrchr(line, ' ');
    if (sscanf(line, "$scope module %63s", scope) == 1) return;
    if (sscanf(line, "$var %*s %*u %7s %63s", code, name) == 2) declare(w, scope, code, name);
    if (*line == '$') return;
    if (*line == '#')
        stay(w, strtoull(line + 1, NULL, 10));
    else if ((*line == 'b' || *line == 's') && space) {
        *space = '\0';
        change(w, line + 1, space + 1);
    } else if (*line == '0' || *line == '1') {
        change(w, (char[]){*line, '\0'}, line + 1);
    }
}

static json_int_t event(const json_t *statistics, const char *name) {
    size_t index;
    json_t *row;
    json_array_foreach(json_object_get(statistics, "events"), index, row) {
        if (strcmp(json_string_value(json_object_get(row, "scope")), "threads") == 0 &&
            strcmp(json_string_value(json_object_get(row, "name")), name) == 0)
            return json_integer_value(json_object_get(row, "value"));
    }
    return -1;
}

/* Runs a program, and counts in its wave. Returns its statistics. */
static json_t *count(struct wave *w, char *isa, char *program, char *words[]) {
    char *path = spawn_text("%s/benchmarks/%s", spawn_build(), program), scope[64] = "";
    struct spawned run = LOCKSTEP("run", "--events", "--stats", "s.json", "--trace", "t.vcd", "--set", isa,
                                  "--", path, words[0], words[1], words[2], words[3]);
    assert_status(&run, 0);
    *w = (struct wave){.only_reads = strstr(isa, "neon")};
    char *wave = fixture_path("t.vcd"), *text = spawn_read(wave), *rest = text;
    for (char *line; (line = strsep(&rest, "\n"));)
        if (*line) read_line(w, line, scope);
    assert_true(w->dispatched > 100 && w->read > 100);
    free(text);
    free(wave);
    free(path);
    spawn_free(&run);
    return fixture_statistics("s.json");
}

static void register_accesses_are_those_of_the_wave(void **state) {
    (void)state;
    struct wave w;
    json_t *statistics =
        count(&w, "cluster.isa=vfp", "vector_add", (char *[]){"--count", "1024", NULL, NULL});
    assert_int_equal(event(statistics, "registers_read"), WARP_SIZE * w.read);
    assert_int_equal(event(statistics, "registers_written"), WARP_SIZE * w.written);
    json_decref(statistics);
}

/* The collector reads both rows of a register D16 to D31: it counts as two registers. */
static void reads_of_quadwords_are_those_of_the_wave(void **state) {
    (void)state;
    struct wave w;
    json_t *statistics =
        count(&w, "cluster.isa=neon", "dotproduct", (char *[]){"--products", "4096", "--vectors", "on"});
    assert_true(event(statistics, "operations.neon_float_quad") > 0);
    assert_int_equal(event(statistics, "registers_read"), WARP_SIZE * w.read);
    json_decref(statistics);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(register_accesses_are_those_of_the_wave),
                                       TEST(reads_of_quadwords_are_those_of_the_wave)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
