/** Previews: read-only documents that show a stage of the source beside it and follow its changes. */

import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { readAddress, writeAddress } from './address';
import type { Address } from './address';
import { inWords } from './problems';
import { Method, PREVIEW_SCHEME } from './protocol';
import type { Position, PreviewDidChangeParams, PreviewLanguage, PreviewParams, PreviewResult, Range } from './protocol';
import type { Server } from './server';

export interface Preview {
  readonly uri: vscode.Uri;
  readonly address: Address;
  /** The last answer; undefined until there is one. */
  result: PreviewResult | undefined;
  /** Why there is no answer, if the server could not be asked. */
  problem: string | undefined;
  timer: NodeJS.Timeout | undefined;
  /** Of a preview of a part: the position that was asked for last. */
  place: Position | undefined;
  /** Counts the questions, so that a late answer to an old one is dropped. */
  asked: number;
}

export class Previews implements vscode.TextDocumentContentProvider, vscode.FileDecorationProvider, vscode.Disposable {
  private readonly open = new Map<string, Preview>();
  private readonly contentChanged = new vscode.EventEmitter<vscode.Uri>();
  private readonly badgeChanged = new vscode.EventEmitter<vscode.Uri>();
  private readonly updated = new vscode.EventEmitter<Preview>();
  private readonly disposables: vscode.Disposable[];

  readonly onDidChange = this.contentChanged.event;
  readonly onDidChangeFileDecorations = this.badgeChanged.event;
  /** Fires after a preview got a new answer. */
  readonly onDidUpdate = this.updated.event;

