// The text of a program: coverage in the margin, errors inline, and whatever the rest of the page lights up.

import { closeBrackets, autocompletion, type CompletionSource } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, foldGutter } from "@codemirror/language";
import { setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Annotation, Compartment, EditorState, RangeSet, RangeSetBuilder, StateEffect, StateField, type Extension } from "@codemirror/state";
import {
  Decoration,
  EditorView,
  GutterMarker,
  WidgetType,
  gutter,
  highlightActiveLine,
  hoverTooltip,
  keymap,
  lineNumbers,
  type DecorationSet,
} from "@codemirror/view";
import { highlighting } from "./grammar";
import { STATES, kindOf, rank, type Program, type Range, type State } from "./model";

/** What is lit up: classes of ranges and of lines, and notes at the ends of lines. */
export interface Lights {
  marks: (Range & { name: string })[];
  lines: Map<number, string>;
  notes: Map<number, { text: string; name: string }>;
}

class Mark extends GutterMarker {
  constructor(readonly state: State) {
    super();
  }
  override eq(other: Mark): boolean {
    return other.state === this.state;
  }
  override toDOM(): HTMLElement {
    const [mark, name, why] = STATES[this.state];
    const span = document.createElement("span");
    span.className = `margin ${this.state}`;
    span.textContent = mark;
    span.title = `${name}: ${why}`;
    return span;
  }
}

class Note extends WidgetType {
  constructor(
    readonly text: string,
    readonly name: string,
  ) {
    super();
  }
  override eq(other: Note): boolean {
    return other.text === this.text && other.name === this.name;
  }
  override toDOM(): HTMLElement {
    const span = document.createElement("span");
    span.className = `note ${this.name}`;
    span.textContent = this.text;
    return span;
  }
}

const setMargin = StateEffect.define<RangeSet<GutterMarker>>();
const setNodes = StateEffect.define<DecorationSet>();
const setLights = StateEffect.define<DecorationSet>();

const margin = StateField.define<RangeSet<GutterMarker>>({
  create: () => RangeSet.empty,
  update(value, change) {
    const found = change.effects.find((effect) => effect.is(setMargin));
    return found ? (found.value as RangeSet<GutterMarker>) : value.map(change.changes);
  },
});

function decorations(effect: typeof setNodes) {
  return StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(value, change) {
      const found = change.effects.find((found) => found.is(effect));
      return found ? (found.value as DecorationSet) : value.map(change.changes);
    },
    provide: (field) => EditorView.decorations.from(field),
  });
}
const nodes = decorations(setNodes);
const lights = decorations(setLights);

/** Shorter lines fit anywhere. */
const WRAPS = 40;

/** Long lines go on behind their own indentation. */
const hangingIndent = EditorView.decorations.of((view) => {
  const found = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = view.state.doc.lineAt(at);
      if (line.length > WRAPS) {
        const indent = (/^ */.exec(line.text) as RegExpExecArray)[0].length + 4;
        found.add(line.from, line.from, Decoration.line({ attributes: { style: `padding-left: calc(6px + ${indent}ch); text-indent: -${indent}ch` } }));
      }
      at = line.to + 1;
    }
  }
  return found.finish();
});

export interface Listener {
  /** A place in the text was chosen. */
  chosen(offset: number, shift: boolean): void;
  /** Somebody wrote. */
  edited?(text: string): void;
  complete?: CompletionSource;
  hover?(offset: number): Promise<string | null>;
}

export class SourceView {
  readonly view: EditorView;
  private program: Program | undefined;
  private readonly highlight = new Compartment();
  private path = "";

