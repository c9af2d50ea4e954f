/* browser: a page in headless Chromium, controlled through the DevTools protocol over a pipe, without network
 * and driver. */
#ifndef TESTS_BROWSER_H
#define TESTS_BROWSER_H

#include <stdbool.h>
#include <sys/types.h>

struct browser {
    pid_t pid;
    int to, from;  /* pipes: JSON, each message with a NUL after it */
    char *session; /* session of the page */
    int id;        /* number of the latest message */
};

/* Opens a page. Returns false, and prints a line, if chromium is missing. `profile`: a folder that it may
 * fill. `wrapper`: words of a command that runs it ("unshare --net"), or "". A page that cannot be opened
 * fails the test. */
bool browser_open(struct browser *b, const char *wrapper, const char *profile, const char *url);
void browser_close(struct browser *b);

/* Returns the value of a JavaScript expression as text; to be freed. */
char *browser_text(struct browser *b, const char *expression);
/* Scrolls to the first element that the selector finds, and clicks in its middle. */
void browser_click(struct browser *b, const char *selector);
/* Types into the element that has the focus. */
void browser_type(struct browser *b, const char *text);
/* Presses and releases a key with a name such as "ArrowRight" or "/". */
void browser_press(struct browser *b, const char *key);
/* Resizes the window. Returns after the page has been drawn. */
void browser_resize(struct browser *b, int width, int height);

#endif
