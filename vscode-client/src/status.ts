/** The item in the status bar: the server's state, the stage that is looked at; a click opens a menu. */

import * as vscode from 'vscode';
import type { Previews } from './preview';
import { isServed, PREVIEW_SCHEME } from './protocol';
import type { Server, State } from './server';

const ICONS: Record<State['kind'], string> = {
  starting: '$(loading~spin)',
  ready: '$(check)',
  failed: '$(error)',
  stopped: '$(circle-slash)',
};

export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('fathom.status', vscode.StatusBarAlignment.Right, 90);
  private readonly disposables: { dispose(): void }[];

  constructor(
    private readonly server: Server,
    private readonly previews: Previews,
  ) {
    this.item.name = 'Fathom';
    this.item.command = 'fathom.menu';
    this.disposables = [
      this.item,
      server.onDidChangeState(() => { this.show(); }),
      previews.onDidUpdate(() => { this.show(); }),
      vscode.window.onDidChangeActiveTextEditor(() => { this.show(); }),
      vscode.window.tabGroups.onDidChangeTabs(() => { this.show(); }),
      vscode.workspace.onDidChangeConfiguration((event) => { if (event.affectsConfiguration('fathom.preview.stage')) this.show(); }),
    ];
    this.show();
  }

  dispose(): void {
    this.disposables.forEach((each) => { each.dispose(); });
  }

  /** It is there while an MLIR or LLVM IR file, or a preview of one, is being looked at. */
  private show(): void {
    const document = vscode.window.activeTextEditor?.document;
    if (document === undefined || (!isServed(document.languageId) && document.uri.scheme !== PREVIEW_SCHEME)) {
      this.item.hide();
      return;
    }
    const { kind, detail } = this.server.state;
    const stage = this.stageOf(document);
    this.item.text = `${ICONS[kind]} Fathom: ${kind === 'ready' ? stage : kind}`;
    const tooltip = new vscode.MarkdownString(undefined, true);
    tooltip.appendText(`Fathom is ${kind}. ${detail}`);
    if (kind === 'ready') tooltip.appendMarkdown('\n\n').appendText(`Stage: ${stage}`);
    this.item.tooltip = tooltip;
    this.item.backgroundColor = kind === 'failed' ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    this.item.accessibilityInformation = { label: `Fathom is ${kind}` };
    this.item.show();
  }

  /** The stage of the preview that is shown of the document; else the one that is offered first. */
  private stageOf(document: vscode.TextDocument): string {
    const own = this.previews.get(document.uri);
    const [shown] = own === undefined ? this.previews.of(document.uri) : [own];
    const preferred = vscode.workspace.getConfiguration('fathom').get<string>('preview.stage', 'llvm-dialect');
    return shown?.address.stage ?? preferred;
  }
}

interface Entry extends vscode.QuickPickItem {
  readonly command?: string;
  readonly argument?: unknown;
}

/** What a click on the item offers. */
export async function showMenu(server: Server): Promise<void> {
  const { kind } = server.state;
  const onFunctions: Entry[] = [
    { label: '$(open-preview) Open preview…', command: 'fathom.preview' },
    { label: '$(play) Run function…', command: 'fathom.run' },
    { label: '$(watch) Bench function…', command: 'fathom.bench' },
    { label: '$(arrow-down) Lower function', command: 'fathom.lower' },
  ];
  const ofServer: Entry[] = [
    { label: kind === 'stopped' ? '$(debug-start) Start server' : '$(debug-restart) Restart server', command: 'fathom.restart' },
    ...(kind === 'ready' ? [{ label: '$(debug-stop) Stop server', command: 'fathom.stop' }] : []),
    { label: '$(cloud-download) Install server…', command: 'fathom.install' },
    { label: '$(output) Show log', command: 'fathom.showLog' },
    { label: '$(gear) Settings', command: 'workbench.action.openSettings', argument: '@ext:fathom.fathom' },
  ];
  const separator: Entry = { label: 'server', kind: vscode.QuickPickItemKind.Separator };
  const items = kind === 'ready' ? [...onFunctions, separator, ...ofServer] : ofServer;
  const picked = await vscode.window.showQuickPick(items, { title: `Fathom is ${kind}`, placeHolder: server.state.detail });
  if (picked?.command !== undefined) await vscode.commands.executeCommand(picked.command, picked.argument);
}
