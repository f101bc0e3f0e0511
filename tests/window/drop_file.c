/* drop_file WINDOW /PATH/TO/FILE: drops a file on a window, as a file manager does.
 *
 * The source's side of XDND, version 5 (https://freedesktop.org/wiki/Specifications/XDND/): enter,
 * position, drop; then the target asks for the selection as text/uri-list, and says when it is
 * done. Exit status: 0 it said so, 1 it did not within ten seconds.
 */
#define _POSIX_C_SOURCE 200809L

#include <X11/Xatom.h>
#include <X11/Xlib.h>

#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_WAIT_MS = 10000 };

typedef struct drop {
    Display *display;
    Window source;
    Window target;
    Atom list_type;
    const char *path;
} drop;

static Atom atom(const drop *d, const char *name)
{
    return XInternAtom(d->display, name, False);
}

static void tell(const drop *d, const char *message, long second, long third, long fourth)
{
    XEvent event;
    memset(&event, 0, sizeof(event));
    event.xclient.type = ClientMessage;
    event.xclient.window = d->target;
    event.xclient.message_type = atom(d, message);
    event.xclient.format = 32;
    event.xclient.data.l[0] = (long)d->source;
    event.xclient.data.l[1] = second;
    event.xclient.data.l[2] = third;
    event.xclient.data.l[3] = fourth;
    event.xclient.data.l[4] = (long)atom(d, "XdndActionCopy");
    XSendEvent(d->display, d->target, False, NoEventMask, &event);
}

/* Gives the file's name to who asks. */
static void answer(const drop *d, const XSelectionRequestEvent *request)
{
    char list[4096];
    int length = snprintf(list, sizeof(list), "file://%s\r\n", d->path);
    XChangeProperty(d->display, request->requestor, request->property, d->list_type, 8,
                    PropModeReplace, (const unsigned char *)list, length);
    XEvent event;
    memset(&event, 0, sizeof(event));
    event.xselection.type = SelectionNotify;
    event.xselection.requestor = request->requestor;
    event.xselection.selection = request->selection;
    event.xselection.target = request->target;
    event.xselection.property = request->property;
    event.xselection.time = request->time;
    XSendEvent(d->display, request->requestor, False, NoEventMask, &event);
    XFlush(d->display);
}

static bool wait_for_end(const drop *d)
{
    struct pollfd waiting = {ConnectionNumber(d->display), POLLIN, 0};
    const Atom finished = atom(d, "XdndFinished");
    XFlush(d->display);
    while (XPending(d->display) > 0 || poll(&waiting, 1, LONGEST_WAIT_MS) > 0) {
        XEvent event;
        XNextEvent(d->display, &event);
        if (event.type == SelectionRequest)
            answer(d, &event.xselectionrequest);
        if (event.type == ClientMessage && event.xclient.message_type == finished)
            return true;
    }
    return false;
}

int main(int argc, char **argv)
{
    drop d;
    if (argc != 3 || (d.display = XOpenDisplay(NULL)) == NULL) {
        fputs("usage: drop_file WINDOW /PATH/TO/FILE, with DISPLAY set\n", stderr);
        return 1;
    }
    d.target = strtoul(argv[1], NULL, 0);
    d.path = argv[2];
    d.source = XCreateSimpleWindow(d.display, DefaultRootWindow(d.display), 0, 0, 1, 1, 0, 0, 0);
    d.list_type = atom(&d, "text/uri-list");
    XSetSelectionOwner(d.display, atom(&d, "XdndSelection"), d.source, CurrentTime);
    tell(&d, "XdndEnter", 5L << 24, (long)d.list_type, 0);
    tell(&d, "XdndPosition", 0, 100L << 16 | 100L, CurrentTime);
    tell(&d, "XdndDrop", 0, CurrentTime, 0);
    bool dropped = wait_for_end(&d);
    XCloseDisplay(d.display);
    return dropped ? 0 : 1;
}
