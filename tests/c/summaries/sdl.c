/* SPDX-License-Identifier: Apache-2.0
 *
 * sdl.c: SDL 2: events with data, filters, threads, timers, streams, surfaces, windows.
 *
 * What is used of the headers is said here, so that the program is analysed where they are not; it
 * is linked alone (tests/c/summaries/alone/main.c).
 */
#include <stdint.h>
#include <stdlib.h>

#include "expect.h"

typedef struct SDL_Window SDL_Window;
typedef struct SDL_Renderer SDL_Renderer;
typedef struct SDL_Texture SDL_Texture;
typedef struct SDL_Thread SDL_Thread;
typedef union SDL_Event {
    uint32_t type;
    struct {
        uint32_t type, time, window;
        int32_t code;
        void *data1, *data2;
    } user;
    char padding[56];
} SDL_Event;
typedef struct SDL_RWops {
    int64_t (*size)(struct SDL_RWops *);
    int64_t (*seek)(struct SDL_RWops *, int64_t, int);
    size_t (*read)(struct SDL_RWops *, void *, size_t, size_t);
    size_t (*write)(struct SDL_RWops *, const void *, size_t, size_t);
    int (*close)(struct SDL_RWops *);
    uint32_t type;
    void *data1, *data2, *rest[2];
} SDL_RWops;
typedef struct SDL_Surface {
    uint32_t flags;
    struct SDL_PixelFormat *format;
    int w, h, pitch;
    void *pixels, *userdata;
} SDL_Surface;

int SDL_Init(uint32_t), SDL_PushEvent(SDL_Event *), SDL_PollEvent(SDL_Event *);
void SDL_Quit(void), SDL_SetEventFilter(int (*)(void *, SDL_Event *), void *);
int SDL_GetEventFilter(int (**)(void *, SDL_Event *), void **);
void SDL_AddEventWatch(int (*)(void *, SDL_Event *), void *);
int SDL_AddTimer(uint32_t, uint32_t (*)(uint32_t, void *), void *);
void SDL_Delay(uint32_t);
SDL_Thread *SDL_CreateThread(int (*)(void *), const char *, void *);
void SDL_WaitThread(SDL_Thread *, int *);
uint32_t SDL_TLSCreate(void);
int SDL_TLSSet(uint32_t, const void *, void (*)(void *));
void *SDL_TLSGet(uint32_t), *SDL_malloc(size_t), *SDL_realloc(void *, size_t);
void SDL_free(void *), SDL_qsort(void *, size_t, size_t, int (*)(const void *, const void *));
char *SDL_strdup(const char *), *SDL_strchr(const char *, int);
const char *SDL_GetError(void);
void SDL_AddHintCallback(const char *,
                         void (*)(void *, const char *, const char *, const char *), void *);
void SDL_LogSetOutputFunction(void (*)(void *, int, int, const char *), void *);
void SDL_Log(const char *, ...);
SDL_RWops *SDL_AllocRW(void);
size_t SDL_RWread(SDL_RWops *, void *, size_t, size_t);
int SDL_RWclose(SDL_RWops *);
SDL_Surface *SDL_CreateRGBSurface(uint32_t, int, int, int, uint32_t, uint32_t, uint32_t, uint32_t);
SDL_Surface *SDL_CreateRGBSurfaceFrom(void *, int, int, int, int, uint32_t, uint32_t, uint32_t,
                                      uint32_t);
void SDL_FreeSurface(SDL_Surface *), SDL_DestroyWindow(SDL_Window *);
SDL_Window *SDL_CreateWindow(const char *, int, int, int, int, uint32_t);
SDL_Window *SDL_GetWindowFromID(uint32_t), *SDL_RenderGetWindow(SDL_Renderer *);
uint32_t SDL_GetWindowID(SDL_Window *);
void *SDL_SetWindowData(SDL_Window *, const char *, void *);
void *SDL_GetWindowData(SDL_Window *, const char *);
SDL_Renderer *SDL_CreateRenderer(SDL_Window *, int, uint32_t), *SDL_GetRenderer(SDL_Window *);
SDL_Texture *SDL_CreateTexture(SDL_Renderer *, uint32_t, int, int, int);
int SDL_SetTextureUserData(SDL_Texture *, void *);
void *SDL_GetTextureUserData(SDL_Texture *);

static int one, two, three, tag, other_tag;
static void *seen_filter, *seen_event_data, *seen_watch, *seen_timer, *seen_thread, *seen_hint;
static void *seen_log, *seen_tls, *seen_memory;
static SDL_RWops *seen_stream;
static const void *seen_left;

static int filter(void *user, SDL_Event *event) {
    seen_filter = user;
    if (event->type == 0x8000) seen_event_data = event->user.data1;
    return 1;
}

static int watch(void *user, SDL_Event *event) {
    (void)event;
    seen_watch = user;
    return 1;
}

static uint32_t on_timer(uint32_t interval, void *user) {
    (void)interval;
    seen_timer = user;
    return 0;
}

static int in_thread(void *user) {
    seen_thread = user;
    return 0;
}

