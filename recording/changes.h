/*
 * changes: changes of a wave's signals, added in any order and sorted by cycle.
 */
#ifndef RECORDING_CHANGES_H
#define RECORDING_CHANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Effect of a change on a value. ADD is for values to which several causes contribute: each adds its part
 * and subtracts it later, so that the order within a cycle does not matter. */
enum change_kind { CHANGE_SET, CHANGE_ADD, CHANGE_OR, CHANGE_CLEAR };

struct change {
    uint64_t cycle, value;
    uint32_t signal;
    enum change_kind kind;
};

struct changes {
    struct change *change; /* NULL while changes are only counted */
    size_t count, room;
    bool grows; /* room is made for all changes, without counting them first */
};

/* Stores changes from now on; earlier ones have only been counted. */
void changes_store(struct changes *c);
/* Drops the first `count` changes, which are sorted. */
void changes_drop(struct changes *c, size_t count);
void changes_add(struct changes *c, uint64_t cycle, uint32_t signal, enum change_kind kind, uint64_t value);
/* Sorts by cycle; changes of one cycle stay in the order in which they were added. */
void changes_sort(struct changes *c);
void changes_free(struct changes *c);

#endif
