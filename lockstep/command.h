/*
 * command: what the subcommands of `lockstep` share. Each takes the arguments from its own name on and
 * returns the exit status of the process (sim/error.h).
 */
#ifndef LOCKSTEP_COMMAND_H
#define LOCKSTEP_COMMAND_H

#include "sim/error.h"

#define LOCKSTEP_VERSION "0.1.0"

int run_command(int argc, char **argv);
int compare_command(int argc, char **argv);
int explain_command(int argc, char **argv);
int cc_command(int argc, char **argv);
int figures_command(int argc, char **argv);
int report_command(int argc, char **argv);
int explore_command(int argc, char **argv);
int energy_command(int argc, char **argv);
int area_command(int argc, char **argv);
int config_command(int argc, char **argv);
int rtl_template_command(int argc, char **argv);
int rtl_test_command(int argc, char **argv);
int rtl_lint_command(int argc, char **argv);
int serve_command(int argc, char **argv);
int synthesis_results_command(int argc, char **argv);

/* Prints "lockstep: MESSAGE" to standard error; returns the error's exit status. */
int command_fail(const struct error *e);

#endif
