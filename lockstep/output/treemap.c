#include "lockstep/output/treemap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH  960.0
#define HEIGHT 600.0
#define TITLE  30.0 /* height of the title */
#define HEAD   16.0 /* height of a group's head */

static const char *const colours[] = {"#8dbbe0", "#f2c57c", "#a8d5a2", "#e3a6b8", "#c3b4e0", "#d9d3a0"};
#define COLOURS (sizeof colours / sizeof *colours)

struct box {
    double x, y, width, height;
};

static void write_text(const char *text, FILE *out) {
    for (; *text; text++) switch (*text) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        default: fputc(*text, out);
        }
}

/* Returns the worst ratio of sides in a row of values. sum: of the values; side: length of the row. */
static double worst(double sum, double least, double most, double side) {
    const double s = side * side;
    return fmax(s * most / (sum * sum), sum * sum / (s * least));
}

/* Computes a squarified layout: rows along the shorter side, extended while this makes the rectangles more
 * square. values: in descending order; their sum is the area of `box`. */
static void lay(const double *values, size_t count, struct box box, struct box *boxes) {
    for (size_t from = 0; from < count;) {
        const double side = fmin(box.width, box.height);
        size_t n = 1;
        double sum = values[from];
        while (from + n < count) {
            const double longer = sum + values[from + n];
            if (worst(longer, values[from + n], values[from], side) >
                worst(sum, values[from + n - 1], values[from], side))
                break;
            sum = longer;
            n++;
        }
        const double thickness = side > 0 ? sum / side : 0;
        double at = 0;
        for (size_t k = 0; k < n; k++) {
            const double length = thickness > 0 ? values[from + k] / thickness : 0;
            boxes[from + k] = box.width < box.height ? (struct box){box.x + at, box.y, length, thickness}
                                                     : (struct box){box.x, box.y + at, thickness, length};
            at += length;
        }
        if (box.width < box.height) {
            box.y += thickness;
            box.height -= thickness;
        } else {
            box.x += thickness;
            box.width -= thickness;
        }
        from += n;
    }
}

struct order {
    double value;
    size_t index;
};

static int larger_first(const void *a, const void *b) {
    const struct order *x = a, *y = b;
    if (x->value != y->value) return x->value < y->value ? 1 : -1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Computes the boxes of values in any order. */
static void lay_sorted(struct order *order, size_t count, struct box box, struct box *boxes) {
    double *values = calloc(count, sizeof *values), sum = 0;
    struct box *sorted = calloc(count, sizeof *sorted);
    require_memory(values && sorted);
    for (size_t n = 0; n < count; n++) sum += order[n].value;
    qsort(order, count, sizeof *order, larger_first);
    for (size_t n = 0; n < count; n++) values[n] = order[n].value * box.width * box.height / sum;
    lay(values, count, box, sorted);
    for (size_t n = 0; n < count; n++) boxes[order[n].index] = sorted[n];
    free(values);
    free(sorted);
}

static void write_item(const struct treemap_item *item, struct box b, const char *colour, FILE *out) {
    fputs("<g><title>", out);
    write_text(item->name, out);
    fputs(": ", out);
    write_text(item->text, out);
    fprintf(
        out,
        "</title><rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\" stroke=\"#fff\"/>",
        b.x, b.y, b.width, b.height, colour);
    if (b.height >= 12 && b.width >= 6.0 * (double)strlen(item->name) + 6) {
        fprintf(out, "<text x=\"%.2f\" y=\"%.2f\">", b.x + 4, b.y + 12);
        write_text(item->name, out);
        fputs("</text>", out);
    }
    fputs("</g>\n", out);
}

static void write_group(const struct treemap_item *items, size_t count, struct box b, size_t colour,
                        FILE *out) {
    struct order *order = calloc(count, sizeof *order);
    struct box *boxes = calloc(count, sizeof *boxes);
    require_memory(order && boxes);
    const double head = b.height > 3 * HEAD ? HEAD : 0;
    if (head > 0 && b.width > 6.0 * (double)strlen(items->group)) {
        fprintf(out, "<text x=\"%.2f\" y=\"%.2f\" font-weight=\"bold\">", b.x + 4, b.y + 12);
        write_text(items->group, out);
        fputs("</text>\n", out);
    }
    for (size_t n = 0; n < count; n++) order[n] = (struct order){items[n].value, n};
    lay_sorted(order, count, (struct box){b.x + 1, b.y + head, b.width - 2, b.height - head - 1}, boxes);
    for (size_t n = 0; n < count; n++) write_item(&items[n], boxes[n], colours[colour % COLOURS], out);
    free(order);
    free(boxes);
}

void treemap_write(const char *title, const struct treemap_item *items, size_t count, FILE *out) {
    struct order *order = calloc(count, sizeof *order);
    size_t *first = calloc(count + 1, sizeof *first), groups = 0;
    struct box *boxes = calloc(count, sizeof *boxes);
    require_memory(order && first && boxes);
    for (size_t n = 0; n < count; n++) {
        if (n == 0 || strcmp(items[n].group, items[n - 1].group) != 0) {
            order[groups].index = groups;
            first[groups++] = n;
        }
        order[groups - 1].value += items[n].value;
    }
    first[groups] = count;
    lay_sorted(order, groups, (struct box){0, TITLE, WIDTH, HEIGHT}, boxes);
    fprintf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
        "font-family=\"sans-serif\" font-size=\"11\">\n<text x=\"4\" y=\"20\" font-size=\"15\">",
        WIDTH, TITLE + HEIGHT, WIDTH, TITLE + HEIGHT);
    write_text(title, out);
    fputs("</text>\n", out);
    for (size_t g = 0; g < groups; g++)
        write_group(items + first[g], first[g + 1] - first[g], boxes[g], g, out);
    fputs("</svg>\n", out);
    free(order);
    free(first);
    free(boxes);
}
