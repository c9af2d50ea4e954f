/*
 * streams: the descriptors with which a process was started.
 *
 * A program whose standard streams are closed would open its first file as one of them, and write messages
 * into it. Output to a full disk is lost unless the program checks it. Every executable of Lockstep begins
 * with streams_begin(), which prevents both.
 */
#ifndef SIM_STREAMS_H
#define SIM_STREAMS_H

/* Must be the first call in main(). A closed standard stream stays unusable, for this process and for
 * programs that it starts, but no file gets its number.
 *
 * At exit() standard output is closed. If not all output was written, a message begins with `name` and the
 * status becomes EXIT_USER unless it is a failure already; the same holds for standard error. A pipe
 * without readers ends the process by SIGPIPE as usual, or at exit if SIGPIPE is caught.
 *
 * Remembers the open descriptors for streams_close_ours(). Does not return if /dev/null is needed and
 * missing. */
void streams_begin(const char *name);

/* Closes, between fork() and exec(), all descriptors above the standard streams with which the process was
 * not started (without streams_begin(): all). */
void streams_close_ours(void);

#endif
