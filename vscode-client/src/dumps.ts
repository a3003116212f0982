/** Logs of passes as timelines: a tree of what a log, or a folder, has dumps of, and any two of them as a difference. */

import * as vscode from 'vscode';
import { inWords } from './problems';
import { Method } from './protocol';
import type { DumpResult, DumpsResult, ListedDump } from './protocol';
import type { Server } from './server';
import { VirtualTexts } from './virtual';

const EXTENSIONS: Readonly<Record<ListedDump['languageId'], string>> = { mlir: 'mlir', llvm: 'll', mir: 'mir' };

/** A dump, or those between two that changed something. */
export type DumpNode =
  | { readonly kind: 'dump'; readonly dump: ListedDump }
  | { readonly kind: 'idle'; readonly dumps: readonly ListedDump[] };

export class Dumps implements vscode.TreeDataProvider<DumpNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  private readonly texts = new VirtualTexts('fathom-dump');
  private readonly view: vscode.TreeView<DumpNode>;
  private uri: string | undefined;
  private dumps: readonly ListedDump[] = [];

  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly server: Server) {
    this.view = vscode.window.createTreeView('fathom.dumps', { treeDataProvider: this, canSelectMany: true });
  }

  dispose(): void {
    this.changed.dispose();
    this.texts.dispose();
    this.view.dispose();
  }

  /** Lists what a log or a folder has; asks for one if none is given. */
  async open(chosen?: vscode.Uri): Promise<void> {
    const uri = chosen ?? (await choose());
    if (uri === undefined) return;
    const name = uri.path.split('/').at(-1) ?? '';
    const options = { location: vscode.ProgressLocation.Notification, title: `Fathom: reading ${name}`, cancellable: true };
    const answer = await vscode.window.withProgress(options, (_, token) => this.ask<DumpsResult>(Method.dumps, { uri: uri.toString() }, token));
    if (answer === undefined) return;
    if (answer.dumps.length === 0) {
      void vscode.window.showInformationMessage(`Fathom: ${name}: there is no dump of IR`);
      return;
    }
    this.uri = uri.toString();
    this.dumps = answer.dumps;
    this.view.description = name;
    if (answer.leftOff > 0) this.view.message = `${answer.leftOff} more dumps are left out.`;
    else delete this.view.message;
    this.changed.fire(undefined);
    await vscode.commands.executeCommand('setContext', 'fathom.hasDumps', true);
    await vscode.commands.executeCommand('fathom.dumps.focus');
  }

  getTreeItem(node: DumpNode): vscode.TreeItem {
    return node.kind === 'dump' ? dumpItem(node.dump, node) : idleItem(node.dumps);
  }

  getChildren(node?: DumpNode): DumpNode[] {
    if (node === undefined) return folded(this.dumps);
    return node.kind === 'idle' ? node.dumps.map((dump) => ({ kind: 'dump', dump })) : [];
  }

  /** What a pass changed, beside the dump before of the same operation; the text of the first one of an operation. */
  async show(node: DumpNode): Promise<void> {
    if (node.kind !== 'dump') return;
    const answer = await this.text(node.dump);
    if (answer === undefined) return;
    const before = this.dumps.find(({ number }) => number === answer.before?.number);
    if (answer.before === undefined || before === undefined) await this.texts.open(fileName(node.dump), answer.text);
    else await this.texts.compare([fileName(before), answer.before.text], [fileName(node.dump), answer.text], titleOf(before, node.dump));
  }

  /** The text of a dump. */
  async showText(node: DumpNode): Promise<void> {
    const answer = node.kind === 'dump' ? await this.text(node.dump) : undefined;
    if (node.kind === 'dump' && answer !== undefined) await this.texts.open(fileName(node.dump), answer.text);
  }

  /** Two dumps, side by side: those that are selected, or the one given and another that is asked for. */
  async compare(node: DumpNode, selected: readonly DumpNode[] = []): Promise<void> {
    const chosen = (selected.length > 1 ? selected : [node]).flatMap((each) => (each.kind === 'dump' ? [each.dump] : []));
    const [one, other = one && (await this.another(one))] = chosen;
    if (one === undefined || other === undefined) return;
    const [first, second] = one.number < other.number ? [one, other] : [other, one];
    const [before, after] = [await this.text(first), await this.text(second)];
    if (before === undefined || after === undefined) return;
    await this.texts.compare([fileName(first), before.text], [fileName(second), after.text], titleOf(first, second));
  }

  private async another(than: ListedDump): Promise<ListedDump | undefined> {
    const others = this.dumps.filter((dump) => dump !== than);
    const items = others.map((dump) => ({ label: `${dump.number}. ${nameOf(dump)}`, description: dump.subject ?? '', dump }));
    const picked = await vscode.window.showQuickPick(items, { title: `Compare ${than.number}. ${nameOf(than)} with`, matchOnDescription: true });
    return picked?.dump;
  }

  private async text({ number }: ListedDump): Promise<DumpResult | undefined> {
    return this.ask<DumpResult>(Method.dump, { uri: this.uri, number });
  }

  /** Undefined where there is no answer, after it was said why. */
  private async ask<Result>(method: string, params: object, token?: vscode.CancellationToken): Promise<Result | undefined> {
    const client = await this.server.ready();
    if (client === undefined) return undefined;
    try {
      // A token that is none would make a list of the parameters.
      return await (token === undefined ? client.sendRequest<Result>(method, params) : client.sendRequest<Result>(method, params, token));
    } catch (error) {
      const message = inWords(error);
      if (token?.isCancellationRequested !== true) void vscode.window.showErrorMessage(`Fathom: ${message}`);
      return undefined;
    }
  }
}

