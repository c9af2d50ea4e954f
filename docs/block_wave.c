/*
 * block_wave: prints a timing diagram of a block as SVG, from a run of its C model with the random inputs of
 * tb/stimulus.
 *
 *   verilog_ports --list rtl/BLOCK.sv SIZE… | block_wave BLOCK "SIZE…"
 *
 * Of SEEN cycles it shows the WINDOW in which most signals change and the block is at most corners (rare
 * cases of its inputs and state, stimulus.h). Signals that are constant there are left out, as are memories
 * and arrays of more than MOST_ELEMENTS elements.
 */
#include "tb/stimulus/blocks.h"
#include "tb/stimulus/random_lockstep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEN = 4096, WINDOW = 10, MOST_ROWS = 512, MOST_SHOWN = 28, MOST_ELEMENTS = 4 };

/* A signal, or an element of an array. */
struct row {
    char name[VERILOG_MAX_NAME + 8]; /* with suffix and index: pc_i[2] */
    enum verilog_kind kind;
    unsigned bits;
    bool element;
    const char *field; /* in the model: the value, or the pointer to the elements */
    unsigned index;    /* of the element */
    unsigned bytes;    /* of the value in the model, 1 to 16 */
    twin_value *seen;  /* value in each of SEEN cycles */
    bool shown;
};

static struct row rows[MOST_ROWS];
static unsigned row_count;
static uint64_t corners[SEEN]; /* bit n: the cycle has the block's n-th corner */
static bool reset[SEEN];       /* the block was reset before the cycle */

/* Returns the value that the model has at present; 0 if it has no elements yet. */
static twin_value value_of(const struct row *r) {
    twin_value value = 0;
    const char *at = r->field;
    if (r->element) memcpy(&at, r->field, sizeof at);
    if (at) memcpy(&value, at + (size_t)r->index * r->bytes, r->bytes);
    return value;
}

static const struct twin_signal *find_signal(const struct twin_block *t, const char *name,
                                             enum verilog_kind kind) {
    const size_t length = strlen(name) - 2; /* without its suffix */
    for (unsigned n = 0; n < t->count; ++n)
        if (t->signal[n].kind == kind && strlen(t->signal[n].name) == length &&
            strncmp(t->signal[n].name, name, length) == 0)
            return &t->signal[n];
    return NULL;
}

/* Adds the rows of a signal, one for each element of an array. */
static void add_rows(const struct stimulus_block *b, const char *name, enum verilog_kind kind, unsigned bits,
                     unsigned element_bits) {
    const struct twin_signal *s = find_signal(random_lockstep_twin(b), name, kind);
    const char *base = kind == VERILOG_INPUT ? b->in : kind == VERILOG_OUTPUT ? b->out : b->q;
    const unsigned elements = bits / element_bits;
    if (!s || !base || elements > MOST_ELEMENTS || row_count + elements > MOST_ROWS) return;
    for (unsigned n = 0; n < elements; ++n) {
        struct row *r = &rows[row_count++];
        *r = (struct row){.kind = kind, .bits = element_bits, .element = s->array, .bytes = s->bytes};
        snprintf(r->name, sizeof r->name, s->array ? "%s[%u]" : "%s", name, n);
        r->field = base + s->offset;
        r->index = n;
        r->seen = calloc(SEEN, sizeof *r->seen);
        require_memory(r->seen);
    }
}

/* Reads the list of verilog_ports. Returns whether the block has a clock. */
static bool read_list(const struct stimulus_block *b) {
    static const char *const kinds[] = {"input", "output", "state"};
    char kind[16], name[VERILOG_MAX_NAME];
    unsigned bits, element_bits;
    bool clocked = false;
    for (char line[256]; fgets(line, sizeof line, stdin);) {
        if (sscanf(line, "%15s %63s %u %u", kind, name, &bits, &element_bits) != 4) continue;
        clocked |= strcmp(name, "clk_i") == 0;
        for (enum verilog_kind k = VERILOG_INPUT; k <= VERILOG_STATE; ++k)
            if (strcmp(kind, kinds[k]) == 0) add_rows(b, name, k, bits, element_bits);
    }
    return clocked;
}

/* Runs the model; fills in what each cycle had before its edge. */
static void run(const struct stimulus_block *b, const struct rtl_size *size) {
    struct seed seed = seed_of(1);
    b->start(&seed, size);
    for (unsigned cycle = 0; cycle < SEEN; ++cycle) {
        reset[cycle] = b->drive(&seed);
        corners[cycle] = b->corners();
        for (unsigned n = 0; n < row_count; ++n) rows[n].seen[cycle] = value_of(&rows[n]);
        if (b->clock) b->clock();
    }
}

