/* SPDX-License-Identifier: Apache-2.0
 *
 * x11.c: Xlib: handlers, contexts, resources, images; and of a display, where there is one, its screens,
 * events and predicates.
 *
 * What is used of the headers is said here, so that the program is analysed where they are not; it
 * is linked alone (tests/c/summaries/alone/main.c).
 */
#include <stdlib.h>

#include "expect.h"

typedef struct Visual Visual;
typedef struct GC *GC;
typedef struct Display {
    void *private[29];
    struct Screen *screens;
} Display;
typedef struct Screen {
    void *data;
    Display *display;
    void *private[6];
    Visual *visual;
    GC gc;
} Screen;
typedef struct XErrorEvent {
    int type;
    Display *display;
    void *rest[4];
} XErrorEvent;
typedef struct XEvent {
    int type;
    unsigned long serial;
    int sent;
    Display *display;
    long rest[20];
} XEvent;
typedef struct XImage {
    int width, height, offset, format;
    char *data;
    int order, unit, bit_order, pad, depth, line, bits;
    unsigned long masks[3];
    void *private;
    struct XImage *(*create)(Display *, Visual *, unsigned, int, int, char *, unsigned, unsigned, int,
                             int);
    int (*destroy)(struct XImage *);
    unsigned long (*get)(struct XImage *, int, int);
    int (*put)(struct XImage *, int, int, unsigned long);
    struct XImage *(*sub)(struct XImage *, int, int, unsigned, unsigned);
    int (*add)(struct XImage *, long);
} XImage;
typedef struct XrmValue {
    unsigned size;
    void *address;
} XrmValue;
typedef struct XTextProperty {
    unsigned char *value;
    unsigned long encoding;
    int format;
    unsigned long n;
} XTextProperty;
typedef struct XrmDatabase *XrmDatabase;
typedef struct Region *Region;
typedef int predicate(Display *, XEvent *, char *);

int (*XSetErrorHandler(int (*)(Display *, XErrorEvent *)))(Display *, XErrorEvent *);
int XSaveContext(Display *, unsigned long, int, const char *);
int XFindContext(Display *, unsigned long, int, char **);
void XrmInitialize(void), XrmDestroyDatabase(XrmDatabase);
XrmDatabase XrmGetStringDatabase(const char *);
int XrmGetResource(XrmDatabase, const char *, const char *, char **, XrmValue *);
int XInitImage(XImage *), XFree(void *), XDestroyRegion(Region);
Region XCreateRegion(void);
int XStringListToTextProperty(char **, int, XTextProperty *);
char *XKeysymToString(unsigned long);
Display *XOpenDisplay(const char *), *XDisplayOfScreen(Screen *);
Screen *XDefaultScreenOfDisplay(Display *);
GC XDefaultGC(Display *, int);
int XSendEvent(Display *, unsigned long, int, long, XEvent *), XFlush(Display *);
unsigned long XDefaultRootWindow(Display *);
int XCheckIfEvent(Display *, XEvent *, predicate *, char *), XCloseDisplay(Display *);

static char tag, other_tag;
static char *seen_predicate;
static Display *seen_display;

static int on_error(Display *display, XErrorEvent *event) {
    (void)display, (void)event;
    return 0;
}

static void without_display(void) {
    XSetErrorHandler(on_error);
    int (*before)(Display *, XErrorEvent *) = XSetErrorHandler(NULL);
    int (*set)(Display *, XErrorEvent *) = on_error;
    SAME(before, set);
    XrmInitialize();
    XrmDatabase database = XrmGetStringDatabase("a.b: text");
    FRESH(database);
    char *type = NULL;
    XrmValue value = {0, NULL};
    XrmGetResource(database, "a.b", "A.B", &type, &value);
    void *b = value.address;
    KNOWN(type);
    KNOWN(b);
    XrmDestroyDatabase(database);
    static char pixels[64];
    static XImage image;
    image.width = image.height = 4;
    image.format = 2;
    image.data = pixels;
    image.unit = image.pad = image.bits = 32;
    image.depth = 24;
    XInitImage(&image);
    int (*destroy)(XImage *) = image.destroy;
    KNOWN(destroy);
    XImage *sub = image.sub(&image, 0, 0, 2, 2);
    FRESH(sub);
    char *c = image.data, *d = sub->data;
    POINTS_TO(c, pixels);
    KNOWN(d);
    sub->destroy(sub);
    Region region = XCreateRegion();
    FRESH(region);
    XDestroyRegion(region);
    char text[] = "text", *list[] = {text};
    XTextProperty property = {NULL, 0, 0, 0};
    XStringListToTextProperty(list, 1, &property);
    unsigned char *e = property.value;
    FRESH(e);
    XFree(e);
    char *f = XKeysymToString('a');
    KNOWN(f);
}

static int is_wanted(Display *display, XEvent *event, char *user) {
    (void)event;
    seen_display = display;
    seen_predicate = user;
    return 1;
}

static void with_display(void) {
    Display *display = XOpenDisplay(NULL);
    if (!display) return;
    FRESH(display);
    Screen *screen = XDefaultScreenOfDisplay(display), *first = display->screens;
    KNOWN(screen);
    SAME(first, screen);
    Display *of_screen = XDisplayOfScreen(screen);
    SAME(of_screen, display);
    GC gc = XDefaultGC(display, 0), of_record = screen->gc;
    KNOWN(gc);
    SAME(gc, of_record);
    char *d = NULL;
    XSaveContext(display, 1, 2, &tag);
    XFindContext(display, 1, 2, &d);
    POINTS_TO(d, tag);
    XEvent event;
    if (!XCheckIfEvent(display, &event, is_wanted, &other_tag)) return;
    char *a = seen_predicate;
    POINTS_TO(a, other_tag);
    Display *b = seen_display, *c = event.display;
    SAME(b, display);
    SAME(c, display);
    XCloseDisplay(display);
}

void run_x11(void);
void run_x11(void) {
    without_display();
    with_display();
}
