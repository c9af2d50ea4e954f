/* Random configurations. A valid one runs tests/hosts/any_machine with the right result. One with
 * contradicting fields is refused with the name of a field. One with a mistake (misspelt, out of range, wrong
 * type, given twice) is refused with file and line. No file makes the command crash or hang. `make test` runs
 * a few cases, LOCKSTEP_LONG=1 (`make test-long`) 2,000 machines and 10,000 mistakes (docs/test-long.md),
 * LOCKSTEP_CASES=N the cases from SEED on. */
#include "sim/config_private.h"
#include "tests/attacks/attack.h"
#include "tests/fixture.h"
#include "tests/attacks/random_machine.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FOLDER_DEPTH = 3 };

/* --- files --- */

/* A file being written, and its line. */
struct page {
    FILE *out;
    unsigned line;
    unsigned line_of[256]; /* line of each field; 0: not in the file */
};

static size_t group_of(const char *name) {
    const char *dot = strchr(name, '.');
    return dot ? (size_t)(dot - name) : 0;
}

static void write_line(struct page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void write_line(struct page *p, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(p->out, format, arguments);
    va_end(arguments);
    fputc('\n', p->out);
    p->line++;
}

/* A field under its whole name, or `nested` in its group. */
static void write_field(struct page *p, const struct machine_config *c, size_t i, bool nested) {
    const struct config_field *f = &machine_config_table.fields[i];
    char text[32];
    random_machine_text(f, c, text);
    write_line(p, nested ? "    %s: %s" : "%s: %s", f->name + (nested ? group_of(f->name) + 1 : 0), text);
    p->line_of[i] = p->line;
}

static bool same_group(const char *a, const char *b) {
    const size_t length = group_of(a);
    return length > 0 ? strncmp(a, b, length + 1) == 0 : a == b;
}

/* The fields of one group from field `first` on that are not their defaults, and some that are. */
static void write_group(struct page *p, struct seed *s, const struct machine_config *c, size_t first) {
    const struct config_field *fields = machine_config_table.fields;
    const bool nested = group_of(fields[first].name) > 0 && seed_below(s, 2);
    if (seed_below(s, 5) == 0) write_line(p, "# %s", fields[first].description);
    if (nested) write_line(p, "%.*s:", (int)group_of(fields[first].name), fields[first].name);
    for (size_t i = first; i < machine_config_table.count; i++) {
        if (!same_group(fields[first].name, fields[i].name)) continue;
        if (random_machine_value(&fields[i], c) == fields[i].initial && seed_below(s, 20) != 0) continue;
        if (seed_below(s, 9) == 0) write_line(p, "%s", "");
        write_field(p, c, i, nested);
    }
}

static void write_machine(struct page *p, struct seed *s, const struct machine_config *c) {
    const struct config_field *fields = machine_config_table.fields;
    for (size_t i = 0; i < machine_config_table.count; i++) {
        bool begun = false;
        for (size_t j = 0; j < i; j++) begun |= same_group(fields[j].name, fields[i].name);
        if (!begun) write_group(p, s, c, i);
    }
}

static struct page open_page(const char *name) {
    char *path = fixture_path(name);
    struct page p = {.out = fopen(path, "w")};
    assert_non_null(p.out);
    free(path);
    return p;
}

static struct page write_file(const char *name, struct seed *s, const struct machine_config *c) {
    struct page p = open_page(name);
    write_machine(&p, s, c);
    return p;
}

static void close_page(struct page *p) {
    assert_int_equal(fclose(p->out), 0);
}

/* --- machines --- */

struct machines {
    unsigned right, refused;
};

static void run_machine(const struct attack *a, const struct machine_config *c) {
    char *program = fixture_host("any_machine");
    struct spawned s = LOCKSTEP("run", "--config", "m.yaml", "--", program);
    if (s.status != 0 || !strstr(s.out, "any_machine: PASS")) {
        random_machine_print(c, stderr);
        attack_fail(a, "exit status %d\n%s%s", s.status, s.out, s.err);
    }
    spawn_free(&s);
    free(program);
}

/* A message that names one of the fields that are not their defaults. */
static void refuse_machine(const struct attack *a, const struct machine_config *c) {
    bool named = false;
    struct spawned s = LOCKSTEP("config", "--config", "m.yaml");
    for (size_t i = 0; i < machine_config_table.count; i++) {
        const struct config_field *f = &machine_config_table.fields[i];
        named |= random_machine_value(f, c) != f->initial && strstr(s.err, f->name);
    }
    if (s.status != EXIT_USER || !named) {
        random_machine_print(c, stderr);
        attack_fail(a, "exit status %d, expected 125 and a field's name\n%s%s", s.status, s.out, s.err);
    }
    spawn_free(&s);
}

static void try_machine(const struct attack *a, struct machines *m) {
    struct seed s = attack_seed(a);
    struct machine_config c, read;
    struct error e = {0};
    if (seed_below(&s, 4) == 0)
        random_machine(&s, &c);
    else
        random_machine_valid(&s, &c);
    struct page p = write_file("m.yaml", &s, &c);
    close_page(&p);
    char *path = fixture_path("m.yaml");
    config_defaults(&machine_config_table, &read);
    if (!config_read(&machine_config_table, &read, path, &e)) attack_fail(a, "%s", e.message);
    if (memcmp(&c, &read, sizeof c) != 0) attack_fail(a, "m.yaml is read as another machine");
    free(path);
    if (config_check(&machine_config_table, &c, &e)) {
        run_machine(a, &c);
        m->right++;
    } else {
        refuse_machine(a, &c);
        m->refused++;
    }
}

static void machines_run_right_or_are_refused(void **state) {
    (void)state;
    struct attack a = attack_start("machines_run_right_or_are_refused", 12, 2000);
    struct machines m = {0};
    while (attack_next(&a)) try_machine(&a, &m);
    attack_end(&a, "%u machines right, %u refused by name", m.right, m.refused);
    /* One configuration in four is fully random and mostly refused. In one run of 20, at least half of 12 are
     * refused. */
    assert_true(a.count < 12 || m.right);
    assert_true(a.count < 100 || m.right * 2 > a.count);
}

/* --- mistakes --- */

/* Writes a misspelt name: one letter doubled, omitted, exchanged with the next, or replaced. */
static void misspell(struct seed *s, const char *name, char other[64]) {
    do {
        const size_t length = strlen(name), at = seed_below(s, (unsigned)length - 1);
        snprintf(other, 64, "%s", name);
        switch (seed_below(s, 4)) {
        case 0: snprintf(other + at, 64 - at, "%c%s", name[at], name + at); break;
        case 1: memmove(other + at, other + at + 1, length - at); break;
        case 2:
            other[at] = name[at + 1];
            other[at + 1] = name[at];
            break;
        default: other[at] = (char)('a' + seed_below(s, 26));
        }
    } while (config_find(&machine_config_table, other) < machine_config_table.count);
}

/* A value that the field cannot have. */
static void wrong_value(struct seed *s, const struct config_field *f, char text[32]) {
    static const char *const never[] = {
        "fast",       "1.5", "[1, 2]", "{a: 1}", "-1", "", "~", "1 2", "99999999999999999999",
        "4294967296", "\"\""};
    const unsigned kind = seed_below(s, 4);
    snprintf(text, 32, "%s", never[seed_below(s, sizeof never / sizeof *never)]);
    if (f->type != CONFIG_UNSIGNED || kind == 0) return;
    if (kind == 1 && f->maximum < UINT32_MAX)
        snprintf(text, 32, "%u", f->maximum + 1 + seed_below(s, 2) * seed_below(s, UINT32_MAX - f->maximum));
    else if (kind == 2 && f->power_of_two)
        snprintf(text, 32, "%u", 3 * f->minimum);
    else if (f->minimum > 0)
        snprintf(text, 32, "%u", seed_below(s, f->minimum));
}

/* Adds a mistake to the page. Its line, and the word that the message must have. */
static unsigned make_mistake(struct page *p, struct seed *s, char word[64]) {
    const struct config_field *f = random_machine_field(s);
    const size_t i = (size_t)(f - machine_config_table.fields);
    char text[32];
    random_machine_text(f, &(struct machine_config){0}, text);
    snprintf(word, 64, "%s", f->name);
    if (seed_below(s, 3) == 0) {
        misspell(s, f->name, word);
        write_line(p, "%s: 4", word);
    } else if (p->line_of[i] != 0) {
        write_line(p, "%s: %s", f->name, f->type == CONFIG_UNSIGNED ? "1" : "x");
    } else {
        wrong_value(s, f, text);
        write_line(p, "%s: %s", f->name, text);
    }
    return p->line;
}

/* Writes a configuration into its own file, which other files in other folders extend. */
static void write_extending(struct seed *s, char name[64]) {
    char *folder = fixture_path("a"), *deeper = fixture_path("a/b");
    mkdir(folder, 0777);
    mkdir(deeper, 0777);
    free(folder);
    free(deeper);
    static const char *const names[FOLDER_DEPTH] = {"m.yaml", "a/m.yaml", "a/b/m.yaml"};
    static const char *const up[FOLDER_DEPTH] = {"", "../m.yaml", "../m.yaml"};
    const unsigned depth = seed_below(s, FOLDER_DEPTH);
    for (unsigned d = 1; d <= depth; d++) {
        struct page p = open_page(names[d]);
        write_line(&p, "extends: %s", up[d]);
        close_page(&p);
    }
    snprintf(name, 64, "%s", names[depth]);
}

static void try_mistake(const struct attack *a) {
    struct seed s = attack_seed(a);
    struct machine_config c;
    char word[64], name[64];
    random_machine_valid(&s, &c);
    struct page p = write_file("m.yaml", &s, &c);
    const unsigned line = make_mistake(&p, &s, word);
    close_page(&p);
    write_extending(&s, name);
    struct spawned ran = LOCKSTEP("config", "--config", name);
    char *place = spawn_text("m.yaml:%u: ", line);
    if (ran.status != EXIT_USER || !strstr(ran.err, place) || !strstr(ran.err, word))
        attack_fail(a, "exit status %d, expected 125, '%s' and '%s'\n%s", ran.status, place, word, ran.err);
    free(place);
    spawn_free(&ran);
}

static void mistakes_are_refused_with_their_line(void **state) {
    (void)state;
    struct attack a = attack_start("mistakes_are_refused_with_their_line", 60, 10000);
    while (attack_next(&a)) try_mistake(&a);
    attack_end(&a, "%u mistakes, all refused with file and line", a.count);
}

/* --- noise --- */

static void try_noise(const struct attack *a, unsigned statuses[2]) {
    struct seed s = attack_seed(a);
    struct machine_config c;
    random_machine_valid(&s, &c);
    struct page p = write_file("m.yaml", &s, &c);
    close_page(&p);
    char *path = fixture_path("m.yaml");
    size_t size;
    char *text = attack_read(path, &size);
    attack_mutate(&s, &text, &size);
    attack_write(path, text, size);
    struct spawned ran = LOCKSTEP("config", "--config", "m.yaml");
    if (ran.status != 0 && (ran.status != EXIT_USER || !*ran.err))
        attack_fail(a, "exit status %d, expected 0 or 125\n%s", ran.status, ran.err);
    statuses[ran.status != 0]++;
    spawn_free(&ran);
    free(text);
    free(path);
}

static void noise_is_read_or_refused(void **state) {
    (void)state;
    struct attack a = attack_start("noise_is_read_or_refused", 60, 10000);
    unsigned statuses[2] = {0};
    while (attack_next(&a)) try_noise(&a, statuses);
    attack_end(&a, "%u files still read, %u refused", statuses[0], statuses[1]);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        TEST(machines_run_right_or_are_refused),
        TEST(mistakes_are_refused_with_their_line),
        TEST(noise_is_read_or_refused),
    };
    return attack_run(argc, argv, tests);
}
