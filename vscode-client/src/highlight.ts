/** The line at the cursor lights up what it became in the previews, and the way back; stale previews look stale. */

import * as vscode from 'vscode';
import { linesOf, linked } from './mapping';
import type { Side } from './mapping';
import type { Preview, Previews } from './preview';
import { PREVIEW_SCHEME } from './protocol';
import type { Range } from './protocol';

export class Highlighter implements vscode.Disposable {
  private readonly link = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('fathom.linkedLineBackground'),
    overviewRulerColor: new vscode.ThemeColor('fathom.linkedLineBackground'),
    overviewRulerLane: vscode.OverviewRulerLane.Full,
  });
  private readonly dimmed = vscode.window.createTextEditorDecorationType({ opacity: '0.55' });
  private readonly note = vscode.window.createTextEditorDecorationType({
    after: { margin: '0 0 0 3em', color: new vscode.ThemeColor('editorWarning.foreground') },
  });
  private readonly disposables: { dispose(): void }[];

  constructor(private readonly previews: Previews) {
    this.disposables = [
      this.link,
      this.dimmed,
      this.note,
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => { this.follow(textEditor); }),
      vscode.window.onDidChangeActiveTextEditor((editor) => { if (editor) this.follow(editor); }),
      vscode.window.onDidChangeVisibleTextEditors((editors) => { editors.forEach((editor) => { this.mark(editor); }); }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => { this.documentChanged(document); }),
      previews.onDidUpdate((preview) => { this.updated(preview); }),
    ];
  }

  dispose(): void {
    this.disposables.forEach((disposable) => { disposable.dispose(); });
  }

  private updated(preview: Preview): void {
    editorsOf(preview.uri).forEach((editor) => { this.mark(editor); });
    const active = vscode.window.activeTextEditor;
    if (active !== undefined) this.follow(active);
  }

  /** A preview's new text reaches its editor after the answer did; only then can its lines be highlighted. */
  private documentChanged(document: vscode.TextDocument): void {
    const preview = this.previews.get(document.uri);
    if (preview !== undefined) this.updated(preview);
  }

  /** Highlights what belongs to the cursor of `editor`. Only the editor with the focus leads; the others follow. */
  private follow(editor: vscode.TextEditor): void {
    if (editor !== vscode.window.activeTextEditor) return;
    const { document, selection } = editor;
    if (document.uri.scheme !== PREVIEW_SCHEME) {
      editor.setDecorations(this.link, []);
      for (const preview of this.previews.of(document.uri)) {
        const ranges = linkedRanges(preview, 'source', document.version, selection.active);
        editorsOf(preview.uri).forEach((other) => { this.light(other, ranges); });
      }
      return;
    }
    const preview = this.previews.get(document.uri);
    if (preview === undefined) return;
    editor.setDecorations(this.link, []);
    for (const source of editorsOf(vscode.Uri.parse(preview.address.source))) {
      this.light(source, linkedRanges(preview, 'target', source.document.version, selection.active));
    }
  }

  private light(editor: vscode.TextEditor, ranges: readonly Range[]): void {
    const lines = linesOf(ranges).filter((line) => line < editor.document.lineCount);
    editor.setDecorations(this.link, lines.map((line) => editor.document.lineAt(line).range));
    const [first] = lines;
    const visible = lines.some((line) => editor.visibleRanges.some((range) => range.start.line <= line && line <= range.end.line));
    if (first === undefined || visible) return;
    editor.revealRange(editor.document.lineAt(first).range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  /** A stale preview is dimmed and says why after its first line. */
  private mark(editor: vscode.TextEditor): void {
    if (editor.document.uri.scheme !== PREVIEW_SCHEME) return;
    const result = this.previews.get(editor.document.uri)?.result;
    const stale = result?.stale === true && result.text !== '';
    const all = new vscode.Range(0, 0, editor.document.lineCount, 0);
    editor.setDecorations(this.dimmed, stale ? [all] : []);
    const contentText = `stale: ${result?.staleReason ?? 'the source is newer'}`;
    const range = editor.document.lineAt(0).range;
    editor.setDecorations(this.note, stale ? [{ range, renderOptions: { after: { contentText } } }] : []);
  }
}

/** Nothing while the preview shows another version of the source than the editor: its ranges would be off. */
function linkedRanges({ result }: Preview, from: Side, version: number, at: vscode.Position): Range[] {
  if (result === undefined || result.stale || result.version !== version) return [];
  return linked(result.map, from, at);
}

function editorsOf(uri: vscode.Uri): vscode.TextEditor[] {
  const key = uri.toString();
  return vscode.window.visibleTextEditors.filter((editor) => editor.document.uri.toString() === key);
}
