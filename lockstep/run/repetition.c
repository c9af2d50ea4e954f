#include "lockstep/run/repetition.h"

#include "lockstep/run/stats.h"
#include "recording/difference.h"
#include "recording/wave_view.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Cycles that a launch runs on after the window, since machines compute ahead. */
#define CYCLES_BEHIND 5000

/* --- the note --- */

/* Options without effect on the machine. `argument`: the option has an argument, possibly as a word of its
 * own. */
static const struct {
    const char *name;
    bool argument;
} left_out[] = {
    {"record", true},          {"stats", true},       {"trace", true},       {"trace-cycles", true},
    {"trace-packing", true},   {"trace-flush", true}, {"trace-level", true}, {"junit", true},
    {"inject", true},          {"log", true},         {"log-cycles", true},  {"log-items", true},
    {"trace-last", false},     {"gdb", false},        {"quiet", false},      {"when", true},
    {"record-accesses", false}};

/* Returns the number of words of an option to be left out; 0 if the option is kept. An option may be
 * abbreviated; it has been checked to be unambiguous. */
static unsigned words_left_out(const char *word) {
    const size_t length = strcspn(word, "=") - 2;
    if (strncmp(word, "--", 2) != 0 || !word[2]) return 0;
    for (size_t n = 0; n < sizeof left_out / sizeof *left_out; ++n)
        if (strncmp(left_out[n].name, word + 2, length) == 0)
            return 1 + (left_out[n].argument && !word[2 + length]);
    return 0;
}

json_t *repetition_note(char *const command[], char *const *program) {
    json_t *options = json_array();
    char *folder = getcwd(NULL, 0);
    for (char *const *word = command + 1; word < program;) {
        const unsigned skipped = words_left_out(*word);
        if (!skipped && strcmp(*word, "--") != 0) json_array_append_new(options, stats_text(*word));
        word += skipped ? skipped : 1;
    }
    json_t *note = json_pack("{so so}", "folder", stats_text(folder ? folder : ""), "options", options);
    require_memory(note);
    free(folder);
    return note;
}

/* --- the run --- */

struct again {
    const struct recording *r;
    const struct window *w;
    const char *option; /* option that needs the repetition, for messages */
    char folder[32];    /* temporary folder */
    /* Absolute path of the waveform, and path of its view; NULL if none is written. */
    char *trace, *view;
    /* Paths in the temporary folder. `output` is what the run prints. */
    char *recording, *output;
    char *blocks; /* ports of a unit's blocks; NULL: not wanted */
    unsigned unit;
    const char *block; /* name of the block, or of the co-processor for all of its blocks */
    char **argv;
};

static const char *text_at(const json_t *array, size_t n) {
    const char *text = json_string_value(json_array_get(array, n));
    return text ? text : "";
}

static char *text_of(const char *format, const char *a, const char *b) {
    char *text;
    require_memory(asprintf(&text, format, a, b) >= 0);
    return text;
}

static void free_again(struct again *a) {
    unlink(a->recording);
    unlink(a->output);
    if (a->blocks) unlink(a->blocks);
    rmdir(a->folder);
    for (char **word = a->argv; word && *word; ++word) free(*word);
    free(a->argv);
    free(a->trace);
    free(a->view);
    free(a->recording);
    free(a->output);
    free(a->blocks);
}

/* Returns the number of cycles after which a launch of the run may stop: enough for every launch to reach the
 * end of the window. */
static uint64_t most_cycles(const struct again *a) {
    uint64_t most = 0;
    for (const struct recording_launch *l = a->r->launches; l < a->r->launches + a->r->launch_count; ++l) {
        const uint64_t end = l->end <= a->w->last ? l->end : a->w->last + 1;
        if (l->first <= a->w->last && end - l->first > most) most = end - l->first;
    }
    return most + CYCLES_BEHIND;
}

/* Returns the limit that the run had; UINT64_MAX if none. */
static uint64_t limit_of(const json_t *options) {
    static const char name[] = "--max-cycles";
    uint64_t limit = UINT64_MAX;
    for (size_t k = 0; k < json_array_size(options); ++k) {
        const char *word = text_at(options, k);
        if (strncmp(word, name, sizeof name - 1) != 0) continue;
        word += sizeof name - 1;
        if (*word == '\0' && k + 1 < json_array_size(options))
            limit = strtoull(text_at(options, ++k), NULL, 10);
        else if (*word == '=')
            limit = strtoull(word + 1, NULL, 10);
    }
    return limit ? limit : UINT64_MAX;
}

