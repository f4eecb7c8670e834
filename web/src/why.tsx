// What the proof of an assertion needs, what rests on an assumption, and what follows from that.

import { useState } from "preact/hooks";
import type { Shown } from "./address";
import { cut } from "./canvas";
import { STATES, kindOf, role, type GraphNode, type Program } from "./model";

interface Props {
  program: Program;
  shown: Shown;
  change: (part: Partial<Shown>) => void;
  /** Asks the server for the pruned program; a report has none. */
  prune?: (node: GraphNode) => void;
  pruned?: { node: number; text: string; verdict: string } | null;
}

const GROUPS: [ReturnType<typeof role>, string][] = [
  ["needed", "Needed"],
  ["trusted", "Trusted: assumed without proof"],
  ["trigger", "Trigger only"],
];

export function directionOf(program: Program, shown: Shown): "needs" | "supports" {
  return shown.direction ?? (shown.node !== undefined && program.isAsserted(shown.node) ? "needs" : "supports");
}

export function WhyPanel(props: Props) {
  const { program, shown } = props;
  const node = shown.node === undefined ? undefined : program.nodes.get(shown.node);
  return node ? <Chosen {...props} node={node} /> : <Goals {...props} />;
}

/** All assertions, to choose from. */
function Goals({ program, shown, change }: Props) {
  const [filter, setFilter] = useState("");
  const all = [...program.nodes.values()].filter((node) => program.isAsserted(node.id) && (!shown.member || node.member === shown.member));
  const matches = (node: GraphNode) => `${node.text} ${node.member} ${node.position.line}`.toLowerCase().includes(filter.toLowerCase());
  const found = all.filter(matches).sort((a, b) => a.position.line - b.position.line || a.position.column - b.position.column);
  if (program.nodes.size === 0) {
    return <p class="empty">No proofs are known. Nothing is explained in programs that cannot be read.</p>;
  }
  return (
    <div>
      <p>
        Click something in the source that is asserted to see what its proof needs, or something that is assumed to see what
        rests on it. A second click with Shift shows the path between the two.
      </p>
      <label class="field">
        Assertions{shown.member ? ` of ${shown.member}` : ""}
        <input type="search" value={filter} placeholder="filter" onInput={(event) => setFilter(event.currentTarget.value)} />
      </label>
      <NodeList nodes={found.slice(0, 300)} program={program} change={change} />
      {found.length > 300 && <p class="empty">and {found.length - 300} more: filter to see them</p>}
      <Legend />
    </div>
  );
}

