// What the source lights up for the state of the page.

import type { Shown } from "./address";
import { describe, steps } from "./findings";
import { role, type GraphNode, type Program } from "./model";
import type { Lights } from "./source";
import { directionOf, keptLines } from "./why";

export function lightsFor(program: Program, shown: Shown): Lights {
  const lights: Lights = { marks: [], lines: new Map(), notes: new Map() };
  const mark = (id: number, name: string) => {
    const range = program.ranges.get(id);
    if (range) {
      lights.marks.push({ ...range, name });
    }
  };
  if (shown.line !== undefined) {
    lights.lines.set(shown.line, "here");
  }
  const error = shown.error === undefined || shown.panel !== "errors" ? undefined : program.data.errors[shown.error];
  if (error) {
    const trace = steps(error);
    const step = Math.min(shown.step ?? trace.length, trace.length);
    trace.forEach((found, index) => {
      if (found.position.file !== program.main) {
        return;
      }
      const { line } = found.position;
      const name = index + 1 === step ? "step-now" : index < step ? "step-done" : "step-later";
      lights.lines.set(line, name);
      const known = index < step ? lights.notes.get(line)?.text : undefined;
      lights.notes.set(line, { text: known ? `${known}; ${describe(found)}` : describe(found), name });
    });
    const at = error.position;
    if (at && at.file === program.main) {
      lights.lines.set(at.line, step === trace.length ? "step-fails" : "step-later");
      if (!lights.notes.has(at.line)) {
        lights.notes.set(at.line, { text: "fails here", name: "step-fails" });
      }
    }
    return lights;
  }
  const node = shown.node === undefined ? undefined : program.nodes.get(shown.node);
  if (!node) {
    return lights;
  }
  mark(node.id, "lit-chosen");
  if (shown.to !== undefined) {
    for (const { id } of program.path(node.id, shown.to) ?? program.path(shown.to, node.id) ?? []) {
      mark(id, "lit-path");
    }
    mark(shown.to, "lit-chosen");
    return lights;
  }
  if (shown.mode === "prune") {
    const kept = keptLines(program, node);
    const count = program.text.split("\n").length;
    for (let line = 1; line <= count; line += 1) {
      if (!kept.has(line)) {
        lights.lines.set(line, "dimmed");
      }
    }
    return lights;
  }
  const direction = shown.mode === "impact" ? "supports" : directionOf(program, shown);
  const depth = shown.mode === "impact" || shown.depth === 0 ? Infinity : shown.depth;
  for (const id of program.answers(node.id, direction, depth).keys()) {
    const other = program.nodes.get(id) as GraphNode;
    mark(id, shown.mode === "impact" ? "lit-falls" : direction === "needs" ? `lit-${role(other)}` : "lit-rests");
  }
  return lights;
}