static void make_command(struct again *a) {
    const json_t *options = json_object_get(json_object_get(a->r->head, "again"), "options"),
                 *program = json_object_get(a->r->head, "command");
    const size_t count = json_array_size(options) + json_array_size(program);
    size_t n = 0;
    a->argv = calloc(count + 12, sizeof *a->argv);
    require_memory(a->argv);
    a->argv[n++] = text_of("%s%s", "lockstep", "");
    a->argv[n++] = text_of("%s%s", "run", "");
    for (size_t k = 0; k < json_array_size(options); ++k)
        a->argv[n++] = text_of("%s%s", text_at(options, k), "");
    a->argv[n++] = text_of("%s%s", "--quiet", "");
    a->argv[n++] = text_of("%s%s", "--record=", a->recording);
    if (a->trace) a->argv[n++] = text_of("%s%s", "--trace=", a->trace);
    if (a->blocks)
        require_memory(asprintf(&a->argv[n++], "--record-blocks=%u,%" PRIu64 ":%" PRIu64 ",%s,%s", a->unit,
                                a->w->first, a->w->last, a->block, a->blocks) >= 0);
    else
        require_memory(asprintf(&a->argv[n++], "--%s=%" PRIu64 ":%" PRIu64,
                                a->trace ? "trace-cycles" : "record-accesses", a->w->first, a->w->last) >= 0);
    const uint64_t limit = limit_of(options), most = most_cycles(a);
    require_memory(asprintf(&a->argv[n++], "--max-cycles=%" PRIu64, limit < most ? limit : most) >= 0);
    a->argv[n++] = text_of("%s%s", "--", "");
    for (size_t k = 0; k < json_array_size(program); ++k)
        a->argv[n++] = text_of("%s%s", text_at(program, k), "");
}

static bool make_folder(struct again *a, struct error *e) {
    strcpy(a->folder, "/tmp/lockstep-again-XXXXXX");
    if (!mkdtemp(a->folder)) return error_set(e, EXIT_USER, "%s: %s", a->folder, strerror(errno));
    a->recording = text_of("%s/%s", a->folder, "run.lsr");
    a->output = text_of("%s/%s", a->folder, "output");
    return true;
}

/* Sets the paths of the waveform. */
static bool make_paths(struct again *a, const char *path, struct error *e) {
    char *copy = strdup(path), *folder;
    const char *slash = strrchr(path, '/');
    require_memory(copy);
    folder = realpath(dirname(copy), NULL);
    free(copy);
    if (!folder) return error_set(e, EXIT_USER, "%s: %s", path, strerror(errno));
    a->trace = text_of("%s/%s", folder, slash ? slash + 1 : path);
    a->view = trace_view_path(a->trace);
    free(folder);
    return make_folder(a, e);
}

/* Runs the program in the new process. */
static _Noreturn void run(const struct again *a, const char *folder) {
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC),
              output = open(a->output, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    dup2(null, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    if (chdir(folder) == 0) execv("/proc/self/exe", a->argv);
    fprintf(stderr, "%s: %s\n", folder, strerror(errno));
    _exit(EXIT_USER);
}

/* Runs the program and waits for its end. Ctrl-C ends the run, and its failure then ends this process. */
static bool run_and_wait(const struct again *a, struct error *e) {
    const char *folder = json_string_value(json_object_get(json_object_get(a->r->head, "again"), "folder"));
    struct sigaction before;
    int status;
    sigaction(SIGINT, &(struct sigaction){.sa_handler = SIG_IGN}, &before);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        sigaction(SIGINT, &before, NULL);
        run(a, folder);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    sigaction(SIGINT, &before, NULL);
    return child > 0 || error_set(e, EXIT_USER, "the run cannot be repeated: %s", strerror(errno));
}

/* Sets *e to the first line that the failed run has printed. */
static bool fail(const struct again *a, struct error *e) {
    char text[600] = "";
    FILE *file = fopen(a->output, "r");
    const size_t bytes = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file) fclose(file);
    text[bytes] = '\0';
    text[strcspn(text, "\n")] = '\0';
    return error_set(e, EXIT_USER, "the run cannot be repeated (%s): %s", a->option,
                     *text ? text : "it left no waveform");
}

