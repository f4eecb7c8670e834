// Tests the packaged extension in a real editor: code-server (VS Code as a web server) and a headless browser. Run it by
// hand, because these are large: `npm install --no-save code-server@4.100 playwright-core`, install Chromium, and run
// `CHROMIUM=/usr/bin/chromium ECHIS=/path/to/echis node by-hand/in-editor.js echis.vsix`.
const { spawn, spawnSync } = require("node:child_process");
const assert = require("node:assert");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { chromium } = require("playwright-core");

const PORT = 8765;
const PROGRAM = `field f: Int
function one(): Int ensures result > 0 { 1 }
method good(r: Ref) requires acc(r.f) { r.f := one() assert r.f > 0 }
method bad(r: Ref) requires acc(r.f) { assert r.f > 0 }
`;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "echis-editor-"));
const at = (name) => path.join(folder, name);
const server = path.join(path.dirname(require.resolve("code-server/package.json")), "out/node/entry.js");
const common = ["--extensions-dir", at("extensions"), "--user-data-dir", at("data")];

function prepare() {
  fs.mkdirSync(at("data/User"), { recursive: true });
  fs.mkdirSync(at("programs"));
  fs.writeFileSync(at("programs/p.vpr"), PROGRAM);
  const settings = { "echis.path": process.env.ECHIS ?? "echis", "security.workspace.trust.enabled": false };
  fs.writeFileSync(at("data/User/settings.json"), JSON.stringify(settings));
  const installed = spawnSync("node", [server, ...common, "--install-extension", path.resolve(process.argv[2])]);
  assert.equal(installed.status, 0, String(installed.stderr));
  return spawn("node", [server, ...common, "--auth", "none", "--bind-addr", `127.0.0.1:${PORT}`, at("programs")]);
}

async function browse(page) {
  const shows = (text) => page.waitForFunction((text) => document.body.innerText.includes(text), text, { timeout: 60000 });
  for (let tries = 0; ; tries++) {
    const opened = await page.goto(`http://127.0.0.1:${PORT}/?folder=${at("programs")}`).catch(() => null);
    if (opened) break;
    assert.ok(tries < 60, "the editor starts");
    await page.waitForTimeout(500);
  }
  await page.dblclick('.explorer-folders-view [aria-label*="p.vpr"]', { timeout: 120000 });
  await page.waitForSelector(".monaco-editor .view-line", { timeout: 60000 });
  await page.keyboard.press("Control+Shift+M");
  await shows("Assertion r.f > 0 might not hold.");
  await shows("rests on 4 assumptions · 1 trusted");
  await page.click(".monaco-editor .view-line >> nth=3");
  await page.keyboard.press("Control+End");
  await page.keyboard.type("\nmethod more() { assert 1 == 2 }");
  await shows("Assertion 1 == 2 might not hold.");
  // Only the new member is verified again.
  await shows("verified (known)");
  await page.keyboard.press("F1");
  await page.keyboard.type("Echis: Show dependencies", { delay: 20 });
  await page.waitForTimeout(2000);
  await page.keyboard.press("Enter");
  for (let tries = 0; ; tries++) {
    const texts = page.frames().map((frame) => frame.evaluate(() => document.body?.innerText ?? "").catch(() => ""));
    if ((await Promise.all(texts)).some((text) => text.includes("% covered"))) break;
    assert.ok(tries < 60, "the panel shows the report");
    await page.waitForTimeout(500);
  }
}

(async () => {
  const editor = prepare();
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
  try {
    await browse(await browser.newPage({ viewport: { width: 1500, height: 900 } }));
    console.log("the extension works in the editor");
  } finally {
    await browser.close();
    editor.kill();
    fs.rmSync(folder, { recursive: true, force: true });
  }
})().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
