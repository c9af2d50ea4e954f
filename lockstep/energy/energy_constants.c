#include "lockstep/energy/energy_constants.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FROM_MEMORIES (-1)
/* Horowitz: main memory takes 1.3 to 2.6 nJ for 64 bits; the value is for a line of eight at the middle. */
#define MEMORY_LINE_PJ (8 * 1950)
/* Wires, in the DARPA exascale study (2008): 18 to 110 fJ for a bit and mm. The value is the middle, for the
 * 10 mm from the edge of a GTX 285 to its centre. */
#define CROSSBAR_FLIT_PJ (256 * 10 * 0.064)
/* uniform Table 2, vector register file: 0.09 W on 2.44 mm². */
#define LEAKAGE_MW_PER_MM2 (90 / 2.44)

const struct energy_constants energy_sets[ENERGY_SETS] = {
    {
        .name = "horowitz",
        .source =
            "M. Horowitz, ISSCC 2014, 45 nm, 0.9 V: integer add 0.1, multiply 3.1, FP32 add 0.9, multiply "
            "3.7; "
            "64 bits: 4 multiplications, 2 additions; division as multiplication; of an instruction's 70 "
            "without L1I and registers 39; registers as memories; crossbar: 10 mm of wire, 18 to 110 fJ a "
            "bit and mm "
            "(DARPA exascale study, 2008)",
        .integer = 0.1,
        .multiply = 3.1,
        .divide = 3.1,
        .vfp_move = 0.1,
        .vfp_add = 0.9,
        .vfp_multiply_single = 3.7,
        .vfp_multiply_double = 4 * 3.7,
        .vfp_chained_single = 3.7 + 0.9,
        .vfp_chained_double = 4 * 3.7 + 2 * 0.9,
        .vfp_divide_single = 3.7,
        .vfp_divide_double = 4 * 3.7,
        .instruction = 39,
        .register_read = FROM_MEMORIES,
        .register_write = FROM_MEMORIES,
        .scalar_read = FROM_MEMORIES,
        .scalar_write = FROM_MEMORIES,
        .memory_line = MEMORY_LINE_PJ,
        .crossbar_flit = CROSSBAR_FLIT_PJ,
        .leakage_mw_per_mm2 = LEAKAGE_MW_PER_MM2,
    },
    {
        .name = "mcpat",
        .source =
            "McPAT, 45 nm, 1 V, embedded (half): ALU 28, multiplier 57, FPU 85; registers: uniform Table 2 "
            "(by McPAT, 40 nm: 2.46 and 5.82 a vector register's access, 0.176 and 0.162 a scalar's, taken "
            "as "
            "read and write); instruction, memory: Horowitz; crossbar as there",
        .integer = 14,
        .multiply = 28.5,
        .divide = 28.5,
        .vfp_move = 14,
        .vfp_add = 42.5,
        .vfp_multiply_single = 42.5,
        .vfp_multiply_double = 42.5,
        .vfp_chained_single = 2 * 42.5,
        .vfp_chained_double = 2 * 42.5,
        .vfp_divide_single = 42.5,
        .vfp_divide_double = 42.5,
        .instruction = 39,
        .register_read = 2.46,
        .register_write = 5.82,
        .scalar_read = 0.176,
        .scalar_write = 0.162,
        .memory_line = MEMORY_LINE_PJ,
        .crossbar_flit = CROSSBAR_FLIT_PJ,
        .leakage_mw_per_mm2 = LEAKAGE_MW_PER_MM2,
    },
};

static const struct {
    const char *name;
    size_t offset;
} fields[] = {
#define FIELD(name, what) {#name, offsetof(struct energy_constants, name)},
    ENERGY_CONSTANTS(FIELD)
#undef FIELD
};
#define FIELDS (sizeof fields / sizeof *fields)

static bool set(struct energy_constants *c, const char *path, unsigned line, char *text, bool given[FIELDS],
                struct error *e) {
    char name[64], value[64], more[2], *end;
    text[strcspn(text, "#\n")] = '\0';
    if (text[strspn(text, " \t\r")] == '\0') return true;
    if (sscanf(text, " %63[a-z0-9_] : %63s %1s", name, value, more) != 2)
        return error_set(e, EXIT_USER, "%s:%u: a line is `name: value`", path, line);
    for (size_t n = 0; n < FIELDS; n++) {
        if (strcmp(fields[n].name, name) != 0) continue;
        const double number = strtod(value, &end);
        if (end == value || *end || !isfinite(number) || number < 0)
            return error_set(e, EXIT_USER, "%s:%u: %s: '%s' is no number of 0 or more", path, line, name,
                             value);
        if (given[n]) return error_set(e, EXIT_USER, "%s:%u: %s is given twice", path, line, name);
        given[n] = true;
        *(double *)(void *)((char *)c + fields[n].offset) = number;
        return true;
    }
    char names[1024] = "";
    for (size_t n = 0; n < FIELDS; n++) {
        strcat(names, n ? ", " : "");
        strcat(names, fields[n].name);
    }
    return error_set(e, EXIT_USER, "%s:%u: there is no constant %s; there are: %s", path, line, name, names);
}

bool energy_constants_read(struct energy_constants *c, const char *name, struct error *e) {
    for (size_t n = 0; n < ENERGY_SETS; n++)
        if (strcmp(energy_sets[n].name, name) == 0) {
            *c = energy_sets[n];
            return true;
        }
    *c = energy_sets[0];
    c->name = name;
    c->source = "the file; what is not in it as in horowitz";
    FILE *in = fopen(name, "r");
    if (!in)
        return error_set(e, EXIT_USER,
                         "--constants %s: neither horowitz nor mcpat, nor a file that can be read: %s", name,
                         strerror(errno));
    char *text = NULL;
    size_t capacity = 0;
    bool given[FIELDS] = {false}, good = true;
    for (unsigned line = 1; good && getline(&text, &capacity, in) >= 0; line++)
        good = set(c, name, line, text, given, e);
    if (good && ferror(in)) good = error_set(e, EXIT_USER, "--constants %s: it cannot be read", name);
    free(text);
    fclose(in);
    return good;
}
