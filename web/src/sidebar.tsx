// The members of a program with their verdicts; and all programs, where there are several.

import { useState } from "preact/hooks";
import type { Shown } from "./address";
import type { Member, Program } from "./model";

const ICONS: Record<string, [string, string]> = {
  verified: ["✓", "verified"],
  failed: ["✗", "failed"],
  undecided: ["?", "undecided"],
  invalid: ["✗", "invalid"],
  error: ["!", "error"],
};

export function Verdict({ verdict }: { verdict: string | undefined }) {
  const [mark, name] = ICONS[verdict ?? ""] ?? ["·", verdict || "not verified"];
  return (
    <span class={`verdict ${verdict ?? ""}`} title={name} role="img" aria-label={name}>
      {mark}
    </span>
  );
}

export function time(ms: number | undefined): string {
  return ms === undefined ? "" : ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

type Order = "source" | "name" | "time" | "coverage" | "verdict";

interface Props {
  program: Program;
  shown: Shown;
  change: (part: Partial<Shown>) => void;
}

const share = (member: Member) => (member.total ? (member.covered ?? 0) / member.total : 1);
const WORST = ["error", "invalid", "failed", "undecided", "verified"];

export function Members({ program, shown, change }: Props) {
  const [filter, setFilter] = useState("");
  const [order, setOrder] = useState<Order>("source");
  const compare: Record<Order, (a: Member, b: Member) => number> = {
    source: () => 0,
    name: (a, b) => a.name.localeCompare(b.name),
    time: (a, b) => (b.time_ms ?? 0) - (a.time_ms ?? 0),
    coverage: (a, b) => share(a) - share(b),
    verdict: (a, b) => WORST.indexOf(a.verdict ?? "") - WORST.indexOf(b.verdict ?? ""),
  };
  const wanted = filter.toLowerCase();
  const members = program.data.members.filter((member) => `${member.name} ${member.kind} ${member.verdict}`.toLowerCase().includes(wanted));
  members.sort(compare[order]);
  return (
    <section aria-label="members">
      <div class="sort">
        <input type="search" value={filter} placeholder="filter members" aria-label="filter members" onInput={(event) => setFilter(event.currentTarget.value)} />
        <select value={order} aria-label="sort members" onChange={(event) => setOrder(event.currentTarget.value as Order)}>
          <option value="source">by line</option>
          <option value="name">by name</option>
          <option value="time">by time</option>
          <option value="coverage">by coverage</option>
          <option value="verdict">by verdict</option>
        </select>
      </div>
      <ul class="list members">
        {members.map((member) => (
          <li key={`${member.kind} ${member.name}`}>
            <button
              type="button"
              aria-pressed={shown.member === member.name}
              onClick={() =>
                change(shown.member === member.name ? { member: undefined } : { member: member.name, node: undefined, to: undefined, line: program.declaration(member.name) })
              }
            >
              <Verdict verdict={member.verdict} />
              <span class="name">{member.name}</span>
              <small>{member.kind}</small>
              <small class="time">{time(member.time_ms)}</small>
              {member.total ? (
                <span class="share" title={`${member.covered} of ${member.total} covered`}>
                  <span style={{ width: `${100 * share(member)}%` }} />
                </span>
              ) : null}
            </button>
          </li>
        ))}
      </ul>
      {members.length === 0 && <p class="empty">no member</p>}
    </section>
  );
}

type Column = "path" | "verdict" | "members" | "errors" | "warnings" | "coverage" | "time";

/** All programs, with totals. */
export function Overview({ programs, open }: { programs: Program[]; open: (file: number) => void }) {
  const [by, setBy] = useState<[Column, number]>(["path", 1]);
  const [filter, setFilter] = useState("");
  const value: Record<Column, (program: Program) => number | string> = {
    path: ({ data }) => data.path,
    verdict: ({ data }) => WORST.indexOf(data.verdict),
    members: ({ data }) => data.members.length,
    errors: ({ data }) => data.errors.length,
    warnings: ({ data }) => data.warnings.length,
    coverage: ({ data }) => data.coverage?.percent ?? 101,
    time: ({ data }) => data.time_ms,
  };
  const rows = programs.map((program, index) => ({ program, index })).filter(({ program }) => program.data.path.toLowerCase().includes(filter.toLowerCase()));
  rows.sort((a, b) => {
    const [x, y] = [value[by[0]](a.program), value[by[0]](b.program)];
    return by[1] * (typeof x === "number" ? x - (y as number) : x.localeCompare(y as string));
  });
  const sum = (of: (program: Program) => number) => programs.reduce((total, program) => total + of(program), 0);
  const [covered, total] = [sum(({ data }) => data.coverage?.covered ?? 0), sum(({ data }) => data.coverage?.total ?? 0)];
  const verified = programs.filter(({ data }) => data.verdict === "verified").length;
  const others = WORST.filter((verdict) => verdict !== "verified").flatMap((verdict) => {
    const count = programs.filter(({ data }) => data.verdict === verdict).length;
    return count === 0 ? [] : [`${count} ${ICONS[verdict]?.[1] ?? verdict}`];
  });
  const columns: [Column, string][] = [
    ["verdict", "verdict"],
    ["path", "program"],
    ["members", "members"],
    ["errors", "errors"],
    ["warnings", "warnings"],
    ["coverage", "covered"],
    ["time", "time"],
  ];
  return (
    <main class="overview">
      <h2>
        {verified} of {programs.length} programs verified
        {others.map((words) => `, ${words}`)}
      </h2>
      <p>
        {sum(({ data }) => data.members.length)} members, {sum(({ data }) => data.errors.length)} errors, {sum(({ data }) => data.warnings.length)} warnings,{" "}
        {total === 0 ? "no coverage" : `${((100 * covered) / total).toFixed(1)} % covered (${covered} of ${total})`}, {time(sum(({ data }) => data.time_ms))}.
      </p>
      <input type="search" value={filter} placeholder="filter programs" aria-label="filter programs" onInput={(event) => setFilter(event.currentTarget.value)} />
      <table>
        <thead>
          <tr>
            {columns.map(([column, title]) => (
              <th key={column} scope="col" aria-sort={by[0] === column ? (by[1] > 0 ? "ascending" : "descending") : "none"}>
                <button type="button" class="link" onClick={() => setBy([column, by[0] === column ? -by[1] : 1])}>
                  {title}
                  {by[0] === column && (by[1] > 0 ? " ▴" : " ▾")}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ program: { data }, index }) => (
            <tr key={index}>
              <td>
                <Verdict verdict={data.verdict} />
              </td>
              <td>
                <a
                  href={`#file=${index}`}
                  onClick={(event) => {
                    event.preventDefault();
                    open(index);
                  }}
                >
                  {data.path}
                </a>
              </td>
              <td class="number">{data.members.length}</td>
              <td class="number">{data.errors.length}</td>
              <td class="number">{data.warnings.length}</td>
              <td class="number">
                {data.coverage ? `${data.coverage.percent.toFixed(1)} %` : "–"}
                {data.coverage && (
                  <span class="share">
                    <span style={{ width: `${data.coverage.percent}%` }} />
                  </span>
                )}
              </td>
              <td class="number">{time(data.time_ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </main>
  );
}
