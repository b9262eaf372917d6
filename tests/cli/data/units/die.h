void die(const char *why);
void perhaps(const char *why);
void twice(const char *why);
int valid(const int *p);
int missing(const int *p);
int strange(const int *p);
int valid_second(int n, const int *p);
int valid_or_not(const int *p);
const int *same_or_null(const int *p);
