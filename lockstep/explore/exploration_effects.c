#include "lockstep/explore/exploration_effects.h"

#include "lockstep/output/table.h"

#include <math.h>

/* Returns the total of a combination; NULL if it is not in the sweep or not complete. */
static const struct exploration_total *total_of(const struct sweep *s, const struct exploration_total *totals,
                                                size_t combination) {
    size_t low = 0, high = s->configuration_count;
    while (low < high) { /* combinations are sorted */
        const size_t middle = (low + high) / 2;
        if (s->configurations[middle] < combination)
            low = middle + 1;
        else
            high = middle;
    }
    const bool found = low < s->configuration_count && s->configurations[low] == combination;
    return found && totals[low].complete ? &totals[low] : NULL;
}

struct exploration_effect exploration_effect_of(const struct sweep *s, const struct exploration_total *totals,
                                                size_t field, size_t value) {
    struct exploration_effect effect = {0};
    for (size_t n = 0; n < s->configuration_count; n++) {
        const struct exploration_total *t = &totals[n];
        if (!t->complete || sweep_value(s, t->combination, field) != value) continue;
        const struct exploration_total *first =
            total_of(s, totals, sweep_with_value(s, t->combination, field, 0));
        if (!first) continue;
        effect.pairs++;
        effect.time += log(t->time_ns / first->time_ns);
        effect.mm2 += log(t->mm2 / first->mm2);
        effect.energy += log(t->energy_nj / first->energy_nj);
    }
    const double pairs = (double)effect.pairs;
    if (!effect.pairs) return effect;
    return (struct exploration_effect){effect.pairs, exp(effect.time / pairs), exp(effect.mm2 / pairs),
                                       exp(effect.energy / pairs)};
}

static void add_ratio(struct table *t, const struct exploration_effect *effect, double ratio) {
    if (effect->pairs && isfinite(ratio) && ratio > 0)
        table_add(t, "%.3f", ratio);
    else
        table_add(t, "-");
}

void exploration_print_effects(const struct sweep *s, const struct exploration_total *totals, FILE *out) {
    struct table t;
    table_init(&t, "llrrrr");
    static const char *const heads[] = {"field", "value", "time", "area", "energy", "pairs"};
    const size_t columns = sizeof heads / sizeof *heads;
    for (size_t n = 0; n < columns; n++) table_add(&t, "%s", heads[n]);
    for (size_t f = 0; f < s->field_count; f++)
        for (size_t v = 0; s->fields[f].count > 1 && v < s->fields[f].count; v++) {
            const struct exploration_effect effect = exploration_effect_of(s, totals, f, v);
            table_add(&t, "%s", v ? "" : s->fields[f].name);
            table_add(&t, "%s", s->fields[f].values[v]);
            add_ratio(&t, &effect, effect.time);
            add_ratio(&t, &effect, effect.mm2);
            add_ratio(&t, &effect, effect.energy);
            table_add(&t, "%zu", effect.pairs);
        }
    if (t.count > columns) {
        fputs("\nwhat each field does: ratios to its first value, over pairs of machines that differ in "
              "nothing else\n\n",
              out);
        table_print(&t, 2, out);
    }
    table_free(&t);
}
