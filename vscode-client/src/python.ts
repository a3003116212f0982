/** Finds a Python that has Fathom, or the command `fathom`. */

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { candidates, expand } from './candidates';
import type { Candidate } from './candidates';

const PYTHON_EXTENSION = 'ms-python.python';
const IS_WINDOWS = process.platform === 'win32';

/** Prints the version, if all is there that the server needs. */
const IMPORTS = 'import fathom, fathom_server, llvmlite, lsprotocol, pygls; print("fathom", fathom.__version__)';

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

export interface Launcher extends Candidate {
  /** What it says of itself: `fathom 0.1.0`. */
  readonly version: string;
}

/** A command that can start the server, or what to tell the user instead. */
export type Found = { readonly launcher: Launcher } | { readonly problem: string };

/** The Python of a virtual environment. */
export function pythonIn(environment: string): string {
  return IS_WINDOWS ? join(environment, 'Scripts', 'python.exe') : join(environment, 'bin', 'python');
}

export async function findLauncher(ownEnvironment: string): Promise<Found> {
  const failures: string[] = [];
  for (const candidate of await allCandidates(ownEnvironment)) {
    const answer = await ask(candidate.command, candidate.before.length > 0 ? ['-c', IMPORTS] : ['--version']);
    if ('printed' in answer) return { launcher: { ...candidate, version: answer.printed } };
    failures.push(`${candidate.command} (${candidate.origin}): ${answer.failure}`);
  }
  return { problem: `No Python with Fathom was found. Tried ${failures.join('; ')}.` };
}

/** A Python that is new enough to make an environment with: the one chosen in the Python extension, or one on the path. */
export async function findBasePython(): Promise<string | undefined> {
  const names = IS_WINDOWS ? ['py', 'python'] : ['python3', 'python3.13', 'python3.12', 'python3.11', 'python'];
  for (const python of [await activePython(), ...names]) {
    if (python === undefined) continue;
    const answer = await ask(python, ['-c', 'import sys, venv, ensurepip; print(sys.version_info >= (3, 11))']);
    if ('printed' in answer && answer.printed === 'True') return python;
  }
  return undefined;
}

/** Calls back when the Python extension's interpreter changes; does nothing without that extension. */
export async function onInterpreterChange(callback: () => void): Promise<vscode.Disposable | undefined> {
  const python = await pythonExtension();
  return python?.environments.onDidChangeActiveEnvironmentPath(callback);
}

export function hasPythonExtension(): boolean {
  return vscode.extensions.getExtension(PYTHON_EXTENSION) !== undefined;
}

/** What a workspace that is not trusted says of Pythons is not looked at: any of them could be a program of its own. */
async function allCandidates(ownEnvironment: string): Promise<Candidate[]> {
  const folders = vscode.workspace.workspaceFolders?.map(({ uri }) => uri.fsPath) ?? [];
  const put = (path: string | undefined): string | undefined => path && expand(path, folders[0] ?? '', homedir());
  const isTrusted = vscode.workspace.isTrusted;
  const preferred = vscode.workspace.getConfiguration('python').inspect<string>('defaultInterpreterPath');
  const ofWorkspace = preferred?.workspaceFolderValue ?? preferred?.workspaceValue;
  const environments = folders.flatMap((folder) => ['.venv', 'venv'].map((name) => pythonIn(join(folder, name))));
  const own = pythonIn(ownEnvironment);
  return candidates({
    setting: put(vscode.workspace.getConfiguration('fathom').get<string>('python', '')),
    chosen: isTrusted ? await activePython() : undefined,
    preferred: put((isTrusted ? ofWorkspace : undefined) ?? preferred?.globalValue),
    environments: isTrusted ? environments.filter((path) => existsSync(path)) : [],
    own: existsSync(own) ? own : undefined,
    isWindows: IS_WINDOWS,
  });
}

async function activePython(): Promise<string | undefined> {
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

/** What a program prints, or in one line why it does not. */
function ask(program: string, args: readonly string[]): Promise<{ printed: string } | { failure: string }> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: 20_000 }, (error, stdout, stderr) => {
      if (error === null) resolve({ printed: stdout.trim() });
      else resolve({ failure: stderr.trim().split('\n').at(-1) || error.message.split('\n')[0] || 'it does not start' });
    });
  });
}
