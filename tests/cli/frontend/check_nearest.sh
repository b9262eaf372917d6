# Of several sources the nearest is shown: the last one before the sink in its function, else one in
# its file, else by the shortest path; the others are listed.
cat >far.c <<'end'
#include <stdio.h>
extern char shared[100];
void far(FILE *f) { fgets(shared, 100, f); }
end
cat >near.c <<'end'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
char shared[100];
void far(FILE *f);
static void other(FILE *f) { fgets(shared, 100, f); }
static void before_and_behind(FILE *f) {
    char line[100], copy[100];
    fgets(line, sizeof line, f);
    strcpy(shared, line);
    strncpy(copy, shared, 100);
    system(copy);
    fread(shared, 1, 100, f);
}
static void in_the_file(void) { system(shared); }
static void argument(void) {
    system(
        getenv("COMMAND"));
}
static void run(const char *command) { system(command); }
int main(int argc, char **argv) {
    other(stdin);
    far(stdin);
    if (argc > 1) strcpy(shared, argv[1]);
    before_and_behind(stdin);
    in_the_file();
    argument();
    run(getenv("OTHER"));
    return 0;
}
end
cat >elsewhere.c <<'end'
#include <stdlib.h>
extern char shared[100];
void elsewhere(void) { system(shared); }
end
show cflr check -q near.c far.c elsewhere.c --rules command
# All of them: of the fingerprints, in JSON, in SARIF and on a page.
cflr check -q near.c far.c --rules command --findings all --format json >found
python3 -c 'import json
for f in json.load(open("found"))["findings"]:
    further = ["%d" % s["line"] for s in f.get("further_sources", [])]
    print(f["line"], "from", f["origin"]["line"], "sources", f["sources"], "further", *further)'
cflr check -q near.c far.c --rules command --sarif out.sarif >nothing
python3 -c 'import json
for r in json.load(open("out.sarif"))["runs"][0]["results"]:
    lines = [l["physicalLocation"]["region"]["startLine"] for l in r["relatedLocations"]]
    ids = [l["id"] for l in r["relatedLocations"]]
    print(r["locations"][0]["physicalLocation"]["region"]["startLine"], lines, ids)'
# More than three.
{
    echo '#include <stdlib.h>'
    echo '#include <stdio.h>'
    echo 'static char text[9];'
    echo 'static void read_all(FILE *f) {'
    for i in 1 2 3 4 5 6; do echo "    fgets(text, $i, f);"; done
    echo '}'
    echo 'int main(void) { read_all(stdin); return system(text); }'
} >many.c
show cflr check -q many.c --rules command
show cflr check -q many.c --rules command --findings all
cflr check -q many.c --rules command -j 1 --format json >one
cflr check -q many.c --rules command -j 3 --format json | cmp - one &&
    echo "same for every number of threads"
# In the function the last one before the sink; one behind it comes last, and an argument is none.
cat >lines.c <<'end'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void read_last(void) {
    char w[64];
    scanf("%60s", w);
    puts(w);
    read(0, w, 60);
    system(w);
    fread(w, 1, 60, stdin);
}
static void appended(void) {
    char w[64], v[64];
    scanf("%60s", w);
    fgets(v, sizeof v, stdin);
    strcat(w, v);
    system(w);
    fread(w, 1, 60, stdin);
}
static void in_the_argument(void) {
    char w[64];
    scanf("%60s", w);
    system(
        fgets(w, sizeof w, stdin));
}
int main(void) {
    read_last();
    appended();
    in_the_argument();
    return 0;
}
end
show cflr check -q lines.c --rules command
