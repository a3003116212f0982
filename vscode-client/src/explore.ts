/** A file in the browser: a process of `fathom explore` for each, which ends with this window. */

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import * as vscode from 'vscode';
import type { Server } from './server';

const ADDRESS = /^fathom explore: (http:\S+)$/m;
/** So much is kept of what a process says before its address. */
const MOST_SAID = 10_000;

interface Running {
  readonly process: ChildProcess;
  /** Where its page is. */
  readonly address: Promise<string>;
}

export class Explorers implements vscode.Disposable {
  /** By the paths of their files. */
  private readonly running = new Map<string, Running>();

  constructor(private readonly server: Server) {}

  /** Opens the page about a file, or about the one in the editor, as it is on disk: what is not saved is saved before. */
  async open(chosen?: vscode.Uri): Promise<void> {
    const uri = chosen ?? vscode.window.activeTextEditor?.document.uri;
    if (uri?.scheme !== 'file') throw new Error('there is no file here that a browser could show');
    const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
    if (document?.isDirty === true && !(await document.save())) return;
    const address = await this.page(uri.fsPath);
    await vscode.env.openExternal(vscode.Uri.parse(address));
  }

  dispose(): void {
    for (const { process } of this.running.values()) process.kill();
    this.running.clear();
  }

  private async page(path: string): Promise<string> {
    const known = this.running.get(path);
    if (known !== undefined) return known.address;
    await this.server.ready();
    const { launcher } = this.server;
    if (launcher === undefined) throw new Error('the server has not been started');
    const process = spawn(launcher.command, [...launcher.before, 'explore', '--browser=false', path], { stdio: ['ignore', 'ignore', 'pipe'] });
    const address = addressOf(process);
    this.running.set(path, { process, address });
    process.once('close', () => { if (this.running.get(path)?.process === process) this.running.delete(path); });
    return address;
  }
}

/** The address that a process says; an error, if it ends without. */
async function addressOf(process: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-MOST_SAID);
      const address = ADDRESS.exec(said)?.[1];
      if (address !== undefined) resolve(address);
    });
    process.once('error', reject);
    process.once('close', () => { reject(new Error(said.trim() || 'fathom explore has ended')); });
  });
}
