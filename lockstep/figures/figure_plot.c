/* Computes the layout of a figure as a plot, which gnuplot draws. */
#include "lockstep/figures/figure.h"
#include "lockstep/output/gnuplot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEIGHT      430
#define BAR_PIXELS  13
#define LEAST_WIDTH 640
#define GAP         1.2  /* distance of two groups, in widths of a bar */
#define LABEL_SPACE 0.17 /* share of the axis for values above and below the bars */
/* Largest number of labels below lines; if there are more rows, every fourth has a label. */
#define MOST_LABELS 30
#define COLOURS     (sizeof colours / sizeof colours[0])

/* Colours of Okabe and Ito, which the colour-blind can distinguish, without yellow; then some of Tol's. */
static const char *const colours[] = {"#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7",
                                      "#000000", "#999933", "#882255", "#44AA99", "#888888", "#DDCC77"};

static const char *colour(size_t series) {
    return colours[series % COLOURS];
}

/* --- bars --- */

struct bar {
    double x, value;
    size_t series;
    bool paper;
};

struct tick {
    double x;
    const char *label;
};

struct layout {
    struct bar *bars;
    struct tick *ticks;
    size_t bar_count, tick_count;
    double x; /* position of the next bar */
};

/* Returns the paper's value of a row or a group; NAN if there is none. */
static double known(const struct figure *f, const char *row, size_t series) {
    for (const struct figure_known *k = f->known; k < f->known + f->known_count; k++)
        if (k->series == series && strcmp(k->row, row) == 0) return k->paper;
    return NAN;
}

static void add_bar(struct layout *l, double value, size_t series, bool paper) {
    if (isnan(value)) return;
    l->bars[l->bar_count++] = (struct bar){l->x, value, series, paper};
    l->x++;
}

/* Adds a group of bars and its label; ours[s], paper[s]: NAN: no bar. */
static void add_group(struct layout *l, const struct figure *f, const char *label, const double *ours,
                      const double *paper) {
    const double start = l->x;
    for (size_t s = 0; s < f->series_count; s++) {
        add_bar(l, ours[s], s, false);
        add_bar(l, paper[s], s, true);
    }
    if (l->x == start) return;
    l->ticks[l->tick_count++] = (struct tick){(start + l->x - 1) / 2, label};
    l->x += GAP;
}

static void add_rows(struct layout *l, const struct figure *f) {
    double paper[f->series_count];
    for (size_t r = 0; r < f->row_count; r++) {
        for (size_t s = 0; s < f->series_count; s++) paper[s] = known(f, f->rows[r], s);
        add_group(l, f, f->rows[r], f->values + r * f->series_count, paper);
    }
}

/* Adds the means of groups, of all, and of the paper's programs, next to the paper's means. */
static void add_means(struct layout *l, const struct figure *f) {
    double ours[f->series_count], paper[f->series_count];
    const bool two = figure_has_ours(f);
    l->x += GAP;
    for (size_t g = 0; g < f->group_count; g++) {
        for (size_t s = 0; s < f->series_count; s++) {
            ours[s] = figure_group_mean(f, g, s);
            paper[s] = known(f, f->group[g].name, s);
        }
        add_group(l, f, f->group[g].name, ours, paper);
    }
    for (size_t s = 0; s < f->series_count; s++) {
        ours[s] = figure_mean(f, s);
        paper[s] = two ? NAN : f->series[s].paper;
    }
    add_group(l, f, two ? "mean of all" : "mean", ours, paper);
    for (size_t s = 0; s < f->series_count && two; s++) {
        ours[s] = figure_paper_mean(f, s);
        paper[s] = f->series[s].paper;
    }
    if (two) add_group(l, f, "mean of the paper's", ours, paper);
}

static struct layout lay_out(const struct figure *f) {
    const size_t groups = f->row_count + f->group_count + 2;
    struct layout l = {.bars = calloc(2 * groups * f->series_count, sizeof *l.bars),
                       .ticks = calloc(groups, sizeof *l.ticks)};
    require_memory(l.bars && l.ticks);
    add_rows(&l, f);
    add_means(&l, f);
    return l;
}

/* --- the script --- */

static void put_head(const struct figure *f, double width, FILE *out) {
    fprintf(out,
            "set terminal svg noenhanced size %.0f,%d font 'sans-serif,12' background 'white'\nset title ",
            width, HEIGHT);
    gnuplot_quote(f->title, out);
    fputs("\nset ylabel ", out);
    gnuplot_quote(f->unit, out);
    fputs("\nset grid ytics lc rgb '#cccccc'\nset tics nomirror\nset border 3\n"
          "set key outside bottom center horizontal\n",
          out);
}

static void put_ticks(const struct layout *l, FILE *out) {
    fputs("set xtics rotate by 30 right scale 0 (", out);
    for (size_t n = 0; n < l->tick_count; n++) {
        fputs(n ? ", " : "", out);
        gnuplot_quote(l->ticks[n].label, out);
        fprintf(out, " %.2f", l->ticks[n].x);
    }
    fprintf(out, ")\nset xrange [-1.2:%.2f]\n", l->x + 0.2 - GAP);
}

static void put_bar_range(const struct layout *l, FILE *out) {
    double least = 0, most = 0;
    for (size_t n = 0; n < l->bar_count; n++) {
        least = fmin(least, l->bars[n].value);
        most = fmax(most, l->bars[n].value);
    }
    if (least == most) most = 1;
    const double space = LABEL_SPACE * (most - least);
    fprintf(out, "set yrange [%.6g:%.6g]\n", least < 0 ? least - space : 0, most > 0 ? most + space : 0);
}

