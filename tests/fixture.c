#include "tests/fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

char *fixture_folder, *fixture_command;

/* Returns a folder with the same path each time, so that Verilog changed by a test is built once: the cache
 * of built Verilog also depends on the source's path. Returns NULL if the folder is in use or belongs to
 * another user. */
static char *same_folder(void) {
    static int lock = -1;
    struct stat s;
    char *path = spawn_text("/tmp/lockstep-%s", program_invocation_short_name);
    const bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
    if (lock >= 0) close(lock);
    lock = made ? open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    if (lock >= 0 && fstat(lock, &s) == 0 && s.st_uid == geteuid() && !(s.st_mode & 077) &&
        flock(lock, LOCK_EX | LOCK_NB) == 0) {
        char *all = spawn_text("%s/.", path);
        struct spawned empty = spawn(path, (char *[]){"find", all, "-mindepth", "1", "-delete", NULL});
        spawn_free(&empty);
        free(all);
        return path;
    }
    free(path);
    return NULL;
}

int fixture_begin(void **state) {
    (void)state;
    fixture_folder = strncmp(program_invocation_short_name, "test_rtl", 8) == 0 ? same_folder() : NULL;
    if (!fixture_folder) fixture_folder = spawn_folder();
    fixture_command = spawn_text("%s/lockstep", spawn_build());
    return 0;
}

int fixture_end(void **state) {
    (void)state;
    spawn_remove_folder(fixture_folder);
    free(fixture_command);
    return 0;
}

char *fixture_host(const char *name) {
    return spawn_text("%s/tests/hosts/%s", spawn_build(), name);
}

char *fixture_path(const char *name) {
    return spawn_text("%s/%s", fixture_folder, name);
}

char *fixture_file(const char *name, const char *text, mode_t mode) {
    char *path = fixture_path(name);
    spawn_write(path, text);
    chmod(path, mode);
    return path;
}

#define MAX_WORDS 200

/* Adds the words of a text behind n others, with `before` in front of each (NULL: nothing). The text is cut
 * to pieces. Returns the number of words. */
static unsigned add_words(char *argv[MAX_WORDS], unsigned n, char *before, char *text) {
    char *rest;
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        assert_in_range(n, 0, MAX_WORDS - 4);
        if (before) argv[n++] = before;
        argv[n++] = word;
    }
    return n;
}

struct spawned fixture_run(const char *machine, const char *settings, const char *options,
                           const char *program) {
    char *argv[MAX_WORDS] = {fixture_command, "run", "--stats=s.json"};
    char *config = machine ? spawn_text("--config=%s/configs/%s.yaml", spawn_source(), machine) : NULL;
    char *sets = strdup(settings), *more = strdup(options), *words = strdup(program);
    unsigned n = strstr(options, "--stats") ? 2 : 3;
    if (config) argv[n++] = config;
    n = add_words(argv, n, "--set", sets);
    n = add_words(argv, n, NULL, more);
    argv[n++] = "--";
    char **first = &argv[n];
    add_words(argv, n, NULL, words);
    char *path = *first = spawn_text("%s/%s", spawn_build(), *first);
    struct spawned s = spawn(fixture_folder, argv);
    free(config);
    free(sets);
    free(more);
    free(words);
    free(path);
    return s;
}

void assert_says(const char *text, const char *part) {
    if (strstr(text, part)) return;
    print_error("'%s' is not in:\n%s\n", part, text);
    fail();
}

void assert_status(const struct spawned *s, int status) {
    if (s->status == status) return;
    print_error("exit status %d, expected %d; it printed:\n%s\n%s\n", s->status, status, s->out, s->err);
    fail();
}

void assert_exists(const char *name, bool expected) {
    char *path = fixture_path(name);
    if ((access(path, F_OK) == 0) != expected) fail_msg("%s %s", name, expected ? "is missing" : "is there");
    free(path);
}

json_t *fixture_statistics(const char *name) {
    char *path = fixture_path(name);
    json_error_t e;
    json_t *j = json_load_file(path, 0, &e);
    if (!j) fail_msg("%s:%d: %s", name, e.line, e.text);
    free(path);
    return j;
}

json_int_t fixture_number(const json_t *object, const char *key) {
    json_t *j = json_object_get(object, key);
    if (!json_is_integer(j)) fail_msg("'%s' is no number of the statistics", key);
    return json_integer_value(j);
}

json_int_t fixture_cycles(const char *name) {
    json_t *statistics = fixture_statistics(name);
    const json_int_t cycles = fixture_number(json_object_get(statistics, "totals"), "cycles");
    json_decref(statistics);
    return cycles;
}

void assert_outcome(const char *name, const char *outcome) {
    json_t *j = fixture_statistics(name);
    assert_string_equal(json_string_value(json_object_get(j, "outcome")), outcome);
    json_decref(j);
}

void assert_causes_add_up(const json_t *part) {
    json_int_t sum = 0;
    const char *name;
    json_t *cycles;
    json_object_foreach(json_object_get(part, "cycles_by_cause"), name, cycles) sum +=
        json_integer_value(cycles);
    assert_int_equal(sum, fixture_number(part, "unit_cycles"));
}

void assert_readable(const char *trace) {
    struct spawned s = spawn(fixture_folder, (char *[]){"fst2vcd", (char *)trace, NULL});
    assert_status(&s, 0);
    assert_says(s.out, "$enddefinitions");
    assert_says(s.out, "\n#");
    spawn_free(&s);
}
