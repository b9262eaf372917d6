show cflr grammar check closure.cfg
show cflr grammar check warned.cfg
show cflr grammar check broken.cfg
show cflr grammar check nowhere.cfg
