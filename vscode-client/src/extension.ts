/** Fathom in VS Code: starts the server, shows previews, asks for arguments. All knowledge of MLIR is in the server. */

import * as vscode from 'vscode';
import { Commands } from './commands';
import type { Target } from './commands';
import { Dumps } from './dumps';
import type { DumpNode } from './dumps';
import { Environment } from './environment';
import { Explorers } from './explore';
import { Graphs } from './graphs';
import { Gutter } from './gutter';
import { Highlighter } from './highlight';
import { registerLensCommands } from './lenses';
import { Passes } from './passes';
import { Previews } from './preview';
import { inWords } from './problems';
import { onInterpreterChange } from './python';
import { Server } from './server';
import { showMenu, Status } from './status';
import { TASK_TYPE, Tasks } from './tasks';
import { Tests } from './tests';

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel('Fathom');
  const server = new Server(new Environment(context, log), log);
  const previews = new Previews(server);
  const graphs = new Graphs(server, context.extensionUri);
  const commands = new Commands(server, previews, graphs);
  const tests = new Tests(server);
  const passes = new Passes(server);
  const dumps = new Dumps(server);
  const explorers = new Explorers(server);
  const about = (value: unknown): Target => asTarget(value);
  context.subscriptions.push(
    log,
    server,
    previews,
    commands,
    graphs,
    tests,
    passes,
    dumps,
    explorers,
    new Highlighter(previews),
    new Status(server, previews),
    new Gutter(server, context.extensionUri),
    ...registerLensCommands(server, commands, tests, passes),
    vscode.tasks.registerTaskProvider(TASK_TYPE, new Tasks(server)),
    vscode.commands.registerCommand('fathom.lower', guarded((target: unknown) => commands.lower(about(target)))),
    vscode.commands.registerCommand('fathom.run', guarded((target: unknown) => commands.run(about(target)))),
    vscode.commands.registerCommand('fathom.bench', guarded((target: unknown) => commands.bench(about(target)))),
    vscode.commands.registerCommand('fathom.showRemarks', guarded((target: unknown) => commands.remarks(about(target)))),
    vscode.commands.registerCommand('fathom.preview', guarded((target: unknown) => commands.preview(about(target)))),
    vscode.commands.registerCommand('fathom.graph', guarded((target: unknown) => commands.graph(about(target)))),
    vscode.commands.registerCommand('fathom.explore', guarded((uri: unknown) => explorers.open(uri instanceof vscode.Uri ? uri : undefined))),
    vscode.commands.registerCommand('fathom.timeline', guarded(() => passes.timeline())),
    vscode.commands.registerCommand('fathom.blame', guarded(() => passes.blame())),
    vscode.commands.registerCommand('fathom.life', guarded(() => passes.life())),
    vscode.commands.registerCommand('fathom.whyNot', guarded(() => passes.whyNot())),
    vscode.commands.registerCommand('fathom.passes.show', guarded((node: Parameters<Passes['show']>[0]) => passes.show(node))),
    vscode.commands.registerCommand('fathom.openTrace', guarded((uri: unknown) => passes.openTrace(uri instanceof vscode.Uri ? uri : undefined))),
    vscode.commands.registerCommand('fathom.passes.blame', guarded((node: Parameters<Passes['blamePass']>[0]) => passes.blamePass(node))),
    vscode.commands.registerCommand('fathom.openDumps', guarded((uri: unknown) => dumps.open(uri instanceof vscode.Uri ? uri : undefined))),
    vscode.commands.registerCommand('fathom.dumps.show', guarded((node: DumpNode) => dumps.show(node))),
    vscode.commands.registerCommand('fathom.dumps.text', guarded((node: DumpNode) => dumps.showText(node))),
    vscode.commands.registerCommand('fathom.dumps.compare', guarded((node: DumpNode, all?: readonly DumpNode[]) => dumps.compare(node, all))),
    vscode.commands.registerCommand('fathom.restart', guarded(() => server.restart())),
    vscode.commands.registerCommand('fathom.stop', guarded(() => server.stop())),
    vscode.commands.registerCommand('fathom.install', guarded(() => server.install())),
    vscode.commands.registerCommand('fathom.menu', guarded(() => showMenu(server))),
    vscode.commands.registerCommand('fathom.showLog', () => { server.showLog(); }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void server.restart()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      const restarts = ['fathom.python', 'fathom.tablegen', 'python.defaultInterpreterPath'];
      if (restarts.some((each) => event.affectsConfiguration(each))) void server.restart();
      else if (event.affectsConfiguration('fathom')) void server.sendSettings();
    }),
  );
  await server.restart();
  const watch = await onInterpreterChange(() => void server.restart());
  if (watch !== undefined) context.subscriptions.push(watch);
}

/** Menus call a command with the address of the editor or with a line of it, key bindings and tests with a target. */
function asTarget(value: unknown): Target {
  if (typeof value !== 'object' || value === null || value instanceof vscode.Uri) return {};
  return 'uri' in value && value.uri instanceof vscode.Uri ? { ...value, uri: value.uri.toString() } : value;
}

/** An error that nobody expected is shown, not swallowed by the command palette. */
function guarded<Args extends unknown[], Result>(action: (...args: Args) => Promise<Result>) {
  return async (...args: Args): Promise<Result | undefined> => {
    try {
      return await action(...args);
    } catch (error) {
      const message = inWords(error);
      void vscode.window.showErrorMessage(`Fathom: ${message}`);
      return undefined;
    }
  };
}
