/* Commands shown in README.md and the pages of docs/ work: every command line that begins with `$ build/`
 * runs, in order, in a folder with the project's layout; every file that README.md links to or opens with
 * `gtkwave` exists. README.md is short, and docs/README.md lists every page. The links of the pages are
 * valid, and each picture shows its text. */
#include "tests/fixture.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void link_to(const char *target, const char *name) {
    char *path = fixture_path(name);
    assert_int_equal(symlink(target, path), 0);
    free(path);
}

/* Returns the next line. A line that ends in a backslash continues in the next. */
static char *line_of(char **text) {
    char *line = *text, *end = strchr(line, '\n');
    if (!*line) return NULL;
    for (; end && end > line && end[-1] == '\\'; end = strchr(end, '\n')) end[-1] = end[0] = ' ';
    *text = end ? end + 1 : line + strlen(line);
    if (end) *end = '\0';
    return line;
}

/* Runs a shown command. If it has a limit of cycles, or of cycles in a livelock, it must end there. */
static void shown_command_works(const char *command) {
    char *shell = spawn_text("%s", command), *comment = strstr(shell, "  #");
    if (comment) *comment = '\0';
    struct spawned s = spawn(fixture_folder, (char *[]){"/bin/sh", "-c", shell, NULL});
    const bool limited = strstr(shell, "--max-cycles") || strstr(shell, "mem.exclusive_livelock");
    const int expected = limited ? 120 : 0;
    if (s.status != expected) fail_msg("it shows `%s`: exit status %d\n%s", shell, s.status, s.err);
    spawn_free(&s);
    free(shell);
}

static void shown_waveform_exists(const char *command) {
    char fst[128], gtkw[128];
    assert_int_equal(sscanf(command, "gtkwave %127s %127s", fst, gtkw), 2);
    assert_exists(fst, true);
    if (strncmp(gtkw, "waves/", 6) != 0) assert_exists(gtkw, true);
}

/* Creates the project's layout by links. */
static void link_folders(void) {
    static const char *const folders[] = {"benchmarks", "configs", "waves", "rtl"};
    link_to(spawn_build(), "build");
    for (unsigned n = 0; n < sizeof folders / sizeof folders[0]; ++n) {
        char *target = spawn_text("%s/%s", spawn_source(), folders[n]);
        link_to(target, folders[n]);
        free(target);
    }
}

/* Returns how many there were. */
static unsigned run_commands_shown(const char *name) {
    char *path = spawn_text("%s/%s", spawn_source(), name), *text = spawn_read(path), *rest = text, *line;
    unsigned commands = 0;
    assert_non_null(text);
    while ((line = line_of(&rest))) {
        if (strstr(line, "lockstep figures") && !strstr(line, "--benchmark")) continue; /* takes hours */
        if (strncmp(line, "$ build/", 8) == 0) {
            shown_command_works(line + 2);
            ++commands;
        } else if (strncmp(line, "$ gtkwave ", 10) == 0) {
            shown_waveform_exists(line + 2);
        }
    }
    free(text);
    free(path);
    return commands;
}

static void every_command_shown_works(void **state) {
    (void)state;
    link_folders();
    assert_true(run_commands_shown("README.md") >= 5);
}

static void so_do_those_of_the_pages(void **state) {
    (void)state;
    char *folder = spawn_text("%s/docs", spawn_source());
    DIR *pages = opendir(folder);
    unsigned commands = 0;
    assert_non_null(pages);
    link_folders();
    for (const struct dirent *page; (page = readdir(pages));) {
        const char *ending = strrchr(page->d_name, '.');
        if (!ending || strcmp(ending, ".md") != 0) continue;
        char *name = spawn_text("docs/%s", page->d_name);
        commands += run_commands_shown(name);
        free(name);
    }
    assert_true(commands >= 15);
    closedir(pages);
    free(folder);
}

/* [text](path) and ![text](path) of the project's own files. */
static void every_file_linked_exists(void **state) {
    (void)state;
    char *readme = spawn_text("%s/README.md", spawn_source()), *text = spawn_read(readme);
    unsigned links = 0;
    for (char *at = text; (at = strstr(at, "](")); ++at) {
        char *end = strchr(at, ')'),
             *path = spawn_text("%s/%.*s", spawn_source(), (int)(end - at - 2), at + 2);
        if (strncmp(at + 2, "http", 4) != 0 && access(path, R_OK) != 0) fail_msg("README links to %s", path);
        ++links;
        free(path);
    }
    assert_true(links > 0);
    free(text);
    free(readme);
}

