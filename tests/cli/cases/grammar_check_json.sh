show cflr grammar check --format json closure.cfg
show cflr grammar check --format json warned.cfg
