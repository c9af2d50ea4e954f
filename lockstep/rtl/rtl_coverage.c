#include "lockstep/rtl/rtl_coverage.h"

#include "lockstep/output/report.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool rtl_coverage_prepare(struct verilog_source *s, const char *folder, struct error *e) {
    /* Limit of the widest port: Verilator leaves out wider signals. */
    static const char *const options[] = {"--coverage-line", "--coverage-toggle", "--coverage-max-width",
                                          "8192"};
    char path[PATH_MAX + 32];
    bool good = true;
    snprintf(path, sizeof path, "%s/templates/coverage.cc", folder);
    for (unsigned n = 0; n < sizeof options / sizeof options[0]; n++)
        good = good && verilog_source_add(s, VERILOG_BUILD, options[n], strlen(options[n]));
    good = good && verilog_source_add(s, VERILOG_FUNCTIONS, path, strlen(path));
    return good || error_set(e, EXIT_USER, "--coverage: more than %u files, folders and options for a block",
                             VERILOG_MAX_ITEMS);
}

/* --- Verilator's file: C 'KEY VALUE KEY VALUE …' COUNT, keys after \001, values after \002 --- */

/* Returns the value of a key as text to be freed; NULL if there is none. */
static char *value_of(const char *text, const char *key) {
    char mark[16];
    snprintf(mark, sizeof mark, "\001%s\002", key);
    const char *at = strstr(text, mark);
    if (!at) return NULL;
    at += strlen(mark);
    char *value = strndup(at, strcspn(at, "\001'"));
    require_memory(value);
    return value;
}

static struct rtl_coverage_point *new_point(struct rtl_coverage *c) {
    if (c->count == c->room) {
        c->room = c->room ? 2 * c->room : 1024;
        c->point = reallocarray(c->point, c->room, sizeof *c->point);
        require_memory(c->point);
    }
    return &c->point[c->count++];
}

static void add_point(struct rtl_coverage *c, const char *text) {
    const char *count = strrchr(text, ' ');
    char *file = value_of(text, "f"), *line = value_of(text, "l"), *page = value_of(text, "page"),
         *name = value_of(text, "o");
    if (count && file && line && page && name && strncmp(page, "v_user", 6) != 0) {
        struct rtl_coverage_point *p = new_point(c);
        const bool toggle = strncmp(page, "v_toggle", 8) == 0;
        *p = (struct rtl_coverage_point){file, toggle ? name : strdup(""), (unsigned)strtoul(line, NULL, 10),
                                         strtoull(count + 1, NULL, 10)};
        require_memory(p->name);
        file = NULL;
        if (toggle) name = NULL;
    }
    free(file);
    free(line);
    free(page);
    free(name);
}

bool rtl_coverage_add(struct rtl_coverage *c, const char *path, struct error *e) {
    char *line = NULL;
    size_t size = 0;
    FILE *in = fopen(path, "r");
    if (!in) return error_set(e, EXIT_USER, "%s: the coverage cannot be read: %s", path, strerror(errno));
    while (getline(&line, &size, in) > 0)
        if (strncmp(line, "C '", 3) == 0) add_point(c, line);
    free(line);
    fclose(in);
    return true;
}

/* --- merged --- */

