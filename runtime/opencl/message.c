#include "runtime/opencl/message.h"

#include "runtime/opencl/site.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MESSAGES_AT_MOST 50

static const void *told[MESSAGES_AT_MOST]; /* places in the program's code about which a message was printed
                                            */
static unsigned count;

void message_print(const char *format, ...) {
    char text[600], place[200];
    va_list arguments;
    const struct objects_call *call = objects_current_call();
    for (unsigned i = 0; i < count; i++)
        if (told[i] == call->site) return;
    if (count == MESSAGES_AT_MOST) return;
    told[count++] = call->site;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    site_describe(call->site, place, sizeof place);
    fprintf(stderr, "lockstep OpenCL driver: %s at %s: %s\n", call->name, place, text);
}

void message_notify(cl_context context, const char *text) {
    if (context->notify == NULL) return;
    char *copy = strdup(text);
    if (copy != NULL) objects_call_context(context->notify, copy, context, context->user_data);
}
