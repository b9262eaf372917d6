/* A list of places of variables, with a function called through a pointer. */
struct node {
    struct node *next;
    int *value;
};

int first, second;
static struct node *head;
int *identity(int *argument);

static void push(struct node *item, int *place) {
    item->value = place;
    item->next = head;
    head = item;
}

int *top(int *(*through)(int *)) {
    int *found = through(head->value);
    return found;
}

int main(void) {
    static struct node one, two;
    push(&one, &first);
    push(&two, &second);
    int *result = top(identity);
    return *result;
}
