/*
 * rtl_items: the words of --rtl and rtl-test for Verilog: BLOCK=MODE:FILE.sv[,ITEM…]. Each function ends the
 * process with a message (argp_error()) if a word is invalid.
 */
#ifndef LOCKSTEP_RTL_ITEMS_H
#define LOCKSTEP_RTL_ITEMS_H

#include "tb/twins/twins.h"

#include <argp.h>

struct rtl_items {
    const char *option;   /* prefix of the argument in messages: "--rtl ", or "" */
    const char *argument; /* argument with the words */
    struct argp_state *state;
};

bool rtl_items_is_file(const char *word, size_t length);

enum twins_mode rtl_items_mode(const struct rtl_items *i, const char *word, size_t length);

/* Parses MODE or MODE:FILE of a block, after '='; the file goes to *s, which is freed first. */
enum twins_mode rtl_items_first(const struct rtl_items *i, const char *block, struct verilog_source *s,
                                const char *word, size_t length);

/* Parses an item after the first file. */
void rtl_items_next(const struct rtl_items *i, struct verilog_source *s, const char *word, size_t length);

/* Help text for the items. */
#define RTL_ITEMS_HELP                                                                                       \
    "ITEM is another FILE.sv or FILE.v, the name of the TOP module (default: the block's), -IFOLDER, "       \
    "-GNAME=VALUE, -DNAME[=VALUE], -Wno-NAME, FILE.c or FILE.cpp (functions imported by DPI) or pure (its "  \
    "only state are flip-flops that are compared)"

/* Parses a number of at least `least`; `what`: the option. */
unsigned long rtl_items_number(const char *what, const char *argument, unsigned long least,
                               unsigned long most, struct argp_state *state);

/* --rtl-limit: seconds of CPU time. */
#define RTL_LIMIT_HELP                                                                                       \
    "Stop with a message if the Verilog, or C that it imports, works for so many seconds of processor time " \
    "without a cycle: it does not come to an end (default: 20)"
unsigned rtl_items_limit(const char *argument, struct argp_state *state);

/* Parses the path of the waveform for mismatches. */
const char *rtl_items_window(const char *what, const char *path, struct argp_state *state);

#endif
