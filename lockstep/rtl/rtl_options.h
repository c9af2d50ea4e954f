/*
 * rtl_options: --rtl, --rtl-seed and --rtl-window: Verilog that is compared with the C models, or replaces
 * them.
 */
#ifndef LOCKSTEP_RTL_OPTIONS_H
#define LOCKSTEP_RTL_OPTIONS_H

#include "tb/twins/twins.h"

#include <argp.h>

struct rtl_options {
    struct twins_options twins; /* the caller sets `folder` and `command` */
    bool on;                    /* a block has a mode other than off */
    bool window_given;          /* --rtl-window is given */
    const char *junit;          /* file of results; NULL: none */
};

/* The options as a child parser; its input is a struct rtl_options, zeroed. */
extern const struct argp rtl_options_argp;

/* Prints modes, items and block names of --rtl: the text of `lockstep help rtl`. */
void rtl_options_explain(void);

void rtl_options_free(struct rtl_options *o);

#endif
