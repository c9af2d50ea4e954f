#include "tests/browser.h"

#include "tests/fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TO_BROWSER = 3, FROM_BROWSER = 4 }; /* Chromium's descriptors with --remote-debugging-pipe */

static void start(struct browser *b, const char *wrapper, const char *profile) {
    int to[2], from[2];
    char *command =
        spawn_text("exec %s chromium --headless --no-sandbox --disable-gpu --window-size=1200,900 "
                   "--user-data-dir=%s --remote-debugging-pipe about:blank 2>/dev/null",
                   wrapper, profile);
    assert_true(pipe2(to, O_CLOEXEC) == 0 && pipe2(from, O_CLOEXEC) == 0);
    b->pid = fork();
    if (b->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        const int in = fcntl(to[0], F_DUPFD, 10),
                  out = fcntl(from[1], F_DUPFD, 10); /* avoids the numbers of each other's targets */
        dup2(in, TO_BROWSER);
        dup2(out, FROM_BROWSER);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    assert_true(b->pid > 0);
    close(to[0]);
    close(from[1]);
    b->to = to[1];
    b->from = from[0];
    free(command);
}

/* Returns the next message. A test that waits too long is ended by its time limit. */
static json_t *receive(struct browser *b) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    char c = 1;
    while (c) {
        if (read(b->from, &c, 1) != 1) fail_msg("Chromium has ended");
        if (c) fputc(c, out);
    }
    fclose(out);
    json_t *j = json_loads(text, 0, NULL);
    assert_non_null(j);
    free(text);
    return j;
}

/* Calls a method with parameters and returns its result. */
static json_t *call(struct browser *b, const char *method, json_t *parameters) {
    json_t *message = json_pack("{s:i, s:s, s:o}", "id", ++b->id, "method", method, "params", parameters);
    if (b->session) json_object_set_new(message, "sessionId", json_string(b->session));
    char *text = json_dumps(message, JSON_COMPACT);
    const size_t size = strlen(text) + 1;
    assert_true(write(b->to, text, size) == (ssize_t)size);
    json_decref(message);
    for (;;) {
        json_t *answer = receive(b);
        if (json_integer_value(json_object_get(answer, "id")) == b->id) {
            json_t *result = json_incref(json_object_get(answer, "result"));
            if (!result) fail_msg("%s: %s", text, json_dumps(answer, 0));
            json_decref(answer);
            free(text);
            return result;
        }
        json_decref(answer);
    }
}

static char *member(json_t *object, const char *key) {
    char *text = strdup(json_string_value(json_object_get(object, key)));
    json_decref(object);
    return text;
}

bool browser_open(struct browser *b, const char *wrapper, const char *profile, const char *url) {
    *b = (struct browser){0};
    if (access("/usr/bin/chromium", X_OK) != 0) {
        print_message("chromium is missing: the page is not shown\n");
        return false;
    }
    start(b, wrapper, profile);
    char *target = member(call(b, "Target.createTarget", json_pack("{s:s}", "url", url)), "targetId");
    char *session =
        member(call(b, "Target.attachToTarget", json_pack("{s:s, s:b}", "targetId", target, "flatten", 1)),
               "sessionId");
    b->session = session;
    free(target);
    for (bool loaded = false; !loaded;) {
        char *state = browser_text(b, "document.readyState + ' ' + location.protocol");
        loaded = strcmp(state, "complete file:") == 0;
        free(state);
        if (!loaded) usleep(20000);
    }
    return true;
}

void browser_close(struct browser *b) {
    char *session = b->session;
    b->session = NULL;
    json_decref(call(b, "Browser.close", json_object()));
    close(b->to);
    close(b->from);
    waitpid(b->pid, NULL, 0);
    free(session);
}

char *browser_text(struct browser *b, const char *expression) {
    json_t *answer =
        call(b, "Runtime.evaluate", json_pack("{s:s, s:b}", "expression", expression, "returnByValue", 1));
    const json_t *value = json_object_get(json_object_get(answer, "result"), "value");
    if (!json_is_string(value)) fail_msg("%s: %s", expression, json_dumps(answer, 0));
    char *text = strdup(json_string_value(value));
    json_decref(answer);
    return text;
}

void browser_click(struct browser *b, const char *selector) {
    char *find =
        spawn_text("(() => { const e = document.querySelector('%s'); e.scrollIntoView({block: 'center'});"
                   " const r = e.getBoundingClientRect();"
                   " return (r.x + r.width / 2) + ' ' + (r.y + r.height / 2); })()",
                   selector);
    char *place = browser_text(b, find), *end;
    const double x = strtod(place, &end), y = strtod(end, NULL);
    static const char *const kinds[] = {"mousePressed", "mouseReleased"};
    for (unsigned n = 0; n < 2; n++)
        json_decref(call(b, "Input.dispatchMouseEvent",
                         json_pack("{s:s, s:f, s:f, s:s, s:i}", "type", kinds[n], "x", x, "y", y, "button",
                                   "left", "clickCount", 1)));
    free(place);
    free(find);
}

void browser_type(struct browser *b, const char *text) {
    json_decref(call(b, "Input.insertText", json_pack("{s:s}", "text", text)));
}

void browser_press(struct browser *b, const char *key) {
    static const char *const kinds[] = {"keyDown", "keyUp"};
    for (unsigned n = 0; n < 2; n++)
        json_decref(call(b, "Input.dispatchKeyEvent", json_pack("{s:s, s:s}", "type", kinds[n], "key", key)));
}

void browser_resize(struct browser *b, int width, int height) {
    json_decref(call(b, "Emulation.setDeviceMetricsOverride",
                     json_pack("{s:i, s:i, s:i, s:b}", "width", width, "height", height, "deviceScaleFactor",
                               1, "mobile", 0)));
    json_decref(call(b, "Runtime.evaluate",
                     json_pack("{s:s, s:b}", "expression",
                               "new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))",
                               "awaitPromise", 1)));
}
