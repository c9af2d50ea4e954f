#include "lockstep/explore/genetic.h"

#include "sim/error.h"
#include "sim/seed.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ATTEMPTS = 20 }; /* attempts with parents before a combination is chosen at random */

/* --- selection --- */

static int compare(double x, double y) {
    return (x > y) - (x < y);
}

static int by_objectives(const void *a, const void *b) {
    const struct genetic_individual *x = &((const struct genetic_member *)a)->individual,
                                    *y = &((const struct genetic_member *)b)->individual;
    const int first = compare(x->objective[0], y->objective[0]),
              second = compare(x->objective[1], y->objective[1]);
    return first    ? first
           : second ? second
                    : (x->combination > y->combination) - (x->combination < y->combination);
}

static int by_distance(const void *a, const void *b) {
    const struct genetic_member *x = a, *y = b;
    const int order = compare(y->distance, x->distance);
    return order ? order : by_objectives(a, b);
}

/* Computes the distance between the neighbours on a front, as a share of the front's extent in each
 * objective; infinite at the ends. The front is sorted by objectives. */
static void find_distances(struct genetic_member *front, size_t count) {
    for (size_t n = 0; n < count; n++) front[n].distance = n == 0 || n + 1 == count ? INFINITY : 0;
    for (unsigned k = 0; k < 2; k++) {
        const double extent =
            fabs(front[count - 1].individual.objective[k] - front[0].individual.objective[k]);
        if (!(extent > 0) || !isfinite(extent)) continue;
        for (size_t n = 1; n + 1 < count; n++)
            front[n].distance +=
                fabs(front[n + 1].individual.objective[k] - front[n - 1].individual.objective[k]) / extent;
    }
}

/* Moves the members, sorted by objectives, that no remaining one dominates to `front`. Returns their
 * number. */
static size_t take_front(struct genetic_member *members, size_t count, struct genetic_member *front) {
    size_t taken = 0;
    for (size_t n = 0; n < count; n++) {
        const double *x = members[n].individual.objective,
                     *last = taken ? front[taken - 1].individual.objective : NULL;
        if (members[n].taken || (last && x[1] >= last[1] && (x[0] != last[0] || x[1] != last[1]))) continue;
        members[n].taken = true;
        front[taken++] = members[n];
    }
    return taken;
}

size_t genetic_select(const struct genetic_individual *individuals, size_t count, size_t most,
                      struct genetic_member *best) {
    struct genetic_member *members = calloc(count + 1, sizeof *members),
                          *front = malloc((count + 1) * sizeof *front);
    size_t selected = 0;
    require_memory(members && front);
    for (size_t n = 0; n < count; n++) members[n].individual = individuals[n];
    qsort(members, count, sizeof *members, by_objectives);
    for (size_t rank = 0; selected < most && selected < count; rank++) {
        const size_t size = take_front(members, count, front);
        find_distances(front, size);
        qsort(front, size, sizeof *front, by_distance);
        for (size_t n = 0; n < size && selected < most; n++) {
            best[selected] = front[n];
            best[selected++].rank = rank;
        }
    }
    free(front);
    free(members);
    return selected;
}

/* --- variation --- */

static size_t weight_of(const struct genetic_space *space, size_t field) {
    size_t weight = 1;
    for (size_t f = field + 1; f < space->fields; f++) weight *= space->counts[f];
    return weight;
}

/* Returns the better of two random parents. */
static const struct genetic_member *tournament(const struct genetic_member *parents, size_t count,
                                               struct seed *seed) {
    const struct genetic_member *a = &parents[seed_next(seed) % count],
                                *b = &parents[seed_next(seed) % count];
    if (a->rank != b->rank) return a->rank < b->rank ? a : b;
    return a->distance >= b->distance ? a : b;
}

/* Mutates a value: half of the mutations are to a neighbouring value, half to any value. */
static size_t mutate(size_t value, size_t count, struct seed *seed) {
    const unsigned kind = seed_below(seed, 4);
    if (kind >= 2) return seed_next(seed) % count;
    if (kind == 0) return value > 0 ? value - 1 : value;
    return value + 1 < count ? value + 1 : value;
}

/* Makes a child: each field comes from one of two parents, and is mutated with probability 1 / fields. */
static size_t make_child(const struct genetic_space *space, const struct genetic_member *parents,
                         size_t count, struct seed *seed) {
    const size_t a = tournament(parents, count, seed)->individual.combination,
                 b = tournament(parents, count, seed)->individual.combination;
    size_t child = 0;
    for (size_t f = 0; f < space->fields; f++) {
        const size_t parent = seed_below(seed, 2) ? a : b;
        size_t value = parent / weight_of(space, f) % space->counts[f];
        if (seed_next(seed) % space->fields == 0) value = mutate(value, space->counts[f], seed);
        child = child * space->counts[f] + value;
    }
    return child;
}

/* --- the next generation --- */

static int ascending(const void *a, const void *b) {
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

struct known {
    size_t *old; /* combinations of the individuals, ascending */
    size_t old_count;
    const size_t *next;
    size_t next_count;
};

static bool is_known(const struct known *k, size_t combination) {
    for (size_t n = 0; n < k->next_count; n++)
        if (k->next[n] == combination) return true;
    return bsearch(&combination, k->old, k->old_count, sizeof *k->old, ascending) != NULL;
}

static size_t choose(const struct genetic_space *space, const struct genetic_member *parents,
                     size_t parent_count, const struct known *known, size_t all, struct seed *seed) {
    for (unsigned n = 0; n < ATTEMPTS && parent_count; n++) {
        const size_t child = make_child(space, parents, parent_count, seed);
        if (!is_known(known, child)) return child;
    }
    size_t any = seed_next(seed) % all;
    while (is_known(known, any)) any = (any + 1) % all;
    return any;
}

size_t genetic_next(const struct genetic_space *space, const struct genetic_individual *individuals,
                    size_t count, size_t children, uint64_t seed, size_t *next) {
    const size_t all = space->fields ? weight_of(space, 0) * space->counts[0] : 1;
    struct seed mixed = seed_of(seed + count), numbers = seed_of(seed_next(&mixed));
    struct genetic_member *parents = malloc((children + 1) * sizeof *parents);
    struct known known = {.old = calloc(count + 1, sizeof *known.old), .old_count = count, .next = next};
    require_memory(parents && known.old);
    for (size_t n = 0; n < count; n++) known.old[n] = individuals[n].combination;
    qsort(known.old, count, sizeof *known.old, ascending);
    const size_t parent_count = genetic_select(individuals, count, children, parents);
    while (known.next_count < children && count + known.next_count < all) {
        const size_t chosen = choose(space, parents, parent_count, &known, all, &numbers);
        next[known.next_count++] = chosen;
    }
    free(known.old);
    free(parents);
    return known.next_count;
}
