// Errors and warnings: how an error comes about, step by step, with the store and the heap.

import type { Shown } from "./address";
import { HeapDrawing } from "./heap";
import type { Condition, Counterexample, Failure, Heap, Message, Program, TraceStep, Variable } from "./model";

interface Props {
  program: Program;
  shown: Shown;
  change: (part: Partial<Shown>, replace?: boolean) => void;
}

export function FindingsPanel({ program, shown, change }: Props) {
  const { errors, warnings, stopped } = program.data;
  const error = shown.error === undefined ? undefined : errors[shown.error];
  if (error) {
    return <FailureView program={program} shown={shown} change={change} error={error} />;
  }
  return (
    <div class="findings">
      {errors.length + warnings.length + stopped.length === 0 && <p class="empty">There are no errors and no warnings.</p>}
      {stopped.map((stop, index) => (
        <p class="stopped" key={index}>
          {stop.member ? `${stop.member}: ` : ""}
          {stop.message}
        </p>
      ))}
      {errors.length > 0 && <h3>Errors</h3>}
      <ul class="list">
        {errors.map((found, index) => (
          <li key={index}>
            <button type="button" class={`finding error ${found.cascade ? "cascade" : ""}`} onClick={() => change({ error: index, step: undefined, line: found.position?.line })}>
              <Where message={found} program={program} />
              {found.message}
              <small>
                {found.id}
                {found.counterexample && ` · counterexample ${words(found.counterexample.status)}`}
                {found.cascade && " · follows from an earlier error"}
              </small>
            </button>
          </li>
        ))}
      </ul>
      {warnings.length > 0 && <h3>Warnings</h3>}
      <ul class="list">
        {warnings.map((found, index) => (
          <li key={index}>
            <button type="button" class="finding warning" onClick={() => change({ line: found.position?.line })}>
              <Where message={found} program={program} />
              {found.message}
              <small>
                {found.id}
                {found.fix && ` · ${found.fix.message}`}
              </small>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function words(name: string): string {
  return name.replaceAll("_", " ");
}

function Where({ message, program }: { message: Message; program: Program }) {
  const { position } = message;
  return position ? <b class="where">{position.file === program.main ? `line ${position.line} ` : `${position.file}:${position.line} `}</b> : null;
}

function FailureView({ program, shown, change, error }: Props & { error: Failure }) {
  const example = error.counterexample;
  const trace = steps(error);
  const step = Math.min(shown.step ?? trace.length, trace.length);
  const go = (to: number) => {
    const next = Math.max(0, Math.min(trace.length, to));
    const at = trace[next - 1]?.position ?? (next === trace.length ? error.position : null);
    change({ step: next, line: at?.line }, true);
  };
  return (
    <div class="failure">
      <button type="button" onClick={() => change({ error: undefined, step: undefined })}>
        ← all findings
      </button>
      <h3>
        <Where message={error} program={program} />
        {error.message}
      </h3>
      <p>
        <code>{error.id}</code>
        {error.member && ` in ${error.member}`}
      </p>
      {error.note && <p>{error.note}</p>}
      {error.related.map((related, index) => (
        <p key={index}>
          <button type="button" class="link" onClick={() => change({ line: related.position.line })}>
            line {related.position.line}
          </button>{" "}
          {related.message}
        </p>
      ))}
      {error.paths.length > 1 && <p>It fails on {error.paths.length} paths; the first is shown.</p>}
      {trace.length > 0 && (
        <>
          <h4>
            Path, step {step} of {trace.length}
          </h4>
          <div class="stepper">
            <button type="button" title="one step back (k)" aria-label="one step back" onClick={() => go(step - 1)} disabled={step === 0}>
              ◀
            </button>
            <input type="range" min={0} max={trace.length} value={step} aria-label="step" onInput={(event) => go(Number(event.currentTarget.value))} />
            <button type="button" title="one step on (j)" aria-label="one step on" onClick={() => go(step + 1)} disabled={step === trace.length}>
              ▶
            </button>
          </div>
          <ol class="trace">
            {trace.map((found, index) => (
              <li key={index} class={index + 1 === step ? "current" : index >= step ? "later" : ""} aria-current={index + 1 === step ? "step" : undefined}>
                <button type="button" class="link" onClick={() => go(index + 1)}>
                  <b class="where">{found.position.line}</b> {describe(found)}
                </button>
              </li>
            ))}
          </ol>
        </>
      )}
      {example ? <Example example={example} trace={trace} step={step} name={`error-${error.position?.line ?? 0}`} /> : <p class="empty">{error.no_counterexample ?? "There is no counterexample."}</p>}
    </div>
  );
}

/** The trace of the counterexample, or the branches where there is none. */
export function steps(error: Failure): TraceStep[] {
  const trace = error.counterexample?.trace;
  const branch = ({ text, position }: Condition): TraceStep => ({ kind: "branch", text, position });
  return trace && trace.length > 0 ? trace : error.branch_conditions.map(branch);
}

export function describe(step: TraceStep): string {
  switch (step.kind) {
    case "branch":
      return `taken: ${step.text}`;
    case "assignment":
      return `${step.target} = ${step.value}`;
    case "loop":
      return `at the head of the loop: ${step.target} = ${step.value}`;
  }
}

function Example({ example, trace, step, name }: { example: Counterexample; trace: TraceStep[]; step: number; name: string }) {
  const atEnd = step === trace.length;
  const store = atEnd ? example.store : storeAfter(example, trace, step);
  const current = example.heaps.find((heap) => heap.state === "current");
  const others = example.heaps.filter((heap) => heap !== current && heap.entries.length > 0);
  const now = atEnd ? current && { heap: current, store, after: step } : heapAfter(example, trace, step);
  return (
    <>
      <h4>
        Counterexample <span class={`badge ${example.status}`}>{words(example.status)}</span>
      </h4>
      {example.why && <p>{example.why}</p>}
      {example.store.length > 0 && (
        <table class="store">
          <caption>Store{atEnd ? "" : ` after step ${step}`}</caption>
          <tbody>
            {store.map((variable) => (
              <tr key={variable.name} class={variable.irrelevant ? "faded" : ""} title={variable.irrelevant ? "any value will do" : undefined}>
                <th scope="row">{variable.name}</th>
                <td>{variable.value}</td>
                <td class="type">{variable.type}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div class="heaps">
        {others.map((heap) => (
          <figure key={heap.state}>
            <figcaption>Heap: {heap.state}</figcaption>
            <HeapDrawing heap={heap} example={example} name={name} />
          </figure>
        ))}
        {now && now.heap.entries.length > 0 && (
          <figure>
            <figcaption>
              Heap: current{atEnd ? "" : `, after step ${now.after}`}
              {now.heap.more_possible && " (there may be more)"}
            </figcaption>
            <HeapDrawing heap={now.heap} example={{ ...example, store: now.store }} name={name} />
          </figure>
        )}
      </div>
      {example.functions.length > 0 && (
        <table class="store">
          <caption>Functions</caption>
          <tbody>
            {example.functions.flatMap((found) =>
              found.cases.map((one, index) => (
                <tr key={`${found.name} ${index}`}>
                  <th scope="row">
                    {found.name}({one.args.join(", ")})
                  </th>
                  <td>{one.value}</td>
                  <td class="type">{one.heap}</td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      )}
    </>
  );
}

/** The variables after some steps: what is assigned only later has no value yet. */
function storeAfter(example: Counterexample, trace: TraceStep[], step: number): Variable[] {
  const assigned = (steps: TraceStep[], target: string) => {
    const found = steps.filter((one) => one.kind !== "branch" && one.target === target).at(-1);
    return found && found.kind !== "branch" ? found.value : undefined;
  };
  return example.store.map((variable) => {
    const later = assigned(trace.slice(step), variable.name) !== undefined;
    return { ...variable, value: assigned(trace.slice(0, step), variable.name) ?? (later ? "–" : variable.value) };
  });
}

/** What is held after the last of some steps of which that is known. */
function heapAfter(example: Counterexample, trace: TraceStep[], step: number): { heap: Heap; store: Variable[]; after: number } | undefined {
  for (let after = step; after > 0; after -= 1) {
    const found = trace[after - 1];
    const heap = found?.kind === "assignment" && found.heap !== undefined ? example.step_heaps?.[found.heap] : undefined;
    if (heap) {
      return { heap, store: storeAfter(example, trace, after), after };
    }
  }
  return undefined;
}
