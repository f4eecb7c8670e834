// The graph of what is chosen: members are single boxes until they are opened.

import { useMemo } from "preact/hooks";
import type { Shown } from "./address";
import { Canvas, cut } from "./canvas";
import { curve, layout, type Arrow, type Box } from "./layout";
import { kindOf, role, type GraphNode, type Program } from "./model";

/** More nodes than this are shown as one box for each member, until somebody opens them. */
const MOST_NODES = 60;
const LONGEST = 46;
const CHARACTER = 6.7;

interface GraphBox extends Box {
  lines: string[];
  name: string;
  node?: GraphNode;
  member?: string;
  title: string;
}

interface GraphArrow extends Arrow {
  via: string;
  count: number;
}

interface Props {
  program: Program;
  shown: Shown;
  change: (part: Partial<Shown>) => void;
}

/** The nodes that the graph is about, and whether something was chosen. */
export function subject(program: Program, shown: Shown): Set<number> {
  const { node, to } = shown;
  if (node !== undefined && program.nodes.has(node)) {
    if (to !== undefined) {
      const way = program.path(node, to) ?? program.path(to, node) ?? [];
      return new Set([node, to, ...way.map((step) => step.id)]);
    }
    const direction = shown.direction ?? (program.isAsserted(node) ? "needs" : "supports");
    const reached = program.reach(node, direction, shown.depth === 0 ? Infinity : shown.depth);
    return new Set([node, ...reached.keys()]);
  }
  const nodes = [...program.nodes.values()];
  const chosen = shown.member ? nodes.filter((node) => node.member === shown.member) : nodes;
  return new Set(chosen.map((node) => node.id));
}

export function drawn(program: Program, shown: Shown) {
  const wanted = subject(program, shown);
  const opened = new Set((shown.open ?? "").split(",").filter(Boolean));
  const all = opened.has("*");
  const chosen = shown.node === undefined ? undefined : program.nodes.get(shown.node);
  const isSmall = wanted.size <= MOST_NODES && !opened.has("-");
  const isOpen = (member: string) => all || isSmall || opened.has(member) || member === chosen?.member || (!chosen && member === shown.member);
  const boxOf = (id: number): string => {
    const node = program.nodes.get(id) as GraphNode;
    return isOpen(node.member) ? `n${id}` : `m${node.member}`;
  };
  const boxes = new Map<string, GraphBox>();
  const counts = new Map<string, number>();
  for (const id of wanted) {
    const node = program.nodes.get(id) as GraphNode;
    const key = boxOf(id);
    counts.set(key, (counts.get(key) ?? 0) + 1);
    if (key.startsWith("n")) {
      const lines = [cut(node.text, LONGEST), cut(`line ${node.position.line}, ${kindOf(node)}`, LONGEST)];
      const name = id === shown.node ? "chosen" : id === shown.to ? "target" : node.assertion && !node.assumption ? "asserted" : role(node);
      boxes.set(key, { id: key, ...size(lines), lines, name, node, title: `${node.text}\n${kindOf(node)}, line ${node.position.line}` });
    }
  }
  for (const [key, count] of counts) {
    if (key.startsWith("m")) {
      const member = key.slice(1);
      const lines = [cut(member, LONGEST), count === 1 ? "1 node" : `${count} nodes`];
      boxes.set(key, { id: key, ...size(lines), lines, name: "member", member, title: `${member}: click to open` });
    }
  }
  const arrows = new Map<string, GraphArrow>();
  const keys = new Map([...wanted].map((id) => [id, boxOf(id)]));
  for (const [of, from] of keys) {
    for (const [on, via] of program.needs.get(of) ?? []) {
      const to = keys.get(on);
      if (to === undefined || from === to) {
        continue;
      }
      const key = `${from}\n${to}`;
      const known = arrows.get(key);
      if (known) {
        known.count += 1;
      } else {
        arrows.set(key, { from, to, via, count: 1 });
      }
    }
  }
  const lines = [...arrows.values()];
  const kept = opened.has("all-edges") ? lines : reduced(lines);
  const placed = (direction: "LR" | "TB") => layout([...boxes.values()], kept, direction);
  // Whichever direction leaves the text larger.
  const room = shown.wide ? { width: 760, height: 600 } : { width: 460, height: 600 };
  const scale = (found: { width: number; height: number }) => Math.min(1, room.width / found.width, room.height / found.height);
  const across = placed("LR");
  const down = boxes.size <= 2 * MOST_NODES && scale(across) < 0.9 ? placed("TB") : across;
  return { ...(scale(down) > scale(across) ? down : across), nodes: wanted.size, implied: lines.length - kept.length };
}

