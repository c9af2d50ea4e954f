/* `lockstep rtl-lint`: the checks of `lockstep rtl-test` before it runs a block. */
#include "lockstep/commands/command.h"
#include "lockstep/commands/rtl_test_command.h"

const struct command_row command_rtl_lint = {150, "tell what is to be known of Verilog in a slot",
                                             rtl_test_lint};
