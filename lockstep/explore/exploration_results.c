#include "lockstep/explore/exploration_results.h"

#include "lockstep/explore/genetic.h"
#include "lockstep/run/origin.h"
#include "lockstep/output/table.h"
#include "sim/part.h"

#include <errno.h>
#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Columns of a point after number, program and fields. */
static const struct column {
    const char *name, *type;
} columns[] = {{"status", "TEXT"},
               {"exit_status", "INTEGER"},
               {"message", "TEXT"},
               {"cycles", "INTEGER"},
               {"time_ns", "REAL"},
               {"clock_mhz", "INTEGER"},
               {"memory_cycles", "INTEGER"},
               {"n_tpo", "INTEGER"},
               {"period_ns", "REAL"},
               {"mm2", "REAL"},
               {"energy_nj_horowitz", "REAL"},
               {"energy_nj_mcpat", "REAL"},
               {"command", "TEXT"},
               {"key", "TEXT"}};
#define COLUMNS (sizeof columns / sizeof *columns)

/* --- the database --- */

static bool sql_error(sqlite3 *db, const char *path, struct error *e) {
    return error_set(e, EXIT_USER, "%s cannot be written: %s", path, sqlite3_errmsg(db));
}

static char *schema(const struct sweep *s) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    require_memory(out);
    fputs("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; CREATE TABLE points(point INTEGER PRIMARY KEY, "
          "program TEXT",
          out);
    for (size_t f = 0; f < s->field_count; f++) fprintf(out, ", \"%s\" TEXT", s->fields[f].name);
    for (size_t c = 0; c < COLUMNS; c++) fprintf(out, ", %s %s", columns[c].name, columns[c].type);
    fputs("); CREATE TABLE causes(point INTEGER, cause TEXT, cycles INTEGER);"
          " CREATE TABLE areas(point INTEGER, part TEXT, mm2 REAL); BEGIN;",
          out);
    fclose(out);
    return text;
}

static void bind(sqlite3_stmt *q, int n, const json_t *v) {
    if (json_is_string(v))
        sqlite3_bind_text(q, n, json_string_value(v), -1, SQLITE_TRANSIENT);
    else if (json_is_integer(v))
        sqlite3_bind_int64(q, n, json_integer_value(v));
    else if (json_is_real(v))
        sqlite3_bind_double(q, n, json_real_value(v));
    else
        sqlite3_bind_null(q, n);
}

static bool step(sqlite3_stmt *q) {
    const bool done = sqlite3_step(q) == SQLITE_DONE;
    sqlite3_reset(q);
    return done;
}

/* Returns a cell of database and CSV: number, program, fields, columns. */
static const json_t *cell(const struct sweep *s, const json_t *row, size_t n) {
    if (n == 0) return json_object_get(row, "program");
    if (n <= s->field_count) return json_object_get(json_object_get(row, "fields"), s->fields[n - 1].name);
    return json_object_get(row, columns[n - 1 - s->field_count].name);
}

static size_t cells(const struct sweep *s) {
    return 1 + s->field_count + COLUMNS;
}

static bool insert_all(struct exploration *x, sqlite3 *db, sqlite3_stmt *point, sqlite3_stmt *cause,
                       sqlite3_stmt *area, struct error *e) {
    bool good = true;
    for (size_t n = 0; good && n < exploration_points(x); n++) {
        json_t *row = exploration_result(x, n, e), *value;
        const char *name;
        if (e->status != EXIT_SOUND) return false;
        if (!row) continue;
        sqlite3_bind_int64(point, 1, (sqlite3_int64)n);
        for (size_t c = 0; c < cells(&x->sweep); c++) bind(point, (int)c + 2, cell(&x->sweep, row, c));
        good = step(point);
        const struct {
            const char *key;
            sqlite3_stmt *q;
        } lists[] = {{"causes", cause}, {"areas", area}};
        for (size_t k = 0; k < 2; k++) json_object_foreach(json_object_get(row, lists[k].key), name, value) {
                sqlite3_bind_int64(lists[k].q, 1, (sqlite3_int64)n);
                sqlite3_bind_text(lists[k].q, 2, name, -1, SQLITE_TRANSIENT);
                bind(lists[k].q, 3, value);
                good = good && step(lists[k].q);
            }
        json_decref(row);
    }
    (void)db;
    return good;
}

