/** A mark in the gutter beside each function that can be run; the menu of its line number runs it. */

import * as vscode from 'vscode';
import { Method, PREVIEW_SCHEME } from './protocol';
import type { FunctionInfo } from './protocol';
import type { Server } from './server';

/** Milliseconds that a document rests before its marks are made anew. */
const PATIENCE_MILLISECONDS = 300;

export class Gutter implements vscode.Disposable {
  private readonly mark: vscode.TextEditorDecorationType;
  private readonly disposables: { dispose(): void }[];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly server: Server,
    extension: vscode.Uri,
  ) {
    const gutterIconPath = vscode.Uri.joinPath(extension, 'images', 'run.svg');
    this.mark = vscode.window.createTextEditorDecorationType({ gutterIconPath, gutterIconSize: '80%' });
    this.disposables = [
      this.mark,
      server.onDidStart(() => { this.soon(); }),
      vscode.window.onDidChangeVisibleTextEditors(() => { this.soon(); }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => { if (document.languageId === 'mlir') this.soon(); }),
      vscode.workspace.onDidChangeConfiguration((event) => { if (event.affectsConfiguration('fathom.gutter')) this.soon(); }),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.disposables.forEach((each) => { each.dispose(); });
  }

  private soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      for (const editor of vscode.window.visibleTextEditors) void this.update(editor).catch(() => undefined);
    }, PATIENCE_MILLISECONDS);
  }

  private async update(editor: vscode.TextEditor): Promise<void> {
    const { document } = editor;
    if (document.languageId !== 'mlir' || document.uri.scheme === PREVIEW_SCHEME) return;
    const isWanted = vscode.workspace.isTrusted && vscode.workspace.getConfiguration('fathom').get<boolean>('gutter', true);
    const client = isWanted ? await this.server.ready() : undefined;
    const { version } = document;
    const functions = await client?.sendRequest<FunctionInfo[]>(Method.functions, { textDocument: { uri: document.uri.toString() } });
    if (document.version !== version) return;
    const runnable = (functions ?? []).filter(({ isDeclaration, arguments: all }) => !isDeclaration && all.every(({ example }) => example !== undefined));
    editor.setDecorations(this.mark, runnable.map(({ selectionRange: { start } }) => new vscode.Range(start.line, 0, start.line, 0)));
  }
}
