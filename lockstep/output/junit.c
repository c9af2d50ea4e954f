#include "lockstep/output/junit.h"

#include <stdlib.h>
#include <string.h>

/* Writes text. XML has no control characters, and bytes above 127 are UTF-8 or parts of an invalid path: both
 * are left out. */
static void put(FILE *out, const char *text, size_t length) {
    for (size_t n = 0; n < length; n++) {
        const unsigned char c = (unsigned char)text[n];
        switch (c) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        default: fputc(c == '\n' || (c >= ' ' && c < 127) ? c : '?', out);
        }
    }
}

bool junit_open(struct junit *j, const char *path, struct error *e) {
    *j = (struct junit){0};
    if (!path) return true;
    if (!part_open(&j->part, path, e)) return false;
    require_memory(j->cases = open_memstream(&j->text, &j->size));
    return true;
}

static void begin_case(struct junit *j, const char *suite, const char *name) {
    fputs("  <testcase classname=\"", j->cases);
    put(j->cases, suite, strlen(suite));
    fputs("\" name=\"", j->cases);
    put(j->cases, name, strlen(name));
    j->count++;
}

/* Writes the first line of the message as an attribute, and the rest as text. */
static void put_reason(struct junit *j, const char *tag, const char *message) {
    fprintf(j->cases, "\">\n    <%s message=\"", tag);
    put(j->cases, message, strcspn(message, "\n"));
    fputs("\">", j->cases);
    put(j->cases, message, strlen(message));
    fprintf(j->cases, "</%s>\n  </testcase>\n", tag);
}

void junit_add(struct junit *j, const char *suite, const char *name, const struct error *why) {
    if (!j->cases) return;
    begin_case(j, suite, name);
    if (!why || why->status == EXIT_SOUND) {
        fputs("\"/>\n", j->cases);
    } else if (why->status == EXIT_TWINS_DISAGREE) {
        j->failures++;
        put_reason(j, "failure", why->message);
    } else {
        j->errors++;
        put_reason(j, "error", why->message);
    }
}

void junit_skip(struct junit *j, const char *suite, const char *name, const char *why) {
    if (!j->cases) return;
    begin_case(j, suite, name);
    put_reason(j, "skipped", why);
    j->skipped++;
}

bool junit_close(struct junit *j, struct error *e) {
    if (!j->cases) return true;
    fclose(j->cases);
    fprintf(j->part.file,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"lockstep\" tests=\"%u\" "
            "failures=\"%u\" errors=\"%u\" skipped=\"%u\">\n%s</testsuite>\n",
            j->count, j->failures, j->errors, j->skipped, j->text);
    free(j->text);
    j->cases = NULL;
    return part_finish(&j->part, e);
}

void junit_abandon(struct junit *j) {
    if (!j->cases) return;
    fclose(j->cases);
    free(j->text);
    part_abandon(&j->part);
    j->cases = NULL;
}