export function Legend() {
  return (
    <dl class="legend">
      {Object.entries(STATES).map(([state, [mark, name, why]]) => (
        <div key={state}>
          <dt class={`margin ${state}`}>{mark}</dt>
          <dd>
            <b>{name}</b>: {why}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function NodeList({ nodes, program, change, via }: { nodes: GraphNode[]; program: Program; change: Props["change"]; via?: (node: GraphNode) => string }) {
  return (
    <ul class="list nodes">
      {nodes.map((node) => (
        <li key={node.id}>
          <button type="button" class={`node ${role(node)}`} title={node.text} onClick={() => change({ node: node.id, to: undefined, direction: undefined, mode: undefined, line: node.position.line })}>
            <b class="where">{node.position.file === program.main ? node.position.line : `${node.position.file}:${node.position.line}`}</b>{" "}
            <code>{cut(node.text, 90)}</code>
            <small>
              {kindOf(node)}
              {via && ` · ${via(node)}`}
            </small>
          </button>
        </li>
      ))}
    </ul>
  );
}

function Chosen({ program, shown, change, node, prune, pruned }: Props & { node: GraphNode }) {
  const direction = directionOf(program, shown);
  const everything = program.reach(node.id, direction);
  const deepest = Math.max(1, ...[...everything.values()].map((found) => found.distance));
  const depth = shown.depth === 0 ? deepest : Math.min(shown.depth, deepest);
  const found = program.answers(node.id, direction, shown.depth === 0 ? Infinity : depth);
  const nodes = [...found.keys()].map((id) => program.nodes.get(id) as GraphNode);
  nodes.sort((a, b) => a.position.line - b.position.line || a.id - b.id);
  const via = (other: GraphNode) => {
    const { distance, via } = found.get(other.id) as { distance: number; via: string };
    return distance === 1 ? `directly, ${via}` : `${distance} steps, ${via}`;
  };
  const both = program.isAsserted(node.id) && program.uses.has(node.id);
  return (
    <div class="why">
      <div class="chosen-node">
        <code>{node.text}</code>
        <small>
          line {node.position.line}, {kindOf(node)}
          {node.state && `, ${STATES[node.state][1]}`}
        </small>
      </div>
      <div class="buttons">
        {both && (
          <button type="button" onClick={() => change({ direction: direction === "needs" ? "supports" : "needs", mode: undefined })}>
            {direction === "needs" ? "what rests on it" : "what its proof needs"}
          </button>
        )}
        <button type="button" aria-pressed={shown.mode === "impact"} onClick={() => change({ mode: shown.mode === "impact" ? undefined : "impact" })}>
          what breaks without it?
        </button>
        {program.isAsserted(node.id) && (
          <button
            type="button"
            aria-pressed={shown.mode === "prune"}
            onClick={() => {
              const on = shown.mode !== "prune";
              change({ mode: on ? "prune" : undefined, wide: on ? true : shown.wide });
              if (on) {
                prune?.(node);
              }
            }}
          >
            show only this proof
          </button>
        )}
        <button type="button" onClick={() => change({ panel: "graph" })}>
          graph
        </button>
        <button type="button" title="Escape" onClick={() => change({ node: undefined, to: undefined, mode: undefined })}>
          clear
        </button>
      </div>
      {shown.mode === "impact" ? (
        <Impact program={program} node={node} change={change} />
      ) : shown.mode === "prune" ? (
        <Pruned program={program} node={node} pruned={pruned?.node === node.id ? pruned : null} waiting={prune !== undefined} />
      ) : shown.to !== undefined ? (
        <Path program={program} from={node.id} to={shown.to} change={change} />
      ) : (
        <>
          <label class="field">
            {direction === "needs" ? "Its proof needs" : "Resting on it"}
            <span class="slider">
              direct
              <input
                type="range"
                min={1}
                max={deepest}
                value={depth}
                disabled={deepest === 1}
                aria-label="number of steps"
                aria-valuetext={depth === deepest ? "all" : `${depth} steps`}
                onInput={(event) => {
                  const value = Number(event.currentTarget.value);
                  change({ depth: value >= deepest ? 0 : value });
                }}
              />
              all
            </span>
          </label>
          {node.coarse && <p class="note-line">This may be more than is needed: {node.coarse}.</p>}
          <p role="status">{nodes.length === 0 ? (direction === "needs" ? "Nothing: it holds by itself." : "Nothing rests on it.") : `${nodes.length} ${nodes.length === 1 ? "node" : "nodes"}`}</p>
          {direction === "needs"
            ? GROUPS.map(([kind, title]) => {
                const group = nodes.filter((node) => role(node) === kind);
                return (
                  group.length > 0 && (
                    <section key={kind}>
                      <h4 class={kind}>{title}</h4>
                      <NodeList nodes={group} program={program} change={change} via={via} />
                    </section>
                  )
                );
              })
            : <NodeList nodes={nodes} program={program} change={change} via={via} />}
        </>
      )}
    </div>
  );
}

function Path({ program, from, to, change }: { program: Program; from: number; to: number; change: Props["change"] }) {
  const way = program.path(from, to) ?? program.path(to, from);
  if (!way) {
    return <p role="status">Neither depends on the other.</p>;
  }
  return (
    <>
      <h4>Shortest path</h4>
      <ol class="path">
        {way.map(({ id, via }) => {
          const node = program.nodes.get(id) as GraphNode;
          return (
            <li key={id}>
              {via && <span class="via">needs, for its {via}:</span>}
              <button type="button" class={`node ${role(node)}`} onClick={() => change({ node: id, to: undefined, line: node.position.line })}>
                <b class="where">{node.position.line}</b> <code>{cut(node.text, 90)}</code>
                <small>{kindOf(node)}</small>
              </button>
            </li>
          );
        })}
      </ol>
    </>
  );
}

function Impact({ program, node, change }: { program: Program; node: GraphNode; change: Props["change"] }) {
  const fallen = [...program.answers(node.id, "supports").keys()].map((id) => program.nodes.get(id) as GraphNode);
  const members = new Map<string, GraphNode[]>();
  for (const found of fallen) {
    members.set(found.member, [...(members.get(found.member) ?? []), found]);
  }
  return (
    <>
      <p role="status">
        {fallen.length === 0
          ? "Nothing: no proof needs it."
          : `Without it, ${fallen.length} ${fallen.length === 1 ? "assertion loses its proof" : "assertions lose their proofs"}, in ${members.size} ${members.size === 1 ? "member" : "members"}.`}
      </p>
      {[...members].map(([member, found]) => (
        <section key={member}>
          <h4>
            {member} ({found.length})
          </h4>
          <NodeList nodes={found.sort((a, b) => a.position.line - b.position.line)} program={program} change={change} />
        </section>
      ))}
    </>
  );
}

/** Whether a line opens or closes a block, or both in turn as `} else {` does. */
function unbalanced(text: string): boolean {
  const braces = text.replace(/\/\/.*/, "").replace(/[^{}]/g, "");
  return braces.replaceAll("{}", "") !== "";
}

/** The lines that stay where only one proof is wanted. */
export function keptLines(program: Program, node: GraphNode): Set<number> {
  const keep = new Set([node.id, ...program.reach(node.id, "needs").keys()]);
  const lines = program.text.split("\n");
  const owned = new Map<number, boolean>();
  const members = new Set<string>();
  for (const other of program.nodes.values()) {
    if (other.position.file !== program.main) {
      continue;
    }
    const stays = keep.has(other.id);
    if (stays) {
      members.add(other.member);
    }
    for (let line = other.position.line; line <= other.position.end_line; line += 1) {
      owned.set(line, (owned.get(line) ?? false) || stays);
    }
  }
  const kept = new Set<number>();
  let block: number[] = [];
  let isKept = true;
  const flush = () => {
    if (isKept) {
      block.forEach((line) => kept.add(line));
    }
    block = [];
    isKept = false;
  };
  lines.forEach((text, index) => {
    const line = index + 1;
    if (/^\s*(?:abstract\s+)?(?:method|function|predicate|domain|field|adt|define|import|procedure|const|type|axiom|var)\b/.test(text) && !/^\s+(?:function|axiom|var)\b/.test(text)) {
      flush();
      isKept = /^\s*(?:field|adt|define|import|domain|const|type)\b/.test(text) || [...members].some((member) => new RegExp(`\\b${member.replace(/[^\w]/g, "\\$&")}\\b`).test(text));
    }
    isKept ||= owned.get(line) === true;
    // Lines with braces stay, so that what is inside of them stays there.
    if ((owned.get(line) !== false || unbalanced(text)) && text.trim() !== "") {
      block.push(line);
    }
  });
  flush();
  return kept;
}

function Pruned({ program, node, pruned, waiting }: { program: Program; node: GraphNode; pruned: Props["pruned"]; waiting: boolean }) {
  if (pruned) {
    return (
      <>
        <p role="status">
          The pruned program: <span class={`badge ${pruned.verdict}`}>{pruned.verdict}</span>
        </p>
        <pre class="pruned">{pruned.text}</pre>
      </>
    );
  }
  const lines = program.text.split("\n");
  const kept = [...keptLines(program, node)].sort((a, b) => a - b);
  return (
    <>
      <p role="status">
        {kept.length} of {lines.length} lines.{" "}
        {waiting ? "The program is being pruned and verified…" : (
          <>
            These lines are an outline; <code>echis deps prune {program.data.path} --keep {node.position.line}</code> writes the
            program and verifies it.
          </>
        )}
      </p>
      <pre class="pruned">
        {kept.map((line) => (
          <div key={line}>
            <span class="number">{line}</span>
            {lines[line - 1]}
          </div>
        ))}
      </pre>
    </>
  );
}
