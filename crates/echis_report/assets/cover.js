"use strict";
(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const spans = new Map();
  for (const span of document.querySelectorAll(".n")) {
    const id = Number(span.dataset.id);
    if (!spans.has(id)) spans.set(id, []);
    spans.get(id).push(span);
  }
  const usedBy = new Map();
  for (const [of, all] of data.needs) {
    for (const on of all) {
      if (!usedBy.has(on)) usedBy.set(on, []);
      usedBy.get(on).push(of);
    }
  }
  const needs = new Map(data.needs);
  const mark = (ids, name) => ids.forEach((id) => (spans.get(id) || []).forEach((span) => span.classList.add(name)));
  const clear = () => document.querySelectorAll(".lit, .chosen").forEach((span) => span.classList.remove("lit", "chosen"));
  const status = document.getElementById("status");
  document.addEventListener("click", (event) => {
    const span = event.target.closest(".n");
    if (!span) return;
    clear();
    const id = Number(span.dataset.id);
    const below = needs.get(id) || [], above = usedBy.get(id) || [];
    mark(below, "lit");
    mark(above, "lit");
    mark([id], "chosen");
    status.textContent = "its proof needs " + below.length + ", " + above.length + " rest on it";
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") { clear(); status.textContent = ""; } });
  document.getElementById("search").addEventListener("input", (event) => {
    const wanted = event.target.value.toLowerCase();
    let first = null;
    for (const line of document.querySelectorAll(".line")) {
      const hit = wanted !== "" && line.textContent.toLowerCase().includes(wanted);
      line.classList.toggle("hit", hit);
      if (hit && !first) first = line;
    }
    if (first) first.scrollIntoView({ block: "center" });
  });
})();
