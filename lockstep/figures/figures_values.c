#include "lockstep/figures/figures_values.h"

#include <math.h>
#include <string.h>

static double counter(const struct figures_run *r, const char *name) {
    const char *dot = strrchr(name, '.');
    if (!dot) return figures_run_sum(r, "", name);
    char suffix[64];
    snprintf(suffix, sizeof suffix, ".%.*s", (int)(dot - name), name);
    return figures_run_sum(r, suffix, dot + 1);
}

/* Returns the energy of checks: one more operation and register for each instruction that is executed for one
 * thread. */
static double checks_nj(const struct figures_run *r, const struct energy *x) {
    double operation = INFINITY, written = 0;
    for (const struct energy_row *row = x->rows; row < x->rows + x->row_count; row++) {
        if (strcmp(row->structure, "lanes") == 0) operation = fmin(operation, row->pj);
        if (strcmp(row->structure, "registers (scalar)") == 0 && strcmp(row->event, "written") == 0)
            written = row->pj;
    }
    if (!isfinite(operation)) return 0;
    return (counter(r, "uniform.scalar") * operation + counter(r, "uniform.scalar_writes") * written) * 1e-3;
}

void figures_take_energy(struct figures_taken *taken, const struct figures_run *r) {
    struct energy_counts n;
    struct error e = {0};
    invariant(energy_counts_read(&n, r->statistics, "the run", &e), "%s", e.message);
    for (unsigned k = 0; k < ENERGY_SETS; k++) {
        struct energy x;
        energy_of(&x, &n, &energy_sets[k]);
        taken->dynamic[k] = x.dynamic_nj;
        taken->all[k] = x.dynamic_nj + x.leakage_nj;
        taken->checks[k] = checks_nj(r, &x);
    }
}

static double energy_value(const struct figures_series *s, const struct figures_runs *runs) {
    const struct figures_taken *t = &runs->energy[s->variant], *base = &runs->energy[s->base];
    const double energy = t->all[s->set] / base->all[s->set],
                 time = (double)runs->run[s->variant].cycles / (double)runs->run[s->base].cycles;
    switch (s->energy) {
    case FIGURES_DYNAMIC: return 100 * (t->dynamic[s->set] / base->dynamic[s->set] - 1);
    case FIGURES_ALL: return 100 * (energy - 1);
    case FIGURES_TIME: return 100 * (time - 1);
    case FIGURES_POWER: return 100 * (energy / time - 1);
    case FIGURES_PRODUCT: return 100 * (energy * time - 1);
    default: return 100 * t->checks[s->set] / t->dynamic[s->set];
    }
}

double figures_value(const struct figures_series *s, const struct figures_runs *runs) {
    const struct figures_run *r = &runs->run[s->variant], *base = &runs->run[s->base];
    const double cycles = (double)r->cycles;
    if (s->energy) return energy_value(s, runs);
    if (s->of && s->base != s->variant) return 100 * (s->of(r) / s->of(base) - 1);
    if (s->of) return s->of(r);
    if (!s->numerator) return cycles > 0 ? 100 * ((double)base->cycles / cycles - 1) : 0;
    const double over = s->denominator ? counter(r, s->denominator) : 100 * cycles;
    if (!(over > 0)) return 0;
    return 100 * counter(r, s->numerator) / over * s->scale;
}
