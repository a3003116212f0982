/** Tasks that run Fathom's commands on a file: `fathom opt`, `translate` and `run`. */

import * as vscode from 'vscode';
import type { Server } from './server';

export const TASK_TYPE = 'fathom';

/** What `tasks.json` says of a task; the properties are declared in `package.json`. */
interface Definition extends vscode.TaskDefinition {
  readonly command: 'opt' | 'translate' | 'run';
  readonly file: string;
  readonly args?: readonly string[];
}

/** The tasks that are offered for the file in the active editor. */
const OFFERED: readonly { readonly title: string; readonly command: Definition['command']; readonly args: readonly string[] }[] = [
  { title: 'check', command: 'opt', args: ['-o', process.platform === 'win32' ? 'NUL' : '/dev/null'] },
  { title: 'lower to LLVM', command: 'opt', args: ['--lower-to-llvm'] },
  { title: 'run @main', command: 'run', args: [] },
];

export class Tasks implements vscode.TaskProvider {
  constructor(private readonly server: Server) {}

  provideTasks(): vscode.Task[] {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== 'mlir' || document.uri.scheme !== 'file') return [];
    const file = vscode.workspace.asRelativePath(document.uri, false);
    return OFFERED.map(({ title, command, args }) => {
      const definition: Definition = { type: TASK_TYPE, command, file, args };
      return this.task(definition, `${title}: ${file}`);
    });
  }

  /** A task of `tasks.json` lacks what is to be done. */
  resolveTask(task: vscode.Task): vscode.Task | undefined {
    const definition = task.definition as Partial<Definition>;
    if (definition.command === undefined || definition.file === undefined) return undefined;
    return this.task(task.definition as Definition, task.name, task.scope);
  }

  private task(definition: Definition, name: string, scope?: vscode.Task['scope']): vscode.Task {
    const { command, before } = this.server.launcher ?? { command: 'fathom', before: [] };
    const args = [...before, definition.command, ...(definition.args ?? []), definition.file];
    const execution = new vscode.ProcessExecution(command, args);
    const task = new vscode.Task(definition, scope ?? vscode.TaskScope.Workspace, name, 'fathom', execution, ['$fathom']);
    task.group = definition.command === 'run' ? vscode.TaskGroup.Test : vscode.TaskGroup.Build;
    task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, clear: true };
    return task;
  }
}