static int by_place(const void *a, const void *b) {
    const struct rtl_coverage_point *x = a, *y = b;
    const int file = strcmp(x->file, y->file);
    if (file) return file;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void merge(struct rtl_coverage *c) {
    size_t kept = 0;
    if (c->count) qsort(c->point, c->count, sizeof *c->point, by_place);
    for (size_t n = 0; n < c->count; n++) {
        struct rtl_coverage_point *p = &c->point[n];
        if (kept && by_place(&c->point[kept - 1], p) == 0) {
            c->point[kept - 1].count += p->count;
            free(p->file);
            free(p->name);
            continue;
        }
        c->point[kept++] = *p;
    }
    c->count = kept;
}

/* Returns the number of the first point after those of the n-th one's file. */
static size_t end_of_file(const struct rtl_coverage *c, size_t n) {
    size_t end = n;
    while (end < c->count && strcmp(c->point[end].file, c->point[n].file) == 0) end++;
    return end;
}

static const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void print_file(const struct rtl_coverage *c, size_t from, size_t end) {
    unsigned lines = 0, toggles = 0, reached_lines = 0, reached_toggles = 0;
    char a[32], b[32], d[32], f[32];
    for (size_t n = from; n < end; n++) {
        const bool reached = c->point[n].count != 0, line = !*c->point[n].name;
        lines += line;
        toggles += !line;
        reached_lines += line && reached;
        reached_toggles += !line && reached;
    }
    printf("  %-32s %8s of %-8s %8s of %s\n", file_name(c->point[from].file), report_number(reached_lines, a),
           report_number(lines, b), report_number(reached_toggles, d), report_number(toggles, f));
}

/* Prints the unreached bits of a signal in one row: "    FILE:LINE: NAME, 3 bits". */
static void print_missed(const struct rtl_coverage *c, size_t from, size_t end) {
    for (size_t n = from; n < end; n++) {
        const struct rtl_coverage_point *p = &c->point[n];
        const size_t length = strcspn(p->name, "[");
        unsigned bits = 0;
        size_t k = n;
        for (; k < end && c->point[k].line == p->line && strncmp(c->point[k].name, p->name, length) == 0 &&
               strcspn(c->point[k].name, "[") == length;
             k++)
            bits += !c->point[k].count;
        if (bits && !*p->name)
            printf("    %s:%u: the line\n", file_name(p->file), p->line);
        else if (bits)
            printf("    %s:%u: %.*s, %u bits of %zu\n", file_name(p->file), p->line, (int)length, p->name,
                   bits, k - n);
        n = k - 1;
    }
}

void rtl_coverage_print(struct rtl_coverage *c) {
    merge(c);
    printf("\n  %-32s %20s %20s\n", "coverage", "lines   ", "toggles");
    for (size_t n = 0; n < c->count; n = end_of_file(c, n)) print_file(c, n, end_of_file(c, n));
    unsigned missed = 0;
    for (size_t n = 0; n < c->count; n++) missed += !c->point[n].count;
    printf("\n  never reached: %s\n", missed ? "" : "none");
    for (size_t n = 0; n < c->count; n = end_of_file(c, n)) print_missed(c, n, end_of_file(c, n));
}

/* --- annotated source --- */

static bool annotate(const struct rtl_coverage *c, size_t from, size_t end, const char *folder,
                     struct error *e) {
    char path[PATH_MAX + NAME_MAX + 2], part[sizeof path + 8], *line = NULL;
    size_t size = 0, n = from;
    snprintf(path, sizeof path, "%s/%s", folder, file_name(c->point[from].file));
    snprintf(part, sizeof part, "%s.part", path);
    FILE *in = fopen(c->point[from].file, "r"), *out = in ? fopen(part, "w") : NULL;
    if (!out) {
        error_set(e, EXIT_USER, "--annotate: %s cannot be %s: %s", in ? part : c->point[from].file,
                  in ? "written" : "read", strerror(errno));
        if (in) fclose(in);
        return false;
    }
    for (unsigned number = 1; getline(&line, &size, in) > 0; number++) {
        uint64_t least = UINT64_MAX;
        for (; n < end && c->point[n].line == number; n++)
            if (c->point[n].count < least) least = c->point[n].count;
        if (least == UINT64_MAX)
            fprintf(out, "%12s  %s", "", line);
        else
            fprintf(out, "%12llu%c %s", (unsigned long long)least, least ? ' ' : '!', line);
    }
    free(line);
    fclose(in);
    const bool good = !ferror(out);
    if (fclose(out) == 0 && good && rename(part, path) == 0) return true;
    return error_set(e, EXIT_USER, "--annotate: %s cannot be written: %s", path, strerror(errno));
}

bool rtl_coverage_annotate(struct rtl_coverage *c, const char *folder, struct error *e) {
    merge(c);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return error_set(e, EXIT_USER, "--annotate %s: the folder cannot be made: %s", folder,
                         strerror(errno));
    for (size_t n = 0; n < c->count; n = end_of_file(c, n))
        if (!annotate(c, n, end_of_file(c, n), folder, e)) return false;
    return true;
}

void rtl_coverage_free(struct rtl_coverage *c) {
    for (size_t n = 0; n < c->count; n++) {
        free(c->point[n].file);
        free(c->point[n].name);
    }
    free(c->point);
    *c = (struct rtl_coverage){0};
}
