// SPDX-License-Identifier: Apache-2.0
//
// findings_view.js: the page of a report of findings (html.c). Its data, beside that of all pages:
//
//     {baseline: there is one, rules: [[name, message, help, cwe]],
//      alerts: [[rule, level, text, file, line, column, function, state, why, rank, steps,
//                further]]}
//     step: [text, file, line, column, nesting]; a file is a number, -1 where there is none. Further
//     sources are as steps.
(() => {
    const { data, element, make, path } = page;
    const LEVELS = ["error", "warning", "note"], STATES = ["new", "known", "suppressed"];
    const HEIGHT = 46, AROUND = 3, MOST_BUBBLES = 3;
    const alerts = data.alerts.map((a, i) => ({
        number: i, rule: a[0], level: a[1], text: a[2], file: a[3], line: a[4], column: a[5],
        function: a[6], state: a[7], why: a[8], rank: a[9], steps: a[10],
        further: a[11],
    }));
    let shown = [];    // rows of the list: {head} or {alert}
    let chosen = null; // an alert
    let step = 0;

    const place = (a) => (a.file < 0 ? "" : `${path(a.file)}:${a.line}:${a.column}`);
    const ruleOf = (a) => data.rules[a.rule];

    // ---- the list ----

    function matches(a, words) {
        const level = element("level").value, state = element("state").value;
        if (level && LEVELS[a.level] !== level) return false;
        if (state && STATES[a.state] !== state) return false;
        const all = `${a.text} ${place(a)} ${ruleOf(a)[0]} ${a.function}`.toLowerCase();
        return words.every((word) => all.includes(word));
    }

    function filter() {
        const words = element("search").value.toLowerCase().split(/\s+/).filter(Boolean);
        const found = alerts.filter((a) => matches(a, words)).sort((a, b) => a.state - b.state);
        const group = element("group").value;
        const key = { file: (a) => path(a.file) || "elsewhere", rule: (a) => ruleOf(a)[0] }[group];
        const heads = new Map();
        for (const a of key ? found : []) {
            if (!heads.has(key(a))) heads.set(key(a), []);
            heads.get(key(a)).push(a);
        }
        shown = key ? [] : found.map((alert) => ({ alert }));
        const state = (name) => heads.get(name)[0].state; // of the best one: new ones come first
        for (const name of [...heads.keys()].sort().sort((a, b) => state(a) - state(b))) {
            shown.push({ head: `${name} (${heads.get(name).length})` });
            for (const alert of heads.get(name)) shown.push({ alert });
        }
        element("count").textContent = `${found.length} of ${alerts.length}`;
        list.show(shown.length);
        if (!chosen || !found.includes(chosen)) choose(shown.find((row) => row.alert));
    }

    function rowElement(i) {
        const row = shown[i], made = make("div", row.head ? "row head" : "row");
        if (row.head) {
            made.textContent = row.head;
            made.setAttribute("role", "presentation");
            return made;
        }
        const a = row.alert, first = make("div");
        first.append(make("span", `level ${LEVELS[a.level]}`, LEVELS[a.level]));
        if (data.baseline && a.state === 0) first.append(make("span", "state", "new"), " ");
        first.append(make("span", "", a.text));
        made.append(first, make("div", "place", `${place(a)}  ${ruleOf(a)[0]}`));
        made.id = `alert-${a.number}`;
        made.setAttribute("role", "option");
        made.setAttribute("aria-selected", String(a === chosen));
        made.addEventListener("click", () => choose(row));
        return made;
    }

    const list = page.longList(element("list"), element("rows"), HEIGHT, rowElement);

    function choose(row) {
        chosen = row ? row.alert : null;
        step = 0;
        if (row) list.reveal(shown.indexOf(row));
        list.draw();
        showAlert();
        const box = element("list");
        if (chosen) box.setAttribute("aria-activedescendant", `alert-${chosen.number}`);
        else box.removeAttribute("aria-activedescendant");
        if (chosen) history.replaceState(null, "", `#${chosen.number}`);
    }

    function move(by) {
        let i = shown.findIndex((row) => row.alert === chosen) + by;
        while (shown[i] && !shown[i].alert) i += by;
        if (shown[i]) choose(shown[i]);
    }

    // ---- code ----

    function lineElement(file, number, marks, last) {
        const bubbles = make("span", "bubbles");
        for (const i of marks.slice(0, MOST_BUBBLES)) bubbles.append(make("span", "bubble", i + 1));
        if (marks.length > MOST_BUBBLES) bubbles.append("+");
        const line = page.codeLine(file, number, bubbles);
        if (marks.length) {
            line.classList.add("step");
            line.dataset.steps = marks.join(" ");
            line.append(make("span", "said", marks.map((i) => chosen.steps[i][0]).join("; ")));
        }
        if (marks.includes(last)) line.classList.add("last");
        return line;
    }

    function fileElement(file, stepsOf) {
        const last = chosen.steps.length - 1;
        return page.codeBox(file, page.near(file, stepsOf.keys(), AROUND), (number) =>
            lineElement(file, number, stepsOf.get(number) || [], last));
    }

    // ---- one finding ----

    function codeOf(alert) {
        const files = new Map(); // file: line: numbers of steps
        alert.steps.forEach(([, file, line], i) => {
            if (file < 0) return;
            if (!files.has(file)) files.set(file, new Map());
            const lines = files.get(file);
            if (!lines.has(line)) lines.set(line, []);
            lines.get(line).push(i);
        });
        return [...files].map(([file, stepsOf]) => fileElement(file, stepsOf));
    }

    function stepElement(s, i) {
        const item = make("li", s[4] ? "nested" : ""), button = make("button");
        button.type = "button";
        button.append(make("span", "bubble", i + 1), s[0]);
        if (s[1] >= 0) button.append(make("span", "place", `${path(s[1])}:${s[2]}`));
        button.addEventListener("click", () => showStep(i));
        item.append(button);
        return item;
    }

    function furtherElement(s) {
        const item = make("li", "", s[0]);
        if (s[1] >= 0) item.append(make("span", "place", `${path(s[1])}:${s[2]}`));
        return item;
    }

    function showFurther() {
        const further = chosen ? chosen.further : [];
        element("further").replaceChildren(...further.map(furtherElement));
        element("others").hidden = further.length === 0;
    }

    function showAlert() {
        showFurther();
        element("code").replaceChildren();
        element("steps").replaceChildren();
        element("headline").textContent = chosen ? chosen.text : "Nothing is found";
        element("about").replaceChildren();
        element("rule").textContent = "";
        if (!chosen) return;
        const rule = ruleOf(chosen), about = element("about");
        about.append(make("span", `level ${LEVELS[chosen.level]}`, LEVELS[chosen.level]),
                     `${place(chosen)}${chosen.function ? ` in ${chosen.function}` : ""} `,
                     make("span", "state", STATES[chosen.state]));
        for (const line of [chosen.why, chosen.rank])
            if (line) about.append(make("span", "why", line));
        element("rule").textContent = `${rule[0]}: ${rule[1]}. ${rule[2]} ${rule[3]}`;
        element("code").append(...codeOf(chosen));
        element("steps").append(...chosen.steps.map(stepElement));
        element("main").scrollTop = 0;
        mark();
    }

    function mark() {
        [...element("steps").querySelectorAll("button")].forEach((button, i) => {
            if (i === step) button.setAttribute("aria-current", "step");
            else button.removeAttribute("aria-current");
        });
        for (const line of element("code").querySelectorAll(".line.step"))
            line.classList.toggle("current", line.dataset.steps.split(" ").includes(String(step)));
    }

    function showStep(i) {
        if (!chosen || !chosen.steps[i]) return;
        step = i;
        mark();
        const line = element("code").querySelector(".line.current");
        if (line) line.scrollIntoView({ block: "center" });
        element("steps").children[i].scrollIntoView({ block: "nearest" });
    }

    // ---- paper ----

    function printAll() {
        const MOST = 500;
        element("printed").replaceChildren(...alerts.slice(0, MOST).map((a) => {
            const article = make("article"), list = make("ol");
            for (const s of a.steps)
                list.append(make("li", "", s[1] < 0 ? s[0] : `${path(s[1])}:${s[2]}: ${s[0]}`));
            article.append(make("h2", "", `${LEVELS[a.level]}: ${a.text}`),
                           make("p", "", `${place(a)}, ${ruleOf(a)[0]}, ${STATES[a.state]}`), list);
            return article;
        }));
        if (alerts.length > MOST)
            element("printed").append(make("p", "", `and ${alerts.length - MOST} more`));
    }

    // ---- the page ----

    function fill(select, words, count) {
        select.append(new Option("all", ""));
        words.forEach((word, i) => {
            const n = alerts.filter((a) => count(a) === i).length;
            if (n) select.append(new Option(`${word} (${n})`, word));
        });
    }

    function start() {
        const next = () => move(1), before = () => move(-1);
        fill(element("level"), LEVELS, (a) => a.level);
        fill(element("state"), STATES, (a) => a.state);
        for (const id of ["search", "group", "level", "state"])
            element(id).addEventListener("input", filter);
        page.onKeys(element("list"), {
            j: next, k: before, n: () => showStep(step + 1), p: () => showStep(step - 1),
            "/": () => element("search").focus(),
        }, { ArrowDown: next, ArrowUp: before });
        addEventListener("beforeprint", printAll);
        const asked = location.hash.slice(1);
        if (data.baseline && !asked && alerts.some((a) => a.state === 0))
            element("state").value = "new";
        filter();
        const row = /^\d+$/.test(asked) && shown.find((r) => r.alert && r.alert.number === +asked);
        if (row) choose(row);
    }
    start();
})();
