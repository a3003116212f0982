/** Fathom in VS Code: starts the server, shows previews, asks for arguments. All knowledge of MLIR is in the server. */

import * as vscode from 'vscode';
import { Commands } from './commands';
import type { Target } from './commands';
import { Highlighter } from './highlight';
import { Previews } from './preview';
import { onInterpreterChange } from './python';
import { Server } from './server';

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const server: Server = new Server((command, args) => commands.complete(command, args));
  const previews = new Previews(server);
  const commands: Commands = new Commands(server, previews);
  server.follow(vscode.window.activeTextEditor);
  context.subscriptions.push(
    server,
    previews,
    commands,
    new Highlighter(previews),
    vscode.commands.registerCommand('fathom.lower', guarded((target?: Target) => commands.lower(asTarget(target)))),
    vscode.commands.registerCommand('fathom.run', guarded((target?: Target) => commands.run(asTarget(target)))),
    vscode.commands.registerCommand('fathom.preview', guarded((target?: Target) => commands.preview(asTarget(target)))),
    vscode.commands.registerCommand('fathom.restart', guarded(() => server.restart())),
    vscode.commands.registerCommand('fathom.showLog', () => { server.showLog(); }),
    vscode.window.onDidChangeActiveTextEditor((editor) => { server.follow(editor); }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      const restarts = ['fathom.python', 'fathom.tablegen'];
      if (restarts.some((each) => event.affectsConfiguration(each))) void server.restart();
      else if (event.affectsConfiguration('fathom')) void server.sendSettings();
    }),
  );
  await server.restart();
  const watch = await onInterpreterChange(() => void server.restart());
  if (watch !== undefined) context.subscriptions.push(watch);
}

/** Menus call a command with the address of the editor, key bindings and tests with a target. */
function asTarget(value: unknown): Target {
  return value instanceof vscode.Uri || value === undefined || value === null ? {} : value;
}

/** An error that nobody expected is shown, not swallowed by the command palette. */
function guarded<Args extends unknown[], Result>(action: (...args: Args) => Promise<Result>) {
  return async (...args: Args): Promise<Result | undefined> => {
    try {
      return await action(...args);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      void vscode.window.showErrorMessage(`Fathom: ${message}`);
      return undefined;
    }
  };
}
