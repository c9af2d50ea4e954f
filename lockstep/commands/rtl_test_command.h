/* rtl_test_command: `lockstep rtl-test`, whose first part is also the command `lockstep rtl-lint`. */
#ifndef LOCKSTEP_RTL_TEST_COMMAND_H
#define LOCKSTEP_RTL_TEST_COMMAND_H

/* The command `rtl-lint`. */
int rtl_test_lint(int argc, char **argv);

#endif