/** Larger graphs are not reduced: that would take too long. */
const MOST_EDGES = 4000;

/** Without edges that others imply: what can be reached stays the same, and the drawing can be read. */
export function reduced<A extends Arrow>(arrows: A[]): A[] {
  const out = new Map<string, Set<string>>();
  for (const { from, to } of arrows) {
    out.set(from, (out.get(from) ?? new Set()).add(to));
  }
  if (arrows.length > MOST_EDGES) {
    return arrows;
  }
  const isImplied = ({ from, to }: A) => {
    const seen = new Set([from]);
    const stack = [from];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      for (const next of out.get(at) ?? []) {
        if (next === to && at !== from) {
          return true;
        }
        if (!seen.has(next) && next !== to) {
          seen.add(next);
          stack.push(next);
        }
      }
    }
    return false;
  };
  return arrows.filter((arrow) => {
    const implied = isImplied(arrow);
    if (implied) {
      out.get(arrow.from)?.delete(arrow.to);
    }
    return !implied;
  });
}

function size(lines: string[]): { width: number; height: number } {
  return { width: Math.max(...lines.map((line) => line.length)) * CHARACTER + 20, height: 44 };
}

export function GraphPanel({ program, shown, change }: Props) {
  const key = [shown.node, shown.to, shown.direction, shown.depth, shown.member, shown.open].join("|");
  const placed = useMemo(() => drawn(program, shown), [program, key]);
  if (placed.boxes.length === 0) {
    return <p class="empty">There is no graph: the program was not verified, or nothing in it is proved.</p>;
  }
  const opened = new Set((shown.open ?? "").split(",").filter(Boolean));
  const members = new Set([...program.nodes.values()].map((node) => node.member));
  const tools = (
    <>
      <span class="count" role="status">
        {placed.nodes} nodes, {placed.boxes.length} boxes
        {placed.implied > 0 && `, ${placed.implied} implied edges left out`}
      </span>
      {(placed.implied > 0 || opened.has("all-edges")) && (
        <button
          type="button"
          aria-pressed={opened.has("all-edges")}
          onClick={() => change({ open: [...opened].filter((word) => word !== "all-edges").concat(opened.has("all-edges") ? [] : ["all-edges"]).join(",") })}
        >
          all edges
        </button>
      )}
      {members.size > 1 && (
        <button type="button" title="one box for each member" onClick={() => change({ open: "-" })}>
          collapse
        </button>
      )}
      {placed.boxes.some((box) => box.member !== undefined) && (
        <button type="button" title="every node on its own" onClick={() => change({ open: "*" })}>
          open all
        </button>
      )}
      {(shown.node !== undefined || shown.member) && (
        <button type="button" onClick={() => change({ node: undefined, to: undefined, member: undefined, open: undefined })}>
          whole program
        </button>
      )}
    </>
  );
  const pick = (box: GraphBox) => {
    if (box.node) {
      change({ node: box.node.id, to: undefined, direction: undefined, line: box.node.position.line });
    } else {
      const opened = (shown.open ?? "").split(",").filter((member) => member && member !== "-");
      change({ open: [...opened, box.member as string].join(",") });
    }
  };
  return (
    <Canvas width={placed.width} height={placed.height} label="dependency graph" tools={tools} name="dependencies">
      {placed.arrows.map((arrow) => (
        <path key={`${arrow.from} ${arrow.to}`} class={`edge ${arrow.via}`} d={curve(arrow.points)} marker-end="url(#tip)">
          <title>{arrow.count > 1 ? `${arrow.count} dependencies` : `needed for: ${arrow.via}`}</title>
        </path>
      ))}
      {placed.boxes.map((box) => (
        <g
          key={box.id}
          class={`box ${box.name}`}
          transform={`translate(${box.x} ${box.y})`}
          role="button"
          tabIndex={0}
          onClick={() => pick(box)}
          onKeyDown={(event) => {
            if (event.key === "Enter" || event.key === " ") {
              event.preventDefault();
              pick(box);
            }
          }}
        >
          <title>{box.title}</title>
          <rect width={box.width} height={box.height} rx={box.member === undefined ? 4 : 14} />
          <text x="10" y="18">{box.lines[0]}</text>
          <text x="10" y="35" class="small">{box.lines[1]}</text>
        </g>
      ))}
    </Canvas>
  );
}
