#include "tb/ports/verilog_notices.h"

#include <stdlib.h>
#include <string.h>

#define PRINTED_BYTES (1 << 20) /* limit of Verilator's output that is read */

/* --- a list --- */

static char *copy(const char *text, size_t length) {
    char *new = strndup(text, length);
    require_memory(new);
    return new;
}

void verilog_notices_free(struct verilog_notices *n) {
    for (unsigned i = 0; i < n->count; ++i) {
        free(n->notice[i].name);
        free(n->notice[i].place);
        free(n->notice[i].text);
    }
    free(n->notice);
    *n = (struct verilog_notices){0};
}

static bool has(const struct verilog_notices *n, const char *name, const char *place, const char *text) {
    for (unsigned i = 0; i < n->count; ++i)
        if (strcmp(n->notice[i].name, name) == 0 && strcmp(n->notice[i].place, place) == 0 &&
            strcmp(n->notice[i].text, text) == 0)
            return true;
    return false;
}

void verilog_notices_add(struct verilog_notices *n, bool error, const char *name, const char *place,
                         const char *text) {
    if (has(n, name, place, text)) return;
    n->notice = reallocarray(n->notice, n->count + 1, sizeof *n->notice);
    require_memory(n->notice);
    n->notice[n->count++] = (struct verilog_notice){error, copy(name, strlen(name)),
                                                    copy(place, strlen(place)), copy(text, strlen(text))};
}

/* --- in a file: kind, name, place and text of each, with a zero byte after each --- */

void verilog_notices_save(FILE *out, const struct verilog_notices *n) {
    for (unsigned i = 0; i < n->count; ++i)
        fprintf(out, "%s%c%s%c%s%c%s%c", n->notice[i].error ? "error" : "warning", 0, n->notice[i].name, 0,
                n->notice[i].place, 0, n->notice[i].text, 0);
}

void verilog_notices_load(struct verilog_notices *n, FILE *in) {
    char *field[4] = {0};
    size_t size[4] = {0};
    for (;;) {
        unsigned read = 0;
        while (read < 4 && getdelim(&field[read], &size[read], 0, in) > 0) ++read;
        if (read < 4) break;
        verilog_notices_add(n, strcmp(field[0], "error") == 0, field[1], field[2], field[3]);
    }
    for (unsigned i = 0; i < 4; ++i) free(field[i]);
}

/* --- reading Verilator's notices --- */

/* Returns the length of "FILE:LINE:COLUMN" or "FILE:LINE" at the beginning of a text, if ": " follows; else
 * 0. The name of the file may contain blanks and colons. */
static size_t place_of(const char *text, const char *end) {
    for (const char *colon = text; (colon = memmem(colon, (size_t)(end - colon), ": ", 2)); ++colon) {
        const char *digits = colon;
        while (digits > text && strchr("0123456789", digits[-1])) --digits;
        if (digits > text && digits < colon && digits[-1] == ':') return (size_t)(colon - text);
    }
    return 0;
}

/* Reads a notice such as "%Warning-WIDTH: a.sv:3:5: text" with its continuation lines (blanks and ": ...
 * text"). The line with the instance is skipped, since Verilator chooses one of several. */
static void read_one(struct verilog_notices *n, const char *line, const char *end, const char *rest) {
    const bool error = strncmp(line, "%Error", 6) == 0;
    const char *name = line + (error ? 6 : 8);
    const size_t name_length = *name == '-' ? strcspn(++name, ":") : 0;
    const char *text = memmem(line, (size_t)(end - line), ": ", 2);
    if (!text || (error && strncmp(text, ": Exiting due to ", 17) == 0)) return;
    text += 2;
    const size_t place_length = place_of(text, end);
    char *place = copy(text, place_length), *what = NULL, *kind = copy(name, name_length);
    if (place_length) text += place_length + 2;
    size_t size;
    FILE *out = open_memstream(&what, &size);
    require_memory(out);
    fwrite(text, 1, (size_t)(end - text), out);
    for (const char *next = rest; *next; next += *next == '\n') {
        const char *from = next + strspn(next, " ");
        next += strcspn(next, "\n");
        if (strncmp(from, ": ... ", 6) != 0) break;
        if (strncmp(from, ": ... In instance", 17) == 0) continue;
        fprintf(out, "; %.*s", (int)(next - from - 6), from + 6);
    }
    fclose(out);
    verilog_notices_add(n, error, kind, place, what);
    free(place);
    free(what);
    free(kind);
}

