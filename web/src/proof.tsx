// A member's proof as an outline, and where the solver's effort goes.

import { useMemo, useState } from "preact/hooks";
import type { Shown } from "./address";
import { cut } from "./canvas";
import type { OutlineStep, Program } from "./model";

interface Props {
  program: Program;
  shown: Shown;
  change: (part: Partial<Shown>) => void;
}

interface Tree {
  step: OutlineStep;
  below: Tree[];
  effort: number;
  checks: number;
}

const ICONS = { fact: "+", branch: "◇", dead: "×", check: "?" };

/** Steps below a case distinction belong to it. */
export function tree(steps: OutlineStep[]): Tree[] {
  const roots: Tree[] = [];
  const open: Tree[] = [];
  for (const step of steps) {
    const fresh: Tree = { step, below: [], effort: step.effort, checks: step.kind === "check" ? step.count : 0 };
    open.length = Math.min(open.length, step.depth);
    (open.at(-1)?.below ?? roots).push(fresh);
    for (const above of open) {
      above.effort += step.effort;
      above.checks += fresh.checks;
    }
    if (step.kind === "branch" || step.kind === "dead") {
      open[step.depth] = fresh;
    }
  }
  return roots;
}

/** Without cases in which nothing is checked. */
function checked(trees: Tree[]): Tree[] {
  return trees.filter((found) => found.checks > 0).map((found) => ({ ...found, below: checked(found.below) }));
}

export function ProofPanel({ program, shown, change }: Props) {
  const { proofs, profile } = program.data;
  const chosen = shown.node === undefined ? undefined : program.nodes.get(shown.node)?.member;
  const name = shown.member ?? chosen ?? proofs[0]?.member;
  const proof = proofs.find((proof) => proof.member === name) ?? proofs[0];
  const [only, setOnly] = useState(false);
  const steps = useMemo(() => (proof ? program.steps(proof) : []), [program, proof]);
  const roots = useMemo(() => (only ? checked(tree(steps.filter((step) => step.kind !== "fact"))) : tree(steps)), [steps, only]);
  if (!proof) {
    return <p class="empty">No proof is known: the program cannot be read, or it is a Boogie program.</p>;
  }
  const checks = steps.filter((step) => step.kind === "check");
  const total = checks.reduce((sum, step) => sum + step.effort, 0);
  const hot = checks.filter((step) => step.effort > 0).sort((a, b) => b.effort - a.effort).slice(0, 8);
  const quantifiers = profile?.find((found) => found.name === proof.member)?.quantifiers ?? [];
  const go = (step: OutlineStep) => change({ line: step.site ?? step.line });
  return (
    <div class="proof">
      <label class="field">
        Member
        <select value={proof.member} onChange={(event) => change({ member: event.currentTarget.value, node: undefined })}>
          {proofs.map(({ member }) => (
            <option key={member}>{member}</option>
          ))}
        </select>
      </label>
      <p role="status">
        {checks.reduce((sum, step) => sum + step.count, 0)} checks, {steps.filter((step) => step.kind === "branch").length} branches, effort {total.toLocaleString("en")}.
      </p>
      {hot.length > 0 && (
        <details open>
          <summary>Where the effort goes</summary>
          <ul class="list hot">
            {hot.map((step, index) => (
              <li key={index}>
                <button type="button" class="node" onClick={() => go(step)}>
                  <span class="bar" style={{ width: `${Math.max(2, (100 * step.effort) / (hot[0] as OutlineStep).effort)}%` }} />
                  <b class="where">{step.line}</b> <code>{cut(step.text, 60)}</code>
                  <small>
                    {step.effort.toLocaleString("en")} ({Math.round((100 * step.effort) / Math.max(1, total))} %) · {step.because}
                  </small>
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
      {quantifiers.length > 0 && (
        <details>
          <summary>Instances of quantifiers</summary>
          <table class="store">
            <thead>
              <tr>
                <th scope="col">instances</th>
                <th scope="col">generation</th>
                <th scope="col">quantifier</th>
              </tr>
            </thead>
            <tbody>
              {quantifiers.map((found, index) => (
                <tr key={index}>
                  <td>{found.instances}</td>
                  <td>{found.generation}</td>
                  <td>
                    {found.position && `line ${found.position.line}: `}
                    {found.name}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
      <label class="check">
        <input type="checkbox" checked={only} onChange={(event) => setOnly(event.currentTarget.checked)} /> only checks, and branches with checks
      </label>
      <div class="outline">
        <Steps steps={roots} go={go} level={0} />
      </div>
      {proof.left_out > 0 && <p class="empty">{proof.left_out} further steps are not listed.</p>}
    </div>
  );
}

function Steps({ steps, go, level }: { steps: Tree[]; go: (step: OutlineStep) => void; level: number }) {
  return (
    <ul>
      {steps.map((found, index) =>
        found.step.kind === "branch" || found.step.kind === "dead" ? (
          <li key={index}>
            <Branch found={found} go={go} level={level} />
          </li>
        ) : (
          <li key={index}>
            <StepLine step={found.step} go={go} />
          </li>
        ),
      )}
    </ul>
  );
}

/** What is far inside is drawn when it is opened. */
function Branch({ found, go, level }: { found: Tree; go: (step: OutlineStep) => void; level: number }) {
  const [open, setOpen] = useState(level < 3 && found.step.kind === "branch");
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class={found.step.kind}>
        <StepLine step={found.step} go={go} /> <small>{found.checks} {found.checks === 1 ? "check" : "checks"}{found.effort > 0 && `, effort ${found.effort.toLocaleString("en")}`}</small>
      </summary>
      {open && <Steps steps={found.below} go={go} level={level + 1} />}
    </details>
  );
}

function StepLine({ step, go }: { step: OutlineStep; go: (step: OutlineStep) => void }) {
  const verdict = step.verdict ? ` ${step.verdict}` : "";
  return (
    <button type="button" class={`step ${step.kind}${verdict}`} title={step.text} onClick={() => go(step)}>
      <span class="icon" aria-hidden="true">
        {step.kind === "check" ? (step.verdict === "verified" ? "✓" : step.verdict ? "✗" : "?") : ICONS[step.kind]}
      </span>
      <b class="where">{step.site ? `${step.site}←${step.line}` : step.line}</b> <code>{step.kind === "branch" && step.because === "not taken" ? `!(${cut(step.text, 66)})` : cut(step.text, 70)}</code>
      <small>
        {step.kind === "branch" ? "" : step.because}
        {step.count > 1 && ` ×${step.count}`}
        {step.effort > 0 && ` · ${step.effort.toLocaleString("en")}`}
      </small>
    </button>
  );
}
