// One program at a time: members, source and a panel beside it.

import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { PANELS, useAddress, type Panel } from "./address";
import { ComparePanel } from "./compare";
import { FindingsPanel, steps } from "./findings";
import { GraphPanel } from "./graph";
import { Help } from "./help";
import { lightsFor } from "./lights";
import type { GraphNode, Program } from "./model";
import { ProofPanel } from "./proof";
import { Hits } from "./search";
import { Members, Overview, Verdict, time } from "./sidebar";
import { SourceView, uncoveredLines, type Listener } from "./source";
import { WhyPanel, directionOf } from "./why";

export interface Live {
  listener: Omit<Listener, "chosen">;
  status: string;
  /** Files, and buttons beside them. */
  files: ComponentChildren;
  prune: (node: GraphNode) => void;
  pruned: { node: number; text: string; verdict: string } | null;
  kept?: Program;
  keep: () => void;
  ready: (view: SourceView) => void;
}

interface Props {
  programs: Program[];
  live?: Live;
}

type Theme = "dark" | "light";

function theme(): Theme {
  const set = document.documentElement.dataset.theme;
  return set === "dark" || set === "light" ? set : matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

export function Workbench({ programs, live }: Props) {
  const [shown, change] = useAddress(programs.length);
  const [help, setHelp] = useState(false);
  const [pane, setPane] = useState<"members" | "source" | "panel">("source");
  const search = useRef<HTMLInputElement>(null);
  const program = programs[shown.file];
  const now = useRef({ shown, program });
  now.current = { shown, program };

  useEffect(() => {
    document.title = program ? `${program.data.path} – Echis` : "Echis";
  }, [program]);

  const jump = (lines: number[], forward: boolean) => {
    const from = now.current.shown.line ?? 0;
    const next = forward ? (lines.find((line) => line > from) ?? lines[0]) : (lines.filter((line) => line < from).at(-1) ?? lines.at(-1));
    if (next !== undefined) {
      change({ line: next });
    }
  };
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      const { shown, program } = now.current;
      if (event.key === "Escape") {
        setHelp(false);
        if (shown.query) {
          change({ query: undefined });
        } else if (shown.mode) {
          change({ mode: undefined });
        } else if (shown.node !== undefined || shown.error !== undefined || shown.member) {
          change({ node: undefined, to: undefined, error: undefined, step: undefined, member: undefined });
        }
        return;
      }
      const writes = /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable;
      if (writes || event.ctrlKey || event.metaKey || event.altKey) {
        return;
      }
      const error = program?.data.errors[shown.error ?? -1];
      const length = error ? steps(error).length : 0;
      const go = (step: number) => {
        const at = error && (steps(error)[step - 1]?.position ?? error.position);
        change({ step: Math.max(0, Math.min(length, step)), line: at?.line }, true);
      };
      const errors = program?.data.errors.length ?? 0;
      const show = (error: number) => change({ panel: "errors", error, step: undefined, line: program?.data.errors[error]?.position?.line });
      const keys: Record<string, () => void> = {
        "?": () => setHelp((old) => !old),
        "/": () => search.current?.focus(),
        n: () => program && jump(uncoveredLines(program), true),
        p: () => program && jump(uncoveredLines(program), false),
        e: () => errors > 0 && show(((shown.error ?? -1) + 1) % errors),
        E: () => errors > 0 && show(((shown.error ?? errors) + errors - 1) % errors),
        j: () => error && go((shown.step ?? 0) + 1),
        k: () => error && go((shown.step ?? length) - 1),
        "[": () => change({ depth: shown.depth === 0 ? deepest(program, shown.node) - 1 : Math.max(1, shown.depth - 1) }),
        "]": () => shown.depth > 0 && change({ depth: shown.depth + 1 >= deepest(program, shown.node) ? 0 : shown.depth + 1 }),
        d: () => program && shown.node !== undefined && change({ direction: directionOf(program, shown) === "needs" ? "supports" : "needs" }),
        w: () => change({ wide: !shown.wide }),
        t: () => (document.documentElement.dataset.theme = theme() === "dark" ? "light" : "dark"),
        f: () => document.dispatchEvent(new CustomEvent("echis-zoom", { detail: "fit" })),
        "+": () => document.dispatchEvent(new CustomEvent("echis-zoom", { detail: "in" })),
        "-": () => document.dispatchEvent(new CustomEvent("echis-zoom", { detail: "out" })),
      };
      PANELS.forEach(([name], index) => (keys[String(index + 1)] = () => change({ panel: name })));
      const action = keys[event.key];
      if (action) {
        event.preventDefault();
        action();
      }
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);

  const open = (panel: Panel) => {
    change({ panel });
    setPane("panel");
  };
  return (
    <div class={`page ${shown.wide ? "wide" : ""}`} data-pane={pane}>
      <header>
        <a class="skip" href="#source" onClick={(event) => { event.preventDefault(); document.querySelector<HTMLElement>(".cm-content")?.focus(); }}>
          to the source
        </a>
        <h1>Echis</h1>
        {programs.length > 1 && (
          <select value={shown.file} aria-label="program" onChange={(event) => change({ file: Number(event.currentTarget.value), node: undefined, to: undefined, member: undefined, error: undefined, line: undefined })}>
            <option value={-1}>all programs</option>
            {programs.map((found, index) => (
              <option key={index} value={index}>
                {found.data.path}
              </option>
            ))}
          </select>
        )}
        {program && <Summary program={program} live={live !== undefined} />}
        {live && (
          <span class="live-status" role="status">
            {live.status}
          </span>
        )}
        <span class="space" />
        <input ref={search} type="search" placeholder="search (/)" aria-label="search in all programs" value={shown.query ?? ""} onInput={(event) => change({ query: event.currentTarget.value || undefined }, true)} />
        <button type="button" title="dark or light (t)" aria-label="dark or light" onClick={() => (document.documentElement.dataset.theme = theme() === "dark" ? "light" : "dark")}>
          ◐
        </button>
        <button type="button" title="keys (?)" aria-label="keys" onClick={() => setHelp(true)}>
          ?
        </button>
        {shown.query && shown.query.length > 1 && (
          <Hits
            programs={programs}
            query={shown.query}
            go={({ file, line }) => {
              change({ file, line, query: undefined });
              setPane("source");
            }}
          />
        )}
      </header>
      {program ? (
        <>
          <aside class="side">
            {live?.files}
            <Members program={program} shown={shown} change={(part) => { change(part); setPane("source"); }} />
          </aside>
          <Source program={program} live={live} shown={shown} change={(part) => { change(part); if (part.node !== undefined && matchMedia("(max-width: 800px)").matches) { setPane("panel"); } }} />
          <section class="panel" aria-label="explanations">
            <div class="tabs" role="tablist" aria-label="views">
              {PANELS.map(([name, title], index) => (
                <button type="button" key={name} role="tab" id={`tab-${name}`} aria-selected={shown.panel === name} aria-controls="panel" title={`key ${index + 1}`} onClick={() => open(name)}>
                  {title}
                  {name === "errors" && program.data.errors.length + program.data.warnings.length > 0 && (
                    <span class={`count ${program.data.errors.length > 0 ? "bad" : ""}`}>{program.data.errors.length + program.data.warnings.length}</span>
                  )}
                </button>
              ))}
              <button type="button" class="widen" title="wide or narrow (w)" aria-label="wide or narrow" aria-pressed={shown.wide} onClick={() => change({ wide: !shown.wide })}>
                ⇔
              </button>
            </div>
            <div class={`body show-${shown.panel}`} role="tabpanel" id="panel" aria-labelledby={`tab-${shown.panel}`} tabIndex={0}>
              {shown.panel === "why" && <WhyPanel program={program} shown={shown} change={change} prune={live?.prune} pruned={live?.pruned} />}
              {shown.panel === "graph" && <GraphPanel program={program} shown={shown} change={change} />}
              {shown.panel === "errors" && <FindingsPanel program={program} shown={shown} change={change} />}
              {shown.panel === "proof" && <ProofPanel program={program} shown={shown} change={change} />}
              {shown.panel === "compare" && <ComparePanel program={program} others={programs} kept={live?.kept} keep={live?.keep} shown={shown} change={change} />}
            </div>
          </section>
          <nav class="panes" aria-label="parts of the page">
            {(["members", "source", "panel"] as const).map((name) => (
              <button type="button" key={name} aria-pressed={pane === name} onClick={() => setPane(name)}>
                {name === "panel" ? "explanations" : name}
              </button>
            ))}
          </nav>
        </>
      ) : (
        <Overview programs={programs} open={(file) => change({ file, line: undefined })} />
      )}
      {help && <Help close={() => setHelp(false)} />}
    </div>
  );
}

