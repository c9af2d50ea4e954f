/* Libraries of cells: their contents, areas from LEF, and every kind of invalid file. */
#include "synthesis/liberty.h"
#include "synthesis/technology.h"
#include "tests/fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Other names, units and ways to write a function than the packaged libraries have. */
static const char small[] =
    "/* a comment */ library (\"little\") {\n"
    "  time_unit : \"1ps\"; capacitive_load_unit (10, ff);\n"
    "  cell (\"n1\") { area : 2.5; // and another\n"
    "    pin (p) { direction : input; capacitance : 0.3; }\n"
    "    pin (q) { direction : output; function : \"p'\"; }\n"
    "  }\n"
    "  cell (big_n1) { area : 9;\n"
    "    pin (p) { direction : input; capacitance : 3; }\n"
    "    pin (q) { direction : output; function : \"!p\"; timing () { related_pin : \"p\"; } }\n"
    "  }\n"
    "  cell (nd) { area : 4;\n"
    "    pin (u) { direction : input; capacitance : 0.4; }\n"
    "    pin (v) { direction : input; capacitance : 0.4; }\n"
    "    pin (w) { direction : output; function : \"(!u) + v'\"; }\n"
    "  }\n"
    "  cell (nr) { area : 4;\n"
    "    pin (u) { direction : input; } pin (v) { direction : input; }\n"
    "    pin (w) { direction : output; function : \"(u | v)'\"; }\n"
    "  }\n"
    "  cell (dff) { area : 20; ff (IQ, IQN) { clocked_on : \"c\"; next_state : \"d\"; }\n"
    "    pin (c) { direction : input; } pin (d) { direction : input; }\n"
    "    pin (q) { direction : output; function : \"IQ\"; }\n"
    "  }\n"
    "}\n";

static void test_cells_are_found_by_function(void **state) {
    (void)state;
    struct liberty l;
    struct error e = {0};
    char *path = fixture_file("small.lib", small, 0644);
    if (!liberty_read(&l, path, &e)) fail_msg("%s", e.message);
    assert_int_equal(l.cell_count, 5);
    assert_string_equal(l.name, "little");
    assert_string_equal(l.inverter->name, "n1");
    assert_string_equal(l.nand2->name, "nd");
    assert_true(fabs(liberty_input(l.inverter, 0)->capacitance_ff - 3) < 1e-9);
    assert_true(liberty_find(&l, "dff")->flip_flop);
    assert_null(liberty_find(&l, "IQ"));
    liberty_free(&l);
    free(path);
}

static void test_areas_of_lef(void **state) {
    (void)state;
    struct liberty l, again;
    struct error e = {0};
    char *path = fixture_file("small.lib", small, 0644), *written = fixture_path("written.lib");
    char *lef =
        fixture_file("small.lef", "MACRO nd\n  SIZE 3 BY 2 ;\nEND nd\nMACRO other\n SIZE 1 BY 1 ;\n", 0644);
    assert_true(liberty_read(&l, path, &e) && liberty_use_lef(&l, lef, &e));
    assert_true(liberty_find(&l, "nd")->area == 6 && liberty_find(&l, "n1")->area == 2.5);
    assert_true(liberty_write(&l, written, &e) && liberty_read(&again, written, &e));
    assert_true(liberty_find(&again, "nd")->area == 6 && liberty_find(&again, "dff")->area == 20);
    liberty_free(&again);
    char *wrong = fixture_file("wrong.lef", "MACRO other\n SIZE 1 BY 1 ;\n", 0644);
    assert_false(liberty_use_lef(&l, wrong, &e));
    assert_says(e.message, "no MACRO with a SIZE is called as a cell");
    liberty_free(&l);
    free(wrong);
    free(lef);
    free(written);
    free(path);
}

static void assert_refused(const char *text, const char *part) {
    struct liberty l;
    struct error e = {0};
    char *path = fixture_file("bad.lib", text, 0644);
    assert_false(liberty_read(&l, path, &e));
    assert_int_equal(e.status, EXIT_USER);
    assert_says(e.message, part);
    liberty_free(&l);
    free(path);
}

