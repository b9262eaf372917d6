/* SPDX-License-Identifier: Apache-2.0 */
struct plugin {
    void *(*run)(void *own, void *event);
    void *own;
};

/* base */
void plug(struct plugin made);
void *run_plugins(void *event);
void *keep(void *thing);

/* net */
void *transmit(void *message);
void *visitor(void);
void *chosen(void *thing);

/* of both programs */
char *say(char *text);

/* each program has its own */
extern void *last_message;
void report(void *what);
void *address_of_peer(void *message);
char *decorate(char *text);

/* the same, and no library knows it */
char *stamp(char *text);
