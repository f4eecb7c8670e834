// Heaps as drawings: objects are records, references are arrows from the row of their field, arrays are rows of cells,
// and folded predicates are boxes that can be opened.

import { useMemo, useState } from "preact/hooks";
import { Canvas, cut } from "./canvas";
import { curve, layout, round, type Arrow, type Box, type Placed, type Point } from "./layout";
import type { Counterexample, Heap, HeapItem } from "./model";

const ROW = 20;
const CHARACTER = 7.3;
const LONGEST = 28;
/** Longer arrays are cut. */
const MOST_CELLS = 24;

interface Row {
  name: string;
  value: string;
  perm: string;
  /** The record that it points at. */
  to?: string;
}

interface Cell {
  index: number;
  value: string;
  to?: string;
}

interface RecordBox extends Box {
  title: string;
  /** Variables that are this object. */
  names: string[];
  rows: Row[];
  cells: Cell[];
  perm: string;
  kind: "object" | "array" | "predicate" | "wand";
  /** Whether it contains something to be shown. */
  folds?: boolean;
  open?: boolean;
}

interface Pointer extends Arrow {
  row: number;
}

export interface Drawing {
  records: RecordBox[];
  pointers: Pointer[];
}

/** Values that are no object. */
const NOTHING = new Set(["null", "#unspecified", "–", ""]);

