class widget { public: int *p; };
int *f(widget &w) { return w.p; }
