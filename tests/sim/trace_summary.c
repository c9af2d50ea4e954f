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
    uint64_t changes, hash;
};

static void note_change(void *waves, uint64_t time, fstHandle handle, const unsigned char *value,
                        uint32_t length) {
    struct wave *w = (struct wave *)waves + handle;
    w->changes++;
    w->hash = XXH3_64bits_withSeed(value, length, w->hash ^ time);
}

static void note_digits(void *waves, uint64_t time, fstHandle handle, const unsigned char *value) {
    note_change(waves, time, handle, value, (uint32_t)strlen((const char *)value));
}

void trace_summarize(const char *path, trace_summary_visit *visit, void *context) {
    void *reader = fstReaderOpen(path);
    if (!reader) fail_msg("%s is no FST file", path);
    struct wave *waves = calloc(fstReaderGetMaxHandle(reader) + 1, sizeof *waves);
    assert_non_null(waves);
    fstReaderSetFacProcessMaskAll(reader);
    fstReaderIterBlocks2(reader, note_digits, note_change, waves, NULL);
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
    free(waves);
    fstReaderClose(reader);
}
