/* The choice of figures, and the machines and runs that they need. */
#include "lockstep/figures/figures_parts.h"

#include <string.h>

const struct figures_sweep *figures_sweep_of(const struct figures *f, size_t figure) {
    const struct figures_paper *p = f->paper;
    for (const struct figures_sweep *s = p->sweeps; s < p->sweeps + p->sweep_count; s++)
        if (strcmp(s->figure, p->figures[figure].figure.name) == 0) return s;
    return NULL;
}

/* Returns "9" from "fig9". */
static const char *number_of(const char *figure) {
    return strncmp(figure, "fig", 3) == 0 ? figure + 3 : figure;
}

bool figures_shows(const struct figures *f, size_t figure) {
    if (!f->options.figure) return true;
    const char *wanted = number_of(f->options.figure),
               *name = number_of(f->paper->figures[figure].figure.name);
    const size_t length = strlen(wanted);
    return length && strncmp(name, wanted, length) == 0 && !(name[length] >= '0' && name[length] <= '9');
}

bool figures_has_row(const struct figures *f, size_t figure, const char *benchmark) {
    const char *const *rows = f->paper->figures[figure].figure.rows;
    for (size_t n = 0; rows && rows[n]; n++)
        if (strcmp(rows[n], benchmark) == 0) return true;
    return !rows;
}

static bool shows_variant(const struct figures *f, size_t figure, size_t variant) {
    const struct figures_definition *d = &f->paper->figures[figure];
    if (!figures_shows(f, figure) || figures_sweep_of(f, figure)) return false;
    for (size_t s = 0; s < d->figure.series_count; s++)
        if (d->series[s].variant == variant || d->series[s].base == variant) return true;
    return false;
}

bool figures_needs(const struct figures *f, size_t variant) {
    if (f->paper->variants[variant].of_sweeps) return false;
    for (size_t i = 0; i < f->paper->figure_count; i++)
        if (shows_variant(f, i, variant)) return true;
    return false;
}

bool figures_row_needs(const struct figures *f, const char *benchmark, size_t variant) {
    if (f->paper->variants[variant].of_sweeps) return false;
    for (size_t i = 0; i < f->paper->figure_count; i++)
        if (shows_variant(f, i, variant) && figures_has_row(f, i, benchmark)) return true;
    return false;
}

bool figures_is_chosen(const struct figures *f, const char *benchmark) {
    const struct figures_options *o = &f->options;
    for (size_t i = 0; i < o->chosen_count; i++)
        if (strcmp(o->chosen[i], benchmark) == 0) return true;
    return o->chosen_count == 0;
}

bool figures_is_shown(const struct figures *f, size_t figure) {
    const struct figures_sweep *sweep = figures_sweep_of(f, figure);
    bool rows = false;
    for (size_t row = 0; row < f->row_count && !rows; row++) rows = figures_has_row(f, figure, f->rows[row]);
    return figures_shows(f, figure) && (sweep ? figures_is_chosen(f, sweep->program.name) : rows);
}

bool figures_needs_sweep(const struct figures *f, size_t figure) {
    const char *name = f->paper->figures[figure].figure.name;
    bool needed = figures_is_shown(f, figure);
    for (size_t i = 0; i < f->paper->figure_count; i++) {
        const struct figures_sweep *s = figures_sweep_of(f, i);
        if (s && s->over[0] && figures_is_shown(f, i))
            needed = needed || strcmp(s->over[0], name) == 0 || strcmp(s->over[1], name) == 0;
    }
    return needed;
}
