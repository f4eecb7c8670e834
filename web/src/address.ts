// What is shown, as the part of the address after `#`: a link shows the same thing again.

import { useEffect, useState } from "preact/hooks";

export interface Shown {
  /** The index of the program; -1 is the list of all. */
  file: number;
  panel: Panel;
  node?: number;
  /** The end of a path. */
  to?: number;
  direction?: "needs" | "supports";
  /** Number of steps; 0 stands for all. */
  depth: number;
  /** What is shown besides dependencies. */
  mode?: "impact" | "prune";
  member?: string;
  error?: number;
  step?: number;
  line?: number;
  /** Members that the graph shows node by node. */
  open?: string;
  wide: boolean;
  /** The program that is compared with. */
  other?: number;
  query?: string;
}

export type Panel = "why" | "graph" | "errors" | "proof" | "compare";
export const PANELS: [Panel, string][] = [
  ["why", "Dependencies"],
  ["graph", "Graph"],
  ["errors", "Findings"],
  ["proof", "Proof"],
  ["compare", "Compare"],
];

const NUMBERS = ["file", "node", "to", "depth", "error", "step", "line", "other"] as const;
const TEXTS = ["direction", "mode", "member", "open", "query"] as const;

export function parse(hash: string, files: number): Shown {
  const words = new URLSearchParams(hash.replace(/^#/, ""));
  const shown: Record<string, unknown> = { file: files === 1 ? 0 : -1, panel: "why", depth: 0, wide: words.has("wide") };
  for (const key of NUMBERS) {
    const value = Number(words.get(key) ?? Number.NaN);
    if (Number.isInteger(value)) {
      shown[key] = value;
    }
  }
  for (const key of TEXTS) {
    const value = words.get(key);
    if (value) {
      shown[key] = value;
    }
  }
  const panel = words.get("panel");
  if (PANELS.some(([name]) => name === panel)) {
    shown.panel = panel;
  }
  const file = shown.file as number;
  shown.file = file >= files || file < -1 ? (files === 1 ? 0 : -1) : file;
  return shown as unknown as Shown;
}

export function format(shown: Shown): string {
  const words = new URLSearchParams();
  for (const key of [...NUMBERS, ...TEXTS, "panel"] as const) {
    const value = shown[key];
    if (value !== undefined && value !== "" && !(key === "depth" && value === 0) && !(key === "panel" && value === "why")) {
      words.set(key, String(value));
    }
  }
  if (shown.wide) {
    words.set("wide", "1");
  }
  return `#${words.toString()}`;
}

/** The state, and how to change a part of it. Going back in the browser undoes a change. */
export function useAddress(files: number): [Shown, (change: Partial<Shown>, replace?: boolean) => void] {
  const [shown, set] = useState(() => parse(location.hash, files));
  useEffect(() => {
    const heard = () => set(parse(location.hash, files));
    window.addEventListener("hashchange", heard);
    window.addEventListener("popstate", heard);
    return () => {
      window.removeEventListener("hashchange", heard);
      window.removeEventListener("popstate", heard);
    };
  }, [files]);
  const change = (part: Partial<Shown>, replace = false) => {
    const next = { ...parse(location.hash, files), ...part };
    const address = format(next);
    try {
      if (replace || address === location.hash) {
        history.replaceState(null, "", address);
      } else {
        history.pushState(null, "", address);
      }
    } catch {
      // Some hosts, such as panels of editors, have no history.
      location.hash = address;
    }
    set(next);
  };
  return [shown, change];
}
