// Layered drawings of graphs. Everything that is drawn goes through here, so that nothing overlaps anywhere.

import { Graph, layout as dagre } from "@dagrejs/dagre";

export interface Box {
  id: string;
  width: number;
  height: number;
}

export interface Arrow {
  from: string;
  to: string;
}

export interface Point {
  x: number;
  y: number;
}

export interface Placed<B extends Box, A extends Arrow> {
  boxes: (B & Point)[];
  /** Points run from the border of one box to that of the other. */
  arrows: (A & { points: Point[] })[];
  width: number;
  height: number;
}

interface Gaps {
  node: number;
  rank: number;
}

/** Drawings are about this much wider than high, if their parts allow it. */
const ASPECT = 1.6;

/** What no line connects is laid out apart, in rows. */
export function layout<B extends Box, A extends Arrow>(boxes: B[], arrows: A[], direction: "TB" | "LR", gaps: Gaps = { node: 18, rank: 44 }): Placed<B, A> {
  const parts = components(boxes, arrows).map((part) => connected(part.boxes, part.arrows, direction, gaps));
  if (parts.length <= 1) {
    return parts[0] ?? { boxes: [], arrows: [], width: 1, height: 1 };
  }
  const area = parts.reduce((sum, part) => sum + part.width * part.height, 0);
  const widest = Math.max(Math.sqrt(area * ASPECT), ...parts.map((part) => part.width));
  const all: Placed<B, A> = { boxes: [], arrows: [], width: 1, height: 1 };
  const [corner, row] = [{ x: 0, y: 0 }, { height: 0 }];
  for (const part of parts) {
    if (corner.x + part.width > widest + 1) {
      Object.assign(corner, { x: 0, y: corner.y + row.height });
      row.height = 0;
    }
    const moved = <P extends Point>(point: P): P => ({ ...point, x: point.x + corner.x, y: point.y + corner.y });
    all.boxes.push(...part.boxes.map(moved));
    all.arrows.push(...part.arrows.map((arrow) => ({ ...arrow, points: arrow.points.map(moved) })));
    corner.x += part.width;
    row.height = Math.max(row.height, part.height);
    all.width = Math.max(all.width, corner.x);
    all.height = Math.max(all.height, corner.y + part.height);
  }
  return all;
}

/** The connected parts of a graph, the largest first, otherwise in the order of their boxes. */
function components<B extends Box, A extends Arrow>(boxes: B[], arrows: A[]): { boxes: B[]; arrows: A[] }[] {
  const leader = new Map(boxes.map((box) => [box.id, box.id]));
  const find = (id: string): string => {
    let at = id;
    for (let up = leader.get(at) as string; up !== at; up = leader.get(at) as string) {
      leader.set(at, leader.get(up) as string);
      at = up;
    }
    return at;
  };
  for (const { from, to } of arrows) {
    leader.set(find(from), find(to));
  }
  const parts = new Map<string, { boxes: B[]; arrows: A[] }>();
  for (const box of boxes) {
    const part = parts.get(find(box.id)) ?? { boxes: [], arrows: [] };
    part.boxes.push(box);
    parts.set(find(box.id), part);
  }
  for (const arrow of arrows) {
    parts.get(find(arrow.from))?.arrows.push(arrow);
  }
  return [...parts.values()].sort((a, b) => b.boxes.length - a.boxes.length);
}

function connected<B extends Box, A extends Arrow>(boxes: B[], arrows: A[], direction: "TB" | "LR", gaps: Gaps): Placed<B, A> {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: direction, nodesep: gaps.node, ranksep: gaps.rank, edgesep: 8, marginx: 12, marginy: 12, ranker: "tight-tree" });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of boxes) {
    graph.setNode(id, { width, height });
  }
  arrows.forEach((arrow, index) => graph.setEdge(arrow.from, arrow.to, {}, String(index)));
  dagre(graph);
  const size = graph.graph() as { width?: number; height?: number };
  const placed = boxes.map((box) => {
    const { x, y } = graph.node(box.id) as Point;
    return { ...box, x: x - box.width / 2, y: y - box.height / 2 };
  });
  const routes = arrows.map((arrow, index) => (graph.edge({ v: arrow.from, w: arrow.to, name: String(index) }) as { points?: Point[] }).points ?? []);
  const points = routed(placed, arrows, routes, direction);
  return {
    boxes: placed,
    arrows: arrows.map((arrow, index) => ({ ...arrow, points: points[index] as Point[] })),
    width: Math.max(1, size.width ?? 1),
    height: Math.max(1, size.height ?? 1),
  };
}