function deepest(program: Program | undefined, node: number | undefined): number {
  if (!program || node === undefined) {
    return 1;
  }
  const direction = program.isAsserted(node) ? "needs" : "supports";
  return Math.max(1, ...[...program.reach(node, direction).values()].map((found) => found.distance));
}

/** In a live page, the verdict and the time are those of the text as it is, which stand beside. */
function Summary({ program: { data }, live }: { program: Program; live: boolean }) {
  const { coverage } = data;
  const facts = [
    !live && data.verdict,
    !live && data.time_ms > 0 && time(data.time_ms),
    coverage && coverage.total > 0 && `${coverage.percent.toFixed(1)} % covered (${coverage.covered} of ${coverage.total})`,
  ];
  return (
    <span class="summary">
      <Verdict verdict={data.verdict} /> <b class="file">{data.path}</b>{" "}
      <span class="facts">
        {facts.filter(Boolean).join(", ")}
      </span>
    </span>
  );
}

interface SourceProps {
  program: Program;
  live?: Live;
  shown: ReturnType<typeof useAddress>[0];
  change: ReturnType<typeof useAddress>[1];
}

function Source({ program, live, shown, change }: SourceProps) {
  const host = useRef<HTMLElement>(null);
  const view = useRef<SourceView | null>(null);
  const current = useRef({ program, shown, change });
  current.current = { program, shown, change };
  useEffect(() => {
    const chosen = (offset: number, shift: boolean) => {
      const { program, shown, change } = current.current;
      const node = program.nodeAt(offset);
      if (node && program.text === view.current?.view.state.doc.toString()) {
        const panel: Panel = shown.panel === "graph" ? "graph" : "why";
        change(shift && shown.node !== undefined ? { to: node.id, panel: "why", mode: undefined } : { node: node.id, to: undefined, direction: undefined, mode: undefined, panel, line: undefined });
      }
    };
    const made = new SourceView(host.current as HTMLElement, { chosen, ...live?.listener });
    view.current = made;
    live?.ready(made);
    return () => made.view.destroy();
  }, []);
  useEffect(() => view.current?.show(program), [program]);
  const lights = useMemo(() => lightsFor(program, shown), [program, shown]);
  useEffect(() => view.current?.light(lights), [lights]);
  useEffect(() => {
    if (shown.line !== undefined) {
      view.current?.scrollTo(shown.line);
    }
  }, [program, shown.line]);
  useEffect(() => {
    const range = shown.node === undefined || shown.line !== undefined ? undefined : program.ranges.get(shown.node);
    if (range && !isVisible(view.current, range.from)) {
      view.current?.scrollTo(program.lineOf(range.from));
    }
  }, [program, shown.node]);
  return <main class="source" id="source" ref={host} />;
}

function isVisible(source: SourceView | null, offset: number): boolean {
  const viewport = source?.view.visibleRanges ?? [];
  return viewport.some(({ from, to }) => from <= offset && offset <= to);
}
