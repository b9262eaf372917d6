/* Values that come to where they must not come to: for `cflr check --rules`. */
char *getenv(const char *);
int system(const char *);
void *malloc(unsigned long);
void apart(const void *, const void *);

struct job {
    char *command;
    struct job *next;
    int *owner;
};
static struct job *jobs;
static char *chosen;

static void add(char *command) {
    struct job *job = malloc(sizeof *job);
    job->command = command;
    job->next = jobs;
    job->owner = (int *)0;
    jobs = job;
}

static char *last(void) {
    return jobs ? jobs->command : (char *)0;
}

int main(void) {
    add(getenv("COMMAND"));
    add(getenv("SECOND"));
    add("true");
    for (struct job *job = jobs; job; job = job->next) system(job->command);
    char **where = &chosen;
    *where = getenv("THIRD");
    system(chosen);
    apart(chosen, where);
    *where = (char *)0;
    char *text = last();
    return text[0] + text[1] + chosen[0] + *jobs->owner;
}
