// SPDX-License-Identifier: Apache-2.0
//
// common.js: what the scripts of all pages share. The data of a page is the JSON of #data, of which
// all have {title, summary, files: [[path, {line: text}]]}.
//
// A list holds hundreds of thousands of rows: only those that can be seen are elements. Text from
// the program goes into elements as text, never as markup.
"use strict";
const page = (() => {
    const data = JSON.parse(document.getElementById("data").textContent);
    const element = (id) => document.getElementById(id);

    function make(name, className, text) {
        const made = document.createElement(name);
        if (className) made.className = className;
        if (text !== undefined) made.textContent = text;
        return made;
    }
    const path = (file) => (file < 0 ? "" : data.files[file][0]);

    // ---- lists ----

    // Rows of one height in `list`, drawn by `rowElement(i)`. Browsers know no element that is as
    // high as a million rows: above MOST_HEIGHT the scroll bar goes over their numbers.
    const MOST_HEIGHT = 8e6;
    function longList(list, rows, height, rowElement) {
        let n = 0;
        const seen = () => list.clientHeight || 600;
        const whole = () => Math.min(n * height, MOST_HEIGHT);
        const stretch = () => (n * height > MOST_HEIGHT ? (n * height - seen()) / (whole() - seen())
                                                        : 1);
        const top = () => list.scrollTop * stretch();

        function draw() {
            const at = top(), first = Math.floor(at / height), drawn = [];
            const end = Math.min(n, first + Math.ceil(seen() / height) + 1);
            for (let i = first; i < end; i++) {
                const row = rowElement(i);
                row.style.top = `${list.scrollTop - at + i * height}px`;
                drawn.push(row);
            }
            rows.replaceChildren(...drawn);
        }
        function reveal(i) {
            let wanted = top();
            if (i * height < wanted) wanted = i * height;
            if ((i + 1) * height > wanted + seen()) wanted = (i + 1) * height - seen();
            if (wanted !== top()) list.scrollTop = wanted / stretch();
        }
        function show(many) {
            n = many;
            rows.style.height = `${whole()}px`;
            draw();
        }
        list.addEventListener("scroll", draw);
        addEventListener("resize", draw);
        return { show, draw, reveal };
    }

    // ---- code ----

    const TOKEN = new RegExp(
        "(\\/\\/.*|\\/\\*.*?(?:\\*\\/|$))|(\"(?:\\\\.|[^\"\\\\])*\"?|'(?:\\\\.|[^'\\\\])*'?)|" +
        "\\b(auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|" +
        "if|inline|int|long|register|restrict|return|short|signed|sizeof|static|struct|switch|" +
        "typedef|union|unsigned|void|volatile|while|NULL|bool|true|false)\\b|(\\b\\d[\\w.]*)", "g");

    function colour(line, text) {
        let at = 0;
        for (const found of text.matchAll(TOKEN)) {
            line.append(text.slice(at, found.index));
            const kind = found[1] ? "c" : found[2] ? "s" : found[3] ? "k" : "d";
            line.append(make("span", kind, found[0]));
            at = found.index + found[0].length;
        }
        line.append(text.slice(at));
    }

    // The lines of a file that are on the page near some of its lines, ascending.
    function near(file, lines, around) {
        const wanted = new Set();
        for (const line of lines)
            for (let i = line - around; i <= line + around; i++)
                if (data.files[file][1][i] !== undefined) wanted.add(i);
        return [...wanted].sort((a, b) => a - b);
    }

    // A number and the text of a line, with `marks`, an element, between them.
    function codeLine(file, number, marks) {
        const line = make("div", "line"), text = make("span");
        colour(text, data.files[file][1][number]);
        line.append(make("span", "number", number), marks, text);
        return line;
    }

    // Lines of a file, with a gap where some are left out.
    function codeBox(file, numbers, lineElement) {
        const box = make("section", "file"), lines = make("div", "lines");
        lines.tabIndex = 0;
        lines.setAttribute("role", "group");
        lines.setAttribute("aria-label", `Code of ${path(file)}`);
        let before = 0;
        for (const number of numbers) {
            if (before && number > before + 1) lines.append(make("div", "gap", "..."));
            lines.append(lineElement(number));
            before = number;
        }
        box.append(make("h3", "", path(file)), lines);
        return box;
    }

    // ---- the page ----

    // Keys do what `actions` says where nothing is typed; `inList` in the list besides.
    function onKeys(list, actions, inList) {
        addEventListener("keydown", (event) => {
            const typing = /^(INPUT|SELECT)$/.test(event.target.tagName);
            if (event.ctrlKey || event.metaKey || event.altKey) return;
            if (event.key === "Escape" && typing) { event.target.blur(); return; }
            const action = actions[event.key] || (event.target === list && inList[event.key]);
            if (typing || !action) return;
            event.preventDefault();
            action();
        });
    }

    function changeTheme() {
        const root = document.documentElement;
        const dark = root.dataset.theme ? root.dataset.theme === "dark"
                                        : matchMedia("(prefers-color-scheme: dark)").matches;
        root.dataset.theme = dark ? "light" : "dark";
    }

    document.title = element("title").textContent = data.title;
    element("summary").textContent = data.summary;
    element("theme").addEventListener("click", changeTheme);
    element("filters").addEventListener("submit", (event) => event.preventDefault());
    return { data, element, make, path, longList, near, codeLine, codeBox, onKeys };
})();
