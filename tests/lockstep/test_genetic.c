/* Non-dominated sorting, crowding distance and generations of the genetic search; a comparison of searches in
 * a completely known space. */
#include "lockstep/explore/genetic.h"
#include "lockstep/explore/searches.h"
#include "tests/fixture.h"
#include "tests/seed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool dominates(const struct genetic_individual *a, const struct genetic_individual *b) {
    return a->objective[0] <= b->objective[0] && a->objective[1] <= b->objective[1] &&
           (a->objective[0] < b->objective[0] || a->objective[1] < b->objective[1]);
}

/* Checks ranks by definition: an individual is dominated by one of the previous rank, and by none of its own
 * rank or a later one. */
static void assert_ranks(const struct genetic_member *best, size_t count) {
    for (size_t n = 0; n < count; n++) {
        bool by_front_before = best[n].rank == 0;
        for (size_t k = 0; k < count; k++) {
            if (!dominates(&best[k].individual, &best[n].individual)) continue;
            assert_true(best[k].rank < best[n].rank);
            by_front_before |= best[k].rank + 1 == best[n].rank;
        }
        assert_true(by_front_before);
    }
}

/* Random individuals with equal ones and impossible ones among them, against the definition. */
static void test_sorting(void **state) {
    (void)state;
    struct seed seed = seed_start();
    for (unsigned round = 0; round < 50; round++) {
        struct genetic_individual individuals[40];
        struct genetic_member best[40];
        for (size_t n = 0; n < 40; n++) {
            const bool possible = seed_below(&seed, 8) > 0;
            individuals[n] =
                (struct genetic_individual){n,
                                            {possible ? (double)seed_below(&seed, 10) : INFINITY,
                                             possible ? (double)seed_below(&seed, 10) : INFINITY}};
        }
        assert_int_equal(genetic_select(individuals, 40, 40, best), 40);
        assert_ranks(best, 40);
        for (size_t n = 1; n < 40; n++)
            assert_true(best[n - 1].rank < best[n].rank ||
                        (best[n - 1].rank == best[n].rank && best[n - 1].distance >= best[n].distance));
    }
}

/* A front of five: the ends first, then the individual with the greatest distance between its neighbours; by
 * hand. */
static void test_crowding(void **state) {
    (void)state;
    const struct genetic_individual individuals[] = {{0, {0, 10}}, {1, {1, 9}},  {2, {2, 8}},
                                                     {3, {6, 4}},  {4, {10, 0}}, {5, {11, 11}}};
    struct genetic_member best[6];
    assert_int_equal(genetic_select(individuals, 6, 4, best), 4);
    assert_int_equal(best[0].individual.combination, 0);
    assert_int_equal(best[1].individual.combination, 4);
    assert_int_equal(best[2].individual.combination, 3);
    assert_true(fabs(best[2].distance - (8.0 / 10 + 8.0 / 10)) < 1e-12);
    assert_int_equal(best[3].individual.combination, 2);
    assert_true(fabs(best[3].distance - (5.0 / 10 + 5.0 / 10)) < 1e-12);
}

/* No combination occurs twice or outside the space, the same seed gives the same combinations, and finally
 * all occur. */
static void test_generations(void **state) {
    (void)state;
    static const size_t counts[] = {3, 4, 5};
    const struct genetic_space space = {counts, 3};
    struct genetic_individual individuals[60];
    size_t count = 0, next[7], again[7];
    bool seen[60] = {false};
    while (count < 60) {
        const size_t wanted = count + 7 <= 60 ? 7 : 60 - count;
        assert_int_equal(genetic_next(&space, individuals, count, 7, 5, next), wanted);
        assert_int_equal(genetic_next(&space, individuals, count, 7, 5, again), wanted);
        assert_memory_equal(next, again, wanted * sizeof *next);
        for (size_t n = 0; n < wanted; n++) {
            assert_true(next[n] < 60 && !seen[next[n]]);
            seen[next[n]] = true;
            const size_t time = next[n] % 5 + next[n] / 20;
            individuals[count++] =
                (struct genetic_individual){next[n], {(double)time, (double)(8 - next[n] % 5)}};
        }
    }
    assert_int_equal(genetic_next(&space, individuals, count, 7, 5, next), 0);
}

