#include "lockstep/run/run_waves.h"

#include "recording/waves.h"
#include "recording/window.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool run_waves_begin(struct run_waves *w, struct error *e) {
    strcpy(w->folder, "/tmp/lockstep-waves-XXXXXX");
    if (!mkdtemp(w->folder)) {
        error_set(e, EXIT_USER, "--trace-level: %s: %s", w->folder, strerror(errno));
        w->folder[0] = '\0';
        return false;
    }
    require_memory(asprintf(&w->recording, "%s/run.lsr", w->folder) >= 0);
    return true;
}

uint64_t run_waves_write(const char *recording, const char *path, struct machine_window window,
                         unsigned level, struct error *e) {
    struct recording r;
    struct waves_result result = {0};
    if (!recording_open(&r, recording, e)) return 0;
    if (window.first < r.end) {
        const uint64_t last = window.last < r.end ? window.last : r.end - 1, left = last - window.first;
        const struct waves_options o = {.first = window.first,
                                        .last = last,
                                        .level = level,
                                        .all = true,
                                        .view_first = window.first,
                                        .view_last =
                                            window.first + (left < WINDOW_VIEW ? left : WINDOW_VIEW - 1),
                                        .mark = window.first};
        waves_write(&r, &o, path, &result, e);
    } else {
        error_set(e, EXIT_USER,
                  "--trace-cycles %" PRIu64 ":%" PRIu64 ": the run ended at cycle %" PRIu64
                  ": there is no waveform %s",
                  window.first, window.last, r.end, path);
    }
    recording_close(&r);
    return result.changes;
}

void run_waves_end(struct run_waves *w) {
    if (w->recording) unlink(w->recording);
    if (*w->folder) rmdir(w->folder);
    free(w->recording);
    *w = (struct run_waves){0};
}
