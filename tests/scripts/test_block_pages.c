/* The pages of docs/blocks/ equal the output of scripts/block-page for the Verilog. The script refuses a port
 * without a description, and a block without a model.
 * Needs: $(B)/verilog_ports $(B)/docs/block_wave */
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

/* Runs a line in a folder; B is the build folder. */
static void run(const char *folder, const char *line, int status, const char *out, const char *err) {
    setenv("B", spawn_build(), 1);
    struct spawned s = spawn(folder, (char *[]){"bash", "-c", (char *)(uintptr_t)line, NULL});
    if (s.status != status || !strstr(s.out, out) || !strstr(s.err, err))
        fail_msg("%s: exit status %d, '%s', '%s'", line, s.status, s.out, s.err);
    spawn_free(&s);
}

/* Changes in "rtl/", "tb/props/" or "model/" are in the pages and pictures. */
static void pages_are_up_to_date(void **state) {
    (void)state;
    run(spawn_source(), "scripts/docs --check docs/blocks/*.md || { echo 'stale: make docs'; exit 1; }", 0,
        "", "");
}

/* A small project: one block, with its model. */
static void begin_project(void) {
    char *line =
        spawn_text("mkdir -p scripts rtl model/control tb/props docs tests && cd %s && "
                   "cp scripts/block-page scripts/docs %s/scripts && cp rtl/scalar_scheduler.sv %s/rtl && "
                   "cp model/control/scalar_scheduler.h %s/model/control && git -C %s init -q",
                   spawn_source(), fixture_folder, fixture_folder, fixture_folder, fixture_folder);
    run(fixture_folder, line, 0, "", "");
    free(line);
}

static void a_page_is_made_and_becomes_stale(void **state) {
    (void)state;
    begin_project();
    run(fixture_folder, "scripts/block-page --pages && scripts/docs", 0, "docs/blocks/scalar_scheduler.md",
        "");
    run(fixture_folder, "cat docs/blocks/*.md", 0,
        "| `thread_o` | output | THREAD_BITS | 2 | number of that thread; 0 without one |\n", "");
    run(fixture_folder, "cat docs/blocks/*.svg", 0, ">thread_o</text>", "");
    run(fixture_folder, "scripts/docs --check", 0, "", "");
    run(fixture_folder, "sed -i 's/number of that thread/index of it/' rtl/*.sv; ! scripts/docs --check", 0,
        "+| `thread_o` | output | THREAD_BITS | 2 | index of it; 0 without one |\n", "");
    run(fixture_folder, "scripts/docs && rm docs/blocks/*.svg && ! scripts/docs --check", 0, "+<svg ", "");
}

static void mistakes_are_told(void **state) {
    (void)state;
    begin_project();
    run(fixture_folder, "scripts/block-page", 1, "", "scripts/block-page: BLOCK, --wave BLOCK");
    run(fixture_folder, "scripts/block-page none", 1, "", "there is no rtl/none.sv");
    run(fixture_folder,
        "sed -i 's|\\(output logic *tick_o,\\).*|\\1|' rtl/*.sv; scripts/block-page scalar_scheduler", 1, "",
        ": tick_o has no comment that says what it means");
    run(fixture_folder, "sed -i 's/Twin/Like/' rtl/*.sv; scripts/block-page scalar_scheduler", 1, "",
        "rtl/scalar_scheduler.sv: the comment at its head names no C model");
    run(fixture_folder, "echo 'module m (' >rtl/m.sv; scripts/block-page --wave m", 125, "",
        "verilog_ports: ");
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(pages_are_up_to_date), TEST(a_page_is_made_and_becomes_stale),
                                       TEST(mistakes_are_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
