// `echis web` in a real browser, and the requests that it rejects.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { WebSocket } from "ws";
import { folder, page, picture, served, skip, text } from "./helper.mjs";

const PROGRAM = "method m(n: Int) returns (r: Int)\n  requires n > 0\n  ensures r > 1\n{\n  r := n + 1\n}\n";

function project(name) {
  const root = join(folder, name);
  mkdirSync(join(root, "inner"), { recursive: true });
  writeFileSync(join(root, "secret.vpr"), "field secret: Int\n");
  writeFileSync(join(root, "inner/a.vpr"), PROGRAM);
  writeFileSync(join(root, "inner/b.vpr"), 'import "a.vpr"\nmethod k() { var x: Int := m(1) }\n');
  symlinkSync(join(root, "secret.vpr"), join(root, "inner/link.vpr"));
  return join(root, "inner");
}

/** Sends a request that a browser would not send, and returns its status. */
const status = (address, headers, method = "GET", path) =>
  new Promise((resolve, reject) => {
    const url = new URL(address);
    const sent = request({ host: "127.0.0.1", port: url.port, path: path ?? url.pathname, method, headers: { Host: url.host, ...headers } }, (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode, headers: answer.headers });
    });
    sent.on("upgrade", (answer, socket) => {
      socket.destroy();
      resolve({ status: answer.statusCode, headers: answer.headers });
    });
    sent.on("error", reject);
    sent.end();
  });

