/*
 * browser: a page in headless Chromium, asked and clicked through the DevTools protocol, over a pipe: no
 * network, no driver.
 */
#ifndef TESTS_BROWSER_H
#define TESTS_BROWSER_H

#include <stdbool.h>
#include <sys/types.h>

struct browser {
    pid_t pid;
    int to, from;  /* pipes: JSON, each message with a NUL after it */
    char *session; /* of the page */
    int id;        /* of the message sent last */
};

/* False: chromium is missing, and a line says so. `profile`: a folder that it may fill. `wrapper`: words of a
 * command that runs it ("unshare --net"), or "". A page that cannot be opened fails the test. */
bool browser_open(struct browser *b, const char *wrapper, const char *profile, const char *url);
void browser_close(struct browser *b);

/* What an expression of JavaScript gives, as text; to be freed. */
char *browser_text(struct browser *b, const char *expression);
/* Presses and releases the mouse's button in the middle of the first element that the selector finds, after
 * it was scrolled to. */
void browser_click(struct browser *b, const char *selector);
/* Types into what has the focus. */
void browser_type(struct browser *b, const char *text);
/* Presses and releases a key by its name, "ArrowRight" or "/". */
void browser_press(struct browser *b, const char *key);
/* Gives the window this size; the page has drawn itself anew when it returns. */
void browser_resize(struct browser *b, int width, int height);

#endif
