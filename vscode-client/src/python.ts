/** Which Python to start the server with, and whether Fathom is installed in it. */

import { execFile } from 'node:child_process';
import * as vscode from 'vscode';

const PYTHON_EXTENSION = 'ms-python.python';

/** The part of the Python extension's interface that is used here. */
interface PythonExtension {
  readonly environments: {
    getActiveEnvironmentPath(): { readonly path: string };
    resolveEnvironment(path: { readonly path: string }): Promise<
      { readonly executable: { readonly uri?: vscode.Uri } } | undefined
    >;
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

export interface Interpreter {
  readonly path: string;
  /** Where the choice came from, for messages. */
  readonly origin: string;
}

/** An interpreter that can start the server, or what to tell the user instead. */
export type Found = { readonly interpreter: Interpreter } | { readonly problem: string };

export async function findInterpreter(): Promise<Found> {
  const candidates = await candidateInterpreters();
  const failures: string[] = [];
  for (const interpreter of candidates) {
    const failure = await importFailure(interpreter.path);
    if (failure === undefined) return { interpreter };
    failures.push(`${interpreter.path} (${interpreter.origin}): ${failure}`);
  }
  return {
    problem:
      `No Python with Fathom was found. Tried ${failures.join('; ')}. ` +
      'Install Fathom there (python -m pip install, followed by the folder of its sources), or choose another Python.',
  };
}

/** Calls back when the Python extension's interpreter changes; does nothing without that extension. */
export async function onInterpreterChange(callback: () => void): Promise<vscode.Disposable | undefined> {
  const python = await pythonExtension();
  return python?.environments.onDidChangeActiveEnvironmentPath(callback);
}

export function hasPythonExtension(): boolean {
  return vscode.extensions.getExtension(PYTHON_EXTENSION) !== undefined;
}

/** A choice that somebody made is the only candidate: silently using another Python would hide the mistake. */
async function candidateInterpreters(): Promise<Interpreter[]> {
  const setting = vscode.workspace.getConfiguration('fathom').get<string>('python', '').trim();
  if (setting !== '') return [{ path: expand(setting), origin: 'setting fathom.python' }];
  const active = await activeInterpreter();
  if (active !== undefined) return [{ path: active, origin: 'chosen in the Python extension' }];
  const names = process.platform === 'win32' ? ['python', 'py'] : ['python3', 'python'];
  return names.map((path) => ({ path, origin: 'on the path' }));
}

function expand(path: string): string {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  return path.replaceAll('${workspaceFolder}', folder).replace(/^~(?=[/\\])/, process.env.HOME ?? '~');
}

async function activeInterpreter(): Promise<string | undefined> {
  const python = await pythonExtension();
  if (python === undefined) return undefined;
  const resolved = await python.environments.resolveEnvironment(python.environments.getActiveEnvironmentPath());
  return resolved?.executable.uri?.fsPath;
}

async function pythonExtension(): Promise<PythonExtension | undefined> {
  const extension = vscode.extensions.getExtension<PythonExtension>(PYTHON_EXTENSION);
  if (extension === undefined) return undefined;
  return extension.isActive ? extension.exports : await extension.activate();
}

/** Why `python` cannot import Fathom, in one line; undefined if it can. */
function importFailure(python: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(python, ['-c', 'import fathom.cli, fathom_server'], { timeout: 20_000 }, (error, _stdout, stderr) => {
      if (error === null) resolve(undefined);
      else resolve(stderr.trim().split('\n').at(-1) || error.message.split('\n')[0] || 'it does not start');
    });
  });
}