static bool has_bars(const struct layout *l, size_t series, bool paper) {
    for (size_t n = 0; n < l->bar_count; n++)
        if (l->bars[n].series == series && l->bars[n].paper == paper) return true;
    return false;
}

/* Writes the bars of a series, ours or the paper's, if there are any. */
static void put_bars(const struct layout *l, size_t series, bool paper, FILE *out) {
    if (!has_bars(l, series, paper)) return;
    fprintf(out, "$%s%zu << EOD\n", paper ? "paper" : "ours", series);
    for (size_t n = 0; n < l->bar_count; n++)
        if (l->bars[n].series == series && l->bars[n].paper == paper)
            fprintf(out, "%.2f %.6f\n", l->bars[n].x, l->bars[n].value);
    fputs("EOD\n", out);
}

/* Writes the values at the ends of the bars, those above 0 or those below; returns whether there are any. */
static bool put_values(const struct figure *f, const struct layout *l, bool below, FILE *out) {
    bool any = false;
    for (size_t n = 0; n < l->bar_count; n++) {
        const struct bar *b = &l->bars[n];
        if ((b->value < 0) != below) continue;
        if (!any) fprintf(out, "$%s << EOD\n", below ? "below" : "above");
        const bool none = fabs(b->value) < 0.5 * pow(10, -(double)f->digits); /* prints 0.0 instead of −0.0 */
        fprintf(out, "%.2f %.6f \"%.*f\"\n", b->x, b->value, (int)f->digits, none ? 0 : b->value);
        any = true;
    }
    if (any) fputs("EOD\n", out);
    return any;
}

static void put_bar_plot(const struct figure *f, const struct layout *l, FILE *out) {
    bool any = false;
    for (size_t s = 0; s < f->series_count; s++) {
        put_bars(l, s, false, out);
        put_bars(l, s, true, out);
        any |= has_bars(l, s, true);
    }
    const bool above = put_values(f, l, false, out), below = put_values(f, l, true, out);
    fputs("set boxwidth 0.86\nset xzeroaxis lt -1\nplot ", out);
    for (size_t s = 0; s < f->series_count; s++) {
        if (!has_bars(l, s, false)) continue;
        fprintf(out, "$ours%zu with boxes fs solid noborder lc rgb '%s' title ", s, colour(s));
        gnuplot_quote(f->series[s].name, out);
        fputs(", ", out);
    }
    for (size_t s = 0; s < f->series_count; s++)
        if (has_bars(l, s, true))
            fprintf(out, "$paper%zu with boxes lc rgb '%s' fs pattern 4 border lc rgb '%s' notitle, ", s,
                    colour(s), colour(s));
    if (any)
        fputs("NaN with boxes lc rgb '#444444' fs pattern 4 border lc rgb '#444444' title 'paper', ", out);
    if (above)
        fputs("$above using 1:2:3 with labels rotate by 90 left offset 0,0.4 font ',9' notitle, ", out);
    if (below)
        fputs("$below using 1:2:3 with labels rotate by 90 right offset 0,-0.4 font ',9' notitle, ", out);
    fputs("NaN notitle\n", out);
}

static void put_bar_script(const struct figure *f, FILE *out) {
    struct layout l = lay_out(f);
    put_head(f, fmax(LEAST_WIDTH, 100 + BAR_PIXELS * l.x), out);
    put_ticks(&l, out);
    put_bar_range(&l, out);
    put_bar_plot(f, &l, out);
    free(l.bars);
    free(l.ticks);
}

/* --- lines --- */

static void put_line_script(const struct figure *f, FILE *out) {
    double most = 0;
    put_head(f, LEAST_WIDTH, out);
    fputs("$data << EOD\n", out);
    for (size_t r = 0; r < f->row_count; r++) {
        fprintf(out, "\"%s\"", f->rows[r]);
        for (size_t s = 0; s < f->series_count; s++) {
            const double value = f->values[r * f->series_count + s], paper = known(f, f->rows[r], s);
            fprintf(out, " %.6f %.6f", value, paper);
            most = fmax(fmax(most, value), paper);
        }
        fputc('\n', out);
    }
    fprintf(out, "EOD\nset yrange [0:%.6g]\nplot ", most > 0 ? 1.05 * most : 1);
    for (size_t s = 0; s < f->series_count; s++) {
        fprintf(out, "$data using %zu:xtic(%s) with linespoints lc rgb '%s' lw 2 pt 7 ps 0.5 title ",
                2 * s + 2, f->row_count <= MOST_LABELS ? "1" : "int($0)%4==0 ? stringcolumn(1) : \"\"",
                colour(s));
        gnuplot_quote(f->series[s].name, out);
        fprintf(out, ", $data using %zu with points lc rgb '%s' pt 2 ps 1.5 lw 2 notitle, ", 2 * s + 3,
                colour(s));
    }
    fputs(f->known_count ? "NaN with points lc rgb '#444444' pt 2 ps 1.5 lw 2 title 'paper'\n"
                         : "NaN notitle\n",
          out);
}

bool figure_plot(const struct figure *f, const char *path, struct error *e) {
    char *script;
    size_t size;
    FILE *out = open_memstream(&script, &size);
    require_memory(out);
    if (f->lines)
        put_line_script(f, out);
    else
        put_bar_script(f, out);
    fclose(out);
    const bool plotted = gnuplot_write(script, path, e);
    free(script);
    return plotted;
}
