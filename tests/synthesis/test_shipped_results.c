/* Shipped results of synthesis: three are reproduced; a key does not depend on comments and layout. */
#include "synthesis/area.h"
#include "synthesis/shipped_results.h"
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

#define REBUILT 3

static const char *text_of(const json_t *result, const char *key) {
    return json_string_value(json_object_get(result, key));
}

/* Copies a folder's Verilog, without the results. */
static char *copy_verilog(const char *edit) {
    char *copy = fixture_path("rtl"),
         *script = spawn_text("mkdir -p rtl && cp %s/rtl/*.sv rtl && cd rtl && %s", spawn_source(), edit);
    struct spawned s = spawn(fixture_folder, (char *[]){"sh", "-c", script, NULL});
    if (s.status) fail_msg("%s", s.err);
    spawn_free(&s);
    free(script);
    return copy;
}

/* Reads parameters such as "WARPS=16 LEVELS=8". */
static unsigned settings_of(char *parameters, struct verilog_setting settings[VERILOG_MAX_PARAMETERS]) {
    unsigned count = 0;
    for (char *word; (word = strsep(&parameters, " "));) {
        char *value = strchr(word, '=');
        if (!value) continue;
        *value = '\0';
        settings[count++] = (struct verilog_setting){word, (unsigned)strtoul(value + 1, NULL, 10)};
    }
    return count;
}

static struct technology technology(void) {
    struct technology t;
    struct error e = {0};
    if (!technology_read(&t, NULL, NULL, &e)) fail_msg("%s", e.message);
    return t;
}

/* Reproduces a shipped result of a block, with the same key. */
static void assert_rebuilt(const struct technology *t, const char *original, const char *folder,
                           const json_t *shipped) {
    struct verilog_setting settings[VERILOG_MAX_PARAMETERS];
    struct netlist_result result;
    struct error e = {0};
    enum netlist_state state;
    char hash[SYNTHESIS_HASH], *parameters = strdup(text_of(shipped, "parameters"));
    const struct netlist_request r = {.folder = folder,
                                      .top = text_of(shipped, "module"),
                                      .settings = settings,
                                      .count = settings_of(parameters, settings)};
    print_message("%s %s\n", r.top, text_of(shipped, "parameters"));
    struct netlist_request there = r; /* request in the folder with the results */
    there.folder = original;
    if (!netlist_find(&there, t, &result, hash, &state, &e)) fail_msg("%s", e.message);
    assert_int_equal(state, NETLIST_KNOWN);
    if (!netlist_find(&r, t, &result, hash, &state, &e)) fail_msg("%s", e.message);
    assert_string_equal(hash, text_of(shipped, "key"));
    assert_int_equal(state, NETLIST_MISSING);
    if (!netlist_make(&r, t, NULL, &result, &e)) fail_msg("%s", e.message);
    json_t *made = netlist_result_json(&result);
    static const char *const parts[] = {"smallest", "fastest"};
    for (unsigned n = 0; n < 2; n++) {
        char *was = json_dumps(json_object_get(shipped, parts[n]), JSON_SORT_KEYS | JSON_REAL_PRECISION(9)),
             *is = json_dumps(json_object_get(made, parts[n]), JSON_SORT_KEYS | JSON_REAL_PRECISION(9));
        assert_string_equal(is, was);
        free(was);
        free(is);
    }
    json_decref(made);
    free(parameters);
}

static double seconds_of(const json_t *result) {
    const bool stages = json_object_get(result, "stages") != NULL;
    return stages || area_block_is_large(text_of(result, "module"))
               ? 1e9
               : json_number_value(json_object_get(result, "seconds"));
}

/* The three that take least time. */
static void test_three_are_rebuilt(void **state) {
    (void)state;
    char *original = spawn_text("%s/rtl", spawn_source()),
         *path = spawn_text("%s/%s", original, SHIPPED_RESULTS_FILE), *folder = copy_verilog("true");
    json_error_t why;
    json_t *all = json_load_file(path, 0, &why), *last = NULL;
    if (!all) fail_msg("%s: %s", path, why.text);
    assert_true(json_array_size(all) >= REBUILT);
    char *cache = fixture_path("cache"); /* an empty cache */
    setenv("LOCKSTEP_CACHE", cache, 1);
    free(cache);
    struct technology t = technology();
    for (unsigned n = 0; n < REBUILT; n++) {
        json_t *least = NULL, *result;
        size_t index;
        json_array_foreach(all, index, result) if (!json_object_get(result, "made") &&
                                                   (!least || seconds_of(result) < seconds_of(least))) least =
            result;
        assert_non_null(least);
        assert_true(least != last);
        assert_rebuilt(&t, original, folder, least);
        json_object_set_new(least, "made", json_true());
        last = least;
    }
    technology_free(&t);
    json_decref(all);
    free(folder);
    free(path);
    free(original);
}

static void find_key(const struct technology *t, const char *edit, char hash[SYNTHESIS_HASH]) {
    static const struct verilog_setting settings[] = {{"WARPS", 2}};
    struct netlist_result result;
    struct error e = {0};
    enum netlist_state state;
    char *folder = copy_verilog(edit);
    const struct netlist_request r = {
        .folder = folder, .top = "warp_scheduler", .settings = settings, .count = 1};
    if (!netlist_find(&r, t, &result, hash, &state, &e)) fail_msg("%s", e.message);
    free(folder);
}

static void test_keys(void **state) {
    (void)state;
    static const char *const same[] = {"sed -i 's|//.*||' *.sv",
                                       "sed -i '3i// a comment' *.sv",
                                       "sed -i 's/  */ /g; s/ = /   =  /g' *.sv",
                                       "sed -i 's/;$/;\\n\\n/' *.sv",
                                       "sed -i 's/$/\\r/' warp_scheduler.sv",
                                       "echo garbage >>barrier_table.sv"};
    static const char *const others[] = {"sed -i 's/take_i \\&\\&/take_i \\&/' warp_scheduler.sv",
                                         "sed -i 's/last_q/last_r/g' warp_scheduler.sv"};
    struct technology t = technology();
    char key[SYNTHESIS_HASH], other[SYNTHESIS_HASH];
    find_key(&t, "true", key);
    for (size_t n = 0; n < sizeof same / sizeof *same; n++) {
        find_key(&t, same[n], other);
        if (strcmp(key, other) != 0) fail_msg("%s changes the key", same[n]);
    }
    for (size_t n = 0; n < sizeof others / sizeof *others; n++) {
        find_key(&t, others[n], other);
        if (strcmp(key, other) == 0) fail_msg("%s does not change the key", others[n]);
    }
    technology_free(&t);
}

int main(void) {
    spawn_limit_seconds = 3600;
    const struct CMUnitTest tests[] = {TEST(test_three_are_rebuilt), TEST(test_keys)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
