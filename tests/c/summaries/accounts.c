/* SPDX-License-Identifier: Apache-2.0
 *
 * accounts.c: users, groups and their shadows, logins, mounted file systems (pwd.h, grp.h, shadow.h,
 * gshadow.h, utmp.h, utmpx.h, mntent.h, fstab.h).
 *
 * What a machine lacks is not looked at: each data base may be empty.
 */
#include <fstab.h>
#include <grp.h>
#include <gshadow.h>
#include <mntent.h>
#include <pwd.h>
#include <shadow.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <utmp.h>
#include <utmpx.h>

#include "expect.h"

static char passwd_line[] = "ann:x:7:7:Ann:/home/ann:/bin/sh\n";
static char group_line[] = "few:x:7:ann,bob\n";
static char shadow_line[] = "ann:*:1:2:3:4:5:6:7\n";
static char gshadow_line[] = "few:!:ann:ann,bob\n";

static FILE *lines(char *text) {
    return fmemopen(text, strlen(text), "r");
}

/* ---- users ---- */

static void users(void) {
    struct passwd *a = getpwnam("root");
    setpwent();
    struct passwd *b = getpwent();
    endpwent();
    if (a && b) {
        char *name = a->pw_name, *home = b->pw_dir, *shell = b->pw_shell;
        KNOWN(a);
        KNOWN(b);
        KNOWN(name);
        KNOWN(home);
        KNOWN(shell);
    }
    FILE *file = lines(passwd_line);
    struct passwd *c = fgetpwent(file);
    fclose(file);
    if (!c) return;
    char *real = c->pw_gecos, *password = c->pw_passwd;
    KNOWN(c);
    KNOWN(real);
    KNOWN(password);
}

static void users_r(void) {
    struct passwd first, second, third, *a = NULL, *b = NULL, *c = NULL;
    char one[4096], two[4096], three[4096];
    if (getpwnam_r("root", &first, one, sizeof one, &a) == 0 && a) {
        char *name = a->pw_name, *password = first.pw_passwd, *real = first.pw_gecos;
        char *home = first.pw_dir, *shell = first.pw_shell;
        POINTS_TO(a, first);
        POINTS_TO(name, one);
        POINTS_TO(password, one);
        POINTS_TO(real, one);
        POINTS_TO(home, one);
        POINTS_TO(shell, one);
    }
    setpwent();
    if (getpwent_r(&second, two, sizeof two, &b) == 0 && b) {
        char *name = b->pw_name, *password = second.pw_passwd, *real = second.pw_gecos;
        char *home = second.pw_dir, *shell = second.pw_shell;
        POINTS_TO(b, second);
        POINTS_TO(name, two);
        POINTS_TO(password, two);
        POINTS_TO(real, two);
        POINTS_TO(home, two);
        POINTS_TO(shell, two);
    }
    endpwent();
    FILE *file = lines(passwd_line);
    if (fgetpwent_r(file, &third, three, sizeof three, &c) == 0 && c) {
        char *name = c->pw_name, *password = third.pw_passwd, *real = third.pw_gecos;
        char *home = third.pw_dir, *shell = third.pw_shell;
        POINTS_TO(c, third);
        POINTS_TO(name, three);
        POINTS_TO(password, three);
        POINTS_TO(real, three);
        POINTS_TO(home, three);
        POINTS_TO(shell, three);
        if (a) APART(a, c);
    }
    fclose(file);
}

/* ---- groups ---- */

static void groups(void) {
    struct group *a = getgrnam("root"), *b = getgrgid(0);
    setgrent();
    struct group *c = getgrent();
    endgrent();
    if (a && b && c) {
        char *name = a->gr_name, *password = b->gr_passwd, **members = c->gr_mem;
        KNOWN(a);
        KNOWN(b);
        KNOWN(c);
        KNOWN(name);
        KNOWN(password);
        KNOWN(members);
    }
    FILE *file = lines(group_line);
    struct group *d = fgetgrent(file);
    fclose(file);
    if (!d) return;
    char **members = d->gr_mem, *member = members[1];
    KNOWN(d);
    KNOWN(members);
    KNOWN(member);
}

