/* SPDX-License-Identifier: Apache-2.0
 *
 * test_summary_layouts.c: members that summaries name lie where the headers of their libraries put
 * them, of libraries whose headers cannot all be read with those of test_summary_shipped.c, which
 * compares the texts with the same list. All of it is checked while it is compiled.
 */
#include <stddef.h>

#define LIES(record, member, offset) \
    _Static_assert(sizeof(void *) != 8 || offsetof(record, member) == (offset), #member)

#define OTHER_MEMBER(name, offset, record, member) LIES(record, member, offset);
#define ABSENT_MEMBER(name, offset, record, member)
#if __has_include(<glib.h>)
#include <glib.h>
#define GLIB_MEMBER OTHER_MEMBER
#else
#define GLIB_MEMBER ABSENT_MEMBER
#endif
#if __has_include(<sqlite3.h>)
#include <sqlite3.h>
#define SQLITE_MEMBER OTHER_MEMBER
#else
#define SQLITE_MEMBER ABSENT_MEMBER
#endif
#if __has_include(<uv.h>)
#include <uv.h>
#define UV_MEMBER OTHER_MEMBER
#else
#define UV_MEMBER ABSENT_MEMBER
#endif
#if __has_include(<readline/history.h>)
#include <readline/history.h>
#define READLINE_MEMBER OTHER_MEMBER
#else
#define READLINE_MEMBER ABSENT_MEMBER
#endif
#if __has_include(<dbus/dbus.h>)
#include <dbus/dbus.h>
#define DBUS_MEMBER OTHER_MEMBER
#else
#define DBUS_MEMBER ABSENT_MEMBER
#endif
#if __has_include(<systemd/sd-bus.h>)
#include <systemd/sd-bus.h>
#define SYSTEMD_MEMBER OTHER_MEMBER
#else
#define SYSTEMD_MEMBER ABSENT_MEMBER
#endif
#if __has_include(<SDL2/SDL.h>)
#include <SDL2/SDL.h>
#define SDL_MEMBER OTHER_MEMBER
#else
#define SDL_MEMBER ABSENT_MEMBER
#endif
#if __has_include(<libxml/xmlreader.h>)
#include <libxml/xmlreader.h>
#include <libxml/xpath.h>
#define XML2_MEMBER OTHER_MEMBER
#else
#define XML2_MEMBER ABSENT_MEMBER
#endif
#if __has_include(<X11/Xlib.h>)
#include <X11/Xlib.h>
#include <X11/Xresource.h>
#include <X11/Xutil.h>
#define X11_MEMBER OTHER_MEMBER
#else
#define X11_MEMBER ABSENT_MEMBER
#endif
#include "other_members.h"
#if __has_include(<systemd/sd-bus.h>)
LIES(sd_bus_vtable, x.property.get, 24);
LIES(sd_bus_vtable, x.property.set, 32);
LIES(sd_bus_vtable, x.method.handler, 32);
#endif
