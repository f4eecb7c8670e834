// Starts the server, and provides features beyond the standard protocol.

import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";
import { showReport, showText } from "./panel";

/** The parameters of `echis/status`. */
interface Status {
  uri: string;
  state: string;
  time: number | null;
}

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const bar = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Left, 1);
  const states = new Map<string, Status>();
  const show = () => showStatus(bar, states);
  const told = (status: Status) => {
    states.set(vscode.Uri.parse(status.uri).toString(), status);
    show();
  };
  context.subscriptions.push(
    bar,
    vscode.window.onDidChangeActiveTextEditor(show),
    vscode.commands.registerCommand("echis.restart", () => start(told)),
    vscode.commands.registerCommand("echis.showProof", () => ask("echis/report", {}, showReport)),
    vscode.commands.registerCommand("echis.showCounterexample", () => ask("echis/counterexample", {}, showText)),
    vscode.commands.registerCommand("echis.showDependencies", () => ask("echis/dependencies", here(), showText)),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("echis")) {
        void start(told);
      }
    }),
  );
  await start(told);
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

async function start(told: (status: Status) => void): Promise<void> {
  await client?.stop().catch(() => undefined);
  const settings = vscode.workspace.getConfiguration("echis");
  const jobs = settings.get<number>("jobs", 0);
  const args = ["lsp"];
  if (jobs > 0) {
    args.push("--jobs", String(jobs));
  }
  if (!settings.get<boolean>("cache", true)) {
    args.push("--no-cache");
  }
  const server: ServerOptions = { command: settings.get<string>("path", "echis"), args };
  const options: LanguageClientOptions = {
    documentSelector: [{ scheme: "file", language: "viper" }],
    initializationOptions: { explain: settings.get<string>("explain", "idle") },
  };
  client = new LanguageClient("echis", "Echis", server, options);
  client.onNotification("echis/status", told);
  try {
    await client.start();
  } catch (error) {
    const message = `Echis does not start: ${String(error)}. The setting echis.path says where it is.`;
    void vscode.window.showErrorMessage(message);
  }
}

/** The cursor position. */
function here(): object {
  const position = vscode.window.activeTextEditor?.selection.active;
  return position ? { position: { line: position.line, character: position.character } } : {};
}

/** Sends a request about the active document and shows the response. */
async function ask(
  method: string,
  more: object,
  show: (uri: vscode.Uri, answer: unknown) => void | Promise<void>,
): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (!client || document?.languageId !== "viper") {
    return;
  }
  const running = client;
  const params = { textDocument: { uri: running.code2ProtocolConverter.asUri(document.uri) }, ...more };
  const where = { location: vscode.ProgressLocation.Window, title: "Echis looks at the proofs" };
  try {
    await show(document.uri, await vscode.window.withProgress(where, () => running.sendRequest(method, params)));
  } catch (error) {
    void vscode.window.showWarningMessage(error instanceof Error ? error.message : String(error));
  }
}

function showStatus(bar: vscode.StatusBarItem, states: Map<string, Status>): void {
  const uri = vscode.window.activeTextEditor?.document.uri.toString();
  const status = uri === undefined ? undefined : states.get(uri);
  if (!status) {
    bar.hide();
    return;
  }
  const icons: Record<string, string> = { verifying: "$(sync~spin)", verified: "$(check)", failed: "$(error)" };
  const time = typeof status.time === "number" ? ` (${status.time.toFixed(2)} s)` : "";
  bar.text = `${icons[status.state] ?? "$(question)"} ${status.state}${time}`;
  bar.tooltip = "Echis: what is known of this program";
  bar.command = "echis.showProof";
  bar.show();
}
