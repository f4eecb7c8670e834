// Two versions of a program: what changed in verdicts, coverage and dependencies.

import { useState } from "preact/hooks";
import type { Shown } from "./address";
import { cut } from "./canvas";
import { Program, kindOf, type GraphNode, type Report } from "./model";

interface Props {
  program: Program;
  others: Program[];
  /** The version that was there when a live session began, or that somebody kept. */
  kept?: Program;
  keep?: () => void;
  shown: Shown;
  change: (part: Partial<Shown>) => void;
}

export interface Difference {
  members: { name: string; before: string; after: string; coverage: string }[];
  added: GraphNode[];
  removed: GraphNode[];
  changed: { node: GraphNode; gained: GraphNode[]; lost: GraphNode[]; verdict: string }[];
}

/** Nodes are the same if they say the same in the same member; of equal ones the first matches the first. */
function keys(program: Program): Map<string, GraphNode> {
  const found = new Map<string, GraphNode>();
  const nodes = [...program.nodes.values()].sort((a, b) => a.position.line - b.position.line || a.position.column - b.position.column);
  for (const node of nodes) {
    const base = `${node.member}\n${node.construct}\n${node.text.replace(/\s+/g, " ")}`;
    let key = base;
    for (let number = 2; found.has(key); number += 1) {
      key = `${base}\n${number}`;
    }
    found.set(key, node);
  }
  return found;
}

export function difference(before: Program, after: Program): Difference {
  const [old, now] = [keys(before), keys(after)];
  const share = (program: Program, name: string) => {
    const member = program.data.members.find((member) => member.name === name);
    return member?.total ? Math.round((100 * (member.covered ?? 0)) / member.total) : undefined;
  };
  const names = new Set([...before.data.members, ...after.data.members].map((member) => member.name));
  const members = [...names].flatMap((name) => {
    const verdict = (program: Program) => program.data.members.find((member) => member.name === name)?.verdict ?? "–";
    const [was, is] = [share(before, name), share(after, name)];
    const coverage = was === is ? "" : `${was ?? "–"} % → ${is ?? "–"} %`;
    const row = { name, before: verdict(before), after: verdict(after), coverage };
    return row.before !== row.after || coverage ? [row] : [];
  });
  const keyOf = (map: Map<string, GraphNode>) => new Map([...map].map(([key, node]) => [node.id, key]));
  const [oldKeys, newKeys] = [keyOf(old), keyOf(now)];
  const needs = (program: Program, known: Map<number, string>, id: number) =>
    new Set([...program.answers(id, "needs").keys()].map((id) => known.get(id) as string));
  const changed: Difference["changed"] = [];
  for (const [key, node] of now) {
    const was = old.get(key);
    if (!was || (!after.isAsserted(node.id) && !before.isAsserted(was.id))) {
      continue;
    }
    const [needed, needs_] = [needs(before, oldKeys, was.id), needs(after, newKeys, node.id)];
    const gained = [...needs_].filter((key) => !needed.has(key)).map((key) => now.get(key) as GraphNode);
    const lost = [...needed].filter((key) => !needs_.has(key)).map((key) => old.get(key) as GraphNode);
    const failed = (found: GraphNode) => (found.state === "failed" ? "not proved" : "proved");
    const verdict = failed(was) === failed(node) ? "" : `${failed(was)} → ${failed(node)}`;
    if (gained.length + lost.length > 0 || verdict) {
      changed.push({ node, gained, lost, verdict });
    }
  }
  return {
    members,
    changed,
    added: [...now].filter(([key]) => !old.has(key)).map(([, node]) => node),
    removed: [...old].filter(([key]) => !now.has(key)).map(([, node]) => node),
  };
}

/** The document in a report or in a file of data. */
export function read(text: string): Report {
  const found = /<script type="application\/json" id="data">([\s\S]*?)<\/script>/.exec(text);
  const report = JSON.parse(found ? (found[1] as string) : text) as Report;
  if (!Array.isArray(report.files)) {
    throw new Error("this is not a report");
  }
  return report;
}

export function ComparePanel({ program, others, kept, keep, shown, change }: Props) {
  const [loaded, setLoaded] = useState<Program | null>(null);
  const [problem, setProblem] = useState("");
  const other = loaded ?? (shown.other === undefined ? kept : others[shown.other]);
  const load = async (file: File | undefined) => {
    try {
      const report = read((await file?.text()) ?? "");
      const same = report.files.find((found) => found.path === program.data.path) ?? report.files[0];
      setLoaded(same ? new Program(same) : null);
      setProblem("");
    } catch (error) {
      setProblem(`${file?.name ?? "the file"} cannot be read: ${String(error)}`);
    }
  };
  return (
    <div class="compare">
      <p>Choose an earlier version: what changed since then is shown here.</p>
      {others.length > 1 && (
        <label class="field">
          Program
          <select value={String(shown.other ?? "")} onChange={(event) => change({ other: event.currentTarget.value === "" ? undefined : Number(event.currentTarget.value) })}>
            <option value="">–</option>
            {others.map((found, index) => (
              <option key={index} value={index}>
                {found.data.path}
              </option>
            ))}
          </select>
        </label>
      )}
      {keep && (
        <button type="button" onClick={keep}>
          compare with the version of now
        </button>
      )}
      <label class="field">
        Report
        <input type="file" accept=".html,.json" onChange={(event) => void load(event.currentTarget.files?.[0])} />
      </label>
      {problem && <p role="alert">{problem}</p>}
      {other && other !== program && <Differences found={difference(other, program)} old={other} change={change} />}
    </div>
  );
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

function Differences({ found, old, change }: { found: Difference; old: Program; change: Props["change"] }) {
  const { members, added, removed, changed } = found;
  if (members.length + added.length + removed.length + changed.length === 0) {
    return <p role="status">Nothing changed: not a verdict, not the coverage, not a dependency.</p>;
  }
  const line = (node: GraphNode, mark: string) => (
    <li key={`${mark} ${node.id}`} class={mark === "+" ? "plus" : "minus"}>
      {mark} <b class="where">{node.position.line}</b> <code>{cut(node.text, 80)}</code>{" "}
      <small>
        {kindOf(node)}
      </small>
    </li>
  );
  return (
    <>
      <p role="status">
        Since {old.data.path}: {count(members.length, "member")} and {count(changed.length, "assertion")} changed, {count(added.length, "node")} added, {removed.length} removed.
      </p>
      {members.length > 0 && (
        <table class="store">
          <caption>Members</caption>
          <tbody>
            {members.map((row) => (
              <tr key={row.name}>
                <th scope="row">{row.name}</th>
                <td>{row.before === row.after ? row.after : `${row.before} → ${row.after}`}</td>
                <td>{row.coverage}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {changed.length > 0 && <h4>Dependencies</h4>}
      {changed.map(({ node, gained, lost, verdict }) => (
        <section key={node.id}>
          <button type="button" class="node" onClick={() => change({ node: node.id, panel: "why", line: node.position.line })}>
            <b class="where">{node.position.line}</b> <code>{cut(node.text, 80)}</code> <small>{verdict}</small>
          </button>
          <ul class="list diff">
            {gained.map((found) => line(found, "+"))}
            {lost.map((found) => line(found, "−"))}
          </ul>
        </section>
      ))}
      {added.length + removed.length > 0 && <h4>Nodes</h4>}
      <ul class="list diff">
        {added.map((found) => line(found, "+"))}
        {removed.map((found) => line(found, "−"))}
      </ul>
    </>
  );
}
