#include "sim/config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

enum policy { FIRST, SECOND, THIRD };

struct sample {
    uint32_t clock_mhz;
    struct {
        uint32_t lanes, verbose;
    } cluster;
    uint32_t policy, add_latency, mul_latency;
};

static const char *const policies[] = {"first", "second", "third", NULL};
#define AT(member) offsetof(struct sample, member)
static const struct config_field fields[] = {
    {"clock_mhz", CONFIG_UNSIGNED, AT(clock_mhz), 1, 10000, false, 3000, NULL, NULL, "MHz", "frequency",
     "page 1", NULL},
    {"cluster.lanes", CONFIG_UNSIGNED, AT(cluster.lanes), 1, 64, true, 16, NULL, NULL, "", "lanes × cluster",
     "page 2", NULL},
    {"cluster.verbose", CONFIG_FLAG, AT(cluster.verbose), 0, 1, false, 0, NULL, NULL, "", "says more", "ours",
     NULL},
    {"core.class.add.latency", CONFIG_UNSIGNED, AT(add_latency), 0, 100, false, 1, NULL, NULL, "cycles",
     "add", "page 3", NULL},
    {"core.policy", CONFIG_CHOICE, AT(policy), 0, 0, false, SECOND, policies, NULL, "", "who goes first",
     "page 4", NULL},
    {"core.class.mul.latency", CONFIG_UNSIGNED, AT(mul_latency), 0, 100, false, 4, NULL, NULL, "cycles",
     "mul", "page 3", "core.policy=first,third"},
};

static bool check_sample(const void *config, struct error *e) {
    const struct sample *c = config;
    if (c->mul_latency >= c->add_latency) return true;
    return error_set(e, EXIT_USER, "core.class.mul.latency is below core.class.add.latency");
}
static const struct config_table table = {fields, sizeof fields / sizeof *fields, check_sample, 0};

static char directory[] = "/tmp/test_config.XXXXXX";

static int enter(void **state) {
    (void)state;
    return !mkdtemp(directory) || chdir(directory);
}

static int leave(void **state) {
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", directory);
    return chdir("/") || system(command);
}

