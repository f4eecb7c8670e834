// Shared code of the tests: the executable, the browser, pages with reports.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const here = dirname(fileURLToPath(import.meta.url));
export const repository = join(here, "../..");
export const echis = process.env.ECHIS ?? join(repository, "target/debug/echis");
const browsers = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/usr/bin/google-chrome-stable"];
const executablePath = browsers.find((path) => path && existsSync(path));

/** The reason why the tests cannot run, or `false`. */
export const skip = !executablePath ? "there is no Chromium: `apt install chromium`, or name one in the variable CHROMIUM" : !existsSync(echis) ? `there is no ${echis}; the variable ECHIS names the executable` : false;

export const folder = mkdtempSync(join(tmpdir(), "echis-web-"));
/** The folder to save screenshots in, if any. */
const pictures = process.env.ECHIS_SCREENSHOTS;

let browser;
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

export async function page(options = {}) {
  const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
  browser ??= await chromium.launch({ executablePath, args });
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, acceptDownloads: true, ...options });
  const found = await context.newPage();
  found.problems = [];
  found.on("pageerror", (error) => found.problems.push(error.message));
  found.on("console", (message) => message.type() === "error" && found.problems.push(message.text()));
  found.requests = [];
  found.on("request", (request) => found.requests.push(request.url()));
  return found;
}

const reports = new Map();

/** The page of a report about some programs. Each report is created once. */
export function report(programs, ...options) {
  const key = [...programs, ...options].join(" ");
  if (!reports.has(key)) {
    const output = join(folder, `${reports.size}.html`);
    const run = spawnSync(echis, ["report", "-q", "-o", output, ...options, ...programs], { cwd: repository, encoding: "utf8" });
    if (!existsSync(output)) {
      throw new Error(`echis report: ${run.stderr}`);
    }
    reports.set(key, output);
  }
  return reports.get(key);
}

export async function opened(programs, hash = "", options = {}) {
  const found = await page(options);
  await found.goto(`file://${report(programs)}${hash}`);
  await found.waitForSelector(".page");
  return found;
}

export async function picture(found, name) {
  if (pictures) {
    mkdirSync(pictures, { recursive: true });
    await found.waitForTimeout(300);
    await found.screenshot({ path: join(pictures, `${name}.png`) });
  }
}

/** Starts a server for a folder; `stop` ends it. */
export async function served(...args) {
  const child = spawn(echis, ["web", "--no-open", ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((resolve, reject) => {
    child.stdout.on("data", (data) => resolve(String(data).trim()));
    child.on("exit", (code) => reject(new Error(`echis web ended with ${code}`)));
  });
  return { address, stop: () => child.kill() };
}

export const text = (found, selector) => found.locator(selector).innerText();
export const texts = (found, selector) => found.locator(selector).allInnerTexts();
/** The numbers of the lines that contain elements of the given class. */
export async function litLines(found, name) {
  return found.$$eval(`.cm-line .${name}`, (marks) => {
    const lines = [...document.querySelectorAll(".cm-line")];
    return [...new Set(marks.map((mark) => lines.indexOf(mark.closest(".cm-line")) + 1))];
  });
}
