/*
 * program_family: all processes that a program has started, directly or not. They are known by a setting in
 * their environment, which they inherit and no other program has.
 */
#ifndef RUNTIME_PROGRAM_FAMILY_H
#define RUNTIME_PROGRAM_FAMILY_H

/* Ends every process with this "NAME=value" in its environment: SIGTERM, after two seconds SIGKILL.
 * Processes of other users are left alone. */
void program_family_end(const char *setting);

#endif
