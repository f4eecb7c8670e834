// The report if the page has one, and otherwise a session with the server that sent the page.

import { render } from "preact";
import { Program, type Report } from "./model";
import { Playground } from "./playground";
import { Workbench } from "./workbench";
import "./style.css";

const data = document.getElementById("data");
const live = document.querySelector<HTMLMetaElement>('meta[name="echis-live"]');
const root = document.getElementById("app") as HTMLElement;

// VS Code says with a class which theme it has.
const editorTheme = /vscode-(?:high-contrast-)?(dark|light)/.exec(document.body.className)?.[1];
if (editorTheme) {
  document.documentElement.dataset.theme = editorTheme;
}

if (data) {
  const report = JSON.parse(data.textContent ?? "") as Report;
  render(<Workbench programs={report.files.map((file) => new Program(file))} />, root);
} else if (live) {
  const address = new URL(live.content, location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  address.hash = "";
  render(<Playground address={address.href} />, root);
}
