#include "lockstep/output/explanation.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static char *copy(const char *text, size_t length) {
    char *made = strndup(text, length);
    require_memory(made);
    return made;
}

static void *grow(void *items, size_t count, size_t item_bytes) {
    void *grown = realloc(items, (count + 1) * item_bytes);
    require_memory(grown);
    return grown;
}

/* --- source text --- */

/* Returns line `line` of a text, without surrounding blanks; NULL if there is none. */
static char *line_of(const char *text, unsigned line) {
    for (; line > 1 && *text; line--) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    text += strspn(text, " \t\r");
    size_t length = strcspn(text, "\n");
    while (length && strchr(" \t\r", text[length - 1])) length--;
    return length ? copy(text, length) : NULL;
}

static char *line_of_file(const char *path, unsigned line) {
    FILE *f = fopen(path, "r");
    char *text = NULL, *found = NULL;
    size_t size = 0;
    if (!f) return NULL;
    while (line > 0 && getline(&text, &size, f) >= 0)
        if (--line == 0) found = line_of(text, 1);
    free(text);
    fclose(f);
    return found;
}

/* --- gathering --- */

static struct explained_kernel *find_kernel(struct explanation *x, const struct machine_launch *launch,
                                            const struct machine_result *result) {
    for (size_t k = 0; k < x->count; k++)
        if (strcmp(x->kernels[k].name, launch->kernel) == 0 && x->kernels[k].mode == result->mode)
            return &x->kernels[k];
    x->kernels = grow(x->kernels, x->count, sizeof *x->kernels);
    struct explained_kernel *k = &x->kernels[x->count++];
    *k = (struct explained_kernel){.name = copy(launch->kernel, strlen(launch->kernel)),
                                   .mode = result->mode,
                                   .units = result->units,
                                   .whole = true};
    if (launch->choice) k->reason = copy(launch->choice->reason, strlen(launch->choice->reason));
    return k;
}

static struct explained_line *find_line(struct explained_kernel *k, const struct machine_code *code,
                                        uint32_t pc) {
    const char *file = "?";
    unsigned line = 0;
    if (code->line) code->line(code->line_context, pc, &file, &line);
    for (size_t n = k->count; n-- > 0;)
        if (k->lines[n].line == line && strcmp(k->lines[n].file, file) == 0) return &k->lines[n];
    k->lines = grow(k->lines, k->count, sizeof *k->lines);
    struct explained_line *l = &k->lines[k->count++];
    *l = (struct explained_line){.file = copy(file, strlen(file)), .line = line};
    l->own = code->source && strcmp(file, code->source_name) == 0;
    if (line) l->text = l->own ? line_of(code->source, line) : line_of_file(file, line);
    return l;
}

static bool empty(const struct machine_profile *row) {
    uint64_t any = row->executions;
    for (unsigned c = 0; c < MACHINE_CAUSE_COUNT; c++) any |= row->cycles[c];
    for (unsigned c = 0; c < SCALAR_CAUSE_COUNT; c++) any |= row->scalar_cycles[c];
    return !any;
}

/* Returns whether cycles of a cause may belong to no instruction of the kernel. */
static bool stands_apart(unsigned cause) {
    return cause == MACHINE_CAUSE_STARTUP || cause == MACHINE_CAUSE_MODE_SWITCH ||
           cause == MACHINE_CAUSE_NO_GROUP || cause == MACHINE_CAUSE_NO_WARP;
}

/* Adds the cycles that belong to no instruction. left: cycles of the launch that remain, by cause. */
static void add_apart(struct explained_kernel *k, const uint64_t *left, bool whole) {
    for (unsigned c = 0; c < MACHINE_CAUSE_COUNT; c++) {
        invariant(!whole || stands_apart(c) || left[c] == 0,
                  "kernel %s: %" PRIu64 " cycles of cause '%s' belong to no instruction", k->name, left[c],
                  machine_cause_name[c]);
        k->apart[c] += left[c];
    }
}

void explanation_add(struct explanation *x, const struct machine_launch *launch,
                     const struct machine_result *result, bool whole, const struct machine_profile *rows) {
    struct explained_kernel *k = find_kernel(x, launch, result);
    uint64_t left[MACHINE_CAUSE_COUNT];
    memcpy(left, result->cause, sizeof left);
    k->launches++;
    k->cycles += result->cycles;
    k->whole &= whole;
    for (unsigned c = 0; c < MACHINE_CAUSE_COUNT; c++) k->cause[c] += result->cause[c];
    if (result->scalar_units) k->scalar_units = result->scalar_units;
    for (unsigned c = 0; c < SCALAR_CAUSE_COUNT; c++) k->scalar_cause[c] += result->scalar_cause[c];
    for (uint32_t n = 0; rows && n < launch->code->text_bytes / 4; n++) {
        if (empty(&rows[n])) continue;
        struct explained_line *l = find_line(k, launch->code, launch->code->text_base + 4 * n);
        l->instructions += rows[n].executions;
        l->warps += rows[n].warps;
        l->accesses += rows[n].accesses;
        l->memory_lines += rows[n].lines;
        l->words += rows[n].words;
        l->bank_cycles += rows[n].bank_cycles;
        for (unsigned c = 0; c < SCALAR_CAUSE_COUNT; c++) l->scalar_cycles[c] += rows[n].scalar_cycles[c];
        for (unsigned c = 0; c < MACHINE_CAUSE_COUNT; c++) {
            invariant(rows[n].cycles[c] <= left[c], "kernel %s: more cycles of cause '%s' than it has",
                      k->name, machine_cause_name[c]);
            left[c] -= rows[n].cycles[c];
            l->cycles[c] += rows[n].cycles[c];
        }
    }
    add_apart(k, left, whole);
}

static int compare_lines(const void *a, const void *b) {
    const struct explained_line *x = a, *y = b;
    if (x->own != y->own) return x->own ? -1 : 1;
    if ((x->line == 0) != (y->line == 0)) return x->line ? -1 : 1;
    const int files = strcmp(x->file, y->file);
    return files ? files : x->line < y->line ? -1 : x->line > y->line;
}

void explanation_sort(struct explanation *x) {
    for (size_t k = 0; k < x->count; k++)
        if (x->kernels[k].count)
            qsort(x->kernels[k].lines, x->kernels[k].count, sizeof *x->kernels[k].lines, compare_lines);
}

void explanation_free(struct explanation *x) {
    for (size_t k = 0; k < x->count; k++) {
        for (size_t n = 0; n < x->kernels[k].count; n++) {
            free(x->kernels[k].lines[n].file);
            free(x->kernels[k].lines[n].text);
        }
        free(x->kernels[k].lines);
        free(x->kernels[k].name);
        free(x->kernels[k].reason);
    }
    free(x->kernels);
}
