// SPDX-License-Identifier: Apache-2.0
//
// result_model.js: what the data of a page (data.c) says of a result. It has, beside that of all
// pages:
//
//     texts        all names, functions, types, contexts
//     rows         {n, name, function, ...}: pointers, a column each; link: the set of a row
//     objects      likewise; link: 1 + the row of what an object holds, or 0
//     sets         {n, runs: how many of each set, ids: pairs of a gap and a length}
//     holds        {count, rows}: of each row the rows that lie where it leads to
//     kinds        names of kinds of vertices
//     overview.c   warnings, facts, symbols, lists, precision, relation, pointsTo, focus
//
// Columns are texts (columns.c). A set is runs of objects and is never written out: large ones of a
// program are many, and have most of their objects in common.
const result = (() => {
    const { data, path } = page;
    const MOST_DRAWN = [14, 15, 15, 14]; // nodes of each column of the graph
    const words = data.pointsTo
        ? { one: "pointer", many: "pointers", object: "object", objects: "objects",
            points: "points to", beside: "Others that may point there" }
        : { one: "source", many: "sources", object: "target", objects: "targets",
            points: "leads to", beside: "Others that lead there" };

    // ---- numbers ----

    const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const DIGIT = new Uint8Array(128);
    [...LETTERS].forEach((letter, i) => { DIGIT[letter.charCodeAt(0)] = i; });

    function numbers(text, steps) {
        const found = [];
        let value = 0, scale = 1, before = 0;
        for (let i = 0; i < text.length; i++) {
            const digit = DIGIT[text.charCodeAt(i)];
            value += (digit % 32) * scale;
            scale *= 32;
            if (digit >= 32) continue;
            if (steps) before += value % 2 ? -(value + 1) / 2 : value / 2;
            found.push(steps ? before : value);
            value = 0;
            scale = 1;
        }
        return Uint32Array.from(found);
    }

    function table(columns) {
        const steps = { file: true, line: true, vertex: true }, made = { n: columns.n };
        for (const key of Object.keys(columns))
            if (key !== "n") made[key] = numbers(columns[key], steps[key]);
        return made;
    }

    // Begins of parts of so many elements each, and the end.
    function begins(counts) {
        const at = new Uint32Array(counts.length + 1);
        counts.forEach((count, i) => { at[i + 1] = at[i] + count; });
        return at;
    }

    const rows = table(data.rows), objects = table(data.objects);
    const holdsAt = begins(numbers(data.holds.count)), holds = numbers(data.holds.rows, true);
    const count = (n) => n.toLocaleString("en");

    // Set s has the objects from begin[k] to before end[k] for runs k of s.
    const sets = (() => {
        const at = begins(numbers(data.sets.runs)), pairs = numbers(data.sets.ids);
        const begin = new Uint32Array(pairs.length / 2), end = new Uint32Array(begin.length);
        const size = new Uint32Array(data.sets.n);
        for (let s = 0; s < data.sets.n; s++) {
            let before = 0;
            for (let k = at[s]; k < at[s + 1]; k++) {
                begin[k] = before + pairs[2 * k];
                before = end[k] = begin[k] + pairs[2 * k + 1] + 1;
                size[s] += end[k] - begin[k];
            }
        }
        return { at, begin, end, size };
    })();

    // Those that are in few sets first: they tell most.
    function* members(set) {
        for (let k = sets.at[set + 1] - 1; k >= sets.at[set]; k--)
            for (let o = sets.end[k] - 1; o >= sets.begin[k]; o--) yield o;
    }
    function firstMembers(set, most) {
        const found = [];
        for (const o of members(set)) {
            if (found.length === most) break;
            found.push(o);
        }
        return found;
    }
    // Has the set an object of these, [begin, end) each?
    function meets(set, runs) {
        for (let k = sets.at[set]; k < sets.at[set + 1]; k++)
            for (const [begin, end] of runs)
                if (sets.begin[k] < end && begin < sets.end[k]) return true;
        return false;
    }

    // Rows by set.
    const ofSet = (() => {
        const counts = new Uint32Array(data.sets.n);
        rows.link?.forEach((set) => counts[set]++);
        const at = begins(counts), next = at.slice(), all = new Uint32Array(rows.n);
        for (let row = 0; row < rows.n; row++) all[next[rows.link[row]]++] = row;
        return (set) => all.subarray(at[set], at[set + 1]);
    })();

    // ---- names ----

    const name = (t, i) => data.texts[t.name[i]] || String(t.vertex[i]);
    const file = (t, i) => t.file[i] - 1;
    function place(t, i) {
        const where = path(file(t, i));
        return where ? `${where}:${t.line[i]}:${t.column[i]}` : "";
    }
    function shortPlace(t, i) {
        const where = path(file(t, i));
        return where ? `${where.slice(where.lastIndexOf("/") + 1)}:${t.line[i]}` : "";
    }
    const kind = (t, i) => data.kinds[t.kind[i]];
    function described(t, i) {
        const where = data.texts[t.function[i]], context = data.texts[t.context[i]];
        return [place(t, i), kind(t, i), where && `in ${where}`, context && `@ ${context}`]
            .filter((part) => part && part !== "other").join(", ");
    }
    const size = (row) => sets.size[rows.link[row]];
    const sized = (n) => `${count(n)} ${n === 1 ? words.object : words.objects}`;
    const link = (t, i) => `#${t === rows ? "p" : "o"}${t.vertex[i]}`;

    const GROUPS = {
        variables: ["variable", "parameter", "return", "other"],
        memory: ["dereference", "allocation", "string"],
        values: ["temporary", "outside"],
        addresses: ["address", "field"],
    };
    const groupOf = data.kinds.map(
        (word) => Object.keys(GROUPS).find((group) => GROUPS[group].includes(word)) || "values");
    const isAddress = (row) => groupOf[rows.kind[row]] === "addresses";

    // The vertex of the outside points to all objects that escape.
    const outside = [...rows.kind].findIndex((k) => data.kinds[k] === "outside");
    const escapes = (object) =>
        outside >= 0 && meets(rows.link[outside], [[object, object + 1]]);

    // ---- what is near a pointer or an object ----

    const specific = (a, b) => isAddress(a) - isAddress(b) || size(a) - size(b) || a - b;

    // Those that have one of `first`, objects, before others.
    function rowsThatMeet(runs, first) {
        const found = [[], []], ahead = first.map((o) => [o, o + 1]);
        for (let s = 0; s < data.sets.n; s++)
            if (meets(s, runs))
                for (const row of ofSet(s)) found[meets(s, ahead) ? 0 : 1].push(row);
        return found.flatMap((some) => some.sort(specific));
    }

    // What lies in an object: its own row, and what pointers to it lead to. Each row with the size
    // of the least set of such a pointer: what is read through a pointer to little else is most
    // likely meant.
    function heldBy(object) {
        const held = new Map();
        if (objects.link[object]) held.set(objects.link[object] - 1, 0);
        for (let s = 0; s < data.sets.n; s++) {
            if (!meets(s, [[object, object + 1]])) continue;
            for (const row of ofSet(s))
                for (let k = holdsAt[row]; k < holdsAt[row + 1]; k++)
                    held.set(holds[k], Math.min(held.get(holds[k]) ?? Infinity, sets.size[s]));
        }
        return held;
    }

    // {pointers, objects, held, targets}: all of each, but that what is held is that of objects
    // which are drawn. heldBy: of each of these.
    function surroundings(focus) {
        const isRow = focus.t === rows, set = rows.link[focus.i], runs = [];
        if (!isRow) runs.push([focus.i, focus.i + 1]);
        else for (let k = sets.at[set]; k < sets.at[set + 1]; k++)
            runs.push([sets.begin[k], sets.end[k]]);
        const found = isRow ? [...members(set)] : [focus.i], drawn = found.slice(0, MOST_DRAWN[1]);
        const pointers = rowsThatMeet(runs, drawn).filter((row) => !isRow || row !== focus.i);
        if (isRow) pointers.unshift(focus.i);
        const held = new Map(drawn.map((o) => [o, heldBy(o)]));
        const least = new Map(), targets = new Set();
        for (const some of held.values())
            for (const [row, n] of some) least.set(row, Math.min(least.get(row) ?? Infinity, n));
        const ordered = [...least.keys()].sort((a, b) => least.get(a) - least.get(b) || a - b);
        for (const row of ordered.slice(0, MOST_DRAWN[2]))
            for (const o of members(rows.link[row])) targets.add(o);
        return { pointers, objects: found, held: ordered, targets: [...targets], heldBy: held };
    }

    return {
        words, rows, objects, count, sets, firstMembers, meets, ofSet, name, file, place,
        shortPlace, kind, described, size, sized, link, GROUPS, groupOf, escapes, specific,
        surroundings, MOST_DRAWN,
    };
})();