static void put(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static struct sample defaults(void) {
    struct sample c;
    memset(&c, 0xff, sizeof c);
    config_defaults(&table, &c);
    return c;
}

/* Checks that reading `text` fails with exactly this message and does not change the configuration. */
static void refuses(const char *text, const char *message) {
    struct sample c = defaults(), before = c;
    struct error e = {0};
    put("c.yaml", text);
    assert_false(config_read(&table, &c, "c.yaml", &e));
    assert_string_equal(e.message, message);
    assert_int_equal(e.status, EXIT_USER);
    assert_memory_equal(&c, &before, sizeof c);
}

static struct sample accepts(const char *text) {
    struct sample c = defaults();
    struct error e = {0};
    put("c.yaml", text);
    if (!config_read(&table, &c, "c.yaml", &e)) fail_msg("%s", e.message);
    return c;
}

static void test_defaults(void **state) {
    (void)state;
    struct sample c = defaults();
    assert_int_equal(c.clock_mhz, 3000);
    assert_int_equal(c.cluster.lanes, 16);
    assert_int_equal(c.cluster.verbose, 0);
    assert_int_equal(c.policy, SECOND);
    assert_int_equal(c.mul_latency, 4);
}

static void test_reads_every_type(void **state) {
    (void)state;
    struct sample c =
        accepts("# comment\nclock_mhz: 0x10\ncluster: {lanes: 4, verbose: true}\n"
                "core:\n  policy: third\n  class:\n    add: {latency: 2}\n    mul.latency: 7\n");
    assert_int_equal(c.clock_mhz, 16);
    assert_int_equal(c.cluster.lanes, 4);
    assert_int_equal(c.cluster.verbose, 1);
    assert_int_equal(c.policy, THIRD);
    assert_int_equal(c.add_latency, 2);
    assert_int_equal(c.mul_latency, 7);
}

static void test_empty_files_and_groups(void **state) {
    (void)state;
    struct sample c = defaults(), d = accepts("");
    assert_memory_equal(&c, &d, sizeof c);
    d = accepts("# nothing\n");
    assert_memory_equal(&c, &d, sizeof c);
    d = accepts("cluster:\n  # lanes: 4\n");
    assert_memory_equal(&c, &d, sizeof c);
}

static void test_unknown_fields(void **state) {
    (void)state;
    refuses("clock_mhz: 1\ncluster:\n  lane: 4\n",
            "c.yaml:3: unknown field 'cluster.lane' (did you mean 'cluster.lanes'?)");
    refuses("core:\n  lanes: 4\n", "c.yaml:2: unknown field 'core.lanes' (did you mean 'cluster.lanes'?)");
    refuses("clsuter: {lanes: 4}\n", "c.yaml:1: unknown field 'clsuter' (did you mean 'cluster'?)");
    refuses("cluster: {qwertz: 4}\n",
            "c.yaml:1: unknown field 'cluster.qwertz'; in 'cluster' there are: lanes, verbose");
    refuses("qwertz: 4\n",
            "c.yaml:1: unknown field 'qwertz'; at the top there are: clock_mhz, cluster, core");
    refuses("cluster.extends: x\n",
            "c.yaml:1: unknown field 'cluster.extends'; in 'cluster' there are: lanes, verbose");
}

static void test_ranges_and_types(void **state) {
    (void)state;
    refuses("cluster:\n  lanes: 128\n",
            "c.yaml:2: field 'cluster.lanes': '128' is out of range; expected a whole "
            "number, 1 to 64, a power of two");
    refuses("clock_mhz: 0\n",
            "c.yaml:1: field 'clock_mhz': '0' is out of range; expected a whole number, 1 to 10000, in MHz");
    refuses("clock_mhz: -5\n",
            "c.yaml:1: field 'clock_mhz': '-5' is out of range; expected a whole number, 1 to 10000, in MHz");
    refuses("clock_mhz: 99999999999999999999999\n",
            "c.yaml:1: field 'clock_mhz': '99999999999999999999999' is out "
            "of range; expected a whole number, 1 to 10000, in MHz");
    refuses("clock_mhz: 4294967297\n",
            "c.yaml:1: field 'clock_mhz': '4294967297' is out of range; expected a "
            "whole number, 1 to 10000, in MHz");
    refuses("cluster.lanes: 6\n", "c.yaml:1: field 'cluster.lanes': '6' is no power of two; expected a whole "
                                  "number, 1 to 64, a power of two");
    refuses("clock_mhz: fast\n", "c.yaml:1: field 'clock_mhz': 'fast' is no whole number; expected a whole "
                                 "number, 1 to 10000, in MHz");
    refuses(
        "clock_mhz: 1.5\n",
        "c.yaml:1: field 'clock_mhz': '1.5' is no whole number; expected a whole number, 1 to 10000, in MHz");
    refuses("clock_mhz: 010\n", "c.yaml:1: field 'clock_mhz': '010' is ambiguous (octal?); expected a whole "
                                "number, 1 to 10000, in MHz");
    refuses("clock_mhz: '7'\n",
            "c.yaml:1: field 'clock_mhz': '7' is a string in quotes; expected a whole number, "
            "1 to 10000, in MHz");
    refuses("clock_mhz:\n", "c.yaml:1: field 'clock_mhz' has no value; expected 1 to 10000");
    refuses("clock_mhz: [1, 2]\n",
            "c.yaml:1: field 'clock_mhz' takes one value, not a list; expected 1 to 10000");
    refuses("clock_mhz: {a: 2}\n",
            "c.yaml:1: field 'clock_mhz' takes one value, not a group of fields; expected 1 to 10000");
    refuses("core: 3\n",
            "c.yaml:1: 'core' is a group of fields, not a value; write 'field: value' lines below it");
    refuses("core.policy: thrid\n",
            "c.yaml:1: field 'core.policy': 'thrid' is none of first, second, third (did "
            "you mean 'third'?)");
    refuses("core.policy: 1\n", "c.yaml:1: field 'core.policy': '1' is none of first, second, third");
    refuses("cluster.verbose: yes\n",
            "c.yaml:1: field 'cluster.verbose': 'yes' is neither; expected true or false");
}

static void test_boundaries(void **state) {
    (void)state;
    assert_int_equal(accepts("clock_mhz: 10000\n").clock_mhz, 10000);
    assert_int_equal(accepts("clock_mhz: 1\n").clock_mhz, 1);
    assert_int_equal(accepts("cluster.lanes: 64\n").cluster.lanes, 64);
    assert_int_equal(accepts("core.class.add.latency: 0\n").add_latency, 0);
}

static void test_duplicates(void **state) {
    (void)state;
    refuses("clock_mhz: 4\ncluster: {lanes: 4}\nclock_mhz: 5\n",
            "c.yaml:3: 'clock_mhz' is given twice (first at line 1)");
    refuses("cluster:\n  lanes: 4\ncluster.lanes: 8\n",
            "c.yaml:3: field 'cluster.lanes' is given twice (first at line 2)");
    refuses("cluster: {lanes: 4}\ncluster: {verbose: true}\n",
            "c.yaml:2: 'cluster' is given twice (first at line 1)");
}

static void test_yaml_errors(void **state) {
    (void)state;
    refuses("clock_mhz: 4\ncluster: {lanes: 4\ncore: 3\n",
            "c.yaml:3: YAML syntax error: while parsing a flow mapping, did not find expected ',' or '}'");
    refuses("clock_mhz: 4\n\tlanes: 3\n",
            "c.yaml:2: YAML syntax error: while scanning a plain scalar, found a "
            "tab character that violates indentation");
    refuses("a\nb\x01\n", "c.yaml:2: YAML syntax error: control characters are not allowed");
    refuses("clock_mhz: 4\n---\nclock_mhz: 5\n",
            "c.yaml:2: a second document begins here; a configuration is one document");
    refuses("- 1\n- 2\n", "c.yaml:1: expected lines of the form 'field: value'");
    refuses("clock_mhz: *x\n", "c.yaml:1: YAML syntax error: found undefined alias");
    refuses("&a [1]: 3\n", "c.yaml:1: expected the name of a field before ':'");
    refuses("cluster: &a {cluster: *a}\n",
            "c.yaml:1: unknown field 'cluster.cluster'; in 'cluster' there are: lanes, verbose");
}

/* Loaded, the first would take minutes. */
static void test_depth_is_bounded(void **state) {
    (void)state;
    static const char *const nested[] = {"[", "{a: ", "- ", "? ", "[\n"};
    char *text = malloc((1 << 20) + 1);
    const clock_t start = clock();
    assert_non_null(text);
    for (size_t n = 0; n < sizeof nested / sizeof *nested; n++) {
        const size_t length = strlen(nested[n]);
        for (size_t i = 0; i < 900000; i++) text[i] = nested[n][i % length];
        text[900000] = 0;
        refuses(text, n < 4
                          ? "c.yaml:1: lists and groups nested more than 32 deep: this is no configuration"
                          : "c.yaml:33: lists and groups nested more than 32 deep: this is no configuration");
    }
    assert_true(clock() - start < CLOCKS_PER_SEC);
    free(text);
}

static void test_extends(void **state) {
    (void)state;
    mkdir("sub", 0777);
    put("base.yaml", "clock_mhz: 1\ncluster.lanes: 8\n");
    put("sub/middle.yaml", "cluster.lanes: 32\nextends: ../base.yaml\n");
    struct sample c = accepts("core.policy: first\nextends: sub/middle.yaml\n");
    assert_int_equal(c.clock_mhz, 1);
    assert_int_equal(c.cluster.lanes, 32);
    assert_int_equal(c.policy, FIRST);
    char absolute[128];
    snprintf(absolute, sizeof absolute, "extends: %s/base.yaml\n", directory);
    put("sub/middle.yaml", absolute);
    assert_int_equal(accepts("extends: sub/middle.yaml\n").cluster.lanes, 8);
    put("sub/middle.yaml", "\n\ncluster.lanes: 3\n");
    refuses("extends: sub/middle.yaml\n", "sub/middle.yaml:3: field 'cluster.lanes': '3' is no power of two; "
                                          "expected a whole number, 1 to 64, a power of two");
    refuses("\nextends: none.yaml\n",
            "c.yaml:2: cannot read the extended file 'none.yaml': No such file or directory");
    char far[1400] = "extends: "; /* a path of more than 1,023 characters that leads to base.yaml */
    while (strlen(far) < 1300) strcat(far, "sub/../");
    strcat(far, "base.yaml\n");
    assert_int_equal(accepts(far).cluster.lanes, accepts("extends: base.yaml\n").cluster.lanes);
    refuses("extends: [a, b]\n", "c.yaml:1: 'extends' takes the path of one configuration file");
    put("sub/middle.yaml", "clock_mhz: 3\nextends: ../c.yaml\n");
    refuses("extends: sub/middle.yaml\n",
            "sub/middle.yaml:2: a cycle: this extends 'sub/../c.yaml', which leads back here");
    refuses("extends: c.yaml\n", "c.yaml:1: a cycle: this extends 'c.yaml', which leads back here");
}

static void test_unreadable(void **state) {
    (void)state;
    struct sample c = defaults();
    struct error e = {0};
    assert_false(config_read(&table, &c, "no/such.yaml", &e));
    assert_string_equal(e.message, "cannot read the configuration 'no/such.yaml': No such file or directory");
    e = (struct error){0};
    assert_false(config_read(&table, &c, ".", &e));
    assert_string_equal(e.message, "cannot read the configuration '.': Is a directory");
}

/* A field that needs two others, each with some of their values. */
static void test_matters(void **state) {
    (void)state;
    struct two {
        uint32_t policy, shape, depth;
    } c;
    static const char *const shapes[] = {"flat", "flatter", "round", NULL};
    static const struct config_field two[] = {
        {"policy", CONFIG_CHOICE, offsetof(struct two, policy), 0, 0, false, 0, policies, NULL, "", "w", "x",
         NULL},
        {"shape", CONFIG_CHOICE, offsetof(struct two, shape), 0, 0, false, 0, shapes, NULL, "", "w", "x",
         "policy=third"},
        {"depth", CONFIG_UNSIGNED, offsetof(struct two, depth), 0, 9, false, 1, NULL, NULL, "", "w", "x",
         "policy=first,third shape=flatter"},
    };
    static const struct config_table of_two = {two, 3, NULL, 0};
    static const struct {
        const char *policy, *shape, *refused; /* unmet need of `depth`; NULL: none */
    } cases[] = {
        {"policy=first", "shape=flatter", "needs policy=third, and that is first"}, /* the need that the
                                                                                     * shape causes */
        {"policy=third", "shape=flatter", NULL},
        {"policy=second", "shape=flatter", "needs policy=first,third, and that is second"},
        {"policy=first", "shape=flat", "needs shape=flatter, and that is flat"},
        {"policy=first", "shape=round", "needs shape=flatter, and that is round"},
        {"policy=second", "shape=flat", "needs policy=first,third, and that is second"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error e = {0};
        char message[128];
        config_defaults(&of_two, &c);
        assert_true(config_set(&of_two, &c, cases[i].policy, &e) &&
                    config_set(&of_two, &c, cases[i].shape, &e));
        assert_true(config_matters(&of_two, &c, cases[i].policy, &e));
        assert_true(config_matters(&of_two, &c, "depth=1", &e)); /* the default, which is its value */
        assert_true(config_set(&of_two, &c, "depth=4", &e));
        assert_int_equal(config_matters(&of_two, &c, "depth=4", &e), !cases[i].refused);
        assert_int_equal(config_has_effect(&of_two, &c, "depth"), !cases[i].refused);
        if (!cases[i].refused) continue;
        snprintf(message, sizeof message, "--set depth=4 does nothing here: it %s", cases[i].refused);
        assert_string_equal(e.message, message);
    }
}

static void test_set(void **state) {
    (void)state;
    struct sample c = defaults();
    struct error e = {0};
    assert_true(config_set(&table, &c, "cluster.lanes=4", &e));
    assert_true(config_set(&table, &c, "core.policy=first", &e));
    assert_true(config_set(&table, &c, "cluster.verbose=true", &e));
    assert_int_equal(c.cluster.lanes, 4);
    assert_int_equal(c.policy, FIRST);
    assert_int_equal(c.cluster.verbose, 1);
    const char *const wrong[][2] = {
        {"cluster.lane=4",
         "--set cluster.lane=4: unknown field 'cluster.lane' (did you mean 'cluster.lanes'?)"},
        {"cluster.lanes=5",
         "--set cluster.lanes=5: field 'cluster.lanes': '5' is no power of two; expected a whole "
         "number, 1 to 64, a power of two"},
        {"cluster.lanes=",
         "--set cluster.lanes=: field 'cluster.lanes': '' is no whole number; expected a whole "
         "number, 1 to 64, a power of two"},
        {"cluster.lanes", "--set cluster.lanes: expected field=value, as in --set clock_mhz=3000"},
        {"cluster=5", "--set cluster=5: 'cluster' is a group, set one of its fields: lanes, verbose"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        e = (struct error){0};
        assert_false(config_set(&table, &c, wrong[i][0], &e));
        assert_string_equal(e.message, wrong[i][1]);
    }
    assert_int_equal(c.cluster.lanes, 4);
}

/* The suggestion for a wrong --set is valid, whatever the first field is. */
static void test_set_suggests_what_is_valid(void **state) {
    (void)state;
    for (size_t first = 0; first < table.count; first++) {
        const struct config_table from = {fields + first, 1, NULL, 0};
        struct sample c = defaults();
        struct error e = {0}, none = {0};
        assert_false(config_set(&from, &c, "x", &e));
        const char *suggested = strstr(e.message, "as in --set ");
        assert_non_null(suggested);
        assert_true(config_set(&from, &c, suggested + strlen("as in --set "), &none));
    }
}

static void test_check(void **state) {
    (void)state;
    struct sample c = defaults();
    struct error e = {0};
    assert_true(config_check(&table, &c, &e));
    c.add_latency = 5;
    assert_false(config_check(&table, &c, &e));
    assert_string_equal(e.message, "core.class.mul.latency is below core.class.add.latency");
}

static void test_write_is_read_back(void **state) {
    (void)state;
    struct sample c = {123, {2, 1}, THIRD, 9, 10}, back = defaults();
    struct error e = {0};
    FILE *f = fopen("effective.yaml", "w");
    config_write(&table, &c, f);
    fclose(f);
    assert_true(config_read(&table, &back, "effective.yaml", &e));
    assert_memory_equal(&c, &back, sizeof c);
    char text[512] = "";
    f = fopen("effective.yaml", "r");
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    assert_string_equal(text,
                        "clock_mhz: 123\ncluster:\n  lanes: 2\n  verbose: true\ncore:\n  class:\n    add:\n"
                        "      latency: 9\n    mul:\n      latency: 10\n  policy: third\n");
}

static void test_describe(void **state) {
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    config_describe(&table, f);
    fclose(f);
    assert_string_equal(text, "field                   default  range                 unit    needs          "
                              "          description      source\n"
                              "\n"
                              "clock_mhz               3000     1..10000              MHz                    "
                              "          frequency        page 1\n"
                              "\n"
                              "cluster.lanes           16       1..64, 2^n                                   "
                              "          lanes × cluster  page 2\n"
                              "cluster.verbose         false    true, false                                  "
                              "          says more        ours\n"
                              "\n"
                              "core.class.add.latency  1        0..100                cycles                 "
                              "          add              page 3\n"
                              "core.policy             second   first, second, third                         "
                              "          who goes first   page 4\n"
                              "core.class.mul.latency  4        0..100                cycles  "
                              "core.policy=first,third  mul              page 3\n");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_reads_every_type),
        cmocka_unit_test(test_empty_files_and_groups),
        cmocka_unit_test(test_unknown_fields),
        cmocka_unit_test(test_ranges_and_types),
        cmocka_unit_test(test_boundaries),
        cmocka_unit_test(test_duplicates),
        cmocka_unit_test(test_yaml_errors),
        cmocka_unit_test(test_depth_is_bounded),
        cmocka_unit_test(test_extends),
        cmocka_unit_test(test_unreadable),
        cmocka_unit_test(test_matters),
        cmocka_unit_test(test_set),
        cmocka_unit_test(test_set_suggests_what_is_valid),
        cmocka_unit_test(test_check),
        cmocka_unit_test(test_write_is_read_back),
        cmocka_unit_test(test_describe),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