static void test_what_is_no_library(void **state) {
    (void)state;
    assert_refused("", "the file is empty");
    assert_refused(" \n\n", "the file is empty");
    assert_refused("module x;\n", "1: this is not Liberty");
    assert_refused("cell (x) { area : 1; }\n", "1: this is not Liberty: it should begin with library");
    assert_refused("library (x) {\n  cell (y) {\n    area : 3;\n", "is it cut short?");
    assert_refused("library (x) {\n  time_unit : \"1n", "a string does not end");
    assert_refused("library (x) {\n  area : \n}\n", "a value is missing");
    assert_refused("library (x) {}\n}\n", "a '}' too many");
    assert_refused("library (x) {\n capacitive_load_unit (1,pf);\n cell (y) {\n  area : three; } }\n",
                   "4: this should be a number");
    assert_refused("library (x) { }\n", "capacitive_load_unit is missing");
    assert_refused("library (x) { capacitive_load_unit (1,pf); }\n", "of its 0 cells none is an inverter");
    struct liberty l;
    struct error e = {0};
    assert_false(liberty_read(&l, "nowhere.lib", &e));
    assert_says(e.message, "nowhere.lib cannot be read: No such file");
    liberty_free(&l);
}

/* Every beginning of a good file is refused, and so is it with any character replaced by a brace. */
static void test_damaged_files(void **state) {
    (void)state;
    for (size_t n = 0; n < sizeof small - 3; n += 7) {
        char text[sizeof small];
        struct liberty l;
        struct error e = {0};
        memcpy(text, small, sizeof small);
        text[n] = '\0';
        char *path = fixture_file("bad.lib", text, 0644);
        assert_false(liberty_read(&l, path, &e));
        liberty_free(&l);
        free(path);
        memcpy(text, small, sizeof small);
        text[n] = '{';
        path = fixture_file("bad.lib", text, 0644);
        struct error why = {0};
        assert_true(liberty_read(&l, path, &why) || why.status == EXIT_USER);
        liberty_free(&l);
        free(path);
    }
}

static void test_gzip(void **state) {
    (void)state;
    struct liberty l;
    struct error e = {0};
    char *path = fixture_file("small.lib", small, 0644), *packed = fixture_path("small.lib.gz");
    struct spawned s = spawn(fixture_folder, (char *[]){"gzip", "small.lib", NULL});
    assert_int_equal(s.status, 0);
    spawn_free(&s);
    assert_true(liberty_read(&l, packed, &e));
    assert_string_equal(l.nand2->name, "nd");
    liberty_free(&l);
    s = spawn(fixture_folder, (char *[]){"sh", "-c", "head -c 200 small.lib.gz > short.lib.gz", NULL});
    spawn_free(&s);
    char *cut = fixture_path("short.lib.gz");
    assert_false(liberty_read(&l, cut, &e));
    assert_says(e.message, "cut short");
    liberty_free(&l);
    free(cut);
    free(packed);
    free(path);
}

/* Without timing tables, there is no delay. */
static void test_no_timing(void **state) {
    (void)state;
    struct technology t;
    struct error e = {0};
    char *path = fixture_file("small.lib", small, 0644);
    assert_false(technology_read(&t, path, NULL, &e));
    assert_int_equal(e.status, EXIT_USER);
    technology_free(&t);
    free(path);
}

static void test_fo4_of_the_packaged_libraries(void **state) {
    (void)state;
    static const struct {
        const char *liberty;
        double ps;
    } known[] = {{"/usr/share/qflow/tech/osu018/osu018_stdcells.lib", 99.2},
                 {"/usr/share/qflow/tech/osu035/osu035_stdcells.lib", 156.4},
                 {"/usr/share/qflow/tech/osu050/osu05_stdcells.lib", 200.6}};
    for (unsigned n = 0; n < 3; n++) {
        struct technology t;
        struct error e = {0};
        if (!technology_read(&t, known[n].liberty, NULL, &e)) fail_msg("%s", e.message);
        if (fabs(t.fo4_ps / known[n].ps - 1) > 0.01) fail_msg("%s: FO4 %f ps", known[n].liberty, t.fo4_ps);
        technology_free(&t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_cells_are_found_by_function),
        TEST(test_areas_of_lef),
        TEST(test_what_is_no_library),
        TEST(test_damaged_files),
        TEST(test_gzip),
        TEST(test_no_timing),
        TEST(test_fo4_of_the_packaged_libraries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
