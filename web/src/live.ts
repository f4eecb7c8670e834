// A session with `echis web`: the language server's protocol over a WebSocket, and a few requests for files.

import type { Diagnostic } from "@codemirror/lint";
import type { Text } from "@codemirror/state";
import type { ProgramData, Report } from "./model";

export interface Folder {
  /** Paths below the folder, with the addresses that the language server knows them by. */
  files: { path: string; uri: string }[];
  writable: boolean;
  readOnly: boolean;
}

export interface Status {
  uri: string;
  state: string;
  time: number | null;
  version: number | null;
}

export interface Listener {
  status(status: Status): void;
  diagnostics(uri: string, found: LspDiagnostic[]): void;
  closed(reason: string): void;
}

export interface LspPosition {
  line: number;
  character: number;
}

export interface LspDiagnostic {
  range: { start: LspPosition; end: LspPosition };
  severity?: number;
  message: string;
}

export class Session {
  private readonly socket: WebSocket;
  private next = 1;
  private readonly waiting = new Map<number, { resolve: (value: unknown) => void; reject: (reason: Error) => void }>();
  private readonly versions = new Map<string, number>();
  readonly ready: Promise<Folder>;

  constructor(address: string, listener: Listener) {
    this.socket = new WebSocket(address);
    this.socket.onmessage = (event) => this.hear(String(event.data), listener);
    this.socket.onclose = (event) => listener.closed(event.reason || "The connection to Echis is gone.");
    this.ready = new Promise<void>((resolve, reject) => {
      this.socket.onopen = () => resolve();
      this.socket.onerror = () => reject(new Error("Echis does not answer."));
    }).then(async () => {
      await this.request("initialize", { processId: null, capabilities: {} });
      this.notify("initialized", {});
      return (await this.request("echis/files", {})) as Folder;
    });
  }

  private hear(text: string, listener: Listener): void {
    const message = JSON.parse(text) as { id?: number; method?: string; params?: never; result?: unknown; error?: { message: string } };
    if (message.method === "echis/status") {
      listener.status(message.params as unknown as Status);
    } else if (message.method === "textDocument/publishDiagnostics") {
      const { uri, diagnostics } = message.params as unknown as { uri: string; diagnostics: LspDiagnostic[] };
      listener.diagnostics(uri, diagnostics);
    } else if (message.method === undefined && message.id !== undefined) {
      const waiting = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (message.error) {
        waiting?.reject(new Error(message.error.message));
      } else {
        waiting?.resolve(message.result);
      }
    }
  }

  request(method: string, params: object): Promise<unknown> {
    const id = this.next;
    this.next += 1;
    this.socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  notify(method: string, params: object): void {
    this.socket.send(JSON.stringify({ jsonrpc: "2.0", method, params }));
  }

  async read(path: string): Promise<string> {
    return ((await this.request("echis/read", { path })) as { text: string }).text;
  }

  async write(path: string, text: string): Promise<void> {
    await this.request("echis/write", { path, text });
  }

  /** The text of a document from now on. */
  text(uri: string, text: string): void {
    const version = (this.versions.get(uri) ?? 0) + 1;
    this.versions.set(uri, version);
    if (version === 1) {
      this.notify("textDocument/didOpen", { textDocument: { uri, languageId: "viper", version, text } });
    } else {
      this.notify("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [{ text }] });
    }
  }

  close(uri: string): void {
    if (this.versions.delete(uri)) {
      this.notify("textDocument/didClose", { textDocument: { uri } });
    }
  }

  async report(uri: string): Promise<ProgramData | undefined> {
    const answer = (await this.request("echis/report", { textDocument: { uri }, as: "data" })) as { report: Report } | null;
    return answer?.report.files[0];
  }

  async prune(uri: string, position: LspPosition): Promise<{ text: string; verdict: string } | null> {
    return (await this.request("echis/prune", { textDocument: { uri }, position })) as { text: string; verdict: string } | null;
  }
}

/** A program of which nothing is known but its text. */
export function unknown(path: string, text: string): ProgramData {
  return {
    path,
    verdict: "",
    time_ms: 0,
    members: [],
    errors: [],
    warnings: [],
    stopped: [],
    sources: [{ path, text }],
    coverage: null,
    nodes: [],
    needs: [],
    unneeded_parts: [],
    texts: [],
    proofs: [],
  };
}

/** Places of the protocol count UTF-16 units, as the editor does. */
export function offsetOf(doc: Text, { line, character }: LspPosition): number {
  if (line >= doc.lines) {
    return doc.length;
  }
  const found = doc.line(line + 1);
  return Math.min(found.to, found.from + character);
}

export function placeOf(doc: Text, offset: number): LspPosition {
  const line = doc.lineAt(offset);
  return { line: line.number - 1, character: offset - line.from };
}

const SEVERITIES = ["error", "error", "warning", "info", "hint"] as const;

export function diagnosticsOf(doc: Text, found: LspDiagnostic[]): Diagnostic[] {
  return found.map(({ range, severity, message }) => {
    const from = offsetOf(doc, range.start);
    return { from, to: Math.max(from, offsetOf(doc, range.end)), severity: SEVERITIES[severity ?? 1] ?? "error", message };
  });
}
