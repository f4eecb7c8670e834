// The page that `echis web` serves: texts can be changed, and verdicts follow.

import { snippetCompletion, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Session, diagnosticsOf, placeOf, unknown, type Folder } from "./live";
import { Program, type GraphNode } from "./model";
import type { SourceView } from "./source";
import { Workbench, type Live } from "./workbench";

const STATES: Record<string, string> = { verifying: "verifying…", verified: "verified", failed: "failed" };

interface Document {
  path: string;
  uri: string;
}

export function Playground({ address }: { address: string }) {
  const [folder, setFolder] = useState<Folder | null>(null);
  const [document, setDocument] = useState<Document | null>(null);
  const [program, setProgram] = useState<Program | null>(null);
  const [status, setStatus] = useState("connecting…");
  const [changed, setChanged] = useState(false);
  const [kept, setKept] = useState<Program | undefined>(undefined);
  const [pruned, setPruned] = useState<Live["pruned"]>(null);
  const source = useRef<SourceView | null>(null);
  const open = useRef<Document | null>(null);
  open.current = document;

  const text = () => source.current?.view.state.doc.toString() ?? "";
  const explain = async (uri: string) => {
    try {
      const data = await session.report(uri);
      // Answers to an older text come too late.
      if (data && open.current?.uri === uri && data.sources[0]?.text === text()) {
        const found = new Program({ ...data, path: open.current.path });
        setProgram(found);
        setKept((old) => old ?? found);
      }
    } catch (error) {
      setStatus(String(error instanceof Error ? error.message : error));
    }
  };
  const session = useMemo(
    () =>
      new Session(address, {
        status: ({ uri, state, time }) => {
          if (uri === open.current?.uri) {
            setStatus(`${STATES[state] ?? state}${time === null ? "" : ` (${time.toFixed(2)} s)`}`);
            if (state !== "verifying") {
              void explain(uri);
            }
          }
        },
        diagnostics: (uri, found) => {
          const view = source.current;
          if (view && uri === open.current?.uri) {
            view.diagnose(diagnosticsOf(view.view.state.doc, found));
          }
        },
        closed: (reason) => setStatus(reason),
      }),
    [],
  );
  const show = async (next: Document) => {
    const content = await session.read(next.path);
    if (open.current) {
      session.close(open.current.uri);
    }
    open.current = next;
    setDocument(next);
    setProgram(new Program(unknown(next.path, content)));
    setKept(undefined);
    setPruned(null);
    setChanged(false);
    setStatus("…");
    session.text(next.uri, content);
  };
  useEffect(() => {
    session.ready.then(
      (found) => {
        setFolder(found);
        const first = found.files[0];
        if (first) {
          void show(first);
        }
      },
      (error) => setStatus(String(error instanceof Error ? error.message : error)),
    );
  }, []);

  const live: Live = {
    status,
    kept: kept === program ? undefined : kept,
    keep: () => setKept(program ?? undefined),
    ready: (view) => (source.current = view),
    pruned,
    prune: (node: GraphNode) => {
      const uri = open.current?.uri;
      setPruned(null);
      const range = program?.ranges.get(node.id);
      const doc = source.current?.view.state.doc;
      if (uri && range && doc) {
        session.prune(uri, placeOf(doc, range.from)).then(
          (found) => setPruned(found && { node: node.id, ...found }),
          (error) => setPruned({ node: node.id, text: String(error), verdict: "error" }),
        );
      }
    },
    listener: {
      edited: folder?.readOnly
        ? undefined
        : (content) => {
            const uri = open.current?.uri;
            if (uri) {
              setChanged(true);
              session.text(uri, content);
            }
          },
      complete: (context) => complete(session, open.current?.uri, context),
      hover: (offset) => hover(session, open.current?.uri, source.current, offset),
    },
    files: (
      <section aria-label="files">
        <ul class="list files">
          {folder?.files.map((file) => (
            <li key={file.uri}>
              <button type="button" aria-pressed={file.uri === document?.uri} onClick={() => void show(file)}>
                {file.path}
                {changed && file.uri === document?.uri && " •"}
              </button>
            </li>
          ))}
        </ul>
        {folder?.writable && document && (
          <button type="button" disabled={!changed} onClick={() => session.write(document.path, text()).then(() => setChanged(false), (error) => setStatus(String(error)))}>
            save
          </button>
        )}
      </section>
    ),
  };
  if (!program || !folder) {
    return <p class="waiting" role="status">{status}</p>;
  }
  return <Workbench programs={[program]} live={live} />;
}

async function complete(session: Session, uri: string | undefined, context: CompletionContext): Promise<CompletionResult | null> {
  const word = context.matchBefore(/[\w$']*/);
  if (!uri || !word || (word.from === word.to && !context.explicit && context.state.sliceDoc(context.pos - 1, context.pos) !== ".")) {
    return null;
  }
  const position = placeOf(context.state.doc, context.pos);
  const answer = (await session.request("textDocument/completion", { textDocument: { uri }, position }).catch(() => null)) as Item[] | { items: Item[] } | null;
  const items = Array.isArray(answer) ? answer : (answer?.items ?? []);
  return { from: word.from, options: items.map(option), validFor: /^[\w$']*$/ };
}

interface Item {
  label: string;
  detail?: string;
  insertText?: string;
  /** 2: the text has places to fill in. */
  insertTextFormat?: number;
}

function option({ label, detail, insertText, insertTextFormat }: Item): Completion {
  const text = insertText ?? label;
  return insertTextFormat === 2 ? snippetCompletion(template(text), { label, detail }) : { label, detail, apply: text };
}

/** The editor writes `${1}` where the protocol writes `$1`, and `${}` for the place at the end. */
const template = (text: string) => text.replace(/\$(\d)/g, (_, digit: string) => (digit === "0" ? "${}" : `\${${digit}}`));

async function hover(session: Session, uri: string | undefined, view: SourceView | null, offset: number): Promise<string | null> {
  if (!uri || !view) {
    return null;
  }
  const position = placeOf(view.view.state.doc, offset);
  const answer = (await session.request("textDocument/hover", { textDocument: { uri }, position }).catch(() => null)) as { contents?: { value?: string } | string } | null;
  const contents = answer?.contents;
  return typeof contents === "string" ? contents : (contents?.value ?? null);
}