/* Compares the records of both runs up to the window's end. A recording of a killed run may end earlier. */
static bool is_the_same(const struct again *a, const struct recording *again, struct error *e) {
    char *text;
    size_t size;
    bool differs;
    FILE *out = open_memstream(&text, &size);
    require_memory(out);
    const uint64_t last = a->r->whole || a->w->last < a->r->end ? a->w->last : a->r->end - 1;
    const bool good = difference_by_cycle(a->r, again, last, out, &differs, e);
    fclose(out);
    if (good && differs)
        error_set(e, EXIT_USER,
                  "the repeated run differs (%s): does the program read the time, or files that have "
                  "changed, or is this another lockstep? Record it again: %s",
                  a->option, text);
    free(text);
    return good && !differs;
}

/* Opens the recording of the second run and compares it with the first. */
static bool open_again(const struct again *a, struct recording *again, struct error *e) {
    struct error ignored = {0};
    if ((a->trace && access(a->trace, F_OK) != 0) || !recording_open(again, a->recording, &ignored))
        return fail(a, e);
    if (is_the_same(a, again, e)) return true;
    recording_close(again);
    return false;
}

static bool check_recording(const struct again *a, struct error *e) {
    struct recording again;
    if (!open_again(a, &again, e)) return false;
    recording_close(&again);
    return true;
}

static bool show(const struct again *a, struct error *e) {
    const uint64_t end = a->w->view + WINDOW_VIEW < a->w->last ? a->w->view + WINDOW_VIEW : a->w->last + 1;
    return wave_view_move(a->trace, recording_time(a->r, a->w->view), recording_time(a->r, end),
                          recording_time(a->r, a->w->mark), e);
}

static bool can_begin(const struct recording *r, struct error *e) {
    return json_object_get(r->head, "again") ||
           error_set(e, EXIT_USER, "%s: it does not say how the run began: record it again", r->path);
}

bool repetition_accesses(const struct recording *r, const struct window *w, struct recording *again,
                         struct error *e) {
    struct again a = {.r = r, .w = w, .option = "--accesses"};
    bool good = can_begin(r, e) && make_folder(&a, e);
    if (good) {
        make_command(&a);
        good = run_and_wait(&a, e) && open_again(&a, again, e);
        if (good) again->path = r->path, again->end = r->end; /* the file is open, but no longer has a name */
        free_again(&a);
    }
    return good;
}

/* Runs again, and writes the ports of blocks. */
static bool run_blocks(struct again *a, struct error *e) {
    if (!can_begin(a->r, e) || !make_folder(a, e)) return false;
    a->blocks = text_of("%s/%s", a->folder, "blocks");
    make_command(a);
    return run_and_wait(a, e) && check_recording(a, e);
}

bool repetition_blocks(const struct recording *r, const struct window *w, unsigned unit,
                       struct block_history *h, struct error *e) {
    struct again a = {.r = r, .w = w, .option = "why", .unit = unit, .block = "simt_coprocessor"};
    const bool good = run_blocks(&a, e) && block_history_read(h, a.blocks, e);
    if (a.recording) free_again(&a);
    return good;
}

bool repetition_lone_block(const struct recording *r, const struct window *w, unsigned unit, const char *name,
                           const char *folder, struct lone_block *l, struct error *e) {
    struct again a = {.r = r, .w = w, .option = "why", .unit = unit, .block = name};
    const bool good = run_blocks(&a, e) && lone_block_open(l, a.blocks, folder, e);
    if (a.recording) free_again(&a);
    return good;
}

bool repetition_trace(const struct recording *r, const struct window *w, const char *path, struct error *e) {
    struct again a = {.r = r, .w = w, .option = "--level 3"};
    if (!can_begin(r, e)) return false;
    bool good = make_paths(&a, path, e);
    if (good) {
        make_command(&a);
        unlink(a.trace);
        unlink(a.view);
        good = run_and_wait(&a, e) && check_recording(&a, e) && show(&a, e);
        if (!good) unlink(a.trace), unlink(a.view);
    }
    free_again(&a);
    return good;
}