static void groups_r(void) {
    struct group first, second, third, *a = NULL, *b = NULL, *c = NULL;
    char one[4096], two[4096], three[4096];
    if (getgrnam_r("root", &first, one, sizeof one, &a) == 0 && a) {
        char *name = a->gr_name, *password = first.gr_passwd, **members = first.gr_mem;
        POINTS_TO(a, first);
        POINTS_TO(name, one);
        POINTS_TO(password, one);
        POINTS_TO(members, one);
    }
    setgrent();
    if (getgrent_r(&second, two, sizeof two, &b) == 0 && b) {
        char *name = b->gr_name, *password = second.gr_passwd, **members = second.gr_mem;
        POINTS_TO(b, second);
        POINTS_TO(name, two);
        POINTS_TO(password, two);
        POINTS_TO(members, two);
    }
    endgrent();
    FILE *file = lines(group_line);
    if (fgetgrent_r(file, &third, three, sizeof three, &c) == 0 && c) {
        char *name = c->gr_name, *password = third.gr_passwd, **members = third.gr_mem;
        char *member = members[1];
        POINTS_TO(c, third);
        POINTS_TO(name, three);
        POINTS_TO(password, three);
        POINTS_TO(members, three);
        POINTS_TO(member, three);
    }
    fclose(file);
}

/* ---- shadows: files that only root may read, and lines that anyone may ---- */

static void shadows(void) {
    struct spwd *a = getspnam("root");
    setspent();
    struct spwd *b = getspent();
    endspent();
    FILE *file = lines(shadow_line);
    struct spwd *c = fgetspent(file);
    fclose(file);
    if (a) KNOWN(a);
    if (b) KNOWN(b);
    struct spwd *d = sgetspent("ann:*:1:2:3:4:5:6:7");
    if (!c || !d) return;
    char *name = c->sp_namp, *password = d->sp_pwdp;
    KNOWN(c);
    KNOWN(d);
    KNOWN(name);
    KNOWN(password);
}

static void shadows_r(void) {
    struct spwd first, second, third, fourth, *a = NULL, *b = NULL, *c = NULL, *d = NULL;
    char one[4096], two[4096], three[4096], four[4096];
    if (getspnam_r("root", &first, one, sizeof one, &a) == 0 && a) {
        char *name = a->sp_namp, *password = first.sp_pwdp;
        POINTS_TO(a, first);
        POINTS_TO(name, one);
        POINTS_TO(password, one);
    }
    setspent();
    if (getspent_r(&second, two, sizeof two, &b) == 0 && b) {
        char *name = b->sp_namp, *password = second.sp_pwdp;
        POINTS_TO(b, second);
        POINTS_TO(name, two);
        POINTS_TO(password, two);
    }
    endspent();
    FILE *file = lines(shadow_line);
    if (fgetspent_r(file, &third, three, sizeof three, &c) == 0 && c) {
        char *name = c->sp_namp, *password = third.sp_pwdp;
        POINTS_TO(c, third);
        POINTS_TO(name, three);
        POINTS_TO(password, three);
    }
    fclose(file);
    if (sgetspent_r("ann:*:1:2:3:4:5:6:7", &fourth, four, sizeof four, &d) == 0 && d) {
        char *name = d->sp_namp, *password = fourth.sp_pwdp;
        POINTS_TO(d, fourth);
        POINTS_TO(name, four);
        POINTS_TO(password, four);
    }
}

static void group_shadows(void) {
    struct sgrp *a = getsgnam("root");
    setsgent();
    struct sgrp *b = getsgent();
    endsgent();
    FILE *file = lines(gshadow_line);
    struct sgrp *c = fgetsgent(file);
    fclose(file);
    if (a) KNOWN(a);
    if (b) KNOWN(b);
    struct sgrp *d = sgetsgent("few:!:ann:ann,bob");
    if (!c || !d) return;
    char *name = c->sg_namp, *password = d->sg_passwd, **heads = d->sg_adm, **all = d->sg_mem;
    char *head = heads[0], *last = all[1];
    KNOWN(c);
    KNOWN(d);
    KNOWN(name);
    KNOWN(password);
    KNOWN(heads);
    KNOWN(all);
    KNOWN(head);
    KNOWN(last);
}

static void group_shadows_r(void) {
    struct sgrp first, second, third, fourth, *a = NULL, *b = NULL, *c = NULL, *d = NULL;
    char one[4096], two[4096], three[4096], four[4096];
    if (getsgnam_r("root", &first, one, sizeof one, &a) == 0 && a) {
        char *name = a->sg_namp, *password = first.sg_passwd;
        POINTS_TO(a, first);
        POINTS_TO(name, one);
        POINTS_TO(password, one);
    }
    setsgent();
    if (getsgent_r(&second, two, sizeof two, &b) == 0 && b) {
        char *name = b->sg_namp, **all = second.sg_mem;
        POINTS_TO(b, second);
        POINTS_TO(name, two);
        POINTS_TO(all, two);
    }
    endsgent();
    FILE *file = lines(gshadow_line);
    if (fgetsgent_r(file, &third, three, sizeof three, &c) == 0 && c) {
        char *name = c->sg_namp, *password = third.sg_passwd, **all = third.sg_mem, *last = all[1];
        POINTS_TO(c, third);
        POINTS_TO(name, three);
        POINTS_TO(password, three);
        POINTS_TO(all, three);
        POINTS_TO(last, three);
    }
    fclose(file);
    if (sgetsgent_r("few:!:ann:ann,bob", &fourth, four, sizeof four, &d) == 0 && d) {
        char *name = d->sg_namp, **heads = fourth.sg_adm, *head = heads[0];
        POINTS_TO(d, fourth);
        POINTS_TO(name, four);
        POINTS_TO(heads, four);
        POINTS_TO(head, four);
    }
}

