#include "tests/lockstep/exploring.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

char *explore_sweep(const char *more) {
    char *text = spawn_text("fields:\n  simt.pc_policy: [ics_first, min_pc]\n  mem.latency: [100, 200]\n"
                            "programs:\n"
                            "  - sh -c \"echo a $SSH_CONNECTION >>%s/runs; exec %s/benchmarks/vector_add\"\n"
                            "  - sh -c \"echo b $SSH_CONNECTION >>%s/runs; exec %s/benchmarks/mandelbrot "
                            "--size 16 \\\"$0\\\"\" %%/m.ppm\n"
                            "area: off\n%s",
                            fixture_folder, spawn_build(), fixture_folder, spawn_build(), more);
    char *path = fixture_file("sweep.yaml", text, 0644);
    free(text);
    return path;
}

size_t explore_lines(const char *name) {
    char *path = fixture_path(name), *text = spawn_read(path);
    size_t count = 0;
    for (const char *c = text; c && *c; c++) count += *c == '\n';
    free(text);
    free(path);
    return count;
}

void assert_same_file(const char *a, const char *b) {
    struct spawned s = spawn(fixture_folder, (char *[]){"cmp", (char *)a, (char *)b, NULL});
    if (s.status) fail_msg("%s", s.out);
    spawn_free(&s);
}

void assert_row(const char *name, const char *part) {
    char *path = fixture_path(name), *rows = spawn_read(path);
    assert_says(rows, part);
    free(rows);
    free(path);
}

void assert_explored(struct spawned s) {
    if (s.status) fail_msg("%s", s.err);
    assert_says(s.out, "8 points, 8 complete");
    spawn_free(&s);
}

void explore_nap(long milliseconds) {
    nanosleep(&(struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000}, NULL);
}

long explore_milliseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}
