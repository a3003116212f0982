/** What a view beside the editor is, and what it has at hand. A new one is a module, and a line in `views.ts`. */

import type { LSPClient } from '@codemirror/lsp-client';
import type { FunctionInfo, Position, Range } from '../../vscode-client/src/protocol';

export interface Context {
  readonly client: LSPClient;
  readonly uri: string;
  /** The functions of the document, in the order of the text. */
  functions(): readonly FunctionInfo[];
  /** The name of the function that is looked at; undefined for the whole file. */
  chosen(): string | undefined;
  /** Where the cursor is in the source. */
  cursor(): Position;
  /** Marks lines of the source; shows the first one if it is to be `shown`. */
  mark(ranges: readonly Range[], shown: boolean): void;
  /** Puts the cursor at a place of the source. */
  go(place: Position): void;
  /** Asks the server, about the text as it stands in the editor. */
  ask<T>(method: string, params: object): Promise<T>;
  /** Says something in the line at the end of the page. */
  say(text: string, isBad?: boolean): void;
}

export interface View {
  readonly id: string;
  readonly title: string;
  readonly element: HTMLElement;
  /** Called when what it shows may be another: the document or the function changed, or it is looked at again. */
  refresh(): void;
  /** Called when the cursor in the source has moved. */
  follow?(place: Position): void;
}
