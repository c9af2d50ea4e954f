#include "synthesis/netlist_scan.h"

#include "synthesis/technology.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *grow(void *array, size_t count, size_t size) {
    if (count & (count - 1)) return array;
    array = reallocarray(array, count ? 2 * count : 1, size);
    require_memory(array);
    return array;
}

/* Reads the first line of a cell: "  NAND2X1 _123_ (". */
static bool is_instance(const char *line, char cell[256], char instance[256]) {
    char mark[4];
    return line[0] == ' ' && line[2] != ' ' && sscanf(line, " %255s %255s %3s", cell, instance, mark) == 3 &&
           strcmp(mark, "(") == 0;
}

/* Returns the net of a pin in "    .Q(\descriptors.pc_q[0] [5])," without the backslash and blanks. */
static char *net_of(const char *line, const char *pin) {
    char begin[260], *net = NULL;
    snprintf(begin, sizeof begin, " .%s(", pin);
    const char *at = strstr(line, begin);
    if (!at) return NULL;
    at += strlen(begin);
    const char *end = strrchr(at, ')');
    net = strndup(at, end ? (size_t)(end - at) : strlen(at));
    require_memory(net);
    char *to = net;
    for (const char *from = net; *from; from++)
        if (*from != ' ' && *from != '\\') *to++ = *from;
    *to = '\0';
    return net;
}

static void add_register(struct netlist_scan *s, const char *instance) {
    s->registers = grow(s->registers, s->register_count, sizeof *s->registers);
    s->registers[s->register_count] = (struct netlist_register){.instance = strdup(instance)};
    require_memory(s->registers[s->register_count].instance);
    s->register_count++;
}

/* Reads an input: "  input [31:0] pc_i;". */
static void add_input(struct netlist_scan *s, const char *line) {
    char range[64] = "", name[256];
    if (sscanf(line, "  input %63s %255[^;];", range, name) != 2 || range[0] != '[') {
        range[0] = '\0';
        if (sscanf(line, "  input %255[^;];", name) != 1) return;
    }
    if (strcmp(name, "clk_i") == 0) s->clocked = true;
    if (strcmp(name, "clk_i") == 0 || strcmp(name, "rst_ni") == 0) return;
    s->inputs = grow(s->inputs, s->input_count, sizeof *s->inputs);
    s->inputs[s->input_count] = (struct netlist_input){strdup(range), strdup(name)};
    require_memory(s->inputs[s->input_count].range && s->inputs[s->input_count].name);
    s->input_count++;
}

bool netlist_scan(struct netlist_scan *s, const struct tool_folder *f, const char *name,
                  const struct liberty *l, struct error *e) {
    *s = (struct netlist_scan){0};
    char *text = technology_get(f, name, e), *rest = text;
    const struct liberty_cell *open = NULL; /* flip-flop whose pins are being read */
    bool good = text != NULL;
    for (char *line; good && (line = strsep(&rest, "\n"));) {
        char cell[256], instance[256];
        if (strncmp(line, "  input ", 8) == 0) add_input(s, line);
        if (open && strncmp(line, "  )", 3) == 0) open = NULL;
        if (open) {
            struct netlist_register *r = &s->registers[s->register_count - 1];
            for (size_t p = 0; p < open->pin_count && !r->net; p++)
                if (open->pins[p].output) r->net = net_of(line, open->pins[p].name);
        }
        if (!is_instance(line, cell, instance) || strcmp(cell, "module") == 0) continue;
        const struct liberty_cell *c = liberty_find(l, cell);
        if (!c) {
            good = error_set(e, EXIT_USER, "%s: the netlist needs a cell that this library has not: %s",
                             l->path, cell);
            break;
        }
        s->cells++;
        s->area += c->area;
        if (!c->flip_flop) continue;
        s->flip_flop_area += c->area;
        add_register(s, instance);
        open = c;
    }
    free(text);
    for (size_t n = 0; n < s->register_count; n++)
        if (!s->registers[n].net) require_memory(s->registers[n].net = strdup(s->registers[n].instance));
    return good;
}

/* --- assignments --- */

/* Returns the bits of a part of a wire, "a[7:4]" or "a[3]". */
static unsigned bits_of_part(const char *part, size_t length) {
    unsigned high, low;
    const char *range = memrchr(part, '[', length);
    if (!range) return 1;
    return sscanf(range, "[%u:%u]", &high, &low) == 2 ? high - low + 1 : 1;
}

/* Writes an assignment to several parts as a wire for the right side and an assignment for each part.
 * `left`: the parts between braces. */
static void divide(FILE *out, const char *left, size_t length, const char *right, unsigned number) {
    unsigned bits = 0;
    for (int pass = 0; pass < 2; pass++) {
        unsigned at = bits;
        if (pass)
            fprintf(out, "  wire [%u:0] assigned_%u;\n  assign assigned_%u = %s\n", bits - 1, number, number,
                    right);
        for (const char *part = left, *next; part < left + length; part = next + strlen(", ")) {
            next = memmem(part, (size_t)(left + length - part), ", ", 2);
            if (!next) next = left + length;
            const unsigned part_bits = bits_of_part(part, (size_t)(next - part));
            if (!pass) bits += part_bits;
            if (!pass) continue;
            fprintf(out, "  assign %.*s = assigned_%u[%u:%u];\n", (int)(next - part), part, number, at - 1,
                    at - part_bits);
            at -= part_bits;
        }
    }
}

bool netlist_divide_assignments(const struct tool_folder *f, const char *name, struct error *e) {
    static const char begin[] = "  assign { ", middle[] = " } = ";
    char *text = technology_get(f, name, e), *rest = text, *divided;
    size_t size;
    unsigned number = 0;
    FILE *out = open_memstream(&divided, &size);
    require_memory(out);
    for (char *line; (line = strsep(&rest, "\n"));) {
        const char *end = strstr(line, middle);
        if (strncmp(line, begin, strlen(begin)) == 0 && end) {
            const char *left = line + strlen(begin);
            divide(out, left, (size_t)(end - left), end + strlen(middle), number++);
        } else {
            fprintf(out, "%s%s", line, rest ? "\n" : "");
        }
    }
    fclose(out);
    const bool good = text && (!number || technology_put(f, name, divided, e));
    free(divided);
    free(text);
    return good;
}

const char *netlist_scan_net(const struct netlist_scan *s, const char *instance) {
    for (size_t n = 0; n < s->register_count; n++)
        if (strcmp(s->registers[n].instance, instance) == 0) return s->registers[n].net;
    return NULL;
}

void netlist_scan_free(struct netlist_scan *s) {
    for (size_t n = 0; n < s->register_count; n++) {
        free(s->registers[n].instance);
        free(s->registers[n].net);
    }
    for (size_t n = 0; n < s->input_count; n++) {
        free(s->inputs[n].range);
        free(s->inputs[n].name);
    }
    free(s->registers);
    free(s->inputs);
    *s = (struct netlist_scan){0};
}
