/* A library: what its callers give and a function without a body. */
struct pool {
    int *first;
};

struct pool *pool_of(int *key);
static int kept;

int *first_of(struct pool *own, int *key) {
    struct pool *other = pool_of(&kept);
    int *found = own->first;
    return key ? found : other->first;
}
