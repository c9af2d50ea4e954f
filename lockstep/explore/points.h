/*
 * points: runs with a result each, and the workers that make the results.
 *
 * A point is one run. Its key is a hash of the simulator, the kernel compiler, the device library, and the
 * caller's additions: machine, program, options. Results are kept by key (point_store.h), and a point with a
 * result is not run again. Therefore a list of points can continue after any interruption, and several
 * workers, also on several hosts that share the folder, run no point twice. DIR/work/KEY is a point's own
 * folder while it runs, DIR/logs/KEY.txt its output.
 *
 * Known inaccuracy: LLVM's own libraries are not part of the key.
 */
#ifndef LOCKSTEP_POINTS_H
#define LOCKSTEP_POINTS_H

#include "lockstep/explore/point_store.h"
#include "lockstep/commands/tools.h"

#include <stddef.h>

/* Hash of the simulator's objects, without those of papers' reports, whose texts may change. */
extern const char simulator_version[];

struct points {
    struct point_store store;
    struct tools tools;
    char self[PATH_MAX];     /* this command's file */
    char version[POINT_KEY]; /* hash of the simulator, the kernel compiler and the device library */
};

/* Makes the folder and its subfolders. Returns false with *e (EXIT_USER). points_free() must be called in
 * either case. */
bool points_open(struct points *p, const char *folder, struct error *e);
void points_free(struct points *p);

/* --- keys --- */

struct points_hash;

/* Begins a key with the version. points_hash_end() ends it. */
struct points_hash *points_hash_begin(const struct points *p);
void points_hash_text(struct points_hash *h, const char *text);
/* Adds a file's bytes. Returns false with *e (EXIT_USER) if it cannot be read. */
bool points_hash_file(struct points_hash *h, const char *path, struct error *e);
void points_hash_end(struct points_hash *h, char key[POINT_KEY]);

/* --- one point --- */

/* Makes the point's own folder, empty; returns its path, to be freed. */
char *points_begin_work(const struct points *p, const char *key);
void points_end_work(const struct points *p, const char *key);

struct points_outcome {
    int status;         /* exit status of the run; 128 + N if signal N killed it */
    json_t *statistics; /* statistics; NULL if the run was not complete */
    bool host_failed;   /* the computer has failed, not the program or its machine: there is no result */
};

/* Runs `lockstep run --quiet --stats FILE OPTIONS… WORDS…` between points_begin_work() and points_end_work().
 * Standard output and error go to the point's log. */
struct points_outcome points_run(const struct points *p, const char *key, char *const options[],
                                 char *const words[]);
/* Returns why a run failed: the signal, the last message of lockstep in its log, or else the log's last line.
 * To be freed. */
char *points_reason(const struct points *p, const char *key, const struct points_outcome *o);

/* --- a list of points --- */

struct points_list {
    const struct points *points;
    size_t count;
    void *context;
    /* Writes a point's key. Returns false with *e (EXIT_USER) on failure. */
    bool (*key)(void *context, size_t point, char key[POINT_KEY], struct error *e);
    /* Runs a point and returns its result; NULL: nothing is stored, and with *e the worker ends. */
    json_t *(*make)(void *context, size_t point, const char *key, struct error *e);
    /* Other work of each worker; may be NULL. Returns false with *e to end the worker. */
    bool (*before)(void *context, struct error *e);
    bool (*after)(void *context, struct error *e);
    /* Shows the progress of the other work, and writes it as ", BLOCKS" for the progress line or, if the
     * workers were stopped, for the last message. May be NULL. */
    void (*show)(void *context, bool stopped, char *more, size_t size);
};

/* Does the work of one worker: runs every point without a result, beginning with `first`, and does the other
 * work. Then waits for the points of other workers, and runs those of killed workers. Returns false with
 * *e. */
bool points_work(const struct points_list *l, size_t first, struct error *e);
/* Returns the number of points with a result, sound or not. */
size_t points_done(const struct points_list *l);
/* Returns the number of points with a sound result. */
size_t points_sound(const struct points_list *l);
/* Lets up to `jobs` processes work on the list, and shows the number of finished points and the remaining
 * seconds. Returns false with *e: a worker failed, with its status; or SIGINT or SIGTERM has arrived. */
bool points_run_workers(const struct points_list *l, unsigned jobs, struct error *e);

/* Returns the number of processors, or the value of --jobs. */
unsigned points_default_jobs(void);
/* Parses the argument of --jobs: 1 to POINTS_MOST_JOBS; 0 if it is not valid. */
unsigned points_parse_jobs(const char *text);
#define POINTS_MOST_JOBS 4096

#endif