static bool fill(struct exploration *x, sqlite3 *db, const char *path, struct error *e) {
    char *text = schema(&x->sweep), insert[4096] = "INSERT INTO points VALUES(?";
    sqlite3_stmt *point = NULL, *cause = NULL, *area = NULL;
    for (size_t c = 0; c < cells(&x->sweep); c++) strcat(insert, ",?");
    strcat(insert, ")");
    bool good = sqlite3_exec(db, text, NULL, NULL, NULL) == SQLITE_OK &&
                sqlite3_prepare_v2(db, insert, -1, &point, NULL) == SQLITE_OK &&
                sqlite3_prepare_v2(db, "INSERT INTO causes VALUES(?,?,?)", -1, &cause, NULL) == SQLITE_OK &&
                sqlite3_prepare_v2(db, "INSERT INTO areas VALUES(?,?,?)", -1, &area, NULL) == SQLITE_OK &&
                insert_all(x, db, point, cause, area, e);
    sqlite3_finalize(point);
    sqlite3_finalize(cause);
    sqlite3_finalize(area);
    good = good && sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
    free(text);
    return good || sql_error(db, path, e);
}

static bool write_database(struct exploration *x, struct error *e) {
    char *path, *part;
    sqlite3 *db = NULL;
    require_memory(asprintf(&path, "%s/points.sqlite", x->points.store.folder) >= 0);
    part_clean(path);
    /* Stays open: its lock shows that a process is writing the file. */
    const int file = part_create(path, &part);
    bool good = file >= 0;
    if (good) good = sqlite3_open(part, &db) == SQLITE_OK ? fill(x, db, path, e) : sql_error(db, path, e);
    sqlite3_close(db);
    if (file < 0 || (good && rename(part, path) != 0))
        good = error_set(e, EXIT_USER, "%s cannot be written: %s", path, strerror(errno));
    if (!good && part) unlink(part);
    if (file >= 0) close(file);
    free(path);
    free(part);
    return good;
}

/* --- the table --- */

static void write_cell(const json_t *v, FILE *out) {
    if (json_is_integer(v)) fprintf(out, "%lld", (long long)json_integer_value(v));
    if (json_is_real(v)) fprintf(out, "%.9g", json_real_value(v));
    if (!json_is_string(v)) return;
    const char *text = json_string_value(v);
    const bool plain = text[strcspn(text, ",\"\n\r")] == '\0';
    if (!plain) fputc('"', out);
    for (; *text; text++) fputs(*text == '"' ? "\"\"" : (char[]){*text, '\0'}, out);
    if (!plain) fputc('"', out);
}

static bool write_csv(struct exploration *x, struct error *e) {
    const struct sweep *s = &x->sweep;
    struct part part;
    char *path;
    require_memory(asprintf(&path, "%s/points.csv", x->points.store.folder) >= 0);
    const bool opened = part_open(&part, path, e);
    free(path);
    if (!opened) return false;
    fputs("point,program", part.file);
    for (size_t f = 0; f < s->field_count; f++) fprintf(part.file, ",%s", s->fields[f].name);
    for (size_t c = 0; c < COLUMNS; c++) fprintf(part.file, ",%s", columns[c].name);
    fputs("\r\n", part.file);
    for (size_t n = 0; n < exploration_points(x); n++) {
        json_t *row = exploration_result(x, n, e);
        if (!row) continue;
        fprintf(part.file, "%zu", n);
        for (size_t c = 0; c < cells(s); c++) {
            fputc(',', part.file);
            write_cell(cell(s, row, c), part.file);
        }
        fputs("\r\n", part.file);
        json_decref(row);
    }
    return part_finish(&part, e);
}