  constructor(parent: HTMLElement, listener: Listener) {
    const live = listener.edited !== undefined;
    const choose = (event: MouseEvent, view: EditorView) => {
      const at = event.button === 0 ? view.posAtCoords({ x: event.clientX, y: event.clientY }) : null;
      if (at !== null) {
        listener.chosen(at, event.shiftKey);
      }
    };
    const click = EditorView.domEventHandlers({
      mousedown: (event, view) => {
        // Otherwise Shift selects text.
        if (event.shiftKey && !live) {
          choose(event, view);
          return true;
        }
        return false;
      },
      mouseup: (event, view) => {
        if (event.shiftKey ? live : view.state.selection.main.empty) {
          choose(event, view);
        }
      },
    });
    const hover = hoverTooltip(async (_, at) => {
      const text = listener.hover ? await listener.hover(at) : this.describe(at);
      const create = () => {
        const dom = document.createElement("div");
        dom.className = "hover";
        dom.textContent = text;
        return { dom };
      };
      return text ? { pos: at, create } : null;
    });
    const reading: Extension[] = [EditorView.editable.of(false), EditorState.readOnly.of(true)];
    const writing: Extension[] = [
      history(),
      closeBrackets(),
      highlightActiveLine(),
      autocompletion(listener.complete ? { override: [listener.complete] } : {}),
      keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
      search({ top: true }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged && !update.transactions.some((change) => change.annotation(Replaced))) {
          listener.edited?.(update.state.doc.toString());
        }
      }),
    ];
    this.view = new EditorView({
      parent,
      extensions: [
        lineNumbers(),
        gutter({ class: "cm-margin", markers: (view) => view.state.field(margin) }),
        margin,
        nodes,
        lights,
        EditorView.lineWrapping,
        hangingIndent,
        foldGutter(),
        bracketMatching(),
        highlightSelectionMatches(),
        this.highlight.of([]),
        click,
        hover,
        live ? writing : reading,
        EditorView.contentAttributes.of({ "aria-label": "source", tabindex: "0" }),
      ],
    });
  }

  /** Shows a program. The text of somebody who writes is left alone where it is the same. */
  show(program: Program): void {
    this.program = program;
    const { view } = this;
    if (view.state.doc.toString() !== program.text) {
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: program.text },
        annotations: Replaced.of(true),
      });
    }
    if (this.path !== program.data.path) {
      this.path = program.data.path;
      view.dispatch({ effects: this.highlight.reconfigure(highlighting(this.path)) });
    }
    const doc = view.state.doc;
    const marks = new RangeSetBuilder<GutterMarker>();
    for (const [line, state] of [...program.lineStates()].sort(([a], [b]) => a - b)) {
      if (line <= doc.lines) {
        const { from } = doc.line(line);
        marks.add(from, from, new Mark(state));
      }
    }
    const places = [...program.ranges].filter(([, { from, to }]) => from < to);
    const found = places.map(([id, { from, to }]) => {
      const state = program.nodes.get(id)?.state;
      return Decoration.mark({ class: `n ${state ?? ""}` }).range(from, Math.min(to, doc.length));
    });
    for (const part of program.data.unneeded_parts) {
      const range = program.range(part);
      if (range && range.from < range.to) {
        found.push(Decoration.mark({ class: "unneeded" }).range(range.from, range.to));
      }
    }
    view.dispatch({ effects: [setMargin.of(marks.finish()), setNodes.of(Decoration.set(found, true))] });
    view.dispatch(setDiagnostics(view.state, diagnostics(program)));
  }

  light(found: Lights): void {
    const { doc } = this.view.state;
    const all = found.marks
      .filter(({ from, to }) => from < to && to <= doc.length)
      .map(({ from, to, name }) => Decoration.mark({ class: name }).range(from, to));
    for (const [line, name] of found.lines) {
      if (line >= 1 && line <= doc.lines) {
        all.push(Decoration.line({ class: name }).range(doc.line(line).from));
      }
    }
    for (const [line, { text, name }] of found.notes) {
      if (line >= 1 && line <= doc.lines) {
        all.push(Decoration.widget({ widget: new Note(text, name), side: 1 }).range(doc.line(line).to));
      }
    }
    this.view.dispatch({ effects: setLights.of(Decoration.set(all, true)) });
  }

  scrollTo(line: number): void {
    const { doc } = this.view.state;
    if (line >= 1 && line <= doc.lines) {
      const { from } = doc.line(line);
      this.view.dispatch({ effects: EditorView.scrollIntoView(from, { y: "center" }) });
    }
  }

  diagnose(found: Diagnostic[]): void {
    this.view.dispatch(setDiagnostics(this.view.state, found));
  }

  private describe(offset: number): string | null {
    const node = this.program?.nodeAt(offset);
    if (!node) {
      return null;
    }
    const state = node.state ? `${STATES[node.state][1]}: ${STATES[node.state][2]}` : "";
    return [kindOf(node), state].filter(Boolean).join("\n");
  }
}

/** Marks changes that nobody typed. */
const Replaced = Annotation.define<boolean>();

function diagnostics(program: Program): Diagnostic[] {
  const found: Diagnostic[] = [];
  const add = (severity: Diagnostic["severity"], message: string, range: Range | undefined) => {
    if (range) {
      found.push({ severity, message, ...range });
    }
  };
  for (const error of program.data.errors.filter((error) => !error.cascade)) {
    add(error.undecided ? "warning" : "error", error.message, program.range(error.position));
  }
  for (const warning of program.data.warnings) {
    add("info", warning.message, program.range(warning.position));
  }
  return found.sort((a, b) => a.from - b.from);
}

/** Lines that are worth a visit, in order. */
export function uncoveredLines(program: Program): number[] {
  const lines = [...program.lineStates()].filter(([, state]) => rank(state) >= rank("uncovered"));
  return lines.map(([line]) => line).sort((a, b) => a - b);
}
