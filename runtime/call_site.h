/*
 * call_site: describes a place in a program's code in words. The driver inside the program names the place
 * "PATH+0xOFFSET": the file that holds the code, and the offset from the file's mapping.
 */
#ifndef RUNTIME_CALL_SITE_H
#define RUNTIME_CALL_SITE_H

#include <stddef.h>

/* Writes "FILE:LINE (FUNCTION)" of the call before that place. Facts that the program's own file lacks
 * (symbols, -g) are left out, down to the site itself. NULL: "an unknown place". */
void call_site_describe(const char *site, char *text, size_t size);

#endif
