/*
 * twin_waves: the insides of a twin's Verilog as variables of a waveform: structs and instances are scopes,
 * enumerations have their names.
 */
#ifndef TB_TWIN_WAVES_H
#define TB_TWIN_WAVES_H

#include "sim/trace.h"
#include "tb/twins/twin.h"

/* Declares the existing insides (twin_insides_open()) in the trace's scope; their variables go to *v, to be
 * freed. Signals that the caller shows are left out: the clock, ports and flip-flops of the twin; arrays are
 * included only with `arrays`. */
void twin_waves_declare(struct trace *trace, const struct twin *t, bool arrays, trace_variable **v);

void twin_waves_show(struct trace *trace, const struct twin *t, const trace_variable *v, sim_time at,
                     const uint32_t *words);

#endif
