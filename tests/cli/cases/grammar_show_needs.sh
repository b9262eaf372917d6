show cflr grammar show fields.cfg --stage ground
show cflr grammar show fields.cfg --to gracfl
show cflr grammar show fields.cfg --to cflr
