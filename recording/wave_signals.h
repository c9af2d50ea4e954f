/*
 * wave_signals: the signals of a recording's waves: names, levels, and numbers.
 */
#ifndef RECORDING_WAVE_SIGNALS_H
#define RECORDING_WAVE_SIGNALS_H

#include "recording/recording.h"
#include "sim/trace.h"

/* Activity of a warp, or the reason of its waiting, after a cycle: `now` of a recording, `waits_for` of
 * --trace. */
#define WAVE_NOWS(X)                                                                                         \
    X(IDLE, "no thread")                                                                                     \
    X(SELECTABLE, "not selected")                                                                            \
    X(FRONT_END, "arbitrate, decode")                                                                        \
    X(FETCH, "fetch")                                                                                        \
    X(QUEUE, "dispatch queue")                                                                               \
    X(OPERANDS, "operands")                                                                                  \
    X(ROUNDS, "rounds start")                                                                                \
    X(TPM, "TPM ports")                                                                                      \
    X(MSHR, "no miss register")                                                                              \
    X(RESULT, "result")                                                                                      \
    X(MEMORY, "memory")                                                                                      \
    X(BARRIER, "barrier")
#define X(id, name) WAVE_NOW_##id,
enum wave_now { WAVE_NOWS(X) WAVE_NOW_COUNT };
#undef X
extern const char *const wave_now_name[WAVE_NOW_COUNT];

/* State of a core in MIMD mode; the start-up code runs without a work-group. */
#define WAVE_CORE_STATES(X) X(IDLE, "idle") X(WAITS, "waits") X(START_UP, "start-up") X(RUNS, "runs")
#define X(id, name)         WAVE_STATE_##id,
enum wave_core_state { WAVE_CORE_STATES(X) WAVE_STATE_COUNT };
#undef X

/* Signals of the run, then those of each unit: its own, then those of each warp, then those of each core. */
enum wave_run_signal { WAVE_CLOCK, WAVE_CYCLE, WAVE_RUN_SIGNALS };
enum wave_unit_signal {
    WAVE_KERNEL,
    WAVE_WORK_GROUP, /* number of work-groups of a streaming multiprocessor */
    WAVE_MODE,
    WAVE_OPENS,
    WAVE_GRANT,
    WAVE_FETCH_WARP,
    WAVE_FETCH_PC,
    /* Instructions in the stages of a streaming multiprocessor, in place of these three. */
    WAVE_COLLECTING = WAVE_GRANT,
    WAVE_EXECUTING = WAVE_FETCH_WARP,
    WAVE_ACCESSING = WAVE_FETCH_PC,
    WAVE_COLLECT_WARP,
    WAVE_QUEUE,
    WAVE_UNIT_SIGNALS
};
/* Signals of a warp. The first five are shown; `now` is derived from the others. */
enum wave_warp_signal {
    WAVE_NOW,
    WAVE_PC,
    WAVE_LINE,
    WAVE_PARTICIPATING,
    WAVE_IN_FLIGHT = WAVE_PARTICIPATING, /* this signal of a streaming multiprocessor's warp */
    WAVE_ITEM,                           /* work-items of its threads, first and last */
    WAVE_WARP_SHOWN,
    WAVE_STAGE = WAVE_WARP_SHOWN,
    WAVE_STALL,
    WAVE_LIVE,
    WAVE_WAITING,
    WAVE_WARP_SIGNALS
};

enum wave_core_signal {
    WAVE_CORE_RUNS,
    WAVE_CORE_PC,
    WAVE_CORE_LINE,
    WAVE_CORE_GROUP,
    WAVE_CORE_STATE,
    WAVE_CORE_SIGNALS
};

/* Signals of a scheduler of a streaming multiprocessor, in place of those of cores. */
enum wave_scheduler_signal { WAVE_SCHEDULER_WARP, WAVE_SCHEDULER_PC, WAVE_SCHEDULER_SIGNALS };