/* README.md has fewer than 200 lines. */
static void readme_is_short(void **state) {
    (void)state;
    char *name = spawn_text("%s/README.md", spawn_source()), *text = spawn_read(name);
    unsigned lines = 0;
    for (const char *c = text; *c; ++c) lines += *c == '\n';
    assert_in_range(lines, 50, 199);
    free(text);
    free(name);
}

/* The index links to every page of a folder of ours; `to` leads there from the index. */
static void assert_index_has(const char *in, const char *to) {
    char *name = spawn_text("%s/docs/README.md", spawn_source()), *text = spawn_read(name),
         *folder = spawn_text("%s/%s", spawn_source(), in);
    DIR *pages = opendir(folder);
    assert_non_null(pages);
    for (const struct dirent *page; (page = readdir(pages));) {
        const char *ending = strrchr(page->d_name, '.');
        if (!ending || strcmp(ending, ".md") != 0 || strcmp(page->d_name, "README.md") == 0) continue;
        char *link = spawn_text("](%s%s)", to, page->d_name);
        if (!strstr(text, link)) fail_msg("docs/README.md does not link to %s", page->d_name);
        free(link);
    }
    closedir(pages);
    free(folder);
    free(text);
    free(name);
}

/* docs/README.md links to every page of its folder, and of the top one. */
static void index_has_every_page(void **state) {
    (void)state;
    assert_index_has("docs", "");
    assert_index_has(".", "../");
}

/* Runs a line of bash in the source's folder; it must print nothing. */
static void prints_nothing(const char *line) {
    char *shell = spawn_text("cd %s && { %s; } 2>&1", spawn_source(), line);
    struct spawned s = spawn(fixture_folder, (char *[]){"bash", "-c", shell, NULL});
    if (s.status != 0 || *s.out) fail_msg("exit status %d:\n%s", s.status, s.out);
    spawn_free(&s);
    free(shell);
}

/* Links of a page are relative to its folder; the part behind # is ignored. */
static void every_link_of_a_page_leads_somewhere(void **state) {
    (void)state;
    prints_nothing(
        "for page in ./*.md docs/*.md docs/blocks/*.md; do "
        "grep -oE '\\]\\([^)# ]+' $page | sed 's/^](//' | grep -v '^http' | "
        "while read -r link; do [ -e \"${page%/*}/$link\" ] || echo \"$page: $link\"; done; done; true");
}

/* docs/README.md links to the index of the blocks, and the index to the page of each block of rtl/; there is
 * no other page. */
static void each_block_has_a_page(void **state) {
    (void)state;
    prints_nothing("grep -qF '](blocks/README.md)' docs/README.md || echo docs/README.md; "
                   "for file in rtl/*.sv; do b=$(basename $file .sv); [ -e docs/blocks/$b.md ] || "
                   "echo \"docs/blocks/$b.md is missing: make docs\"; "
                   "grep -qF \"]($b.md)\" docs/blocks/README.md || echo \"docs/blocks/README.md: $b\"; done; "
                   "for page in docs/blocks/*.md; do b=$(basename $page .md); [ $b = README ] || "
                   "[ -e rtl/$b.sv ] || echo $page; done; true");
}

/* A picture has a white background, for pages that are shown dark, and the labels of its text. */
static void each_picture_shows_its_text(void **state) {
    (void)state;
    prints_nothing("for dot in docs/pictures/*.dot; do grep -q '<polygon fill=\"white\"' ${dot%.dot}.svg || "
                   "echo $dot; done; true");
    prints_nothing(
        "command -v dot >/dev/null || exit 0; labels() { grep -o '>[^<]*</text>'; }; "
        "for dot in docs/pictures/*.dot; do "
        "diff <(dot -Tsvg $dot | labels) <(labels <${dot%.dot}.svg) || echo make pictures; done; true");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(every_command_shown_works),   TEST(so_do_those_of_the_pages),
        TEST(every_file_linked_exists),    TEST(every_link_of_a_page_leads_somewhere),
        TEST(each_picture_shows_its_text), TEST(readme_is_short),
        TEST(index_has_every_page),        TEST(each_block_has_a_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