  constructor(private readonly server: Server) {
    this.disposables = [
      vscode.workspace.registerTextDocumentContentProvider(PREVIEW_SCHEME, this),
      vscode.window.registerFileDecorationProvider(this),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => { closed.forEach((tab) => { this.closed(tab); }); }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => { this.follow(textEditor.document); }),
      server.onDidStart((client) => { this.attach(client); }),
    ];
  }

  dispose(): void {
    this.open.forEach((preview) => { clearTimeout(preview.timer); });
    this.disposables.forEach((disposable) => { disposable.dispose(); });
  }

  /** Opens the preview beside the source, or shows it if it is open. */
  async show(address: Address, languageId: PreviewLanguage): Promise<void> {
    const uri = vscode.Uri.from({ scheme: PREVIEW_SCHEME, ...writeAddress(address, languageId) });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
      preview: false,
    });
  }

  get(uri: vscode.Uri): Preview | undefined {
    return this.open.get(uri.toString());
  }

  /** The previews of a source document. */
  of(source: vscode.Uri): Preview[] {
    return [...this.open.values()].filter(({ address }) => address.source === source.toString());
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const preview = this.get(uri) ?? this.add(uri);
    if (preview === undefined) return `// This is not the address of a preview: ${uri.toString()}\n`;
    if (preview.result === undefined) await this.ask(preview);
    return contentOf(preview);
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const result = uri.scheme === PREVIEW_SCHEME ? this.get(uri)?.result : undefined;
    if (result?.stale !== true) return undefined;
    const color = new vscode.ThemeColor('list.deemphasizedForeground');
    return new vscode.FileDecoration('S', `Stale: ${result.staleReason ?? 'the source is newer'}`, color);
  }

  private add(uri: vscode.Uri): Preview | undefined {
    const address = readAddress(uri.path, uri.query, uri.fragment);
    if (address === undefined) return undefined;
    const preview: Preview = { uri, address, result: undefined, problem: undefined, timer: undefined, place: undefined, asked: 0 };
    this.open.set(uri.toString(), preview);
    return preview;
  }

  /** A new server knows no subscriptions: asking again makes them. */
  private attach(client: LanguageClient): void {
    client.onNotification(Method.previewDidChange, (params: PreviewDidChangeParams) => { this.changed(params); });
    this.open.forEach((preview) => { this.refreshSoon(preview); });
  }

  private changed({ textDocument, stage, functions }: PreviewDidChangeParams): void {
    for (const preview of this.of(vscode.Uri.parse(textDocument.uri))) {
      const { address, result } = preview;
      const sameStage = stage === undefined || stage === address.stage;
      const name = result?.function ?? address.function;
      const sameFunction = functions === undefined || name === undefined || functions.includes(name);
      if (sameStage && sameFunction) this.refreshSoon(preview);
      else if (result?.stale === false) preview.result = { ...result, version: textDocument.version };
    }
  }

  /** Asks for another part where the cursor has left the one that is shown. */
  private follow(source: vscode.TextDocument): void {
    for (const preview of this.of(source.uri)) {
      const { result, place } = preview;
      if (result?.part === undefined || result.stale || result.version !== source.version) continue;
      const now = placeIn(preview);
      if (now === undefined || now.line === place?.line || hasLine(result.part.range, now.line)) continue;
      this.refreshSoon(preview);
    }
  }

  private refreshSoon(preview: Preview): void {
    const delay = vscode.workspace.getConfiguration('fathom').get<number>('preview.delayMilliseconds', 50);
    clearTimeout(preview.timer);
    preview.timer = setTimeout(() => { void this.refresh(preview); }, delay);
  }

  private async refresh(preview: Preview): Promise<void> {
    const before = contentOf(preview);
    if (!(await this.ask(preview))) return;
    if (contentOf(preview) !== before) this.contentChanged.fire(preview.uri);
    this.badgeChanged.fire(preview.uri);
    this.updated.fire(preview);
  }

  /** Asks the server; false if the answer came too late to be of use. */
  private async ask(preview: Preview): Promise<boolean> {
    const asked = ++preview.asked;
    const { stage, source } = preview.address;
    const name = preview.address.function;
    try {
      // After a reload of the window, previews come back before their source does.
      await vscode.workspace.openTextDocument(vscode.Uri.parse(source));
      const client = await this.server.ready();
      if (client === undefined) throw new Error('Fathom is not running');
      const params: PreviewParams = {
        textDocument: { uri: source },
        stage,
        ...(name === undefined ? {} : { function: name }),
        ...(preview.address.part === true ? { part: (preview.place = placeIn(preview) ?? preview.place ?? START) } : {}),
      };
      const result = await client.sendRequest<PreviewResult>(Method.preview, params);
      if (asked !== preview.asked) return false;
      preview.result = result;
      preview.problem = undefined;
    } catch (error) {
      if (asked !== preview.asked) return false;
      preview.problem = inWords(error);
      if (preview.result !== undefined) preview.result = { ...preview.result, stale: true, staleReason: preview.problem };
    }
    return true;
  }

  private closed(tab: vscode.Tab): void {
    if (!(tab.input instanceof vscode.TabInputText) || tab.input.uri.scheme !== PREVIEW_SCHEME) return;
    const key = tab.input.uri.toString();
    const shown = vscode.window.tabGroups.all.some((group) =>
      group.tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === key),
    );
    const preview = this.open.get(key);
    if (shown || preview === undefined) return;
    clearTimeout(preview.timer);
    this.open.delete(key);
    const { stage, source } = preview.address;
    const name = preview.address.function;
    void this.server.client?.sendNotification(Method.closePreview, {
      textDocument: { uri: source },
      stage,
      ...(name === undefined ? {} : { function: name }),
      ...(preview.address.part === true ? { part: true } : {}),
    });
  }
}

const START: Position = { line: 0, character: 0 };

function hasLine(range: Range, line: number): boolean {
  return range.start.line <= line && line <= range.end.line;
}

/** The cursor in the source of a preview, unless it is known to be outside the function. */
function placeIn({ address, result }: Preview): Position | undefined {
  const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === address.source);
  if (editor === undefined) return undefined;
  const { line, character } = editor.selection.active;
  return result?.part === undefined || hasLine(result.part.function, line) ? { line, character } : undefined;
}

function contentOf({ result, problem, address }: Preview): string {
  if (result !== undefined && result.text !== '') return result.text;
  const comment = (result?.languageId ?? (address.stage.startsWith('llvm-') ? 'llvm' : 'mlir')) === 'llvm' ? ';' : '//';
  const reason = problem ?? result?.staleReason;
  return reason === undefined ? '' : `${comment} ${reason.replaceAll('\n', `\n${comment} `)}\n`;
}
