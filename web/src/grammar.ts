// Highlighting from the grammars of the VS Code extension. They use a small part of what TextMate grammars can say:
// `match` with captures, and `begin` with `end`, which is all that is understood here.

import { HighlightStyle, StreamLanguage, syntaxHighlighting, type StringStream } from "@codemirror/language";
import { tags, type Tag } from "@lezer/highlight";
import boogie from "../../editors/vscode/syntaxes/boogie.tmLanguage.json";
import viper from "../../editors/vscode/syntaxes/viper.tmLanguage.json";

interface Pattern {
  include?: string;
  name?: string;
  match?: string;
  begin?: string;
  end?: string;
  captures?: Record<string, { name: string }>;
  patterns?: Pattern[];
}

interface Grammar {
  name: string;
  patterns: Pattern[];
  repository: Record<string, Pattern>;
}

interface Rule {
  match: RegExp;
  end?: RegExp;
  name: string | null;
  captures: [number, string][];
}

function rules(grammar: Grammar): Rule[] {
  const flat = (pattern: Pattern): Pattern[] => {
    const named = pattern.include ? grammar.repository[pattern.include.slice(1)] : undefined;
    const found = named ?? pattern;
    return found.patterns ? found.patterns.flatMap(flat) : [found];
  };
  return grammar.patterns.flatMap(flat).map((pattern) => {
    const source = pattern.match ?? pattern.begin ?? "$^";
    const captures = Object.entries(pattern.captures ?? {}).map(([index, { name }]): [number, string] => [Number(index), name]);
    // A word begins where the one before has ended: the stream cannot look back.
    const match = new RegExp(`^(?:${source.replace(/^\\b/, "")})`, "d");
    return { match, end: pattern.end ? new RegExp(pattern.end) : undefined, name: pattern.name ?? null, captures };
  });
}

interface Reading {
  until: RegExp | null;
  name: string | null;
  /** Tokens of a match with captures that are still to be given. */
  pending: { to: number; name: string | null }[];
}

function language(grammar: Grammar) {
  const all = rules(grammar);
  const finish = (stream: StringStream, state: Reading): string | null => {
    const rest = stream.string.slice(stream.pos);
    const found = state.until?.exec(rest);
    if (found) {
      stream.pos += found.index + found[0].length;
      state.until = null;
    } else {
      stream.skipToEnd();
    }
    return style(state.name);
  };
  return StreamLanguage.define<Reading>({
    name: grammar.name.toLowerCase(),
    startState: () => ({ until: null, name: null, pending: [] }),
    copyState: (state) => ({ ...state, pending: [...state.pending] }),
    tokenTable: TABLE,
    languageData: { commentTokens: { line: "//", block: { open: "/*", close: "*/" } } },
    token(stream, state) {
      const next = state.pending.shift();
      if (next) {
        stream.pos = next.to;
        return style(next.name);
      }
      if (state.until) {
        return finish(stream, state);
      }
      if (stream.eatSpace()) {
        return null;
      }
      const rest = stream.string.slice(stream.pos);
      const before = stream.pos > 0 ? (stream.string[stream.pos - 1] as string) : " ";
      const inWord = /[\w$']/.test(before) && /^[\w$]/.test(rest);
      for (const rule of all) {
        const found = inWord ? null : rule.match.exec(rest);
        if (!found || found[0].length === 0) {
          continue;
        }
        const start = stream.pos;
        if (rule.end) {
          stream.pos += found[0].length;
          [state.until, state.name] = [rule.end, rule.name];
          return style(rule.name);
        }
        if (rule.captures.length === 0) {
          stream.pos += found[0].length;
          return style(rule.name);
        }
        let at = start;
        for (const [index, name] of rule.captures) {
          const place = (found as RegExpExecArray & { indices: [number, number][] }).indices[index];
          if (place) {
            if (start + place[0] > at) {
              state.pending.push({ to: start + place[0], name: rule.name });
            }
            state.pending.push({ to: start + place[1], name });
            at = start + place[1];
          }
        }
        if (start + found[0].length > at) {
          state.pending.push({ to: start + found[0].length, name: rule.name });
        }
        const first = state.pending.shift();
        stream.pos = first?.to ?? start + found[0].length;
        return style(first?.name ?? null);
      }
      if (!stream.eatWhile(/[\w$']/)) {
        stream.next();
      }
      return null;
    },
  });
}

/** Scopes of TextMate, by their beginnings, and what they are here. */
const SCOPES: [string, string, Tag][] = [
  ["comment", "comment", tags.comment],
  ["string", "string", tags.string],
  ["storage.type.annotation", "annotation", tags.meta],
  ["storage", "keyword", tags.keyword],
  ["keyword.operator.word", "keyword", tags.keyword],
  ["keyword.operator", "operator", tags.operator],
  ["keyword.control.contract", "contract", tags.modifier],
  ["keyword", "keyword", tags.keyword],
  ["support.type", "type", tags.typeName],
  ["entity.name.type", "type", tags.typeName],
  ["entity.name.function", "function", tags.function(tags.variableName)],
  ["constant", "constant", tags.number],
  ["variable.language", "constant", tags.number],
];
const TABLE: Record<string, Tag> = Object.fromEntries(SCOPES.map(([, name, tag]) => [name, tag]));

function style(scope: string | null): string | null {
  return (scope && SCOPES.find(([prefix]) => scope.startsWith(prefix))?.[1]) ?? null;
}

const VIPER = language(viper);
const BOOGIE = language(boogie as Grammar);

const COLOURS = HighlightStyle.define([
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: tags.meta, color: "var(--code-annotation)" },
  { tag: tags.keyword, color: "var(--code-keyword)" },
  { tag: tags.modifier, color: "var(--code-contract)", fontWeight: "600" },
  { tag: tags.operator, color: "var(--code-operator)" },
  { tag: tags.typeName, color: "var(--code-type)" },
  { tag: tags.function(tags.variableName), color: "var(--code-function)" },
  { tag: tags.number, color: "var(--code-constant)" },
]);

export function highlighting(path: string) {
  return [path.endsWith(".bpl") ? BOOGIE : VIPER, syntaxHighlighting(COLOURS)];
}