void verilog_notices_read(struct verilog_notices *n, const char *printed) {
    for (const char *line = printed, *end; *line; line = end + (*end == '\n')) {
        end = line + strcspn(line, "\n");
        if (strncmp(line, "%Error", 6) == 0 || strncmp(line, "%Warning-", 9) == 0)
            read_one(n, line, end, end + (*end == '\n'));
    }
}

/* --- meanings --- */

static const struct {
    const char *names, *meaning;
} meanings[] = {
    /* ours */
    {" latch ",
     "a latch keeps its value between cycles. It runs as the standard says, but is no flip-flop: it is "
     "not compared, and the twin does not rest"},
    {" random ",
     "a random value without a seed of its own: here --rtl-seed decides it, so a run repeats; another "
     "simulator gives other values"},
    {" z ", "Z is 0 here: Verilator knows no Z. An output that may be Z must be driven in every cycle"},
    {" reset ", "after a reset its value depends on --rtl-seed: no reset sets it, nothing drives all of it, "
                "or it follows from such values"},
    {" output ",
     "it depends on what no reset sets, on X or on a random value: what the machine does depends on "
     "--rtl-seed"},
    {" tops ",
     "the files have more than one module that no other instantiates: the others are not part of the "
     "design"},
    /* Verilator's */
    {" WIDTH WIDTHTRUNC WIDTHEXPAND WIDTHCONCAT WIDTHXZEXPAND SELRANGE ",
     "values are cut or extended as the standard says. An index out of range is not as the standard says it"},
    {" LATCH ",
     "a value is kept where no path assigns it: a latch, which runs as the standard says. Verilator 5.006 "
     "also takes some loops and cases that assign always for latches"},
    {" UNOPTFLAT UNOPT ",
     "combinational logic depends on itself, or seems to. It is evaluated until it settles; if "
     "it does not, the run ends (121). It costs time"},
    {" CASEINCOMPLETE ", "no branch is taken for some values: what is assigned keeps its value"},
    {" CASEOVERLAP CASEWITHX CASEX ",
     "several branches fit, the first is taken; X in a case is a random value here"},
    {" STMTDLY ASSIGNDLY RISEFALLDLY MINTYPMAXDLY ZERODLY NOTIMING INITIALDLY ",
     "delays are ignored: all happens in its cycle"},
    {" TIMESCALEMOD ", "time is counted in cycles: a time scale means nothing"},
    {" MULTIDRIVEN ",
     "the value has several drivers: the last one that runs decides, which may differ elsewhere"},
    {" BLKANDNBLK BLKSEQ COMBDLY BLKLOOPINIT ",
     "blocking and non-blocking assignments are mixed: the order in which they happen may differ elsewhere"},
    {" SYNCASYNCNET ", "a signal is used as a synchronous and as an asynchronous reset: both work"},
    {" UNDRIVEN ", "nothing drives it: its value is random, from --rtl-seed"},
    {" PINMISSING PINCONNECTEMPTY PINNOTFOUND IMPLICIT PORTSHORT ",
     "a port of an instance is not connected, or a name is not declared: look whether this is meant"},
    {" UNUSED UNUSEDSIGNAL UNUSEDPARAM DECLFILENAME VARHIDDEN EOFNEWLINE BSSPACE REDEFMACRO IMPORTSTAR "
     "LITENDIAN "
     "ASCRANGE DEFPARAM INCABSPATH MODDUP SYMRSVDWORD GENUNNAMED USERINFO ",
     "style: nothing changes"},
    {" ALWCOMBORDER ",
     "a value is read before it is assigned in the same always_comb: it is the one of before"},
    {" UNSIGNED CMPCONST ", "a comparison that is always true, or never"},
    {" REALCVT ", "a real number is rounded"},
    {" IGNOREDRETURN ", "the result of a function is not used"},
    {" INFINITELOOP ", "a loop that does not end: --rtl-limit ends the run"},
};

const char *verilog_notices_meaning(const char *name) {
    char word[80];
    snprintf(word, sizeof word, " %s ", name);
    for (unsigned n = 0; n < sizeof meanings / sizeof *meanings; ++n)
        if (strstr(meanings[n].names, word)) return meanings[n].meaning;
    return "Verilator's manual says what it means";
}

/* --- print --- */

static void print_one(FILE *out, const struct verilog_notice *n) {
    fprintf(out, "    %s%s%s\n", n->place, *n->place ? ": " : "", n->text);
}

