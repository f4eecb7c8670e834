// The panel of the VS Code extension: the page sent by the language server, in a frame like that of a webview.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { echis, page, picture, repository, skip } from "./helper.mjs";

/** Starts `echis lsp` and connects to it as an editor does. */
function languageServer() {
  const child = spawn(echis, ["lsp", "--no-cache"], { stdio: ["pipe", "pipe", "inherit"] });
  const waiting = new Map();
  let heard = Buffer.alloc(0);
  child.stdout.on("data", (data) => {
    heard = Buffer.concat([heard, data]);
    for (;;) {
      const head = heard.indexOf("\r\n\r\n");
      const length = head < 0 ? NaN : Number(/Content-Length: (\d+)/.exec(heard.subarray(0, head).toString())?.[1]);
      if (!(heard.length >= head + 4 + length)) {
        return;
      }
      const message = JSON.parse(heard.subarray(head + 4, head + 4 + length).toString());
      heard = heard.subarray(head + 4 + length);
      waiting.get(message.id)?.(message);
    }
  });
  const send = (message) => {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  let next = 1;
  return {
    tell: (method, params) => send({ method, params }),
    ask: (method, params) => {
      const id = next;
      next += 1;
      send({ id, method, params });
      return new Promise((resolve) => waiting.set(id, resolve));
    },
    stop: () => child.kill(),
  };
}

test("the panel of VS Code shows the page of the language server", { skip }, async () => {
  const server = languageServer();
  try {
    await server.ask("initialize", { processId: null, capabilities: {} });
    server.tell("initialized", {});
    const file = join(repository, "examples/list.vpr");
    const uri = String(pathToFileURL(file));
    server.tell("textDocument/didOpen", { textDocument: { uri, languageId: "viper", version: 1, text: readFileSync(file, "utf8") } });
    const { html } = (await server.ask("echis/report", { textDocument: { uri } })).result;
    const found = await page({ viewport: { width: 560, height: 700 } });
    await found.setContent('<iframe sandbox="allow-scripts allow-same-origin" style="position: fixed; inset: 0; width: 100%; height: 100%; border: 0"></iframe>');
    await found.evaluate((html) => (document.querySelector("iframe").srcdoc = html), html);
    const frame = found.frameLocator("iframe");
    await frame.locator(".page").waitFor();
    // A panel is narrow, so it shows one pane at a time.
    await frame.locator(".panes button", { hasText: "source" }).click();
    await frame.locator(".cm-line .n").first().click();
    await frame.locator("#panel .chosen-node").waitFor();
    await frame.locator("[role=tab]", { hasText: "Graph" }).click();
    await frame.locator(".box").first().waitFor();
    await picture(found, "panel");
    assert.deepEqual(found.problems, []);
    assert.deepEqual(found.requests.filter((url) => !/^(about|data):/.test(url)), []);
  } finally {
    server.stop();
  }
});
