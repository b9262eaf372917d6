// SPDX-License-Identifier: Apache-2.0
//
// result_view.js: the page of a result: the list of pointers, the graph around one of them with
// lists and code beside it, and the overview. result_model.js says what there is to show.
(() => {
    const { data, element, make, path } = page;
    const {
        words, rows, objects, count, sets, firstMembers, meets, ofSet, name, file, place,
        shortPlace, kind, described, size, sized, link, GROUPS, groupOf, escapes, specific,
        surroundings, MOST_DRAWN,
    } = result;
    const HEIGHT = 66, AROUND = 3, MOST_OF_ROW = 6, MOST_LISTED = 200, MOST_PRINTED = 500;

    // ---- the list ----

    let shown = [];   // rows
    let chosen = -1;  // a row

    const lower = data.texts.map((text) => text.toLowerCase());
    const paths = data.files.map(([text]) => text.toLowerCase());

    // Of each row: does it have the word in its names or objects?
    function rowsWith(word) {
        const text = lower.map((t) => t.includes(word)), at = word.match(/^(.+):(\d+)$/);
        const inFile = paths.map((p) => p.includes(at ? at[1] : word));
        const has = (t, i) => text[t.name[i]] || text[t.function[i]] ||
            (t.file[i] && inFile[t.file[i] - 1] && (!at || t.line[i] === +at[2]));
        const before = new Uint32Array(objects.n + 1); // of each object: such ones before it
        for (let o = 0; o < objects.n; o++) before[o + 1] = before[o] + (has(objects, o) ? 1 : 0);
        const inSet = new Uint8Array(data.sets.n);
        for (let s = 0; s < data.sets.n; s++)
            for (let k = sets.at[s]; k < sets.at[s + 1] && !inSet[s]; k++)
                inSet[s] = before[sets.end[k]] > before[sets.begin[k]] ? 1 : 0;
        return (row) => has(rows, row) || inSet[rows.link[row]];
    }

    function compare(order) {
        const names = (a, b) => {
            const x = name(rows, a), y = name(rows, b);
            return x < y ? -1 : x > y ? 1 : 0;
        };
        return {
            most: (a, b) => size(b) - size(a) || a - b,
            fewest: (a, b) => size(a) - size(b) || a - b,
            name: (a, b) => names(a, b) || a - b,
        }[order];
    }

    function filter() {
        const tests = element("search").value.toLowerCase().split(/\s+/).filter(Boolean)
            .map(rowsWith);
        const inFile = +element("file").value, group = element("kind").value;
        shown = [];
        for (let row = 0; row < rows.n; row++) {
            const of = groupOf[rows.kind[row]];
            if (inFile && rows.file[row] !== inFile) continue;
            if (group ? group !== "all" && of !== group : of === "addresses") continue;
            if (tests.every((test) => test(row))) shown.push(row);
        }
        const order = compare(element("order").value);
        if (order) shown.sort(order);
        element("count").textContent = `${count(shown.length)} of ${count(rows.n)}`;
        element("list").scrollTop = 0;
        list.show(shown.length);
    }

    function rowElement(i) {
        const row = shown[i], made = make("div", "row"), first = make("div", "first");
        const some = firstMembers(rows.link[row], MOST_OF_ROW).map((o) => name(objects, o));
        const where = data.texts[rows.function[row]], of = groupOf[rows.kind[row]];
        first.append(make("span", "name", name(rows, row)), make("span", "size", count(size(row))));
        made.append(first,
                    make("div", "place", shortPlace(rows, row) + (where ? ` in ${where}` : "") +
                                         (of === "variables" ? "" : `, ${kind(rows, row)}`)),
                    make("div", "place", `\u2192 ${some.join(", ") || "nothing"}`));
        made.id = `row-${row}`;
        made.setAttribute("role", "option");
        made.setAttribute("aria-selected", String(row === chosen));
        made.addEventListener("click", () => { location.hash = link(rows, row); });
        return made;
    }
    const list = page.longList(element("list"), element("rows"), HEIGHT, rowElement);

    function move(by) {
        const i = chosen < 0 ? 0 : shown.indexOf(chosen) + by;
        if (shown[i] === undefined) return;
        history.replaceState(null, "", link(rows, shown[i]));
        render();
    }

    // ---- the graph ----

    const WIDTH = 164, TALL = 40, GAP = 10, TOP = 30, BETWEEN = 60, MANY_EDGES = 100;

    function draw(tag, attributes, text) {
        const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
        for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
        if (text !== undefined) made.textContent = text;
        return made;
    }
    const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}\u2026` : text);

    function nodeElement(node, isFocus) {
        const { t, i, x, y } = node, what = t === rows ? words.one : words.object;
        const made = draw("a", { href: link(t, i), class: t === rows ? "node" : "node object" });
        if (isFocus) made.classList.add("focus");
        const says = t === rows ? `, ${words.points} ${sized(size(i))}` : "";
        const context = data.texts[t.context[i]];
        made.append(draw("title", {}, `${what} ${name(t, i)}, ${described(t, i)}${says}`),
                    draw("rect", { x, y, width: WIDTH, height: TALL }),
                    draw("text", { x: x + 8, y: y + 17 }, cut(name(t, i), 20)),
                    draw("text", { x: x + 8, y: y + 33, class: "small" },
                         cut(context ? `@ ${context}` : shortPlace(t, i) || kind(t, i), 24)));
        return made;
    }

    function edgeElement(from, to, kindOf) {
        const x = from.x + WIDTH, y = from.y + TALL / 2, z = to.y + TALL / 2, mid = BETWEEN / 2;
        const d = `M${x},${y} C${x + mid},${y} ${to.x - mid},${z} ${to.x - 2},${z}`;
        return draw("path", { class: `edge ${kindOf}`, "marker-end": "url(#head)", d });
    }

    // The four columns: of each what is drawn, as nodes with places.
    function columnsOf(near) {
        return [["pointers", rows], ["objects", objects], ["held", rows], ["targets", objects]]
            .map(([key, t], c) => near[key].slice(0, MOST_DRAWN[c]).map((i, k) => (
                { t, i, x: 1 + c * (WIDTH + BETWEEN), y: TOP + k * (TALL + GAP) })));
    }

    function edgesOf(columns, near, focus) {
        const edges = [], [pointers, targets, held, further] = columns;
        const points = (from, to, kindOf) => {
            for (const p of from) for (const o of to)
                if (meets(rows.link[p.i], [[o.i, o.i + 1]])) edges.push([p, o, kindOf(p)]);
        };
        points(pointers, targets,
               (p) => (focus.t === objects || p.i === focus.i ? "main" : ""));
        for (const o of targets) for (const q of held)
            if (near.heldBy.get(o.i).has(q.i)) edges.push([o, q, "held"]);
        points(held, further, () => "");
        return edges;
    }

    // How many more there are, as a way to the list of all.
    function moreElement(c, key, n) {
        const x = 9 + c * (WIDTH + BETWEEN), y = TOP + MOST_DRAWN[c] * (TALL + GAP) + 14;
        const made = draw("text", { x, y, class: "small more", tabindex: 0, role: "button" },
                          `and ${count(n)} more`);
        const open = () => {
            const box = element(`all-${key}`);
            box.open = true;
            box.querySelector("summary").focus();
        };
        made.addEventListener("click", open);
        made.addEventListener("keydown", (event) => { if (event.key === "Enter") open(); });
        return made;
    }

    function graphElement(near, focus) {
        const columns = columnsOf(near), keys = ["pointers", "objects", "held", "targets"];
        const captions = [words.many, `${words.points}`, "stored there", "which " + words.points];
        const used = columns.filter((column) => column.length).length;
        const more = keys.some((key, c) => near[key].length > MOST_DRAWN[c]);
        const tall = TOP + Math.max(1, ...columns.map((column) => column.length)) * (TALL + GAP);
        const wide = Math.max(2, used) * (WIDTH + BETWEEN) - BETWEEN + 2, high = tall + 24 * more;
        const says = `What is around ${name(focus.t, focus.i)}; the lists beside it say the same`;
        const svg = draw("svg", { viewBox: `0 0 ${wide} ${high}`, width: wide, height: high,
                                  role: "group", "aria-label": says });
        const edges = edgesOf(columns, near, focus);
        svg.classList.toggle("dense", edges.length > MANY_EDGES);
        const head = draw("marker", { id: "head", viewBox: "0 0 6 6", refX: 6, refY: 3,
                                      markerWidth: 7, markerHeight: 7, orient: "auto" });
        head.append(draw("path", { d: "M0,0 L6,3 L0,6", fill: "context-stroke" }));
        svg.append(head, ...edges.map((edge) => edgeElement(...edge)));
        columns.forEach((column, c) => {
            if (!column.length) return;
            svg.append(draw("text", { x: 9 + c * (WIDTH + BETWEEN), y: 16, class: "caption" },
                            captions[c]));
            svg.append(...column.map((node) =>
                nodeElement(node, node.t === focus.t && node.i === focus.i && c < 2)));
            const n = near[keys[c]].length - column.length;
            if (n > 0) svg.append(moreElement(c, keys[c], n));
        });
        svg.addEventListener("keydown", (event) => step(svg, event));
        return svg;
    }

    // Arrows go to the nearest node above, below, or in the next column.
    function step(svg, event) {
        const way = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }
            [event.key];
        const from = way && event.target.closest(".node")?.querySelector("rect")?.getBBox();
        if (!from) return;
        let best = null, least = Infinity;
        for (const node of svg.querySelectorAll(".node")) {
            const to = node.querySelector("rect").getBBox(), x = to.x - from.x, y = to.y - from.y;
            const along = x * way[0] + y * way[1], aside = Math.abs(way[0] ? y : x);
            if (along <= 0 || (way[1] && aside) || along * 8 + aside >= least) continue;
            least = along * 8 + aside;
            best = node;
        }
        if (best) best.focus();
        event.preventDefault();
        event.stopPropagation();
    }

    // ---- lists beside the graph ----

    function entryElement(t, i) {
        const item = make("li"), to = make("a", "", name(t, i));
        to.href = link(t, i);
        const note = t === objects && escapes(i) ? ", escapes" : "";
        item.append(to, " ", make("span", "place", described(t, i) + note));
        return item;
    }

    function listElement(key, title, t, all, open) {
        const box = make("details"), items = make("ul"), more = make("button", "", "Show more");
        box.id = `all-${key}`;
        box.open = open;
        more.type = "button";
        box.append(make("summary", "", `${title}: ${count(all.length)}`), items, more);
        const add = () => {
            const from = items.children.length;
            items.append(...all.slice(from, from + MOST_LISTED).map((i) => entryElement(t, i)));
            more.hidden = items.children.length === all.length;
        };
        more.addEventListener("click", add);
        add();
        return box;
    }

    function detailsOf(focus, near) {
        const boxes = [], isRow = focus.t === rows;
        if (isRow) boxes.push(listElement("objects", `May ${data.pointsTo ? "point" : "lead"} to`,
                                          objects, near.objects, true));
        boxes.push(listElement("pointers", isRow ? words.beside : "Pointers to it", rows,
                               isRow ? near.pointers.slice(1) : near.pointers, true));
        if (near.held.length) {
            boxes.push(listElement("held", "Stored there", rows, near.held, false));
            boxes.push(listElement("targets", "Which may point to", objects, near.targets, false));
        }
        return boxes;
    }

    // ---- code ----

    // The focus, and the first few of what it may point to, each with the lines around it.
    function codeOf(focus, near) {
        const files = new Map();
        const some = [focus, ...near.objects.slice(0, 4).map((i) => ({ t: objects, i }))];
        for (const { t, i } of some) {
            if (file(t, i) < 0) continue;
            if (!files.has(file(t, i))) files.set(file(t, i), new Map());
            const lines = files.get(file(t, i)), said = lines.get(t.line[i]) || [];
            if (!said.includes(name(t, i))) said.push(name(t, i));
            lines.set(t.line[i], said);
        }
        return [...files].map(([number, lines]) => {
            const numbersOf = page.near(number, lines.keys(), AROUND);
            return numbersOf.length ? page.codeBox(number, numbersOf, (line) => {
                const made = page.codeLine(number, line, make("span"));
                if (lines.has(line)) made.classList.add("here");
                return made;
            }) : "";
        });
    }

    // ---- one pointer or object ----

    const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

    // What is one vertex is known by its number, a local of several by the line of its declaration.
    function question(focus) {
        const { t, i } = focus;
        if (t.copies[i] === 1) return quoted(`points-to ${t.vertex[i]}`);
        const spec = `${path(file(t, i))}:${t.line[i]}:${name(t, i)}`;
        return quoted(`points-to ${/[\s"]/.test(spec) ? `"${spec}"` : spec}`);
    }

    function showFocus(focus) {
        const near = surroundings(focus), { t, i } = focus, type = data.texts[t.type[i]];
        element("headline").textContent = name(t, i);
        const says = t === rows
            ? `${words.points} ${sized(near.objects.length)}`
            : `${count(near.pointers.length)} ${words.many} may lead there` +
              (escapes(i) ? "; code outside may know its address" : "");
        element("about").textContent =
            [described(t, i), type, says].filter(Boolean).join(" \u2014 ");
        element("graph").replaceChildren(graphElement(near, focus));
        element("code").replaceChildren(...codeOf(focus, near));
        const details = detailsOf(focus, near), asked = `cflr query ${quoted(data.facts[0][1])}`;
        if (data.pointsTo && t === rows)
            details.push(make("p", "place", "Ask again:"),
                         make("code", "", `${asked} ${question(focus)}`));
        element("details").replaceChildren(...details);
    }

    // ---- the overview ----

    const bucketName = (k) => (k < 3 ? String(k) : `\u2264 ${2 ** (k - 1)}`);

    function histogram(buckets) {
        const wide = 62, high = 160, most = Math.max(1, ...buckets);
        const said = buckets.map((n, k) => `${n}: ${bucketName(k)}`).join("; ");
        const svg = draw("svg", { viewBox: `0 0 ${buckets.length * wide + 8} ${high + 52}`,
                                  width: buckets.length * wide + 8, height: high + 52, role: "img",
                                  "aria-label": `How many ${words.many} have how many ` +
                                                `${words.objects}. ${said}` });
        buckets.forEach((n, k) => {
            const tall = Math.max(n ? 1 : 0, (n / most) * high), x = k * wide + 4;
            const text = { "text-anchor": "middle", x: x + wide / 2 - 4 };
            svg.append(draw("rect", { x, y: 18 + high - tall, width: wide - 8, height: tall,
                                      class: "column" }),
                       draw("text", { ...text, y: 13 + high - tall }, count(n)),
                       draw("text", { ...text, y: high + 34, class: "small" }, bucketName(k)));
        });
        svg.append(draw("path", { d: `M0,${high + 18} H${buckets.length * wide + 8}`,
                                  class: "axis" }));
        return svg;
    }

    // Entries: [link to it, words beside it, number]
    function ranking(title, head, entries) {
        const box = make("section"), body = make("table"), top = make("tr");
        const most = Math.max(1, ...entries.map(([, , n]) => n));
        head.forEach((text, k) => {
            const cell = make("th", k === 1 ? "of" : k === 2 ? "share" : "", text);
            cell.scope = "col";
            top.append(cell);
        });
        body.append(top, ...entries.map(([to, beside, n]) => {
            const line = make("tr"), first = make("td"), share = make("td", "share");
            const bar = make("div", "bar");
            bar.style.width = `${(100 * n) / most}%`;
            share.append(bar);
            first.append(to, make("span", "place", ` ${beside}`));
            line.append(first, make("td", "of", count(n)), share);
            return line;
        }));
        box.append(make("h2", "", title), body);
        return box;
    }

    function linkTo(t, i) {
        const to = make("a", "", name(t, i));
        to.href = link(t, i);
        return to;
    }

    function rankings() {
        const box = make("div", "columns"), p = data.precision;
        box.append(
            ranking(`Most ${data.pointsTo ? "pointed-to objects" : "frequent targets"}`,
                    [words.object, words.many, "share"],
                    p.objects.map(([o, n]) => [linkTo(objects, o), shortPlace(objects, o), n])),
            ranking("Largest sets", [`a ${words.one} that has it`, words.objects, "share"],
                    p.sets.map(([s]) => {
                        const row = [...ofSet(s)].sort(specific)[0], others = ofSet(s).length - 1;
                        return row === undefined ? ["", "", sets.size[s]]
                            : [linkTo(rows, row), others ? `and ${count(others)} more` : "",
                               sets.size[s]];
                    })));
        return box;
    }

    function factsElement() {
        const box = make("dl");
        for (const [what, value] of data.facts) {
            const part = make("div");
            part.append(make("dt", "", what),
                        make("dd", "", typeof value === "number" ? count(value) : value));
            box.append(part);
        }
        return box;
    }

    function symbolsElement() {
        const box = make("section"), body = make("table"), top = make("tr");
        for (const [k, text] of ["symbol", "pairs", "rows"].entries()) {
            const cell = make("th", k ? "of" : "", text);
            cell.scope = "col";
            top.append(cell);
        }
        body.append(top, ...data.symbols.map((symbol) => {
            const line = make("tr");
            line.append(...symbol.map((value, k) => (
                k ? make("td", "of", count(value)) : make("td", "", value))));
            return line;
        }));
        box.append(make("h2", "", `Symbols; this page shows ${data.relation}`), body);
        return box;
    }

    function linesElement([what, n, lines]) {
        const box = make("details"), items = make("ul");
        items.append(...lines.map((line) => make("li", "", line)));
        const left = n - lines.length;
        if (left) items.append(make("li", "place", `and ${count(left)} more`));
        box.append(make("summary", "", `${what}: ${count(n)}`), items);
        return box;
    }

    function precisionText() {
        const p = data.precision, nothing = p.buckets[0] || 0;
        const average = count(p.rows ? Math.round((10 * p.pairs) / p.rows) / 10 : 0);
        return `${count(p.rows)} ${words.many}${data.pointsTo ? ", addresses not counted" : ""}: ` +
            `half have at most ${sized(p.median)}, nine in ten at most ` +
            `${count(p.ninetieth)}, the largest ${count(p.largest)}; ${average} on average, and ` +
            `${count(nothing)} have none.`;
    }

    function showOverview() {
        const lists = data.lists.filter(([, n]) => n).map(linesElement);
        element("overview").replaceChildren(
            ...data.warnings.map((text) => make("p", "warning-box", text)),
            make("h2", "", "What this is"), factsElement(),
            make("h2", "", `${words.many[0].toUpperCase()}${words.many.slice(1)} by how many ` +
                           `${words.objects} they have`),
            make("p", "", precisionText()), histogram(data.precision.buckets),
            rankings(), ...(lists.length ? [make("h2", "", "What is not followed"), ...lists] : []),
            symbolsElement());
        element("details").replaceChildren(
            make("p", "", `Choose a ${words.one} in the list, or search. What it ${words.points} ` +
                          "is drawn, with all else that may lead there."));
    }

    // ---- the page ----

    const byVertex = (t) => {
        const found = new Map();
        t.vertex.forEach((vertex, i) => found.set(vertex, i));
        return found;
    };
    const rowAt = byVertex(rows), objectAt = byVertex(objects);

    function focused() {
        const asked = location.hash.match(/^#([po])(\d+)$/);
        const t = asked && asked[1] === "o" ? objects : rows;
        const i = asked && (t === rows ? rowAt : objectAt).get(+asked[2]);
        return i === undefined || i === null ? null : { t, i };
    }

    function render() {
        const focus = focused(), box = element("list");
        element("overview").hidden = Boolean(focus);
        element("focus").hidden = !focus;
        chosen = focus && focus.t === rows ? focus.i : -1;
        if (focus) showFocus(focus);
        else showOverview();
        const at = shown.indexOf(chosen);
        if (at >= 0) list.reveal(at);
        list.draw();
        if (at >= 0) box.setAttribute("aria-activedescendant", `row-${chosen}`);
        else box.removeAttribute("aria-activedescendant");
        element("main").scrollTop = 0;
    }

    // A link in the graph leads to another graph: the keyboard goes with it.
    function follow() {
        const inGraph = element("graph").contains(document.activeElement);
        render();
        if (inGraph) element("graph").querySelector(".focus")?.focus();
    }

    function fill(select, options) {
        for (const [text, value] of options) select.append(new Option(text, value));
    }

    function fillFilters() {
        const inFile = new Uint32Array(data.files.length), inGroup = {};
        for (let row = 0; row < rows.n; row++) {
            if (rows.file[row]) inFile[rows.file[row] - 1]++;
            const group = groupOf[rows.kind[row]];
            inGroup[group] = (inGroup[group] || 0) + 1;
        }
        const files = data.files.map(([text], k) => [text, k]).filter(([, k]) => inFile[k]);
        fill(element("file"), [["all", ""], ...files.sort((a, b) => (a[0] < b[0] ? -1 : 1))
            .map(([text, k]) => [`${text} (${count(inFile[k])})`, k + 1])]);
        fill(element("kind"), [["all but addresses", ""], ...Object.keys(GROUPS)
            .filter((group) => inGroup[group])
            .map((group) => [`${group} (${count(inGroup[group])})`, group]), ["all", "all"]]);
    }

    function printAll() {
        const items = make("ol"), counted = shown.slice(0, MOST_PRINTED);
        for (const row of counted) {
            const some = firstMembers(rows.link[row], MOST_OF_ROW).map((o) => name(objects, o));
            items.append(make("li", "", `${name(rows, row)} (${described(rows, row)}): ` +
                `${sized(size(row))}${some.length ? `: ${some.join(", ")}` : ""}` +
                `${size(row) > some.length ? ", ..." : ""}`));
        }
        element("printed").replaceChildren(
            ...data.warnings.map((text) => make("p", "", text)), make("p", "", precisionText()),
            items, make("p", "", `${count(counted.length)} of ${count(shown.length)} are printed`));
    }

    function start() {
        const next = () => move(1), before = () => move(-1);
        fillFilters();
        for (const id of ["search", "file", "kind", "order"])
            element(id).addEventListener("input", filter);
        page.onKeys(element("list"), {
            j: next, k: before, "/": () => element("search").focus(),
            o: () => { location.hash = ""; },
            g: () => element("graph").querySelector(".node")?.focus(),
        }, { ArrowDown: next, ArrowUp: before });
        addEventListener("hashchange", follow);
        addEventListener("beforeprint", printAll);
        if (!location.hash && data.focus >= 0)
            history.replaceState(null, "", link(rows, data.focus));
        filter();
        render();
    }
    start();
})();
