/*
 * call_site: a place in a program's code, as the driver inside the program names it ("PATH+0xOFFSET": the
 * file that holds the code, and the offset from where the file is mapped), in words.
 */
#ifndef RUNTIME_CALL_SITE_H
#define RUNTIME_CALL_SITE_H

#include <stddef.h>

/* Writes "FILE:LINE (FUNCTION)" of a call before that place; what the program's own file does not say (a
 * program without symbols, without -g) is left out, down to the site itself. NULL: "an unknown place". */
void call_site_describe(const char *site, char *text, size_t size);

#endif