static void events(void) {
    SDL_SetEventFilter(filter, &tag);
    SDL_AddEventWatch(watch, &other_tag);
    SDL_Event event = {0x8000}, out = {0};
    event.user.data1 = &one;
    event.user.data2 = &two;
    SDL_PushEvent(&event);
    while (SDL_PollEvent(&out) && out.type != 0x8000) {}
    void *a = out.user.data1, *b = out.user.data2;
    POINTS_TO(a, one);
    POINTS_TO(b, two);
    void *c = seen_filter, *d = seen_watch, *e = seen_event_data, *f = NULL;
    POINTS_TO(c, tag);
    POINTS_TO(d, other_tag);
    POINTS_TO(e, one);
    APART(c, d);
    int (*g)(void *, SDL_Event *) = NULL, (*h)(void *, SDL_Event *) = filter;
    SDL_GetEventFilter(&g, &f);
    SAME(g, h);
    POINTS_TO(f, tag);
    SDL_AddTimer(1, on_timer, &three);
    SDL_Delay(50);
    void *i = seen_timer;
    POINTS_TO(i, three);
}

static void on_tls(void *value) {
    seen_tls = value;
}

static int with_storage(void *user) {
    uint32_t id = SDL_TLSCreate();
    SDL_TLSSet(id, user, on_tls);
    void *a = SDL_TLSGet(id);
    SAME(a, user);
    return 0;
}

static void threads(void) {
    SDL_Thread *thread = SDL_CreateThread(in_thread, "t", &one);
    FRESH(thread);
    SDL_WaitThread(thread, NULL);
    void *a = seen_thread;
    POINTS_TO(a, one);
    SDL_WaitThread(SDL_CreateThread(with_storage, "s", &two), NULL);
    void *b = seen_tls;
    POINTS_TO(b, two);
}

static void on_hint(void *user, const char *name, const char *before, const char *now) {
    (void)name, (void)before, (void)now;
    seen_hint = user;
}

static void on_log(void *user, int category, int priority, const char *text) {
    (void)category, (void)priority, (void)text;
    seen_log = user;
}

static int compare(const void *left, const void *right) {
    (void)right;
    seen_left = left;
    return 0;
}

static size_t on_read(SDL_RWops *stream, void *memory, size_t size, size_t n) {
    (void)size, (void)n;
    seen_stream = stream;
    seen_memory = memory;
    return 0;
}

static int on_close(SDL_RWops *stream) {
    (void)stream;
    return 0;
}

static void helpers(void) {
    SDL_AddHintCallback("A_HINT", on_hint, &one);
    SDL_LogSetOutputFunction(on_log, &two);
    SDL_Log("%d", 3);
    void *a = seen_hint, *b = seen_log;
    POINTS_TO(a, one);
    POINTS_TO(b, two);
    APART(a, b);
    void *c = SDL_malloc(8), *d = SDL_realloc(c, 80);
    FRESH(c);
    FRESH(d);
    char text[] = "text", *e = SDL_strdup(text), *f = SDL_strchr(text, 'x');
    FRESH(e);
    POINTS_TO(f, text);
    const char *g = SDL_GetError();
    KNOWN(g);
    int numbers[] = {2, 1};
    SDL_qsort(numbers, 2, sizeof *numbers, compare);
    const void *h = seen_left;
    POINTS_TO(h, numbers);
    SDL_RWops *stream = SDL_AllocRW();
    FRESH(stream);
    stream->read = on_read;
    stream->close = on_close;
    SDL_RWread(stream, text, 1, 4);
    void *i = seen_memory;
    POINTS_TO(i, text);
    SDL_RWops *j = seen_stream;
    SAME(j, stream);
    SDL_RWclose(stream);
    SDL_free(d);
    SDL_free(e);
}

static void pictures(void) {
    static uint32_t pixels[16];
    SDL_Surface *own = SDL_CreateRGBSurface(0, 4, 4, 32, 0, 0, 0, 0);
    SDL_Surface *from = SDL_CreateRGBSurfaceFrom(pixels, 4, 4, 32, 16, 0, 0, 0, 0);
    FRESH(own);
    void *a = own->pixels, *b = from->pixels;
    FRESH(a);
    POINTS_TO(b, pixels);
    APART(a, b);
    struct SDL_PixelFormat *format = own->format;
    KNOWN(format);
    SDL_Window *window = SDL_CreateWindow("w", 0, 0, 8, 8, 0);
    FRESH(window);
    SDL_Window *found = SDL_GetWindowFromID(SDL_GetWindowID(window));
    SAME(found, window);
    SDL_SetWindowData(window, "name", &tag);
    void *c = SDL_GetWindowData(window, "name");
    POINTS_TO(c, tag);
    SDL_Renderer *renderer = SDL_CreateRenderer(window, -1, 1), *again = SDL_GetRenderer(window);
    FRESH(renderer);
    SAME(again, renderer);
    SDL_Window *of_renderer = SDL_RenderGetWindow(renderer);
    SAME(of_renderer, window);
    SDL_Texture *texture = SDL_CreateTexture(renderer, 0x16362004, 0, 4, 4);
    FRESH(texture);
    SDL_SetTextureUserData(texture, &other_tag);
    void *d = SDL_GetTextureUserData(texture);
    POINTS_TO(d, other_tag);
    SDL_FreeSurface(own);
    SDL_FreeSurface(from);
    SDL_DestroyWindow(window);
}

void run_sdl(void);
void run_sdl(void) {
    setenv("SDL_VIDEODRIVER", "dummy", 1);
    if (SDL_Init(0x21) != 0) return; /* timers and video */
    events();
    threads();
    helpers();
    pictures();
    SDL_Quit();
}
