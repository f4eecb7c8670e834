"use strict";
(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const status = document.getElementById("status");
  const graph = document.getElementById("graph");
  const spans = new Map();
  for (const span of document.querySelectorAll(".n")) {
    const id = Number(span.dataset.id);
    if (!spans.has(id)) spans.set(id, []);
    spans.get(id).push(span);
  }
  const needs = new Map(), usedBy = new Map();
  const put = (map, key, value) => (map.has(key) ? map.get(key).push(value) : map.set(key, [value]));
  for (const [of, all] of data.edges) for (const on of all) { put(needs, of, on); put(usedBy, on, of); }

  // Everything that edges lead to, with the number of steps.
  function reached(from, edges) {
    const steps = new Map([[from, 0]]);
    let wave = [from];
    while (wave.length) {
      const next = [];
      for (const id of wave) for (const on of edges.get(id) || []) {
        if (!steps.has(on)) { steps.set(on, steps.get(id) + 1); next.push(on); }
      }
      wave = next;
    }
    steps.delete(from);
    return steps;
  }

  let chosen = null;
  function mark(ids, name) {
    let count = 0;
    for (const id of ids) {
      const all = spans.get(id);
      if (all) { count += 1; all.forEach((span) => span.classList.add(name)); }
    }
    return count;
  }
  function clear() {
    for (const name of ["needed", "resting", "chosen"]) {
      document.querySelectorAll("." + name).forEach((span) => span.classList.remove(name));
    }
    chosen = null;
    status.textContent = "";
  }
  function choose(id) {
    clear();
    chosen = id;
    const below = mark(reached(id, needs).keys(), "needed");
    const above = mark(reached(id, usedBy).keys(), "resting");
    mark([id], "chosen");
    status.textContent = "its proof needs " + below + " (solid frames), " + above + " rest on it (dashed frames)";
    if (!graph.hidden) draw();
  }
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-line]");
    if (link) return show(Number(link.dataset.line));
    const box = event.target.closest("[data-id]");
    if (box) choose(Number(box.dataset.id));
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { clear(); if (!graph.hidden) draw(); }
    const onNode = event.target.dataset && event.target.dataset.id;
    if (onNode && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); choose(Number(event.target.dataset.id)); }
    if (event.target.tagName === "INPUT" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "n") step(1);
    if (event.key === "p") step(-1);
  });

  // From one line that is not simply covered to the next or the previous one.
  const lines = Array.from(document.querySelectorAll(".line"));
  const filters = Array.from(document.querySelectorAll("[data-filter]"));
  let open = [];
  let visited = -1;
  // Lines of the kinds that are chosen, or all; they are what is stepped through, or what is not simply covered.
  function filter() {
    const wanted = filters.filter((key) => key.getAttribute("aria-pressed") === "true").map((key) => key.dataset.filter);
    lines.forEach((line) => line.classList.toggle("dim", wanted.length > 0 && !wanted.includes(line.dataset.mark)));
    open = lines.filter((line) => wanted.length ? wanted.includes(line.dataset.mark) : "◐○t∅×✗".includes(line.dataset.mark));
    visited = -1;
    status.textContent = wanted.length ? open.length + " lines of " + wanted.join(" ") : "";
  }
  filters.forEach((key) => key.addEventListener("click", () => {
    key.setAttribute("aria-pressed", String(key.getAttribute("aria-pressed") !== "true"));
    filter();
  }));
  filter();
  function step(by) {
    if (!open.length) { status.textContent = "there is no such line"; return; }
    visited = (visited + by + open.length) % open.length;
    const line = open[visited];
    line.scrollIntoView({ block: "center" });
    const node = line.querySelector(".n");
    if (node) node.focus({ preventScroll: true });
    status.textContent = "line " + line.dataset.n + ", " + (visited + 1) + " of " + open.length;
  }
  document.getElementById("next").addEventListener("click", () => step(1));
  function show(line) {
    const found = document.querySelector('.line[data-n="' + line + '"]');
    if (found) found.scrollIntoView({ block: "center" });
  }

  // Search: lines that contain the text; Enter goes to the next one.
  const search = document.getElementById("search");
  let hits = [], at = 0;
  search.addEventListener("input", () => {
    const wanted = search.value.toLowerCase();
    hits.forEach((line) => line.classList.remove("hit"));
    hits = wanted === "" ? [] : Array.from(document.querySelectorAll(".line")).filter((line) => line.textContent.toLowerCase().includes(wanted));
    hits.forEach((line) => line.classList.add("hit"));
    at = 0;
    if (hits.length) hits[0].scrollIntoView({ block: "center" });
    status.textContent = wanted === "" ? "" : hits.length + " lines found";
  });
  search.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !hits.length) return;
    at = (at + 1) % hits.length;
    hits[at].scrollIntoView({ block: "center" });
  });

  // The graph: what rests on the chosen node to the left, what it needs to the right; without one, everything.
  const LIMIT = 200;
  const svg = (name, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    return element;
  };
  function columns() {
    const column = new Map();
    if (chosen !== null) {
      for (const [id, steps] of reached(chosen, usedBy)) column.set(id, -steps);
      for (const [id, steps] of reached(chosen, needs)) column.set(id, steps);
      column.set(chosen, 0);
    } else {
      for (const id of spans.keys()) if (needs.has(id) || usedBy.has(id)) column.set(id, needs.has(id) ? (usedBy.has(id) ? 1 : 0) : 2);
    }
    return Array.from(column).filter(([id]) => spans.has(id)).sort((a, b) => a[1] - b[1] || a[0] - b[0]);
  }
  function draw() {
    graph.replaceChildren();
    const placed = columns();
    if (placed.length > LIMIT) {
      graph.textContent = placed.length + " nodes are too many to draw: choose one in the source.";
      return;
    }
    const width = 250, height = 30, rows = new Map(), place = new Map();
    const first = placed.length ? placed[0][1] : 0;
    for (const [id, column] of placed) {
      const row = rows.get(column) || 0;
      rows.set(column, row + 1);
      place.set(id, [10 + (column - first) * (width + 50), 10 + row * (height + 10)]);
    }
    const points = Array.from(place.values());
    const root = svg("svg", { width: Math.max(100, ...points.map((p) => p[0] + width + 10)), height: Math.max(40, ...points.map((p) => p[1] + height + 10)), role: "img" });
    for (const [id, [x, y]] of place) for (const on of needs.get(id) || []) {
      const to = place.get(on);
      if (to && on !== id) root.append(svg("path", { d: "M" + (x + width) + "," + (y + height / 2) + " C" + (x + width + 40) + "," + (y + height / 2) + " " + (to[0] - 40) + "," + (to[1] + height / 2) + " " + to[0] + "," + (to[1] + height / 2) }));
    }
    for (const [id, [x, y]] of place) {
      const span = spans.get(id)[0];
      const text = spans.get(id).map((piece) => piece.textContent).join("");
      const box = svg("g", { class: id === chosen ? "box mine" : "box", "data-id": id });
      box.append(svg("rect", { x: x, y: y, width: width, height: height, rx: 4 }));
      const label = svg("text", { x: x + 6, y: y + 19 });
      label.textContent = (span.closest(".line").dataset.n + ": " + text.trim()).slice(0, 34);
      const title = svg("title", {});
      title.textContent = text + "\n" + span.title;
      box.append(label, title);
      root.append(box);
    }
    graph.append(root);
  }
  document.getElementById("toggle").addEventListener("click", () => {
    graph.hidden = !graph.hidden;
    document.getElementById("toggle").setAttribute("aria-expanded", String(!graph.hidden));
    if (!graph.hidden) draw();
  });
})();