/* Prints all notices with the name of notice i, if notice i is the first with that name. */
static void print_name(FILE *out, const struct verilog_notices *n, unsigned i, unsigned most) {
    const char *name = n->notice[i].name;
    unsigned all = 0;
    for (unsigned k = 0; k < i; ++k)
        if (!n->notice[k].error && strcmp(n->notice[k].name, name) == 0) return;
    fprintf(out, "  %s: %s\n", name, verilog_notices_meaning(name));
    for (unsigned k = i; k < n->count; ++k)
        if (!n->notice[k].error && strcmp(n->notice[k].name, name) == 0 && ++all <= most)
            print_one(out, &n->notice[k]);
    if (all > most) fprintf(out, "    and %u more, which lockstep rtl-lint shows\n", all - most);
}

void verilog_notices_print(FILE *out, const struct verilog_notices *n, unsigned most) {
    bool errors = false;
    for (unsigned i = 0; i < n->count; ++i) {
        if (!n->notice[i].error) continue;
        if (!errors) fprintf(out, "  errors, for which it cannot run:\n");
        print_one(out, &n->notice[i]);
        errors = true;
    }
    for (unsigned i = 0; i < n->count; ++i)
        if (!n->notice[i].error) print_name(out, n, i, most);
}

/* --- a run --- */

static unsigned count(const struct verilog_notices *n, bool error) {
    unsigned all = 0;
    for (unsigned i = 0; i < n->count; ++i) all += n->notice[i].error == error;
    return all;
}

/* Returns the length of the file name in "FILE:LINE:COLUMN". */
static size_t file_length(const char *place) {
    size_t length = strlen(place);
    for (unsigned n = 0; n < 2; ++n) {
        size_t digits = length;
        while (digits && strchr("0123456789", place[digits - 1])) --digits;
        if (digits && digits < length && place[digits - 1] == ':') length = digits - 1;
    }
    return length;
}

/* Fills *e with errors, each below the name of its file, as many as fit. */
static bool refuse(const struct verilog_notices *n, const struct verilog_source *source, struct error *e) {
    const unsigned errors = count(n, true), all = errors ? errors : n->count;
    char text[sizeof e->message - 400] = "";
    size_t used = 0, file = 0;
    const char *last = "";
    unsigned told = 0;
    for (unsigned i = 0; i < n->count; ++i) {
        const struct verilog_notice *m = &n->notice[i];
        char line[2048];
        if (m->error != (errors > 0)) continue;
        const size_t length = file_length(m->place);
        const bool same = length == file && strncmp(m->place, last, length) == 0;
        const int added = snprintf(line, sizeof line, "%s%.*s\n    %s%s%s%s%s", same || !length ? "" : "\n  ",
                                   same ? 0 : (int)length, m->place, m->place + length + (length > 0),
                                   *m->place ? ": " : "", errors ? "" : m->name, errors ? "" : ": ", m->text);
        if (added < 0 || (size_t)added >= sizeof line || used + (size_t)added >= sizeof text) break;
        strcpy(text + used, line);
        used += (size_t)added;
        last = m->place;
        file = length;
        ++told;
    }
    error_set(e, EXIT_USER, "module %s: verilator refuses it, with %u %s%s:%s", source->top, all,
              errors ? "error" : "warning", all == 1 ? "" : "s", text);
    if (told < all) {
        used = strlen(e->message);
        snprintf(e->message + used, sizeof e->message - used,
                 "\n  and %u more, which lockstep rtl-lint shows", all - told);
    }
    return false;
}

bool verilog_notices_run(struct verilog_notices *n, char *const argv[], const struct tool_folder *f,
                         const struct verilog_source *source, struct error *e) {
    struct error why = {0};
    struct verilog_notices ours = {0};
    char *printed = calloc(1, PRINTED_BYTES);
    require_memory(printed);
    const bool good = tool_ask(argv, f, printed, PRINTED_BYTES, &why);
    verilog_notices_read(&ours, printed);
    for (unsigned i = 0; i < ours.count; ++i)
        verilog_notices_add(n, ours.notice[i].error, ours.notice[i].name, ours.notice[i].place,
                            ours.notice[i].text);
    if (!good && ours.count)
        refuse(&ours, source, e);
    else if (!good)
        error_set(e, why.status, "module %s: %s", source->top, why.message);
    verilog_notices_free(&ours);
    free(printed);
    return good;
}
