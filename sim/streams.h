/*
 * streams: the descriptors that a process of ours was started with.
 *
 * A program whose standard streams are closed opens its first file as one of them, and writes its messages
 * into it; and what is written to a full disk is lost unless somebody looks. Every executable of ours begins
 * with streams_begin(), which sees to both.
 */
#ifndef SIM_STREAMS_H
#define SIM_STREAMS_H

/* First thing in main(). A standard stream that is closed stays of no use, to us and to the programs that we
 * start, but nothing else gets its number. At exit() standard output is closed: if it did not take all that
 * was written, a message begins with `name` and the status becomes EXIT_USER unless it tells of a failure
 * already; so does a standard error that took less. A reader that has gone away ends the process by SIGPIPE
 * as usual, but not before it exits if SIGPIPE is caught. Keeps which descriptors there are, for
 * streams_close_ours(). Does not return if /dev/null is missing when it is needed. */
void streams_begin(const char *name);

/* Between fork() and exec(): of the descriptors above the standard streams only those stay that the process
 * was started with (without streams_begin(): none). */
void streams_close_ours(void);

#endif
