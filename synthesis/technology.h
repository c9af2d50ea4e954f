/*
 * technology: a library of standard cells, and the two units that transfer from it to others: the area of
 * its smallest NAND gate of two inputs (NAND2-equivalent), and the delay of an inverter that drives four
 * like itself (FO4), measured with OpenSTA in a chain.
 *
 * At 40 nm a NAND2-equivalent is 0.63 µm² (0.798 µm² of a published 45 nm gate × 0.79), of which placement
 * fills 70 %; an FO4 is 23 ps. Six libraries from 0.5 µm to 45 nm differ from these by ±10 % in area and
 * ±14 % in delay.
 */
#ifndef SYNTHESIS_TECHNOLOGY_H
#define SYNTHESIS_TECHNOLOGY_H

#include "synthesis/liberty.h"
#include "tb/ports/tool.h"

#define TECHNOLOGY_40NM_NAND2_UM2   0.63
#define TECHNOLOGY_40NM_UTILISATION 0.7
#define TECHNOLOGY_40NM_FO4_PS      23.0

#define TECHNOLOGY_LIBERTY "/usr/share/qflow/tech/osu018/osu018_stdcells.lib" /* default library */
#define TECHNOLOGY_LEF     "/usr/share/qflow/tech/osu018/osu018_stdcells.lef"

struct technology {
    struct liberty liberty;
    double fo4_ps;
    double load_ff;  /* load of each output: four inverters */
    char tools[256]; /* versions of Yosys, ABC and OpenSTA */
};

/* Reads and measures a library. lef NULL: areas of the Liberty file. path NULL: the default library, with
 * its LEF. Returns false with *e (EXIT_USER) if a file or tool is missing or refuses. Free *t in either
 * case. */
bool technology_read(struct technology *t, const char *path, const char *lef, struct error *e);
void technology_free(struct technology *t);

/* Return the area of NAND2-equivalents, and the delay of FO4s. */
double technology_40nm_mm2(double nand2);
double technology_40nm_ns(double fo4);
double technology_mm2(const struct technology *t, double nand2); /* area in the library itself, placed as
                                                                    densely */
double technology_ns(const struct technology *t, double fo4);

/* Writes a file in a tool's folder; reads a file, to be freed. Returns false or NULL with *e (EXIT_USER). */
bool technology_put(const struct tool_folder *f, const char *name, const char *text, struct error *e);
char *technology_get(const struct tool_folder *f, const char *name, struct error *e);

#endif