/** Lines bend only between layers, so that they do not cross boxes that are wider than others of their layer. */
function routed(boxes: (Box & Point)[], arrows: Arrow[], routes: Point[][], direction: "TB" | "LR"): Point[][] {
  // From here on, layers stand beside each other: `x` leads from layer to layer.
  const turn = (point: Point): Point => (direction === "LR" ? point : { x: point.y, y: point.x });
  const turned = new Map(
    boxes.map((box) => {
      const size = direction === "LR" ? { width: box.width, height: box.height } : { width: box.height, height: box.width };
      return [box.id, { ...turn(box), ...size }];
    }),
  );
  const layers = new Map<number, [number, number]>();
  for (const { x, width } of turned.values()) {
    const middle = Math.round(x + width / 2);
    const [left, right] = layers.get(middle) ?? [x, x + width];
    layers.set(middle, [Math.min(left, x), Math.max(right, x + width)]);
  }
  const around = (x: number) => [...layers.values()].find(([left, right]) => left < x && x < right);
  const inner = routes.map((route) => route.slice(1, -1).map(turn));
  // Lines that leave a box, or arrive, on the same side are spread over it.
  const sides = new Map<string, { line: number; y: number }[]>();
  const ends = arrows.map(({ from, to }, line) => {
    const [source, target] = [turned.get(from), turned.get(to)] as [Box & Point, Box & Point];
    const [first, last] = [inner[line]?.[0] ?? target, inner[line]?.at(-1) ?? source];
    const [leaves, arrives] = [first.x > source.x + source.width / 2, last.x < target.x + target.width / 2];
    const keys: [string, string] = [`${from} ${leaves}`, `${to} ${!arrives}`];
    for (const [key, { y }] of [[keys[0], first], [keys[1], last]] as [string, Point][]) {
      sides.set(key, [...(sides.get(key) ?? []), { line, y }]);
    }
    return { source, target, leaves, arrives, keys };
  });
  sides.forEach((side) => side.sort((a, b) => a.y - b.y));
  return arrows.map((_, line) => {
    const { source, target, leaves, arrives, keys } = ends[line] as (typeof ends)[number];
    const port = (box: Box & Point, key: string) => {
      const side = sides.get(key) as { line: number }[];
      return box.y + (box.height * (side.findIndex((found) => found.line === line) + 1)) / (side.length + 1);
    };
    const start = { x: leaves ? source.x + source.width : source.x, y: port(source, keys[0]) };
    const end = { x: arrives ? target.x : target.x + target.width, y: port(target, keys[1]) };
    const border = (box: Box & Point, right: boolean) => {
      const [left, far] = layers.get(Math.round(box.x + box.width / 2)) as [number, number];
      return right ? far + 4 : left - 4;
    };
    const points: Point[] = [start, { x: border(source, leaves), y: start.y }];
    for (const point of inner[line] ?? []) {
      const layer = around(point.x);
      const forward = point.x > (points.at(-1) as Point).x;
      const passed = layer ? [layer[0] - 4, layer[1] + 4] : [point.x];
      points.push(...(forward ? passed : passed.reverse()).map((x) => ({ x, y: point.y })));
    }
    points.push({ x: border(target, !arrives), y: end.y }, end);
    return points.map(turn);
  });
}

/** A smooth line through points. */
export function curve(points: Point[]): string {
  const [first, ...rest] = points;
  if (!first) {
    return "";
  }
  const at = ({ x, y }: Point) => `${round(x)} ${round(y)}`;
  let path = `M${at(first)}`;
  rest.forEach((point, index) => {
    const next = rest[index + 1];
    path += next ? `Q${at(point)} ${at({ x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 })}` : `L${at(point)}`;
  });
  return path;
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
