/** The commands in comments `// RUN:` as tests of the editor's test explorer. */

import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { CancellationTokenSource } from 'vscode-languageclient/node';
import { inWords } from './problems';
import { Method, PREVIEW_SCHEME, ServerCommand } from './protocol';
import type { RunTestResult, TestInfo } from './protocol';
import type { Server } from './server';

/** Milliseconds that a document rests before its tests are asked for anew. */
const PATIENCE_MILLISECONDS = 500;
/** So many files of the workspace are listed. */
const MOST_FILES = 10_000;

export class Tests implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController('fathom', 'Fathom');
  private readonly lines = new WeakMap<vscode.TestItem, number>();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly disposables: { dispose(): void }[];

  constructor(private readonly server: Server) {
    this.controller.resolveHandler = (item) => (item === undefined ? this.listFiles() : this.resolve(item));
    this.controller.createRunProfile('Run', vscode.TestRunProfileKind.Run, (request, token) => this.run(request, token), true);
    this.disposables = [
      this.controller,
      server.onDidStart(() => { vscode.workspace.textDocuments.forEach((each) => { this.soon(each); }); }),
      vscode.workspace.onDidOpenTextDocument((document) => { this.soon(document); }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => { this.soon(document); }),
      vscode.workspace.onDidDeleteFiles(({ files }) => { files.forEach((file) => { this.controller.items.delete(file.toString()); }); }),
    ];
  }

  dispose(): void {
    this.timers.forEach((timer) => { clearTimeout(timer); });
    this.disposables.forEach((each) => { each.dispose(); });
  }

  /** Runs the test that begins in a line, as a lens asks for it: what comes of it is shown as of any test. */
  async runAt(uri: string, line: number): Promise<void> {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
    await this.update(document);
    const file = this.controller.items.get(document.uri.toString());
    const items: vscode.TestItem[] = [];
    file?.children.forEach((item) => { if (this.lines.get(item) === line) items.push(item); });
    const source = new vscode.CancellationTokenSource();
    if (items.length > 0) await this.run(new vscode.TestRunRequest(items), source.token);
    else void vscode.window.showInformationMessage('No test begins in this line.');
  }

  private async listFiles(): Promise<void> {
    const files = await vscode.workspace.findFiles('**/*.mlir', undefined, MOST_FILES);
    for (const uri of files) {
      if (this.controller.items.get(uri.toString()) === undefined) this.fileItem(uri);
    }
  }

  private fileItem(uri: vscode.Uri): vscode.TestItem {
    const known = this.controller.items.get(uri.toString());
    if (known !== undefined) return known;
    const item = this.controller.createTestItem(uri.toString(), vscode.workspace.asRelativePath(uri), uri);
    item.canResolveChildren = true;
    this.controller.items.add(item);
    return item;
  }

  private async resolve(item: vscode.TestItem): Promise<void> {
    if (item.uri !== undefined) await this.update(await vscode.workspace.openTextDocument(item.uri));
  }

  private soon(document: vscode.TextDocument): void {
    if (document.languageId !== 'mlir' || document.uri.scheme === PREVIEW_SCHEME) return;
    const key = document.uri.toString();
    clearTimeout(this.timers.get(key));
    this.timers.set(key, setTimeout(() => {
      this.timers.delete(key);
      if (!document.isClosed) void this.update(document).catch(() => undefined);
    }, PATIENCE_MILLISECONDS));
  }

  /** Makes the tests of a document those that the server finds in it. A file without any is not listed. */
  private async update(document: vscode.TextDocument): Promise<void> {
    const client = await this.server.ready();
    if (client === undefined || document.languageId !== 'mlir') return;
    const uri = document.uri.toString();
    const found = await client.sendRequest<TestInfo[]>(Method.tests, { textDocument: { uri } });
    if (found.length === 0) {
      this.controller.items.delete(uri);
      return;
    }
    const file = this.fileItem(document.uri);
    const seen = new Map<string, number>();
    file.children.replace(found.map((test) => {
      // The same command may stand there twice. What is known of one stays with it when lines move.
      const count = (seen.get(test.command) ?? 0) + 1;
      seen.set(test.command, count);
      const id = `${test.command}#${count}`;
      const item = file.children.get(id) ?? this.controller.createTestItem(id, test.command, document.uri);
      item.range = client.protocol2CodeConverter.asRange(test.range);
      this.lines.set(item, test.line);
      return item;
    }));
  }

  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const run = this.controller.createTestRun(request);
    try {
      const client = vscode.workspace.isTrusted ? await this.server.ready() : undefined;
      for (const item of await this.chosen(request)) {
        if (token.isCancellationRequested) break;
        run.started(item);
        if (client === undefined) run.errored(item, new vscode.TestMessage('Fathom is not running, or the workspace is not trusted.'));
        else await this.runOne(client, run, item, token);
      }
    } finally {
      run.end();
    }
  }

  /** The tests that are asked for; of a file all of its tests. */
  private async chosen(request: vscode.TestRunRequest): Promise<vscode.TestItem[]> {
    const excluded = new Set(request.exclude ?? []);
    const chosen: vscode.TestItem[] = [];
    const roots: vscode.TestItem[] = [];
    if (request.include === undefined) {
      await this.listFiles();
      this.controller.items.forEach((item) => { roots.push(item); });
    } else roots.push(...request.include);
    for (const item of roots.filter((each) => !excluded.has(each))) {
      if (this.lines.has(item)) chosen.push(item);
      else {
        await this.resolve(item);
        item.children.forEach((child) => { if (!excluded.has(child)) chosen.push(child); });
      }
    }
    return chosen;
  }

  private async runOne(client: LanguageClient, run: vscode.TestRun, item: vscode.TestItem, token: vscode.CancellationToken): Promise<void> {
    const source = new CancellationTokenSource();
    const forward = token.onCancellationRequested(() => { source.cancel(); });
    const uri = item.uri?.toString() ?? '';
    try {
      // The document has to be open in the server, which it is as long as the editor has it.
      await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
      const params = { command: ServerCommand.runTest, arguments: [uri, this.lines.get(item)] };
      const result = await client.sendRequest<RunTestResult>(Method.executeCommand, params, source.token);
      if (result.output !== '') run.appendOutput(`${result.output.replaceAll(/\r?\n/g, '\r\n')}\r\n`, undefined, item);
      report(client, run, item, result);
    } catch (error) {
      if (token.isCancellationRequested) run.skipped(item);
      else run.errored(item, new vscode.TestMessage(inWords(error)));
    } finally {
      forward.dispose();
    }
  }
}

function report(client: LanguageClient, run: vscode.TestRun, item: vscode.TestItem, result: RunTestResult): void {
  if (result.status === 'passed') {
    run.passed(item, result.milliseconds);
    return;
  }
  if (result.status === 'unsupported') {
    run.appendOutput(`not run: ${result.message}\r\n`, undefined, item);
    run.skipped(item);
    return;
  }
  const message = new vscode.TestMessage(result.message);
  const range = result.range === undefined ? item.range : client.protocol2CodeConverter.asRange(result.range);
  if (item.uri !== undefined && range !== undefined) message.location = new vscode.Location(item.uri, range);
  run.failed(item, message, result.milliseconds);
}