static bool changes(const struct row *r, unsigned from) {
    for (unsigned n = 1; n < WINDOW; ++n)
        if (r->seen[from + n] != r->seen[from]) return true;
    return false;
}

/* Returns the first cycle of the window; marks the rows that are shown. */
static unsigned choose_window(void) {
    unsigned best = 0, most = 0, shown = 0;
    for (unsigned from = 1; from + WINDOW <= SEEN; ++from) {
        uint64_t reached = 0;
        unsigned score = 0, cycle = from + 1;
        while (cycle < from + WINDOW && !reset[cycle]) reached |= corners[cycle++];
        if (cycle < from + WINDOW) continue;
        for (unsigned n = 0; n < row_count; ++n) score += changes(&rows[n], from);
        score += 2 * (unsigned)__builtin_popcountll(reached | corners[from]);
        if (score <= most) continue;
        most = score;
        best = from;
    }
    for (unsigned n = 0; n < row_count; ++n) shown += rows[n].shown = changes(&rows[n], best);
    for (unsigned n = row_count; n-- > 0 && shown > MOST_SHOWN;)
        if (rows[n].element && rows[n].shown) rows[n].shown = false, --shown;
    for (unsigned n = row_count; n-- > 0 && shown > MOST_SHOWN;)
        if (rows[n].shown) rows[n].shown = false, --shown;
    return best;
}

/* --- drawing: lengths are in pixels --- */

#define LABELS    200u                                                 /* pixels; the width of the names */
#define HEIGHT    20u                                                  /* pixels of a row */
#define GAP       6u                                                   /* pixels between two rows */
#define TOP       24u                                                  /* pixels above the first row */
#define CHARACTER 7u                                                   /* width of a character, in pixels */
static const char *const colour[] = {"#eaf1fb", "#e9f6ea", "#fdf1de"}; /* of inputs, outputs, state */

static void value_text(twin_value v, char text[36]) {
    const uint64_t high = (uint64_t)(v >> 64), low = (uint64_t)v;
    if (high)
        snprintf(text, 36, "%llx%016llx", (unsigned long long)high, (unsigned long long)low);
    else
        snprintf(text, 36, "%llx", (unsigned long long)low);
}

/* Returns the width of a cycle: that of the longest value. */
static unsigned cycle_width(unsigned from) {
    size_t longest = 4;
    char text[36];
    for (unsigned n = 0; n < row_count; ++n)
        for (unsigned k = 0; rows[n].shown && rows[n].bits > 1 && k < WINDOW; ++k) {
            value_text(rows[n].seen[from + k], text);
            if (strlen(text) > longest) longest = strlen(text);
        }
    return CHARACTER * (unsigned)longest + 14;
}

static void print_escaped(const char *text) {
    for (; *text; ++text)
        if (*text == '<' || *text == '>' || *text == '&')
            printf("&#%d;", *text);
        else
            putchar(*text);
}

static void draw_label(const char *name, unsigned y) {
    printf("<text x=\"%u\" y=\"%u\" class=\"e\">%s</text>\n", LABELS - 10, y + 14, name);
}

static void draw_clock(unsigned y, unsigned width) {
    draw_label("clk_i", y);
    printf("<path fill=\"none\" d=\"M%u %u", LABELS, y + HEIGHT);
    for (unsigned n = 0; n < WINDOW; ++n)
        printf("v-%uh%uv%uh%u", HEIGHT, width / 2, HEIGHT, width - width / 2);
    printf("\"/>\n");
}

/* Returns the number of cycles for which a row keeps the value that it has in the n-th of the window. */
static unsigned run_length(const struct row *r, unsigned from, unsigned n) {
    unsigned length = 1;
    while (n + length < WINDOW && r->seen[from + n + length] == r->seen[from + n]) ++length;
    return length;
}

static void draw_bit(const struct row *r, unsigned from, unsigned y, unsigned width) {
    printf("<path fill=\"none\" d=\"M%u %u", LABELS, r->seen[from] ? y : y + HEIGHT);
    for (unsigned n = 0; n < WINDOW; n += run_length(r, from, n))
        printf("V%uh%u", r->seen[from + n] ? y : y + HEIGHT, run_length(r, from, n) * width);
    printf("\"/>\n");
}