static bool write_list(struct exploration *x, struct error *e) {
    struct part part;
    char *path;
    require_memory(asprintf(&path, "%s/points.json", x->points.store.folder) >= 0);
    const bool opened = part_open(&part, path, e);
    free(path);
    if (!opened) return false;
    json_t *list = json_array();
    for (size_t n = 0; n < exploration_points(x); n++) {
        json_t *row = exploration_result(x, n, e);
        json_object_del(row, "origin");
        if (row) json_array_append_new(list, row);
    }
    json_dumpf(list, part.file, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
    json_decref(list);
    return part_finish(&part, e);
}

static json_t *text_of(const char *text) {
    json_t *j = json_string(text);
    return j ? j : json_string("(not UTF-8)");
}

/* Writes the sweep, and the origins of the results. */
static bool write_description(struct exploration *x, struct error *e) {
    const struct sweep *s = &x->sweep;
    struct part part;
    char *path;
    require_memory(asprintf(&path, "%s/exploration.json", x->points.store.folder) >= 0);
    const bool opened = part_open(&part, path, e);
    free(path);
    if (!opened) return false;
    json_t *j = json_pack("{s:s, s:i, s:{s:o, s:o}, s:o, s:[], s:[]}", "schema", "lockstep-exploration",
                          "schema_version", EXPLORATION_SCHEMA_VERSION, "sweep", "path", text_of(s->path),
                          "text", text_of(s->text), "machine",
                          text_of(s->machine ? s->machine : "base machine"), "commits", "computers");
    require_memory(j);
    for (size_t n = 0; n < exploration_points(x); n++) {
        json_t *row = exploration_result(x, n, e);
        origin_merge(j, json_object_get(row, "origin"));
        json_decref(row);
    }
    json_dumpf(j, part.file, JSON_INDENT(1));
    json_decref(j);
    return part_finish(&part, e);
}

bool exploration_write(struct exploration *x, struct error *e) {
    return write_database(x, e) && write_csv(x, e) && write_list(x, e) && write_description(x, e);
}

/* --- the front --- */

/* Returns the front's second objective: area, or energy in a sweep without areas. */
static double cost(const struct exploration_total *t) {
    return t->mm2 > 0 ? t->mm2 : t->energy_nj;
}

static bool beats(const struct exploration_total *a, const struct exploration_total *b) {
    return a->complete && a->time_ns <= b->time_ns && cost(a) <= cost(b) &&
           (a->time_ns < b->time_ns || cost(a) < cost(b));
}

static void find_total(struct exploration *x, size_t configuration, bool first, struct exploration_total *t,
                       struct error *e) {
    const struct sweep *s = &x->sweep;
    double time = 0, energy = 0;
    *t = (struct exploration_total){.combination = s->configurations[configuration], .complete = true};
    for (size_t p = 0; p < s->program_count; p++) {
        json_t *row = exploration_result(x, configuration * s->program_count + p, e);
        const char *status = json_string_value(json_object_get(row, "status"));
        t->complete &= status && strcmp(status, "complete") == 0;
        time += log(json_number_value(json_object_get(row, "time_ns")));
        energy += log(json_number_value(json_object_get(row, "energy_nj_horowitz")));
        t->mm2 = json_number_value(json_object_get(row, "mm2"));
        json_decref(row);
    }
    t->complete &= isfinite(time);
    t->time_ns = exp(time / (double)s->program_count);
    t->energy_nj = exp(energy / (double)s->program_count);
    t->least = first && t->complete && !(t->mm2 > 0);
    if (t->least) t->mm2 = exploration_least_mm2(x, t->combination);
}

static struct exploration_total *find_totals(struct exploration *x, bool first, struct error *e) {
    const struct sweep *s = &x->sweep;
    struct exploration_total *totals = calloc(s->configuration_count, sizeof *totals);
    require_memory(totals);
    for (size_t c = 0; c < s->configuration_count; c++) find_total(x, c, first, &totals[c], e);
    for (size_t c = 0; c < s->configuration_count; c++) {
        totals[c].front = totals[c].complete;
        for (size_t k = 0; k < s->configuration_count; k++) totals[c].front &= !beats(&totals[k], &totals[c]);
    }
    return totals;
}

struct exploration_total *exploration_totals(struct exploration *x, struct error *e) {
    return find_totals(x, false, e);
}

struct exploration_total *exploration_first_totals(struct exploration *x, struct error *e) {
    return find_totals(x, true, e);
}

static int faster_first(const void *a, const void *b) {
    const struct exploration_total *x = a, *y = b;
    if (x->time_ns != y->time_ns) return x->time_ns < y->time_ns ? -1 : 1;
    return (x->combination > y->combination) - (x->combination < y->combination);
}

void exploration_print_front(struct exploration *x, const struct exploration_total *totals, FILE *out) {
    const struct sweep *s = &x->sweep;
    struct exploration_total *sorted = malloc((s->configuration_count + 1) * sizeof *sorted);
    char *align = calloc(s->field_count + 5, 1);
    struct table t;
    bool least = false;
    require_memory(sorted && align);
    memcpy(sorted, totals, s->configuration_count * sizeof *sorted);
    qsort(sorted, s->configuration_count, sizeof *sorted, faster_first);
    memset(align, 'l', s->field_count);
    strcat(align, "rrr");
    table_init(&t, align);
    for (size_t f = 0; f < s->field_count; f++) table_add(&t, "%s", s->fields[f].name);
    table_add(&t, "time, us");
    table_add(&t, "mm2");
    table_add(&t, "energy, uJ");
    for (size_t n = 0; n < s->configuration_count; n++) {
        if (!sorted[n].front) continue;
        for (size_t f = 0; f < s->field_count; f++)
            table_add(&t, "%s", s->fields[f].values[sweep_value(s, sorted[n].combination, f)]);
        table_add(&t, "%.2f", sorted[n].time_ns * 1e-3);
        least |= sorted[n].least;
        table_add(&t, s->area == SWEEP_AREA_OFF ? "-" : sorted[n].least ? "> %.3f" : "%.3f", sorted[n].mm2);
        table_add(&t, "%.2f", sorted[n].energy_nj * 1e-3);
    }
    fprintf(out, "the front of time and %s (geometric means over the programs; energy: horowitz)\n%s\n",
            s->area == SWEEP_AREA_OFF ? "energy" : "area",
            least ? "before synthesis: areas with > are without the blocks of Verilog\n" : "");
    table_print(&t, 2, out);
    if (t.count == s->field_count + 3) fputs("  (no machine has completed all programs)\n", out);
    table_free(&t);
    free(align);
    free(sorted);
}

size_t exploration_refine(struct exploration *x, const struct exploration_total *totals) {
    struct sweep *s = &x->sweep;
    const size_t before = s->configuration_count;
    for (size_t n = 0; n < before; n++) {
        if (!totals[n].front) continue;
        for (size_t f = 0; f < s->field_count; f++) {
            const size_t value = sweep_value(s, totals[n].combination, f);
            for (int d = -1; d <= 1; d += 2) {
                if ((d < 0 && value == 0) || (d > 0 && value + 1 >= s->fields[f].count)) continue;
                const size_t next =
                    sweep_with_value(s, totals[n].combination, f, d < 0 ? value - 1 : value + 1);
                sweep_add(s, &next, 1);
            }
        }
    }
    return s->configuration_count - before;
}

size_t exploration_evolve(struct exploration *x, const struct exploration_total *totals) {
    struct sweep *s = &x->sweep;
    const size_t count = s->configuration_count;
    if (s->sample != SWEEP_GENETIC || count >= s->sample_points) return 0;
    const size_t left = s->sample_points - count, children = left < s->population ? left : s->population;
    struct genetic_individual *known = calloc(count, sizeof *known);
    size_t *counts = calloc(s->field_count + 1, sizeof *counts), *next = calloc(children, sizeof *next);
    require_memory(known && counts && next);
    for (size_t f = 0; f < s->field_count; f++) counts[f] = s->fields[f].count;
    for (size_t n = 0; n < count; n++)
        known[n] = (struct genetic_individual){totals[n].combination,
                                               {totals[n].complete ? totals[n].time_ns : INFINITY,
                                                totals[n].complete ? cost(&totals[n]) : INFINITY}};
    const struct genetic_space space = {.counts = counts, .fields = s->field_count};
    const size_t chosen = genetic_next(&space, known, count, children, s->seed, next);
    if (chosen) sweep_add(s, next, chosen);
    free(next);
    free(counts);
    free(known);
    return chosen;
}
