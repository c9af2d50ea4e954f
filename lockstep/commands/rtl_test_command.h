/* rtl_test_command: `lockstep rtl-test`, of which `lockstep rtl-lint` is the first part. */
#ifndef LOCKSTEP_RTL_TEST_COMMAND_H
#define LOCKSTEP_RTL_TEST_COMMAND_H

/* The command `rtl-lint`. */
int rtl_test_lint(int argc, char **argv);

#endif