static void draw_bus(const struct row *r, unsigned from, unsigned y, unsigned width) {
    const unsigned half = HEIGHT / 2;
    printf("<path fill=\"%s\" d=\"M%u %u", colour[r->kind], LABELS, y + half);
    for (unsigned n = 0; n < WINDOW; n += run_length(r, from, n)) {
        const unsigned flat = run_length(r, from, n) * width - 6;
        printf("l3-%uh%ul3 %ul-3 %uh-%uzm%u 0", half, flat, half, half, flat, flat + 6);
    }
    printf("\"/>\n");
    for (unsigned n = 0; n < WINDOW; n += run_length(r, from, n)) {
        char text[36];
        value_text(r->seen[from + n], text);
        printf("<text class=\"m\" x=\"%u\" y=\"%u\">%s</text>\n",
               LABELS + n * width + run_length(r, from, n) * width / 2, y + 14, text);
    }
}

static void draw_legend(unsigned y) {
    static const char *const what[] = {"input", "output", "flip-flops"};
    for (unsigned k = 0; k < 3; ++k)
        printf("<rect x=\"%u\" y=\"%u\" width=\"12\" height=\"12\" fill=\"%s\" stroke=\"#444\"/>"
               "<text x=\"%u\" y=\"%u\">%s</text>\n",
               LABELS + 110 * k, y, colour[k], LABELS + 110 * k + 18, y + 10, what[k]);
}

/* Draws each corner in the first cycle of the window that has it. Returns the y below the last. */
static unsigned draw_corners(const struct stimulus_block *b, unsigned from, unsigned y) {
    uint64_t reached = 0;
    for (unsigned n = 0; n < WINDOW; ++n)
        for (uint64_t rest = corners[from + n] & ~reached; rest; rest &= rest - 1, y += 16) {
            printf("<text x=\"%u\" y=\"%u\" class=\"e\">cycle %u:</text><text x=\"%u\" y=\"%u\">",
                   LABELS - 10, y + 12, n, LABELS, y + 12);
            print_escaped(b->corner[__builtin_ctzll(rest)].name);
            printf("</text>\n");
            reached |= rest & -rest;
        }
    return y;
}

/* Draws rows and corners, and in a second pass the picture whose height is known then. */
static unsigned draw(const struct stimulus_block *b, bool clocked, unsigned from, unsigned width) {
    unsigned y = TOP;
    for (unsigned n = 0; n < WINDOW; ++n)
        printf("<text x=\"%u\" y=\"14\" class=\"m\" fill=\"#666\">%u</text>\n",
               LABELS + n * width + width / 2, n);
    if (clocked) {
        draw_clock(y, width);
        y += HEIGHT + GAP;
    }
    for (unsigned n = 0; n < row_count; ++n) {
        const struct row *r = &rows[n];
        if (!r->shown) continue;
        printf("<rect x=\"4\" y=\"%u\" width=\"%u\" height=\"%u\" fill=\"%s\"/>\n", y - 1, LABELS - 8,
               HEIGHT + 2, colour[r->kind]);
        draw_label(r->name, y);
        if (r->bits == 1)
            draw_bit(r, from, y, width);
        else
            draw_bus(r, from, y, width);
        y += HEIGHT + GAP;
    }
    draw_legend(y + 4);
    return draw_corners(b, from, y + 28);
}

static unsigned height_of(const struct stimulus_block *b, bool clocked, unsigned from) {
    unsigned lines = clocked;
    uint64_t reached = 0;
    for (unsigned n = 0; n < row_count; ++n) lines += rows[n].shown;
    for (unsigned n = 0; n < WINDOW; ++n) reached |= corners[from + n];
    (void)b;
    return TOP + lines * (HEIGHT + GAP) + 28 + 16 * (unsigned)__builtin_popcountll(reached) + 8;
}

int main(int argc, char **argv) {
    const struct stimulus_block *b = argc == 3 ? stimulus_find(argv[1]) : NULL;
    struct rtl_size size;
    if (!b || !rtl_size_read(&size, argv[2])) {
        fprintf(stderr, "usage: verilog_ports --list rtl/BLOCK.sv SIZE... | block_wave BLOCK 'SIZE...'\n");
        return EXIT_USER;
    }
    const bool clocked = read_list(b);
    run(b, &size);
    const unsigned from = choose_window(), width = cycle_width(from);
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" font-family=\"monospace\" "
           "font-size=\"11\">\n<style>path{stroke:#222}.m{text-anchor:middle}.e{text-anchor:end}</style>\n"
           "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
           LABELS + WINDOW * width + 10, height_of(b, clocked, from));
    draw(b, clocked, from, width);
    printf("</svg>\n");
    return EXIT_SOUND;
}
