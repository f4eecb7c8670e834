// Search over the texts of all programs.

import { cut } from "./canvas";
import type { Program } from "./model";

const MOST = 200;

export interface Hit {
  file: number;
  line: number;
  text: string;
}

export function find(programs: Program[], query: string): Hit[] {
  const wanted = query.toLowerCase();
  const hits: Hit[] = [];
  for (const [file, program] of programs.entries()) {
    const lines = program.text.split("\n");
    for (let index = 0; index < lines.length && hits.length < MOST; index += 1) {
      const text = lines[index] as string;
      if (text.toLowerCase().includes(wanted)) {
        hits.push({ file, line: index + 1, text });
      }
    }
  }
  return hits;
}

export function Hits({ programs, query, go }: { programs: Program[]; query: string; go: (hit: Hit) => void }) {
  const hits = find(programs, query);
  return (
    <div class="hits" role="region" aria-label="search results">
      <p role="status">
        {hits.length === MOST ? `the first ${MOST} lines` : hits.length === 1 ? "1 line" : `${hits.length} lines`}
      </p>
      <ul class="list">
        {hits.map((hit, index) => (
          <li key={index}>
            <button type="button" onClick={() => go(hit)}>
              {programs.length > 1 && <small>{programs[hit.file]?.data.path}</small>}
              <b class="where">{hit.line}</b> <code>{cut(hit.text.trim(), 100)}</code>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
