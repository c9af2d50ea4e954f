/* warp_formation_table: finds the warp that threads arriving at a PC can join (divergence.md §4, dwf; Fung et
 * al. 2007).
 *
 * An entry names the youngest warp of a PC and work-group that has not been issued, and its occupied
 * positions. Arriving threads take its free positions. Threads whose position is occupied form a new warp,
 * which replaces the old one in the entry. A PC selects a set of ways; in a full set, the least recently used
 * entry is evicted. An issued warp leaves the table.
 *
 * Part of dynamic_warp_formation.h. */
#ifndef MODEL_DIVERGENCE_WARP_FORMATION_TABLE_H
#define MODEL_DIVERGENCE_WARP_FORMATION_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#define WARP_FORMATION_WAYS 4

struct warp_formation_table {
    struct {
        unsigned sets; /* a power of two */
    } cfg;
    struct warp_formation_entry {
        uint32_t pc, group, warp;             /* pc 0: free */
        uint64_t mask;                        /* positions that the warp has */
        unsigned rank;                        /* rank in its set: 0: used last */
    } * entry;                                /* way by way within a set, set by set */
    struct warp_formation_table_cycle *cycle; /* each operation is a cycle of it; NULL: none */
};

/* `entries`: WAYS times a power of two. */
void warp_formation_table_init(struct warp_formation_table *t, unsigned entries);
void warp_formation_table_free(struct warp_formation_table *t);
/* Frees all entries. */
void warp_formation_table_clear(struct warp_formation_table *t);

/* Result for threads that arrive. */
struct warp_formation_found {
    bool hit;        /* a warp at their PC exists */
    uint32_t warp;   /* number of that warp */
    uint64_t joined; /* threads that join it */
    uint64_t left;   /* threads that make a new warp, which the table now names */
    bool lost;       /* an entry was evicted for it */
};
/* Handles the arrival of threads in positions `mask` at `pc`, which is not 0; a new warp gets the number
 * `new_warp`. */
struct warp_formation_found warp_formation_table_come(struct warp_formation_table *t, uint32_t pc,
                                                      uint32_t group, uint64_t mask, uint32_t new_warp);

/* Removes an issued warp. */
void warp_formation_table_issue(struct warp_formation_table *t, uint32_t pc, uint32_t group, uint32_t warp);

#endif
