#include "tests/lockstep/benchmark_checks.h"

#include <stdlib.h>
#include <string.h>

const char *const benchmark_simt[BENCHMARK_SETTINGS] = {"mode=simt"};

struct spawned benchmark_run(const char *const settings[BENCHMARK_SETTINGS], char *const words[]) {
    char *program = spawn_text("%s/benchmarks/%s", spawn_build(), words[0]);
    char *argv[2 * BENCHMARK_SETTINGS + BENCHMARK_WORDS + 6] = {fixture_command, "run"};
    int n = 2;
    for (int i = 0; settings && i < BENCHMARK_SETTINGS && settings[i]; i++) {
        argv[n++] = "--set";
        argv[n++] = (char *)settings[i];
    }
    argv[n++] = "--";
    const int first = n;
    argv[n++] = program;
    for (int i = 1; words[i]; i++) argv[n++] = words[i];
    struct spawned s = spawn(fixture_folder, settings ? argv : argv + first);
    free(program);
    return s;
}

char *benchmark_passed(const char *const settings[BENCHMARK_SETTINGS], char *const words[]) {
    struct spawned s = benchmark_run(settings, words);
    char *verdict = spawn_text("\n%s: PASS (", words[0]), *end = strstr(s.out, ", kernel time");
    if (s.status != 0 || strstr(s.out, verdict) == NULL || end == NULL)
        fail_msg("%s: exit status %d:\n%s\n%s", words[0], s.status, s.out, s.err);
    *end = '\0';
    char *said = strdup(s.out);
    spawn_free(&s);
    free(verdict);
    return said;
}

void benchmark_says_the_same(const char *setting, char *const words[]) {
    const char *const modes[][BENCHMARK_SETTINGS] = {{"mode=simt", setting},
                                                     {"mode=mimd", "mimd.coalescing=modern", setting},
                                                     {"mode=mimd", "mimd.coalescing=snucl", setting}};
    char *first = benchmark_passed(modes[0], words);
    for (size_t i = 1; i < sizeof modes / sizeof *modes; i++) {
        char *said = benchmark_passed(modes[i], words);
        assert_string_equal(said, first);
        free(said);
    }
    free(first);
}

/* Returns a kernel's text with NAME_shared.cl in place of the line that includes it, so that it can be
 * changed. */
static char *with_shared(const char *name, char *text) {
    char *line = spawn_text("#include \"%s_shared.cl\"\n", name), *at = strstr(text, line);
    if (at) {
        char *path = spawn_text("%s/benchmarks/%s/%s_shared.cl", spawn_source(), name, name),
             *shared = spawn_read(path),
             *whole = spawn_text("%.*s%s%s", (int)(at - text), text, shared, at + strlen(line));
        free(path);
        free(shared);
        free(text);
        text = whole;
    }
    free(line);
    return text;
}

/* Returns the kernels of a program with these words: with --model openmp or --vectors, those of
 * another file. */
static char *kernels_of(char *const words[]) {
    const char *ending = "";
    for (size_t n = 1; words[n]; n++)
        ending = strcmp(words[n], "openmp") == 0 ? "_openmp"
                 : strcmp(words[n], "on") == 0   ? "_vectors"
                                                 : ending;
    char *path = spawn_text("%s/benchmarks/%s/%s%s.cl", spawn_source(), words[0], words[0], ending),
         *text = spawn_read(path);
    assert_non_null(text);
    free(path);
    return with_shared(words[0], text);
}

char *benchmark_kernels(const char *name) {
    return kernels_of((char *[]){(char *)name, NULL});
}

void benchmark_fails_with(const char *setting, const char *from, const char *to, char *const words[]) {
    const bool has_mode = setting && strncmp(setting, "mode=", 5) == 0;
    char *text = kernels_of(words), *at = strstr(text, from);
    if (!at || strstr(at + 1, from)) fail_msg("%s: '%s' is not there once", words[0], from);
    char *changed = spawn_text("%.*s%s%s", (int)(at - text), text, to, at + strlen(from)),
         *file = fixture_file("changed.cl", changed, 0644), *verdict = spawn_text("\n%s: FAIL (", words[0]),
         *all[BENCHMARK_WORDS + 3] = {NULL};
    int count = 0;
    for (; words[count]; count++) all[count] = words[count];
    all[count++] = "--kernel";
    all[count] = file;
    struct spawned s = benchmark_run(
        (const char *const[]){has_mode ? setting : "mode=simt", has_mode ? NULL : setting, NULL}, all);
    if (s.status != 1 || strstr(s.out, verdict) == NULL)
        fail_msg("%s with '%s' for '%s': exit status %d:\n%s\n%s", words[0], to, from, s.status, s.out,
                 s.err);
    spawn_free(&s);
    free(verdict);
    free(file);
    free(changed);
    free(text);
}

void benchmark_refuses(const char *says, char *const words[]) {
    struct spawned s = benchmark_run(NULL, words);
    assert_status(&s, 1);
    assert_says(s.err, says);
    spawn_free(&s);
}