/** Those that changed something, and what is between them folded away. */
function folded(dumps: readonly ListedDump[]): DumpNode[] {
  const nodes: DumpNode[] = [];
  let idle: ListedDump[] = [];
  const flush = (): void => {
    if (idle.length > 0) nodes.push({ kind: 'idle', dumps: idle });
    idle = [];
  };
  for (const dump of dumps) {
    if (!dump.changed) { idle.push(dump); continue; }
    flush();
    nodes.push({ kind: 'dump', dump });
  }
  flush();
  return nodes;
}

function dumpItem(dump: ListedDump, node: DumpNode): vscode.TreeItem {
  const item = new vscode.TreeItem(`${dump.number}. ${nameOf(dump)}`, vscode.TreeItemCollapsibleState.None);
  const marks = [dump.subject, dump.outcome, dump.isCut === true ? 'cut off' : undefined];
  item.description = marks.filter((mark) => mark !== undefined).join(', ');
  item.tooltip = dump.path ?? `line ${dump.line + 1}`;
  item.contextValue = 'dump';
  item.command = { command: 'fathom.dumps.show', title: 'Show What It Changed', arguments: [node] };
  return item;
}

function idleItem(dumps: readonly ListedDump[]): vscode.TreeItem {
  const item = new vscode.TreeItem(`${dumps.length} that changed nothing`, vscode.TreeItemCollapsibleState.Collapsed);
  const names = [...new Set(dumps.slice(0, 50).map(nameOf))];
  item.description = names.slice(0, 8).join(', ') + (names.length > 8 ? ', …' : '');
  item.contextValue = 'idle';
  return item;
}

function nameOf(dump: ListedDump): string {
  return dump.when === 'before' ? `before ${dump.pass}` : dump.pass;
}

function fileName(dump: ListedDump): string {
  return `${dump.number} ${nameOf(dump)}.${EXTENSIONS[dump.languageId]}`;
}

function titleOf(before: ListedDump, after: ListedDump): string {
  return `${before.number}. ${nameOf(before)} ↔ ${after.number}. ${nameOf(after)}`;
}

/** A log or a folder: a dialog of most systems shows either of them only. */
async function choose(): Promise<vscode.Uri | undefined> {
  const open = vscode.window.activeTextEditor?.document;
  const here = open?.uri.scheme === 'file' && open.languageId !== 'mlir' ? open.uri : undefined;
  const items: (vscode.QuickPickItem & { folder?: boolean })[] = [
    ...(here === undefined ? [] : [{ label: `$(file) ${here.path.split('/').at(-1) ?? ''}`, description: 'the file that is open' }]),
    { label: '$(output) A log…', description: 'with dumps of -mlir-print-ir-after-all, -print-after-all and the like', folder: false },
    { label: '$(folder) A folder…', description: 'of --mlir-print-ir-tree-dir', folder: true },
  ];
  const picked = await vscode.window.showQuickPick(items, { title: 'Open IR dumps of what?' });
  if (picked?.folder === undefined) return picked === undefined ? undefined : here;
  const chosen = await vscode.window.showOpenDialog({ canSelectFiles: !picked.folder, canSelectFolders: picked.folder, openLabel: 'Open IR Dump' });
  return chosen?.[0];
}
