/* Code without model takes callbacks and their data. */
void each(void (*visit)(int *data), int *data);

static int apples, pears, plums, nuts;
static int *last_apple, *last_pear, *last_plum, *last_nut;

static void on_apple(int *data) {
    last_apple = data;
}
static void on_pear(int *data) {
    last_pear = data;
}
static void on_plum(int *data) {
    last_plum = data;
}
static void on_nut(int *data) {
    last_nut = data;
}

int main(void) {
    each(on_apple, &apples);
    each(on_pear, &pears);
    each(on_plum, &plums);
    each(on_nut, &nuts);
    return *last_apple + *last_pear + *last_plum + *last_nut;
}
