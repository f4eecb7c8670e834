// Panels beside the editor: the report of coverage and dependencies, and JSON documents.

import * as vscode from "vscode";

const panels = new Map<string, vscode.WebviewPanel>();

/** Shows the report of a program beside it. An open report is updated. */
export function showReport(uri: vscode.Uri, answer: unknown): void {
  const html = (answer as { html?: unknown } | null)?.html;
  if (typeof html !== "string") {
    return;
  }
  const key = uri.toString();
  let panel = panels.get(key);
  if (!panel) {
    const title = `Proofs of ${uri.path.split("/").pop() ?? ""}`;
    const options = { enableScripts: true, localResourceRoots: [], retainContextWhenHidden: true };
    panel = vscode.window.createWebviewPanel("echis.proof", title, vscode.ViewColumn.Beside, options);
    panel.onDidDispose(() => panels.delete(key));
    panels.set(key, panel);
  }
  // The content security policy of the page blocks all other resources.
  panel.webview.html = html;
  panel.reveal(undefined, true);
}

/** Shows the JSON output of a command. */
export async function showText(_: vscode.Uri, answer: unknown): Promise<void> {
  const content = JSON.stringify(answer, null, 2);
  const document = await vscode.workspace.openTextDocument({ language: "json", content });
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
}
