// The document that `echis report --data` writes (schemas/report.schema.json), and questions to its graph.

export interface Position {
  file: string;
  line: number;
  column: number;
  end_line: number;
  end_column: number;
}

export interface GraphNode {
  id: number;
  position: Position;
  text: string;
  member: string;
  construct: string;
  assumption: string | null;
  assertion: string | null;
  state: State | null;
  goal: boolean;
  coarse?: string;
}

export type State = "covered" | "partly" | "trusted" | "uncovered" | "trigger" | "vacuous" | "dead" | "failed";

export interface Member {
  name: string;
  kind?: string;
  verdict?: string;
  time_ms?: number;
  checks?: number;
  covered?: number;
  total?: number;
}

export interface Condition {
  text: string;
  position: Position;
}

export interface Value {
  value: string;
  length?: number | string;
  elements?: { index?: number | string; key?: string; value: string }[];
}

export type HeapItem =
  | ({ kind: "field"; receiver: string; field: string; type: string; perm: string } & Value)
  | { kind: "predicate"; name: string; args: string[]; perm: string; contents: HeapItem[] }
  | { kind: "wand"; left: string; right: string; perm: string };

export interface Heap {
  state: string;
  entries: HeapItem[];
  more_possible: boolean;
}

export type TraceStep =
  | { kind: "branch"; text: string; position: Position }
  | ({ kind: "assignment"; target: string; text: string; position: Position; heap?: number } & Value)
  | ({ kind: "loop"; target: string; position: Position } & Value);

export type Variable = { name: string; type: string; irrelevant?: boolean } & Value;

export interface Counterexample {
  status: string;
  why: string | null;
  store: Variable[];
  heaps: Heap[];
  functions: { name: string; cases: { heap?: string; args: string[]; value: string }[] }[];
  trace?: TraceStep[];
  /** What is held after steps of the trace, which name them by their positions here. */
  step_heaps?: Heap[];
  path: Condition[];
}

export interface Message {
  id: string;
  message: string;
  member: string | null;
  position: Position | null;
  related: { message: string; position: Position }[];
  fix: { message: string } | null;
}

export interface Failure extends Message {
  branch_conditions: Condition[];
  paths: Condition[][];
  undecided: boolean;
  cascade: boolean;
  note: string | null;
  counterexample: Counterexample | null;
  no_counterexample?: string;
}

/** Texts are named by their index in `texts`. */
export interface StepData {
  depth: number;
  kind: "fact" | "branch" | "dead" | "check";
  text: number;
  line: number;
  site?: number;
  because: number;
  verdict?: string;
  effort?: number;
  count?: number;
}

export type OutlineStep = Omit<StepData, "text" | "because" | "effort" | "count"> & { text: string; because: string; effort: number; count: number };

export interface Profile {
  name: string;
  quantifiers: { name: string; position: Position | null; instances: number; generation: number; cost: number }[];
}

export interface ProgramData {
  path: string;
  verdict: string;
  time_ms: number;
  members: Member[];
  errors: Failure[];
  warnings: Message[];
  stopped: { kind: string; member: string | null; message: string }[];
  profile?: Profile[];
  sources: { path: string; text: string }[];
  coverage: { covered: number; total: number; percent: number } | null;
  nodes: GraphNode[];
  /** Each node of `of` needs directly all of `on`, by the reason. */
  needs: { of: number[]; on: Record<string, number[]> }[];
  unneeded_parts: Position[];
  texts: string[];
  proofs: { member: string; steps: StepData[]; left_out: number }[];
}

export interface Report {
  version: number;
  echis: string;
  command: string;
  files: ProgramData[];
}

/** How something is reached from a chosen node: the number of steps, and why the last of them is needed. */
export interface Reached {
  distance: number;
  via: string;
}

export interface Range {
  from: number;
  to: number;
}

export class Program {
  readonly nodes = new Map<number, GraphNode>();
  readonly needs = new Map<number, [number, string][]>();
  readonly uses = new Map<number, [number, string][]>();
  /** Nodes of the program's own file, by their place in the text. */
  readonly ranges = new Map<number, Range>();
  readonly text: string;
  private readonly lineStarts: number[] = [0];
  private reached = { key: "", found: new Map<number, Reached>() };

  constructor(readonly data: ProgramData) {
    this.text = (data.sources[0]?.text ?? "").replace(/\r\n?/g, "\n");
    for (let at = this.text.indexOf("\n"); at >= 0; at = this.text.indexOf("\n", at + 1)) {
      this.lineStarts.push(at + 1);
    }
    for (const node of data.nodes) {
      this.nodes.set(node.id, node);
      const range = this.range(node.position);
      if (range) {
        this.ranges.set(node.id, range);
      }
    }
    for (const { of, on } of data.needs) {
      const edges = Object.entries(on).flatMap(([via, ids]) => ids.map((id): [number, string] => [id, via]));
      of.forEach((id) => this.needs.set(id, edges));
      for (const [id, via] of edges) {
        for (const from of of) {
          push(this.uses, id, [from, via]);
        }
      }
    }
  }

  /** The outline of a member's proof. */
  steps(proof: { steps: StepData[] }): OutlineStep[] {
    const text = (index: number) => this.data.texts[index] ?? "";
    return proof.steps.map((step) => ({ ...step, text: text(step.text), because: text(step.because), effort: step.effort ?? 0, count: step.count ?? 1 }));
  }

  get main(): string {
    return this.data.sources[0]?.path ?? this.data.path;
  }

  /** None for places in files that are imported. */
  range(position: Position | null): Range | undefined {
    if (!position || position.file !== this.main) {
      return undefined;
    }
    const from = this.offset(position.line, position.column);
    return { from, to: Math.max(from, this.offset(position.end_line, position.end_column)) };
  }