/** The records of a heap. Predicates in `open` show what they contain. */
export function records(heap: Heap, example: Counterexample, open: Set<string>): Drawing {
  const found = new Map<string, RecordBox>();
  const record = (id: string, kind: RecordBox["kind"], title: string): RecordBox => {
    const known = found.get(id);
    if (known) {
      return known;
    }
    const fresh: RecordBox = { id, kind, title, names: [], rows: [], cells: [], perm: "", width: 0, height: 0 };
    found.set(id, fresh);
    return fresh;
  };
  const isReference = (type: string, value: string) => type === "Ref" && !NOTHING.has(value);
  const add = (item: HeapItem, inside: string) => {
    if (item.kind === "field") {
      const slot = /^\w+\(([\w$!']+), (\d+)\)$/.exec(item.receiver);
      const to = isReference(item.type, item.value) ? item.value : undefined;
      if (slot && Number(slot[2]) < MOST_CELLS) {
        const array = record(`array ${slot[1]} ${item.field}`, "array", `${slot[1]}[…].${item.field}`);
        array.cells.push({ index: Number(slot[2]), value: to ? "●" : item.value, to });
        array.perm ||= item.perm;
        return;
      }
      const object = record(item.receiver, "object", item.receiver);
      if (!object.rows.some((row) => row.name === item.field)) {
        object.rows.push({ name: item.field, value: item.value, perm: item.perm, to });
      }
    } else if (item.kind === "predicate") {
      const title = `${item.name}(${item.args.join(", ")})`;
      const id = `${inside}predicate ${title}`;
      const box = record(id, "predicate", title);
      box.perm = item.perm;
      box.folds = item.contents.length > 0;
      box.open = box.folds && open.has(id);
      if (box.open) {
        for (const part of item.contents) {
          add(part, `${id} `);
        }
      }
      for (const arg of item.args) {
        if (found.has(arg) || example.store.some((variable) => variable.type === "Ref" && variable.value === arg)) {
          box.rows.push({ name: "of", value: arg, perm: "", to: arg });
        }
      }
    } else {
      const box = record(`wand ${item.left} ${item.right}`, "wand", `${cut(item.left, LONGEST)} --* ${cut(item.right, LONGEST)}`);
      box.perm = item.perm;
    }
  };
  // Objects first, so that predicates know which of their arguments are drawn.
  const order = (item: HeapItem) => (item.kind === "field" ? 0 : 1);
  for (const item of [...heap.entries].sort((a, b) => order(a) - order(b))) {
    add(item, "");
  }
  const references = example.store.filter((variable) => isReference(variable.type, variable.value));
  for (const { name, value } of references) {
    record(value, "object", value).names.push(name);
  }
  for (const box of [...found.values()]) {
    for (const to of [...box.rows, ...box.cells].map((part) => part.to)) {
      if (to !== undefined) {
        record(to, "object", to);
      }
    }
  }
  const pointers: Pointer[] = [];
  for (const box of found.values()) {
    box.cells.sort((a, b) => a.index - b.index);
    box.rows.sort((a, b) => Number(a.to !== undefined) - Number(b.to !== undefined) || a.name.localeCompare(b.name));
    Object.assign(box, measured(box));
    const targets = box.kind === "array" ? box.cells : box.rows;
    targets.forEach(({ to }, row) => {
      if (to !== undefined) {
        pointers.push({ from: box.id, to, row });
      }
    });
  }
  return { records: [...found.values()], pointers };
}

function heading(box: RecordBox): string {
  const others = box.names.filter((name) => name !== box.title);
  const names = others.length > 0 ? `${others.join(" = ")} = ` : "";
  return cut(names + box.title, 48) + (box.perm ? `  ${amount(box.perm)}` : "");
}

const cellWidth = (box: RecordBox) => Math.max(30, ...box.cells.map((cell) => cut(cell.value, 10).length * CHARACTER + 12));

function measured(box: RecordBox): { width: number; height: number } {
  const title = heading(box).length * CHARACTER + 20 + (box.kind === "predicate" ? 16 : 0);
  if (box.kind === "array") {
    return { width: Math.max(title, box.cells.length * cellWidth(box)), height: ROW + 38 };
  }
  const row = ({ name, value, perm, to }: Row) =>
    (name.length + (to ? 2 : cut(value, LONGEST).length) + 3 + amount(perm).length) * CHARACTER + 26;
  return { width: Math.max(60, title, ...box.rows.map(row)), height: ROW * (1 + box.rows.length) + 6 };
}

/** How much is held, as people write it. */
function amount(perm: string): string {
  return perm === "#unspecified" ? "?" : perm.replace(/\/1$/, "");
}

/** Lists lie in a row; what branches grows downwards. */
function isTree({ records, pointers }: Drawing): boolean {
  return records.some((box) => {
    const below = new Set(pointers.filter((pointer) => pointer.from === box.id && pointer.to !== box.id).map((pointer) => pointer.to));
    const back = pointers.some((pointer) => below.has(pointer.from) && pointer.to === box.id);
    return box.kind === "object" && below.size > 1 && !back;
  });
}

export function placed(drawing: Drawing) {
  const direction = isTree(drawing) ? "TB" : "LR";
  const arrows = drawing.pointers.filter((pointer) => pointer.from !== pointer.to);
  const found = inOrder(layout(drawing.records, arrows, direction, { node: 26, rank: 56 }), direction);
  const boxes = new Map(found.boxes.map((box) => [box.id, box]));
  const loops = drawing.pointers.filter((pointer) => pointer.from === pointer.to).map((pointer) => ({ ...pointer, points: [] as Point[] }));
  const lines = [...found.arrows, ...loops].map((arrow) => {
    const [from, to] = [boxes.get(arrow.from), boxes.get(arrow.to)] as [RecordBox & Point, RecordBox & Point];
    return { key: `${arrow.from} ${arrow.row} ${arrow.to}`, path: line(from, to, arrow.row, arrow.points, direction) };
  });
  return { ...found, lines, width: found.width + 24 };
}

/** Mirrors a tree if that puts more lines to children in the order of their fields. */
function inOrder(found: Placed<RecordBox, Pointer>, direction: "TB" | "LR"): Placed<RecordBox, Pointer> {
  const side = ({ points }: { points: Point[] }) => (points[2] ?? points.at(-1))?.x ?? 0;
  let wrong = 0;
  for (const one of found.arrows) {
    for (const other of found.arrows) {
      if (one.from === other.from && one.row < other.row) {
        wrong += Math.sign(side(one) - side(other));
      }
    }
  }
  if (direction === "LR" || wrong <= 0) {
    return found;
  }
  const boxes = found.boxes.map((box) => ({ ...box, x: found.width - box.x - box.width }));
  const arrows = found.arrows.map((arrow) => ({ ...arrow, points: arrow.points.map(({ x, y }) => ({ x: found.width - x, y })) }));
  return { ...found, boxes, arrows };
}

/** From the row of the field, past other records, to the record that it points at. */
function line(from: RecordBox & Point, to: RecordBox & Point, row: number, points: Point[], direction: "TB" | "LR"): string {
  const y = from.y + ROW * (row + 1.5) + 2;
  if (from.id === to.id) {
    const x = from.x + from.width;
    const p = (x: number, y: number) => `${round(x)} ${round(y)}`;
    return `M${p(x, y)}C${p(x + 22, y)} ${p(x + 22, from.y + 10)} ${p(x + 1, from.y + 10)}`;
  }
  // The layout spreads lines over sides; here they begin at the row of their field and end at the head.
  const [first, last] = [points[0] ?? from, points.at(-1) ?? to];
  const inner = points.slice(1, -1);
  if (direction === "TB") {
    const share = from.kind === "array" ? (cellWidth(from) * (row + 0.5)) / from.width : (row + 1) / (from.rows.length + 1);
    const x = from.x + from.width * share;
    return curve([{ x, y: first.y }, ...inner.map((point, index) => (index === 0 ? { ...point, x } : point)), last]);
  }
  const start = from.kind === "array" ? from.y + from.height - 12 : y;
  const head = to.y + 12;
  const moved = inner.map((point, index) => (index === 0 ? { ...point, y: start } : index === inner.length - 1 ? { ...point, y: head } : point));
  return curve([{ x: first.x, y: start }, ...moved, { x: last.x, y: head }]);
}

export function HeapDrawing({ heap, example, name }: { heap: Heap; example: Counterexample; name: string }) {
  const [open, setOpen] = useState<Set<string>>(new Set());
  const found = useMemo(() => placed(records(heap, example, open)), [heap, example, open]);
  const toggle = (id: string) => setOpen((old) => new Set(old.has(id) ? [...old].filter((other) => other !== id) : [...old, id]));
  const irrelevant = new Set(example.store.filter((variable) => variable.irrelevant).map((variable) => variable.value));
  if (found.boxes.length === 0) {
    return <p class="empty">The heap is empty.</p>;
  }
  return (
    <Canvas width={found.width} height={found.height} label={`heap, ${heap.state}`} name={`${name}-${heap.state}`} plain>
      {found.boxes.map((box) => (
        <Record key={box.id} box={box} faded={irrelevant.has(box.id)} toggle={toggle} />
      ))}
      {found.lines.map(({ key, path }) => (
        <path key={key} class="edge pointer" d={path} marker-end="url(#tip)" />
      ))}
    </Canvas>
  );
}

function Record({ box, faded, toggle }: { box: RecordBox & Point; faded: boolean; toggle: (id: string) => void }) {
  const width = cellWidth(box);
  const folds = box.folds === true;
  const pick = folds ? { role: "button" as const, tabIndex: 0, onClick: () => toggle(box.id), onKeyDown: (event: KeyboardEvent) => event.key === "Enter" && toggle(box.id) } : {};
  return (
    <g class={`record ${box.kind} ${faded ? "faded" : ""}`} transform={`translate(${box.x} ${box.y})`} {...pick}>
      <title>{folds ? `${box.title}, ${box.perm}: click to ${box.open ? "fold" : "open"}` : `${box.title} ${box.perm}`.trim()}</title>
      <rect width={box.width} height={box.height} rx={box.kind === "predicate" ? 10 : 3} />
      <text x="8" y="15" class="head">
        {heading(box)}
        {folds && (box.open ? " ▾" : " ▸")}
      </text>
      {box.kind === "array"
        ? box.cells.map((cell, index) => (
            <g key={cell.index} transform={`translate(${index * width} ${ROW + 2})`}>
              <text x={width / 2} y="11" class="small" text-anchor="middle">{cell.index}</text>
              <rect class="cell" y="14" width={width} height="22" />
              <text x={width / 2} y="30" text-anchor="middle">{cut(cell.value, 10)}</text>
            </g>
          ))
        : box.rows.map((row, index) => (
            <g key={row.name + index} transform={`translate(0 ${ROW * (index + 1) + 2})`}>
              <line x2={box.width} />
              <text x="8" y="15">
                {row.name} {row.to ? "●" : `= ${cut(row.value, LONGEST)}`}
              </text>
              {row.perm && (
                <text x={box.width - 6} y="15" class={row.perm === "1/1" ? "perm full" : "perm"} text-anchor="end">
                  <title>the amount of permission</title>
                  {amount(row.perm)}
                </text>
              )}
            </g>
          ))}
    </g>
  );
}
