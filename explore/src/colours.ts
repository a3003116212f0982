/** Colours of a text that is only looked at: a stage, of which the server tells no tokens. */

import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { tags } from '@lezer/highlight';

// Each begins with `^`: one that does not is looked for in the whole rest of the line, which may be a megabyte. A choice
// inside of a repetition would overflow the stack there.
const RULES: readonly (readonly [RegExp, string | null])[] = [
  [/^\/\/.*/, 'comment'],
  [/^"[^"\\]*(?:\\.[^"\\]*)*"?/, 'string'],
  [/^[%][\w$.#-]+/, 'variableName'],
  [/^@(?:[\w$.-]+|"[^"]*"?)/, 'propertyName'],
  [/^\^[\w$.-]+/, 'labelName'],
  [/^[!#][\w$.-]+/, 'typeName'],
  [/^(?:[if]\d+|bf16|index|none|memref|tensor|vector|ptr|void|float|double)\b/, 'typeName'],
  [/^-?\d+(?:\.\d*(?:[eE][+-]?\d+)?)?/, 'number'],
  [/^[a-z_][\w]*(?:\.[\w.]+)/, 'keyword'],
  [/^[A-Za-z_][\w.]*/, null],
];
const ASSEMBLY: readonly (readonly [RegExp, string | null])[] = [[/^#.*/, 'comment'], [/^;.*/, 'comment']];

function language(comments: readonly (readonly [RegExp, string | null])[]): Extension {
  return StreamLanguage.define({
    token(stream) {
      if (stream.eatSpace()) return null;
      for (const [rule, name] of [...comments, ...RULES]) if (stream.match(rule)) return name;
      stream.next();
      return null;
    },
  });
}

const style = syntaxHighlighting(HighlightStyle.define([
  { tag: tags.comment, class: 't-comment' },
  { tag: tags.string, class: 't-string' },
  { tag: tags.variableName, class: 't-variable' },
  { tag: tags.propertyName, class: 't-function' },
  { tag: tags.labelName, class: 't-label' },
  { tag: tags.typeName, class: 't-type' },
  { tag: tags.number, class: 't-number' },
  { tag: tags.keyword, class: 't-macro' },
]));

const LANGUAGES: Readonly<Record<string, Extension>> = {
  mlir: [language([]), style],
  llvm: [language(ASSEMBLY.slice(1)), style],
  asm: [language(ASSEMBLY), style],
};

/** The colours for a language as the server calls it: always the same, so that a text is not coloured anew for nothing. */
export function colours(languageId: string): Extension {
  return LANGUAGES[languageId] ?? [];
}