/* Signals of the accesses of a core or load-store unit, if the recording has accesses. */
enum wave_access_signal {
    WAVE_ACCESS,
    WAVE_ACCESS_ADDRESS,
    WAVE_ACCESS_DATA,
    WAVE_ACCESS_HIT,
    WAVE_ACCESS_MSHR, /* number of miss registers in use */
    WAVE_ACCESS_SIGNALS
};

/* Signals of the commands of a DRAM channel, if the recording has accesses. */
enum wave_channel_signal { WAVE_COMMAND, WAVE_COMMAND_BANK, WAVE_COMMAND_ROW, WAVE_CHANNEL_SIGNALS };

/* Format of a value. */
enum wave_form {
    WAVE_PLAIN,
    WAVE_NUMBER,  /* number of a warp + 1, shown as a name; 0: none */
    WAVE_ONE_HOT, /* number of a warp + 1, shown as a mask */
    WAVE_TEXT,    /* number of a string */
    WAVE_TICKS,   /* clock: 1 in the first half of each cycle */
    WAVE_COUNTS   /* number of the cycle */
};

struct wave_signal {
    char name[64]; /* name, for example "cluster0.warp3.pc" */
    enum wave_form form;
    bool is_now;    /* signal is a warp's `now` */
    bool shown;     /* signal is in the waveform */
    uint32_t shows; /* signal that shows a change of this one: itself, or the warp's `now` */
    unsigned level;
    unsigned width; /* width in the declaration; 0 for an enumeration and a string */
    unsigned bits;  /* width in the waveform */
    enum trace_format format;
    const char *type;         /* type of an enumeration */
    const char *const *names; /* names of the enumeration; their number: */
    unsigned name_count;
    trace_variable variable;
    uint64_t value, written; /* value after the changes; value in the waveform */
};

struct wave_signals {
    struct wave_signal *signal;
    uint32_t count;
    size_t unit_count;
    uint32_t *unit;     /* first signal of each unit */
    uint32_t *cores;    /* first signal of each unit's cores or schedulers */
    uint32_t *accesses; /* first signal of each unit's accesses */
    uint32_t channels;  /* first signal of the DRAM channels */
    char ***warp_names; /* names of each unit's warps, NULL-terminated */
    char **text;        /* strings by their numbers */
    size_t text_count;
};

/* Makes the signals of all units and shows those of the level that match the pattern (NULL: all). Returns
 * false with *e if none matches. */
bool wave_signals_make(struct wave_signals *s, const struct recording *r, unsigned level, const char *scope,
                       struct error *e);
void wave_signals_free(struct wave_signals *s);
/* Declares the signals that are shown. */
void wave_signals_declare(struct wave_signals *s, struct trace *t);

static inline uint32_t wave_signal_of(const struct wave_signals *s, unsigned unit, enum wave_unit_signal n) {
    return s->unit[unit] + n;
}
static inline uint32_t wave_warp_signal(const struct wave_signals *s, unsigned unit, unsigned warp,
                                        enum wave_warp_signal n) {
    return s->unit[unit] + WAVE_UNIT_SIGNALS + warp * WAVE_WARP_SIGNALS + n;
}
static inline uint32_t wave_core_signal(const struct wave_signals *s, unsigned unit, unsigned core,
                                        enum wave_core_signal n) {
    return s->cores[unit] + core * WAVE_CORE_SIGNALS + n;
}
static inline uint32_t wave_scheduler_signal(const struct wave_signals *s, unsigned unit, unsigned scheduler,
                                             enum wave_scheduler_signal n) {
    return s->cores[unit] + scheduler * WAVE_SCHEDULER_SIGNALS + n;
}
static inline uint32_t wave_access_signal(const struct wave_signals *s, unsigned unit, unsigned place,
                                          enum wave_access_signal n) {
    return s->accesses[unit] + place * WAVE_ACCESS_SIGNALS + n;
}
static inline uint32_t wave_channel_signal(const struct wave_signals *s, unsigned channel,
                                           enum wave_channel_signal n) {
    return s->channels + channel * WAVE_CHANNEL_SIGNALS + n;
}
/* Returns the number of a string. */
uint64_t wave_signals_text(struct wave_signals *s, const char *text);

#endif
