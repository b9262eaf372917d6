void die(const char *why);
void perhaps(const char *why);
void twice(const char *why);
