// Tests that need no editor: the grammar, the manifest, and that the bundle starts the configured server.

const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const Module = require("node:module");
const test = require("node:test");

const root = path.join(__dirname, "..");
const json = (name) => JSON.parse(fs.readFileSync(path.join(root, name), "utf8"));

test("every pattern of the grammar is a regular expression, and every name that is included is there", () => {
  for (const { path: file } of json("package.json").contributes.grammars) {
    const grammar = json(file);
    const visit = (rule) => {
      for (const key of ["match", "begin", "end"]) {
        if (rule[key] !== undefined) new RegExp(rule[key]);
      }
      if (rule.include) assert.ok(grammar.repository[rule.include.slice(1)], rule.include);
      (rule.patterns ?? []).forEach(visit);
    };
    visit(grammar);
    Object.values(grammar.repository).forEach(visit);
  }
});

test("words are highlighted as what they are", () => {
  const { repository } = json("syntaxes/viper.tmLanguage.json");
  const scope = (word) => repository.words.patterns.find((rule) => new RegExp(`^(?:${rule.match})$`).test(word))?.name;
  assert.strictEqual(scope("requires"), "keyword.control.contract.viper");
  assert.strictEqual(scope("Seq"), "support.type.viper");
  assert.strictEqual(scope("requiresx"), undefined);
});

test("every command of the manifest is registered, and the server is started as the settings say", async () => {
  const manifest = json("package.json");
  const registered = [];
  const disposable = { dispose() {} };
  const settings = { path: "/does/not/exist/echis", jobs: 3, cache: false, explain: "request" };
  const item = { hide() {}, show() {}, dispose() {} };
  const messages = [];
  const anything = new Proxy(function () {}, {
    get: (_, name) => (name === "then" ? undefined : anything),
    apply: () => disposable,
    construct: () => ({ dispose() {}, event: () => disposable }),
  });
  const vscode = new Proxy(
    {
      StatusBarAlignment: { Left: 1 },
      commands: { registerCommand: (name) => (registered.push(name), disposable) },
      window: new Proxy(
        {
          createStatusBarItem: () => item,
          onDidChangeActiveTextEditor: () => disposable,
          showErrorMessage: (text) => messages.push(text),
        },
        { get: (known, name) => known[name] ?? anything },
      ),
      workspace: new Proxy(
        {
          onDidChangeConfiguration: () => disposable,
          getConfiguration: () => ({ get: (name, otherwise) => settings[name] ?? otherwise }),
        },
        { get: (known, name) => known[name] ?? anything },
      ),
    },
    { get: (known, name) => known[name] ?? anything },
  );
  const started = [];
  class LanguageClient {
    constructor(...args) {
      started.push(args);
    }
    onNotification() {}
    async start() {
      throw new Error("there is no such file");
    }
    async stop() {}
  }
  const load = Module._load;
  Module._load = (name, ...rest) => {
    if (name === "vscode") return vscode;
    if (name === "vscode-languageclient/node") return { LanguageClient };
    return load(name, ...rest);
  };
  try {
    // Built from the same source as the bundle, with a mock of the client library.
    const bundle = path.join(root, "dist", "test.js");
    require("esbuild").buildSync({
      entryPoints: [path.join(root, "src", "extension.ts")],
      bundle: true,
      platform: "node",
      format: "cjs",
      external: ["vscode", "vscode-languageclient/node"],
      outfile: bundle,
    });
    await require(bundle).activate({ subscriptions: [] });
  } finally {
    Module._load = load;
  }
  assert.deepStrictEqual(registered.sort(), manifest.contributes.commands.map((one) => one.command).sort());
  const [, , server, options] = started[0];
  assert.deepStrictEqual(server, { command: settings.path, args: ["lsp", "--jobs", "3", "--no-cache"] });
  assert.deepStrictEqual(options.initializationOptions, { explain: "request" });
  assert.match(messages[0], /echis\.path/);
});
