/** Shows the operation whose check failed when a function ran, as a diagnostic of its own, until the text changes. */

import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { RunFunctionResult } from './protocol';

export class FailedChecks implements vscode.Disposable {
  private readonly shown = vscode.languages.createDiagnosticCollection('fathom run');
  private readonly changes = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    if (contentChanges.length > 0) this.shown.delete(document.uri);
  });

  dispose(): void {
    this.changes.dispose();
    this.shown.dispose();
  }

  /** Takes away what an earlier run left. */
  clear(uri: string): void {
    this.shown.delete(vscode.Uri.parse(uri));
  }

  /** Shows the place that a result names, if the document is still the one that ran. */
  show(client: LanguageClient, uri: string, { range, version, message }: RunFunctionResult): void {
    const document = vscode.workspace.textDocuments.find((candidate) => candidate.uri.toString() === uri);
    if (range === undefined || document === undefined || document.version !== version) return;
    const place = client.protocol2CodeConverter.asRange(range);
    const diagnostic = new vscode.Diagnostic(place, message ?? '', vscode.DiagnosticSeverity.Error);
    diagnostic.source = 'fathom run';
    this.shown.set(document.uri, [diagnostic]);
  }
}