  /** Columns count characters, and offsets count UTF-16 units. */
  offset(line: number, column: number): number {
    const start = this.lineStarts[Math.min(line, this.lineStarts.length) - 1] ?? 0;
    const next = this.lineStarts[line] ?? this.text.length + 1;
    let at = start;
    for (let seen = 1; seen < column && at < next - 1; seen += 1) {
      at += (this.text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    }
    return at;
  }

  /** The smallest node around a place in the text. */
  nodeAt(offset: number): GraphNode | undefined {
    let best: number | undefined;
    let length = Infinity;
    for (const [id, { from, to }] of this.ranges) {
      if (from <= offset && offset <= to && to - from < length) {
        best = id;
        length = to - from;
      }
    }
    return best === undefined ? undefined : this.nodes.get(best);
  }

  isAsserted(id: number): boolean {
    return this.needs.has(id) || this.nodes.get(id)?.assertion != null;
  }

  /** All nodes that a node's proof needs, or that rest on it, within so many steps. */
  reach(from: number, direction: "needs" | "supports", depth = Infinity): Map<number, Reached> {
    const all = this.reachAll(from, direction);
    return depth === Infinity ? all : new Map([...all].filter(([, { distance }]) => distance <= depth));
  }

  /** The views ask several times about what is chosen, so that is kept. */
  private reachAll(from: number, direction: "needs" | "supports"): Map<number, Reached> {
    const key = `${direction} ${from}`;
    if (this.reached.key === key) {
      return this.reached.found;
    }
    const edges = direction === "needs" ? this.needs : this.uses;
    const found = new Map<number, Reached>();
    let frontier = [from];
    for (let distance = 1; frontier.length > 0; distance += 1) {
      const next: number[] = [];
      for (const id of frontier) {
        for (const [other, via] of edges.get(id) ?? []) {
          if (other !== from && !found.has(other)) {
            found.set(other, { distance, via });
            next.push(other);
          }
        }
      }
      frontier = next;
    }
    this.reached = { key, found };
    return found;
  }

  /** Those of what is reached that answer the question: assumptions that are needed, assertions that rest on something. */
  answers(from: number, direction: "needs" | "supports", depth = Infinity): Map<number, Reached> {
    const counts = (node: GraphNode | undefined) =>
      direction === "needs" ? node?.assumption != null : node !== undefined && this.isAsserted(node.id);
    return new Map([...this.reach(from, direction, depth)].filter(([id]) => counts(this.nodes.get(id))));
  }

  /** The shortest way from one node to what it needs: each node with why the one before needs it. */
  path(from: number, to: number): { id: number; via: string | null }[] | undefined {
    const before = new Map<number, [number, string]>();
    const queue = [from];
    for (const id of queue) {
      if (id === to) {
        const way: { id: number; via: string | null }[] = [];
        for (let at = to; at !== from; ) {
          const [previous, via] = before.get(at) as [number, string];
          way.unshift({ id: at, via });
          at = previous;
        }
        return [{ id: from, via: null }, ...way];
      }
      for (const [next, via] of this.needs.get(id) ?? []) {
        if (next !== from && !before.has(next)) {
          before.set(next, [id, via]);
          queue.push(next);
        }
      }
    }
    return undefined;
  }

  /** What becomes of a line in the margin: the state of its nodes that matters most. */
  lineStates(): Map<number, State> {
    const states = new Map<number, State>();
    for (const node of this.nodes.values()) {
      if (!node.state || node.position.file !== this.main) {
        continue;
      }
      const line = node.position.line;
      const known = states.get(line);
      if (known === undefined || rank(node.state) > rank(known)) {
        states.set(line, node.state);
      }
    }
    return states;
  }

  /** Where a member is declared. */
  declaration(name: string): number | undefined {
    const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const found = new RegExp(`\\b(?:method|function|predicate|domain|axiom|procedure|implementation)\\s[^\\n]*?\\b${escaped}(?![\\w$'])`).exec(this.text);
    return found ? this.lineOf(found.index) : undefined;
  }

  lineOf(offset: number): number {
    let low = 0;
    let high = this.lineStarts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.lineStarts[middle] as number) <= offset) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low + 1;
  }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const known = map.get(key);
  if (known) {
    known.push(value);
  } else {
    map.set(key, [value]);
  }
}

/** What a node is, and of which member: "function body of f". */
export const kindOf = (node: GraphNode) => `${node.construct.replaceAll("_", " ")} of ${node.member}`;

/** Mark, name and explanation of every state, from the one that matters least to the one that matters most. */
export const STATES: Record<State, [string, string, string]> = {
  covered: ["✓", "covered", "some proof needs it, or it is asserted and proved"],
  partly: ["◐", "partly covered", "some proof needs it, but not all of its parts"],
  trusted: ["!", "trusted", "assumed without proof, and some proof needs it"],
  uncovered: ["○", "not covered", "no proof needs it"],
  trigger: ["t", "trigger only", "needed only to trigger a quantifier"],
  vacuous: ["∅", "vacuous", "proved from a contradiction"],
  dead: ["×", "never reached", "the assumptions there are contradictory"],
  failed: ["✗", "not proved", "there is an error"],
};

const ORDER = Object.keys(STATES) as State[];

export function rank(state: State): number {
  return ORDER.indexOf(state);
}

/** How a node serves a proof. */
export function role(node: GraphNode): "trusted" | "trigger" | "needed" {
  return node.assumption === "explicit" ? "trusted" : node.state === "trigger" ? "trigger" : "needed";
}
