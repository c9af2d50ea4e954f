/*
 * rtl_options: --rtl, --rtl-source and --rtl-window: Verilog beside the C models.
 */
#ifndef LOCKSTEP_RTL_OPTIONS_H
#define LOCKSTEP_RTL_OPTIONS_H

#include "tb/twins.h"

#include <argp.h>

struct rtl_options {
    struct twins_options twins; /* `folder` and `command` are for the caller to fill */
    bool on;                    /* some block's mode is not off */
};

/* The options as a child parser; its input is a struct rtl_options, zeroed. */
extern const struct argp rtl_options_argp;

#endif
