/*
 * program_family: all processes that a program has started, however far down, known by a setting in their
 * environment that they inherit and that no other program has.
 */
#ifndef RUNTIME_PROGRAM_FAMILY_H
#define RUNTIME_PROGRAM_FAMILY_H

/* Ends every process with this "NAME=value" in its environment: SIGTERM, after two seconds SIGKILL. Those of
 * other users are left alone. */
void program_family_end(const char *setting);

#endif
