/** An environment of Python that is Fathom's own: made, with consent, from the wheel that the extension brings along. */

import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { findBasePython, pythonIn } from './python';

export class Environment {
  /** The folder of the environment; it need not be there. */
  readonly path: string;
  private readonly wheel: string | undefined;
  private readonly marker: string;

  constructor(
    context: vscode.ExtensionContext,
    private readonly log: vscode.OutputChannel,
  ) {
    this.path = join(context.globalStorageUri.fsPath, 'environment');
    this.marker = join(this.path, 'fathom-wheel.txt');
    const folder = join(context.extensionUri.fsPath, 'server');
    const name = existsSync(folder) ? readdirSync(folder).find((each) => each.endsWith('.whl')) : undefined;
    this.wheel = name === undefined ? undefined : join(folder, name);
  }

  /** Whether there is something to install: an extension that was not packaged has no wheel. */
  get canInstall(): boolean {
    return this.wheel !== undefined;
  }

  /** Whether it is there, but made by another version of this extension. */
  get isOutdated(): boolean {
    return this.wheel !== undefined && existsSync(this.marker) && readFileSync(this.marker, 'utf8') !== this.wheel;
  }

  /** Asks, makes the environment anew and installs Fathom there; false if that was not wanted or did not succeed. */
  async install(): Promise<boolean> {
    const { wheel } = this;
    if (wheel === undefined) {
      void vscode.window.showErrorMessage('This build of the extension brings no server along. Install Fathom with pip.');
      return false;
    }
    const detail =
      `An environment of Python is made in ${this.path}, and Fathom is installed there with pip, which downloads the ` +
      'packages that it needs. Nothing else is changed.';
    const yes = 'Install';
    const answer = await vscode.window.showInformationMessage('Install Fathom into an environment of its own?', { modal: true, detail }, yes);
    if (answer !== yes) return false;
    const python = await findBasePython();
    if (python === undefined) {
      void vscode.window.showErrorMessage('Python 3.11 or later, with the module venv, is needed, and was not found.');
      return false;
    }
    const options = { location: vscode.ProgressLocation.Notification, title: 'Installing Fathom', cancellable: true };
    const failure = await vscode.window.withProgress(options, (progress, token) => this.make(python, wheel, progress, token));
    if (failure === undefined) return true;
    rmSync(this.path, { recursive: true, force: true });
    if (failure !== '') void vscode.window.showErrorMessage(`Fathom was not installed: ${failure}`);
    return false;
  }

  /** Why it did not succeed; '' if it was cancelled. */
  private async make(
    python: string,
    wheel: string,
    progress: vscode.Progress<{ message?: string }>,
    token: vscode.CancellationToken,
  ): Promise<string | undefined> {
    rmSync(this.path, { recursive: true, force: true });
    await mkdir(this.path, { recursive: true });
    const steps: [string, string, string[]][] = [
      ['making an environment', python, ['-m', 'venv', this.path]],
      ['installing packages', pythonIn(this.path), ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-input', wheel]],
    ];
    for (const [message, program, args] of steps) {
      progress.report({ message });
      const failure = await this.run(program, args, token);
      if (token.isCancellationRequested) return '';
      if (failure !== undefined) return failure;
    }
    writeFileSync(this.marker, wheel);
    return undefined;
  }

  /** Runs a program, with what it prints in the log; its last line if it fails. */
  private run(program: string, args: string[], token: vscode.CancellationToken): Promise<string | undefined> {
    this.log.appendLine(`> ${[program, ...args].join(' ')}`);
    return new Promise((resolve) => {
      const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
      const cancelled = token.onCancellationRequested(() => child.kill());
      let last = '';
      const note = (data: Buffer): void => {
        this.log.append(data.toString());
        last = data.toString().trim().split('\n').at(-1) || last;
      };
      child.stdout.on('data', note);
      child.stderr.on('data', note);
      child.on('error', ({ message }) => { resolve(message); });
      child.on('close', (status) => {
        cancelled.dispose();
        resolve(status === 0 ? undefined : last || `${program} ended with status ${status ?? 'unknown'}`);
      });
    });
  }
}
