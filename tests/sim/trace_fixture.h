/* trace_fixture: common parts of tests of the tracer: a folder, and an FST as text, to compare all of it. */
#ifndef TESTS_SIM_TRACE_FIXTURE_H
#define TESTS_SIM_TRACE_FIXTURE_H

#include "sim/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <fstapi.h>
#include <cmocka.h>

static char trace_directory[] = "/tmp/test_trace.XXXXXX";

static inline int trace_enter(void **state) {
    (void)state;
    return !mkdtemp(trace_directory) || chdir(trace_directory);
}

static inline int trace_leave(void **state) {
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", trace_directory);
    return chdir("/") || system(command);
}

/* The file in which the process writes the trace of that name; in one of two static strings. */
static inline const char *trace_part(const char *path, pid_t process, const char *suffix) {
    static char part[2][128];
    static unsigned turn;
    turn ^= 1;
    snprintf(part[turn], sizeof part[turn], "%s.%ld.part%s", path, (long)process, suffix);
    return part[turn];
}

static inline struct trace *open_trace(const char *path) {
    struct error e = {0};
    struct trace *t = trace_open(path, NULL, &e);
    if (!t) fail_msg("%s", e.message);
    return t;
}

static inline void close_trace(struct trace *t) {
    struct error e = {0};
    if (!trace_close(t, &e)) fail_msg("%s", e.message);
}

static inline char *trace_contents(const char *path, size_t *size) {
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    char *bytes = malloc(1 << 22);
    *size = fread(bytes, 1, (1 << 22) - 1, f);
    bytes[*size] = 0;
    fclose(f);
    return bytes;
}

struct trace_change {
    uint64_t time;
    char text[128];
};

enum { TRACE_LIST_MAX = 256 };

struct trace_listing {
    char *names[TRACE_LIST_MAX]; /* names, indexed by handle */
    struct trace_change changes[TRACE_LIST_MAX];
    size_t count;
};

static inline int trace_change_compare(const void *a, const void *b) {
    const struct trace_change *x = a, *y = b;
    return x->time != y->time ? (x->time > y->time) - (x->time < y->time) : strcmp(x->text, y->text);
}

static inline void trace_change(void *user, uint64_t time, fstHandle handle, const unsigned char *value,
                                uint32_t length) {
    struct trace_listing *l = user;
    assert_true(l->count < TRACE_LIST_MAX);
    struct trace_change *c = &l->changes[l->count++];
    c->time = time;
    snprintf(c->text, sizeof c->text, "%s=%.*s", l->names[handle], (int)length, value);
}

static inline void trace_change_fixed(void *user, uint64_t time, fstHandle handle,
                                      const unsigned char *value) {
    trace_change(user, time, handle, value, (uint32_t)strlen((const char *)value));
}

/* The hierarchy, then every change as "time name=value", by time and name (the reader has its own order). */
static inline char *trace_list(const char *path) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct trace_listing l = {0};
    void *reader = fstReaderOpen(path);
    assert_non_null(reader);
    fprintf(out, "%s|%s|%d\n", fstReaderGetVersionString(reader), fstReaderGetDateString(reader),
            fstReaderGetTimescale(reader));
    for (struct fstHier *h; (h = fstReaderIterateHier(reader));) {
        if (h->htyp == FST_HT_SCOPE) fprintf(out, "{%s ", h->u.scope.name);
        if (h->htyp == FST_HT_UPSCOPE) fprintf(out, "} ");
        if (h->htyp == FST_HT_ATTRBEGIN && h->u.attr.name[0]) fprintf(out, "enum(%s) ", h->u.attr.name);
        if (h->htyp == FST_HT_ATTRBEGIN) fprintf(out, "#%lu ", h->u.attr.arg);
        if (h->htyp == FST_HT_VAR) {
            fprintf(out, "%s:%u ", h->u.var.name, h->u.var.length);
            l.names[h->u.var.handle] = strdup(h->u.var.name);
        }
    }
    fputc('\n', out);
    fstReaderSetFacProcessMaskAll(reader);
    fstReaderIterBlocks2(reader, trace_change_fixed, trace_change, &l, NULL);
    fstReaderClose(reader);
    qsort(l.changes, l.count, sizeof *l.changes, trace_change_compare);
    for (size_t i = 0; i < l.count; i++) fprintf(out, "%lu %s\n", l.changes[i].time, l.changes[i].text);
    fclose(out);
    for (int i = 0; i < TRACE_LIST_MAX; i++) free(l.names[i]);
    return text;
}

#endif