/* ---- who is logged in: an own file stands for the machine's ---- */

static void logins(void) {
    char path[] = "/tmp/cflr-utmp-XXXXXX";
    int file = mkstemp(path);
    if (file < 0) return;
    close(file);
    utmpname(path);
    struct utmp mine = {.ut_type = USER_PROCESS, .ut_pid = 1, .ut_line = "tty1", .ut_id = "1"};
    setutent();
    struct utmp *a = pututline(&mine);
    setutent();
    struct utmp *b = getutent();
    setutent();
    struct utmp *c = getutid(&mine);
    setutent();
    struct utmp *d = getutline(&mine);
    if (a && b && c && d) {
        KNOWN(a);
        KNOWN(b);
        KNOWN(c);
        KNOWN(d);
    }
    struct utmp first, second, third, *e = NULL, *f = NULL, *g = NULL;
    setutent();
    if (getutent_r(&first, &e) == 0 && e) POINTS_TO(e, first);
    setutent();
    if (getutid_r(&mine, &second, &f) == 0 && f) POINTS_TO(f, second);
    setutent();
    if (getutline_r(&mine, &third, &g) == 0 && g) POINTS_TO(g, third);
    endutent();
    remove(path);
}

static void logins_of_posix(void) {
    char path[] = "/tmp/cflr-utmpx-XXXXXX";
    int file = mkstemp(path);
    if (file < 0) return;
    close(file);
    utmpxname(path);
    struct utmpx mine = {.ut_type = USER_PROCESS, .ut_pid = 1, .ut_line = "tty1", .ut_id = "1"};
    setutxent();
    struct utmpx *a = pututxline(&mine);
    setutxent();
    struct utmpx *b = getutxent();
    setutxent();
    struct utmpx *c = getutxid(&mine);
    setutxent();
    struct utmpx *d = getutxline(&mine);
    if (a && b && c && d) {
        KNOWN(a);
        KNOWN(b);
        KNOWN(c);
        KNOWN(d);
    }
    endutxent();
    remove(path);
}

static void names(void) {
    char *a = getlogin();
    if (a) KNOWN(a);
    setusershell();
    char *b = getusershell();
    endusershell();
    if (b) KNOWN(b);
    char *c = ttyname(STDIN_FILENO);
    if (c) KNOWN(c);
}

/* ---- file systems ---- */

static char mount_line[] = "/dev/sda1 /mnt ext4 ro,user=ann 0 0\n";

static void mounts(void) {
    FILE *table = setmntent("/proc/mounts", "r");
    if (table) {
        FRESH(table);
        endmntent(table);
    }
    FILE *file = lines(mount_line);
    struct mntent *a = getmntent(file);
    if (a) {
        char *name = a->mnt_fsname, *place = a->mnt_dir, *type = a->mnt_type, *how = a->mnt_opts;
        KNOWN(a);
        KNOWN(name);
        KNOWN(place);
        KNOWN(type);
        KNOWN(how);
    }
    rewind(file);
    struct mntent entry;
    char space[1024];
    struct mntent *b = getmntent_r(file, &entry, space, sizeof space);
    fclose(file);
    if (!b) return;
    char *name = b->mnt_fsname, *place = entry.mnt_dir, *type = entry.mnt_type;
    char *how = entry.mnt_opts, *user = hasmntopt(b, "user");
    POINTS_TO(b, entry);
    POINTS_TO(name, space);
    POINTS_TO(place, space);
    POINTS_TO(type, space);
    POINTS_TO(how, space);
    POINTS_TO(user, space);
}

static void file_systems(void) {
    struct fstab *a = getfsent();
    struct fstab *b = getfsfile("/");
    struct fstab *c = getfsspec("none");
    endfsent();
    if (a) KNOWN(a);
    if (b) KNOWN(b);
    if (c) KNOWN(c);
}

void run_accounts(void);
void run_accounts(void) {
    users();
    users_r();
    groups();
    groups_r();
    shadows();
    shadows_r();
    group_shadows();
    group_shadows_r();
    logins();
    logins_of_posix();
    names();
    mounts();
    file_systems();
}
