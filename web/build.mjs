// Builds the application into the crate that embeds it: `node build.mjs [FOLDER]`. The build is reproducible.

import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2] ?? join(here, "../crates/echis_report/assets/web");
mkdirSync(folder, { recursive: true });

await build({
  absWorkingDir: here,
  entryPoints: { app: "src/main.tsx" },
  outdir: folder,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  jsx: "automatic",
  jsxImportSource: "preact",
});

// The content security policy of pages allows only this script.
const script = readFileSync(join(folder, "app.js"));
const kilobytes = Math.round(script.length / 1000);
writeFileSync(join(folder, "app.sha256"), createHash("sha256").update(script).digest("base64") + "\n");
console.log(`app.js has ${kilobytes} KB`);
