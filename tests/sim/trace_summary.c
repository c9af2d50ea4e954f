#include "tests/sim/trace_summary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <fstapi.h>
#include <xxhash.h>

struct wave {
    uint64_t changes, hash, value; /* value: hash of the last value */
};

struct between {
    struct wave *wave;
    uint64_t first, end;
};

static void note_between(void *context, uint64_t time, fstHandle handle, const unsigned char *value,
                         uint32_t length) {
    const struct between *l = context;
    struct wave *w = &l->wave[handle];
    for (; length > 1 && *value == '0'; --length) ++value;
    const uint64_t hash = XXH3_64bits(value, length);
    if (time > l->first && time < l->end && hash != w->value) {
        w->changes++;
        w->hash = XXH3_64bits_withSeed(value, length, w->hash ^ time);
    }
    w->value = hash;
}

static void note_between_digits(void *context, uint64_t time, fstHandle handle, const unsigned char *value) {
    note_between(context, time, handle, value, (uint32_t)strlen((const char *)value));
}

static void note_change(void *waves, uint64_t time, fstHandle handle, const unsigned char *value,
                        uint32_t length) {
    struct wave *w = (struct wave *)waves + handle;
    w->changes++;
    w->hash = XXH3_64bits_withSeed(value, length, w->hash ^ time);
}

static void note_digits(void *waves, uint64_t time, fstHandle handle, const unsigned char *value) {
    note_change(waves, time, handle, value, (uint32_t)strlen((const char *)value));
}

static void visit_waves(void *reader, const struct wave *waves, trace_summary_visit *visit, void *context) {
    fstReaderResetScope(reader);
    for (struct fstHier *h; (h = fstReaderIterateHier(reader));) {
        if (h->htyp == FST_HT_SCOPE) fstReaderPushScope(reader, h->u.scope.name, NULL);
        if (h->htyp == FST_HT_UPSCOPE) fstReaderPopScope(reader);
        if (h->htyp != FST_HT_VAR) continue;
        const struct wave *w = &waves[h->u.var.handle];
        char *name = strndup(h->u.var.name, strcspn(h->u.var.name, " ")); /* without " [31:0]" */
        visit(context, fstReaderGetCurrentFlatScope(reader), name, w->changes, w->hash);
        free(name);
    }
}

static void *open_reader(const char *path, struct wave **waves) {
    void *reader = fstReaderOpen(path);
    if (!reader) fail_msg("%s is no FST file", path);
    *waves = calloc(fstReaderGetMaxHandle(reader) + 1, sizeof **waves);
    assert_non_null(*waves);
    fstReaderSetFacProcessMaskAll(reader);
    return reader;
}

void trace_summarize(const char *path, trace_summary_visit *visit, void *context) {
    struct wave *waves;
    void *reader = open_reader(path, &waves);
    fstReaderIterBlocks2(reader, note_digits, note_change, waves, NULL);
    visit_waves(reader, waves, visit, context);
    free(waves);
    fstReaderClose(reader);
}

void trace_summarize_between(const char *path, uint64_t first, uint64_t end, trace_summary_visit *visit,
                             void *context) {
    struct between l = {.first = first, .end = end};
    void *reader = open_reader(path, &l.wave);
    fstReaderIterBlocks2(reader, note_between_digits, note_between, &l, NULL);
    visit_waves(reader, l.wave, visit, context);
    free(l.wave);
    fstReaderClose(reader);
}