/** A session without a browser. */
async function session(address) {
  const url = new URL(address);
  const socket = new WebSocket(`ws://${url.host}${url.pathname}ws`, { headers: { Origin: url.origin } });
  await new Promise((resolve, reject) => {
    socket.on("open", resolve);
    socket.on("error", reject);
  });
  let next = 1;
  const ask = (method, params) =>
    new Promise((resolve) => {
      const id = next;
      next += 1;
      const heard = (data) => {
        const message = JSON.parse(String(data));
        if (message.id === id && message.method === undefined) {
          socket.off("message", heard);
          resolve(message);
        }
      };
      socket.on("message", heard);
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  return { ask, tell: (method, params) => socket.send(JSON.stringify({ jsonrpc: "2.0", method, params })), close: () => socket.close() };
}

test("edits are verified and explained as they come", { skip }, async () => {
  const server = await served(project("edit"));
  try {
    const found = await page();
    await found.goto(server.address);
    await found.waitForFunction(() => /verified/.test(document.querySelector(".live-status")?.textContent ?? ""), null, { timeout: 60_000 });
    await found.waitForSelector(".margin.covered", { timeout: 60_000 });
    await found.locator(".cm-line").nth(4).click();
    await found.keyboard.press("End");
    await found.keyboard.press("Backspace");
    await found.keyboard.type("0");
    await found.waitForSelector(".cm-lintRange-error", { timeout: 60_000 });
    await found.waitForFunction(() => /failed/.test(document.querySelector(".live-status")?.textContent ?? ""), null, { timeout: 60_000 });
    await found.waitForSelector(".margin.failed", { timeout: 60_000 });
    await found.locator("[role=tab]", { hasText: "Findings" }).click();
    await found.locator(".finding.error").first().click();
    assert.match(await text(found, ".failure"), /confirmed/);
    await picture(found, "live");
    assert.deepEqual(found.problems, []);
    assert.equal(await found.getByText("save", { exact: true }).count(), 0);
  } finally {
    server.stop();
  }
});

test("the pruned program is verified by the server", { skip }, async () => {
  const server = await served(join(project("prune"), "a.vpr"));
  try {
    const found = await page();
    await found.goto(server.address);
    await found.waitForSelector(".margin.covered", { timeout: 60_000 });
    await found.locator(".cm-line").nth(2).locator(".n").last().click();
    await found.getByText("show only this proof").click();
    await found.waitForSelector(".badge.verified", { timeout: 60_000 });
    assert.match(await text(found, ".pruned"), /ensures r > 1/);
  } finally {
    server.stop();
  }
});

test("files are saved only with --write", { skip }, async () => {
  const root = project("write");
  const server = await served(root, "--write");
  try {
    const found = await page();
    await found.goto(server.address);
    await found.waitForSelector(".cm-line");
    await found.locator(".cm-line").nth(0).click();
    await found.keyboard.press("Home");
    await found.keyboard.type("// mine\n");
    await found.getByText("save", { exact: true }).click();
    await found.waitForFunction(() => ![...document.querySelectorAll(".files button")].some((button) => button.textContent?.includes("•")));
    assert.match(readFileSync(join(root, "a.vpr"), "utf8"), /^\/\/ mine\nmethod m/);
    const other = await session(server.address);
    await other.ask("initialize", {});
    for (const path of ["../secret.vpr", "/etc/passwd", "link.vpr", "new.txt"]) {
      assert.ok((await other.ask("echis/write", { path, text: "" })).error, path);
    }
    other.close();
  } finally {
    server.stop();
  }
  assert.match(readFileSync(join(root, "../secret.vpr"), "utf8"), /secret/);
});

test("strangers are refused", { skip }, async () => {
  const server = await served(project("strangers"), "--sessions", "1");
  try {
    const { address } = server;
    const ws = { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13" };
    const { origin } = new URL(address);
    const fine = await status(address, {});
    assert.equal(fine.status, 200);
    assert.match(fine.headers["content-security-policy"], /script-src 'self';/);
    assert.doesNotMatch(fine.headers["content-security-policy"], /script-src[^;]*unsafe/);
    assert.equal((await status(`${address}app.js`, {})).status, 200);
    assert.equal((await status(address, { Origin: "https://evil.example" })).status, 403);
    assert.equal((await status(address, { Host: "evil.example" })).status, 403);
    assert.equal((await status(address.replace(/\/\w+\/$/, "/wrong/"), {})).status, 403);
    assert.equal((await status(new URL("/", address).href, {})).status, 404);
    assert.equal((await status(address, {}, "POST")).status, 405);
    const path = new URL(address).pathname;
    for (const wanted of ["../../../etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "a.vpr", "..%2fsecret.vpr"]) {
      assert.equal((await status(address, {}, "GET", path + wanted)).status, 404, wanted);
    }
    assert.equal((await status(`${address}ws`, { ...ws, Origin: "https://evil.example" })).status, 403);
    assert.equal((await status(`${address}ws`, ws)).status, 404, "without an origin");
    assert.equal((await status(`${address}ws`, { ...ws, Origin: origin })).status, 101);
    const first = await session(address).catch(() => null);
    if (first) {
      assert.equal((await status(`${address}ws`, { ...ws, Origin: origin })).status, 503, "one session is enough");
      first.close();
    }
  } finally {
    server.stop();
  }
});

test("nothing outside of the folder is read", { skip }, async () => {
  const root = project("outside");
  const server = await served(root);
  try {
    const { ask, tell, close } = await session(server.address);
    await ask("initialize", { rootUri: "file:///", workspaceFolders: [{ uri: "file:///etc", name: "etc" }] });
    tell("initialized", {});
    const { files, writable } = (await ask("echis/files", {})).result;
    assert.deepEqual(files.map((file) => file.path), ["a.vpr", "b.vpr"]);
    assert.equal(writable, false);
    for (const path of ["../secret.vpr", "/etc/passwd", "link.vpr", "a.vpr/../../secret.vpr", ""]) {
      assert.ok((await ask("echis/read", { path })).error, path);
    }
    assert.ok((await ask("echis/write", { path: "a.vpr", text: "" })).error);
    assert.ok((await ask("workspace/symbol", { query: "secret" })).error);
    assert.ok((await ask("textDocument/hover", { textDocument: { uri: "file:///etc/passwd" }, position: { line: 0, character: 0 } })).error);
    // Importing a file outside the folder fails as if the file did not exist.
    const { uri } = files[0];
    for (const name of ["../secret.vpr", `${root}/../secret.vpr`, "link.vpr", "/etc/passwd"]) {
      tell("textDocument/didOpen", { textDocument: { uri, languageId: "viper", version: 1, text: `import "${name}"\nmethod m(x: Ref) requires acc(x.secret) { }\n` } });
      const answer = await ask("echis/report", { textDocument: { uri }, as: "data" });
      assert.ok(answer.error, `${name}: ${JSON.stringify(answer).slice(0, 200)}`);
    }
    close();
  } finally {
    server.stop();
  }
});

test("a page that may only be read cannot change anything", { skip }, async () => {
  const server = await served(project("read-only"), "--read-only");
  try {
    const found = await page();
    await found.goto(server.address);
    await found.waitForSelector(".margin.covered", { timeout: 60_000 });
    await found.locator(".cm-line").nth(4).click();
    await found.keyboard.type("zzz");
    assert.doesNotMatch(await text(found, ".cm-content"), /zzz/);
  } finally {
    server.stop();
  }
});

test("Boogie programs are verified and explained as they are edited", { skip }, async () => {
  const root = join(folder, "boogie");
  mkdirSync(root, { recursive: true });
  const text = "procedure C.p#1(n: int) returns (r: int)\n  requires n > 0;\n  ensures r > 1;\n{\n  r := n + 1;\n}\n";
  writeFileSync(join(root, "a.bpl"), `${text}implementation C.p#1(n: int) returns (r: int)\n{\n  r := n + 2;\n}\n`);
  const server = await served(root);
  try {
    const found = await page();
    await found.goto(server.address);
    await found.waitForSelector(".margin.covered", { timeout: 60_000 });
    await found.locator(".cm-line").nth(2).locator(".n").last().click();
    await found.waitForFunction(() => /r := n \+ 1/.test(document.querySelector("#panel")?.textContent ?? ""));
    await found.getByText("show only this proof").click();
    await found.waitForSelector(".badge.verified", { timeout: 60_000 });
    // The first of two implementations fails, and the second does not hide its error.
    await found.locator(".cm-line").nth(4).click();
    await found.keyboard.press("End");
    await found.keyboard.press("ArrowLeft");
    await found.keyboard.press("Backspace");
    await found.keyboard.type("0");
    await found.waitForSelector(".cm-lintRange-error", { timeout: 60_000 });
    await found.waitForFunction(() => /failed/.test(document.querySelector(".live-status")?.textContent ?? ""), null, { timeout: 60_000 });
    await found.waitForSelector(".margin.failed", { timeout: 60_000 });
    assert.deepEqual(found.problems, []);
  } finally {
    server.stop();
  }
});

test("a page that takes too much memory is closed, and the others go on", { skip: skip || process.platform !== "linux" }, async () => {
  const server = await served(project("memory"), "--memory", "64", "--jobs", "1");
  try {
    const verified = (found) => found.waitForFunction(() => /^verified/.test(document.querySelector(".live-status")?.textContent ?? ""), null, { timeout: 60_000 });
    const [small, large] = [await page(), await page()];
    for (const found of [small, large]) {
      await found.goto(server.address);
      await verified(found);
    }
    await large.locator(".cm-line").nth(5).click();
    await large.evaluate(() => {
      const methods = Array.from({ length: 60_000 }, (_, index) => `method m${index}(r: Int) returns (s: Int) requires r > 0 ensures s > 0 { s := r + ${index} }`);
      const data = new DataTransfer();
      data.setData("text/plain", methods.join("\n"));
      document.querySelector(".cm-content").dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    });
    await large.waitForFunction(() => /64 MB/.test(document.querySelector(".live-status")?.textContent ?? ""), null, { timeout: 120_000 });
    await small.locator(".cm-line").nth(4).click();
    await small.keyboard.press("End");
    await small.keyboard.press("Backspace");
    await small.keyboard.type("0");
    await small.waitForFunction(() => /^failed/.test(document.querySelector(".live-status")?.textContent ?? ""), null, { timeout: 60_000 });
  } finally {
    server.stop();
  }
});

test("snippets have places to fill in", { skip }, async () => {
  const server = await served(project("snippets"));
  try {
    const found = await page();
    await found.goto(server.address);
    await found.waitForSelector(".cm-line");
    await found.locator(".cm-line").nth(5).click();
    await found.keyboard.press("End");
    await found.keyboard.type("\npredic");
    await found.locator(".cm-tooltip-autocomplete li", { hasText: "predicate …" }).click();
    await found.keyboard.type("cell");
    assert.match(await text(found, ".cm-content"), /predicate cell\(\)\s*\{/);
  } finally {
    server.stop();
  }
});

test("without files there is a text to try", { skip }, async () => {
  const server = await served();
  try {
    const found = await page();
    await found.goto(server.address);
    await found.waitForSelector(".margin", { timeout: 60_000 });
    assert.match(await text(found, ".cm-content"), /method withdraw/);
  } finally {
    server.stop();
  }
});
