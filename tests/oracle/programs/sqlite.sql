-- SPDX-License-Identifier: Apache-2.0
-- A tour through SQLite and its shell: tables of every kind, indexes, triggers, views, joins, windows, recursion,
-- savepoints, virtual tables, functions, and the shell's own commands.
.bail off
.headers on
.mode column
pragma journal_mode = wal;
pragma foreign_keys = on;
create table author (id integer primary key, name text not null unique, born int check (born > 0), note blob);
create table book (id integer primary key autoincrement, author int references author (id) on delete cascade,
    title text collate nocase, price real default 1.5, year int generated always as (id * 10) stored);
create index book_title on book (title, price desc) where price > 0;
create index book_upper on book (upper(title));
create table pairs (a text, b int, c, primary key (a, b)) without rowid;
create table strict_one (x integer, y any) strict;
create temp table scratch as select 1 as one;
create view cheap as select a.name, b.title from author a join book b on b.author = a.id where b.price < 5;
create trigger book_added after insert on book begin insert into pairs values (new.title, new.id, 'added'); end;
create trigger cheap_changed instead of update on cheap begin update book set title = new.title where title = old.title; end;
begin;
insert into author (name, born, note) values ('Ada', 1815, x'0102ff'), ('Grace', 1906, zeroblob(5)), ('Edsger', 1930, null);
insert into book (author, title, price) values (1, 'Notes', 3.5), (2, 'Compilers', 20), (3, 'Discipline', 4.25), (3, 'notes 2', 4.75);
insert or ignore into author (name, born) values ('Ada', 1);
insert into author (name, born) values ('Ada', 1816) on conflict (name) do update set born = excluded.born returning id, born;
savepoint one;
delete from author where name = 'Edsger';
select count(*) from book;
rollback to one;
release one;
commit;
update cheap set title = 'New ' || title where name = 'Ada';
select * from cheap order by 2 desc limit 2 offset 0;
select name, count(b.id), group_concat(title, '; '), avg(price), total(price), min(title) from author a left join book b
    on a.id = b.author group by a.id having count(*) > 0 order by 3 nulls last;
select distinct price > 4, case when price > 4 then 'dear' when price is null then null else 'cheap' end from book;
select * from author where id in (select author from book where price between 3 and 5) and exists (select 1 from book)
    union all select 9, 'nobody', 1, null except select 9, 'no', 1, null order by name collate nocase;
with recursive walk (n, text) as (select 1, 'x' union all select n + 1, text || 'y' from walk where n < 20),
    primes as materialized (select n from walk where n not in (select a.n * b.n from walk a, walk b where a.n > 1 and b.n > 1) and n > 1)
    select n, length(text) from walk join primes using (n);
select title, price, row_number() over (order by price), rank() over w, lag(title, 1, 'none') over w,
    sum(price) over (order by price rows between 1 preceding and 1 following), ntile(2) over w, first_value(title) over w
    from book window w as (partition by author order by price);
select json_extract('{"a":[1,2,{"b":3}]}', '$.a[2].b'), json_group_array(name), json_object('n', count(*)) from author;
select key, value, type from json_each('{"x":1,"y":[true,null]}');
select json_set('{"a":1}', '$.b', json('[2]')), json_patch('{"a":1}', '{"a":null,"c":2}'), '{"a":5}' ->> '$.a';
select printf('%05d|%-6s|%.2f|%x|%q|%c', 42, 'ab', 3.14159, 255, 'it''s', 'c'), substr('abcdef', -3, 2), replace('aXbX', 'X', '-'),
    instr('abc', 'c'), hex(randomblob(2)) <> '', quote(x'01'), unicode('A'), char(66, 67), trim('  x '), ltrim('xxa', 'x'), round(2.567, 1),
    abs(-3), coalesce(null, 2), nullif(1, 1), typeof(1.0), ifnull(null, 'n'), like('a%', 'abc'), glob('a*', 'abc'), max(1, 2), iif(1, 2, 3);
select date('2020-02-28', '+2 days', 'start of month'), time('12:00', '-1 hour'), julianday('2000-01-01'), strftime('%Y-%j %H', 0, 'unixepoch'), datetime(0, 'unixepoch', 'localtime') is not null;
select cast('12abc' as int), cast(3.7 as int), '5' + 3, 7 / 2, 7 % 3, 1 << 4, ~5, 5 & 3 | 8, not 1, 'a' || 'b', 1 is not null, 3 between 1 and 5;
create virtual table words using fts5 (body, tokenize = 'porter unicode61');
insert into words values ('the quick brown foxes'), ('jumping over lazy dogs'), ('quick dogs run');
select rowid, highlight(words, 0, '[', ']'), bm25(words) < 0 from words where words match 'quick NOT fox* OR dog' order by rank;
insert into words (words) values ('optimize');
create virtual table boxes using rtree (id, x0, x1, y0, y1);
insert into boxes select n, n, n + 1, n * 2, n * 2 + 1 from (with recursive c (n) as (select 1 union all select n + 1 from c where n < 300) select n from c);
select count(*) from boxes where x0 > 50 and y1 < 300;
delete from boxes where id % 3 = 0;
create table big (k integer primary key, v text, w real);
insert into big select value, printf('%064d', value * 7919 % 1009), value / 3.0 from generate_series(1, 4000);
create index big_v on big (v);
analyze;
select count(*), max(v), sum(w) from big where v > printf('%064d', 500) and k % 2;
select a.k from big a, big b where a.v = b.v and a.k < 5 order by a.w;
update big set v = upper(v) || 'tail' where k % 5 = 0;
delete from big where k between 1000 and 2000;
alter table big rename column w to weight;
alter table big add column extra text default 'none';
alter table big drop column extra;
alter table pairs rename to renamed;
reindex; vacuum;
pragma integrity_check; pragma table_xinfo(book); pragma index_list(book); pragma foreign_key_check; pragma page_count; pragma compile_options;
explain select * from book where title = 'x';
explain query plan select * from author a join book b on a.id = b.author where b.title like 'n%' order by a.name;
attach ':memory:' as other;
create table other.copy as select * from book;
insert into other.copy select * from book where id = 1;
detach other;
-- what is wrong
select * from missing; insert into author (name) values (null); selekt 1; select 1 +; insert into book (author, title) values (99, 'x');
create table author (x); select abs(-9223372036854775808); select * from book where title match 'x'; insert into strict_one values ('text', 1);
-- the shell
.tables
.schema book
.indexes book
.mode csv
select * from author;
.mode json
select * from author limit 1;
.mode insert target
select * from book limit 1;
.mode box
select 1, 'two';
.mode markdown
select 1, 'two';
.mode list
.separator ;
.nullvalue NULL
.width 5 10
.show
.stats on
select null, 1;
.stats off
.timer on
.dump renamed
.fullschema
.databases
.dbinfo
.parameter init
.parameter set @p 5
select @p + 1;
.output /dev/null
select * from big;
.output
.backup backup.db
.restore backup.db
.save saved.db
.expert
select * from big where weight > 5;
.lint fkey-indexes
.selftest
.sha3sum
.limit
.eqp on
select 1;
.quit
