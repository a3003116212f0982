/** Graphs in a webview beside the source: they follow its changes and its cursor, and a click leads to the lines. */

import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { FromWebview, ToWebview } from '../webview/messages';
import { nearest } from './mapping';
import { Method } from './protocol';
import type { GraphKind, GraphResult } from './protocol';
import type { Server } from './server';

export const KINDS: readonly (vscode.QuickPickItem & { readonly graph: GraphKind })[] = [
  { graph: 'cfg', label: 'Control flow' },
  { graph: 'data-flow', label: 'Data flow' },
  { graph: 'loops', label: 'Loops, and how often they run' },
  { graph: 'access', label: 'Accesses to memory, loop by loop' },
  { graph: 'calls', label: 'Calls' },
];
const PAUSE_MILLISECONDS = 150;

/** Which graph is shown, of which document. */
export interface GraphAddress {
  readonly uri: string;
  readonly kind: GraphKind;
  readonly stage: string;
  readonly function?: string;
}

interface Shown {
  readonly address: GraphAddress;
  readonly panel: vscode.WebviewPanel;
  result: GraphResult | undefined;
  timer: NodeJS.Timeout | undefined;
}

export class Graphs implements vscode.Disposable {
  private readonly open = new Map<string, Shown>();
  private readonly disposables: vscode.Disposable[];

  constructor(private readonly server: Server, private readonly extension: vscode.Uri) {
    this.disposables = [
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        for (const shown of this.of(document)) this.later(shown);
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        for (const shown of this.of(textEditor.document)) this.follow(shown, textEditor);
      }),
    ];
  }

  dispose(): void {
    this.open.forEach(({ panel }) => { panel.dispose(); });
    this.disposables.forEach((disposable) => { disposable.dispose(); });
  }

  /** Opens the graph beside the source, or shows it if it is open. */
  async show(address: GraphAddress): Promise<void> {
    const key = JSON.stringify([address.uri, address.kind, address.stage, address.function]);
    const former = this.open.get(key);
    if (former !== undefined) { former.panel.reveal(undefined, true); return; }
    const name = address.function === undefined || address.kind === 'calls' ? 'the file' : `@${address.function}`;
    const kind = KINDS.find(({ graph }) => graph === address.kind)?.label ?? address.kind;
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const panel = vscode.window.createWebviewPanel('fathom.graph', `${kind} of ${name}, ${address.stage}`, column, {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(this.extension, 'dist')],
    });
    const shown: Shown = { address, panel, result: undefined, timer: undefined };
    this.open.set(key, shown);
    panel.onDidDispose(() => { clearTimeout(shown.timer); this.open.delete(key); });
    const ready = new Promise<void>((resolve) => {
      panel.webview.onDidReceiveMessage((message: FromWebview) => {
        // A webview that was hidden is made anew when it is seen again.
        if ('ready' in message) { resolve(); if (shown.result !== undefined) this.send(shown, { graph: shown.result }); }
        else if ('chosen' in message) void this.go(shown, message.chosen);
        else void save(message, `${name.replaceAll(/[^\w.-]+/g, '')}.${address.kind}.${message.picture}`);
      });
    });
    panel.webview.html = page(panel.webview, this.extension);
    await ready;
    await this.refresh(shown);
  }

  private of(document: vscode.TextDocument): Shown[] {
    const uri = document.uri.toString();
    return [...this.open.values()].filter(({ address }) => address.uri === uri);
  }

  private later(shown: Shown): void {
    clearTimeout(shown.timer);
    shown.timer = setTimeout(() => { void this.refresh(shown); }, PAUSE_MILLISECONDS);
  }

  private async refresh(shown: Shown): Promise<void> {
    const client = await this.server.ready();
    if (client === undefined) return;
    const { uri, ...rest } = shown.address;
    try {
      shown.result = await client.sendRequest<GraphResult>(Method.graph, { textDocument: { uri }, ...rest });
    } catch {
      return; // The text has changed meanwhile, and it is asked again; or the stage is gone, and the last graph stays.
    }
    this.send(shown, { graph: shown.result });
    const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri);
    if (editor !== undefined) this.follow(shown, editor);
  }

  private follow(shown: Shown, { selection }: vscode.TextEditor): void {
    const at = nearest((shown.result?.nodes ?? []).map(({ source }) => source), selection.active);
    this.send(shown, { at: at ?? null });
  }

  private send({ panel }: Shown, message: ToWebview): void {
    void panel.webview.postMessage(message);
  }

  private async go({ address, result }: Shown, node: number): Promise<void> {
    const place = result?.nodes[node]?.source?.start;
    if (place === undefined) return;
    const at = new vscode.Position(place.line, place.character);
    const visible = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === address.uri);
    const selection = new vscode.Selection(at, at);
    const viewColumn = visible?.viewColumn ?? vscode.ViewColumn.One;
    await vscode.window.showTextDocument(vscode.Uri.parse(address.uri), { selection, viewColumn });
  }
}

async function save({ picture, data }: Extract<FromWebview, { picture: unknown }>, name: string): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const defaultUri = folder === undefined ? vscode.Uri.file(name) : vscode.Uri.joinPath(folder, name);
  const uri = await vscode.window.showSaveDialog({ defaultUri, filters: { [picture.toUpperCase()]: [picture] } });
  if (uri !== undefined) await vscode.workspace.fs.writeFile(uri, Buffer.from(data, picture === 'svg' ? 'utf8' : 'base64'));
}

/** The page of a webview, which runs its own script and loads nothing from elsewhere. Its colours are the editor's. */
function page(webview: vscode.Webview, extension: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64');
  const file = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(extension, 'dist', name)).toString();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'wasm-unsafe-eval'`,
    `style-src ${webview.cspSource} 'nonce-${nonce}'`,
    'img-src data:',
    'worker-src blob:',
  ].join('; ');
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <link rel="stylesheet" href="${file('graph.css')}">
    <style nonce="${nonce}">
      :root {
        --ground: var(--vscode-editor-background); --raised: var(--vscode-editorWidget-background);
        --line: var(--vscode-editorIndentGuide-activeBackground1, gray); --text: var(--vscode-editor-foreground);
        --faint: var(--vscode-descriptionForeground); --mark: var(--vscode-editor-findMatchHighlightBackground);
        --accent: var(--vscode-focusBorder); --good: var(--vscode-charts-green); --bad: var(--vscode-charts-red);
      }
    </style>
  </head>
  <body><script nonce="${nonce}" src="${file('graph.js')}"></script></body>
</html>`;
}
