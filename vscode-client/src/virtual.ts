/** Texts that are shown and belong to no file: read-only documents, which go when they are closed. */

import * as vscode from 'vscode';

export class VirtualTexts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly disposables: vscode.Disposable[];
  private count = 0;

  constructor(private readonly scheme: string) {
    this.disposables = [
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())),
    ];
  }

  dispose(): void {
    this.disposables.forEach((disposable) => { disposable.dispose(); });
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? '';
  }

  /** The address of a text; its language follows from the name. */
  add(name: string, text: string): vscode.Uri {
    this.count += 1;
    const uri = vscode.Uri.from({ scheme: this.scheme, path: `/${this.count}/${name.replaceAll('/', '_')}` });
    this.texts.set(uri.toString(), text);
    return uri;
  }

  async open(name: string, text: string): Promise<vscode.TextEditor> {
    const document = await vscode.workspace.openTextDocument(this.add(name, text));
    return vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
  }

  /** Two texts, each with its name, in the editor for differences. */
  async compare(before: readonly [string, string], after: readonly [string, string], title: string): Promise<void> {
    await vscode.commands.executeCommand('vscode.diff', this.add(...before), this.add(...after), title, { preview: true });
  }
}