/* A space in which every combination is impossible, and one without fields. */
static void test_nothing_to_inherit(void **state) {
    (void)state;
    static const size_t counts[] = {2, 2};
    struct genetic_individual individuals[4] = {{0, {INFINITY, INFINITY}}, {3, {INFINITY, INFINITY}}};
    size_t next[4];
    assert_int_equal(genetic_next(&(struct genetic_space){counts, 2}, individuals, 2, 4, 1, next), 2);
    assert_int_equal(next[0] + next[1], 3);
    assert_int_equal(genetic_next(&(struct genetic_space){NULL, 0}, individuals, 1, 4, 1, next), 0);
}

static void test_hypervolume(void **state) {
    (void)state;
    struct genetic_individual individuals[] = {
        {0, {1, 3}}, {1, {2, 2}}, {2, {3, 3}}, {3, {5, 0}}, {4, {INFINITY, INFINITY}}};
    assert_true(fabs(searches_hypervolume(individuals, 5, (double[]){4, 4}) - (3 * 1 + 2 * 1)) < 1e-12);
    assert_true(searches_hypervolume(individuals, 0, (double[]){4, 4}) == 0);
}

/* --- the comparison --- */

/* Returns a space of 8 × 8 × 8 × 2 as points.json: time falls with the first two fields, energy rises with
 * them, and the third makes both worse. */
static json_t *space(void) {
    json_t *points = json_array();
    for (int n = 0; n < 1024; n++) {
        const int a = n / 128, b = n / 16 % 8, c = n / 2 % 8;
        json_array_append_new(
            points, json_pack("{s:{s:s+, s:s+, s:s+, s:s}, s:s, s:s, s:f, s:f}", "fields", "a", "v",
                              (char[]){(char)('0' + a), 0}, "b", "v", (char[]){(char)('0' + b), 0}, "c", "v",
                              (char[]){(char)('0' + c), 0}, "d", n % 2 ? "on" : "off", "program", "p",
                              "status", "complete", "time_ns", 1000.0 * pow(0.8, a + 0.5 * b) * (1 + 0.1 * c),
                              "energy_nj_horowitz", 100.0 + 30 * a + 10 * b + 5 * c + n % 2));
    }
    return points;
}

static void test_comparison(void **state) {
    (void)state;
    json_t *points = space();
    struct error e = {0};
    char *text;
    size_t size, half[3], most[3];
    FILE *out = open_memstream(&text, &size);
    assert_true(searches_print("x", points, out, &e));
    fclose(out);
    static const char *const kinds[] = {"random", "latin_hypercube", "genetic"};
    for (unsigned k = 0; k < 3; k++) {
        char *row = spawn_text("| `%s` | ", kinds[k]);
        const char *at = strstr(text, row);
        assert_non_null(at);
        assert_int_equal(sscanf(at + strlen(row), "%zu | %*f %% | %zu", &half[k], &most[k]), 2);
        assert_in_range(half[k], 1, most[k]);
        assert_in_range(most[k], 1, 1024);
        free(row);
    }
    assert_true(half[2] * 3 < half[0] && half[2] * 3 < half[1]); /* the search finds that */
    assert_in_range(half[2], 1, 128); /* without tournament, crossover or distance: 144 */
    free(text);
    json_array_remove(points, 7);
    assert_false(searches_print("x", points, stdout, &e));
    assert_int_equal(e.status, EXIT_USER);
    assert_non_null(strstr(e.message, "x: this is not the whole of a space (1023 points, 1024 combinations"));
    json_decref(points);
    points = json_pack("[{s:{}, s:s}]", "fields", "status", "failed");
    e = (struct error){0};
    assert_false(searches_print("x", points, stdout, &e));
    assert_non_null(strstr(e.message, "no machine has completed all programs"));
    json_decref(points);
    points = json_array();
    e = (struct error){0};
    assert_false(searches_print("x", points, stdout, &e));
    json_decref(points);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_sorting),     TEST(test_crowding),   TEST(test_generations), TEST(test_nothing_to_inherit),
        TEST(test_hypervolume), TEST(test_comparison),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
