/** Starts, restarts and stops the language server, and shows its state in the status bar. */

import * as vscode from 'vscode';
import { LanguageClient, RevealOutputChannelOn, State } from 'vscode-languageclient/node';
import type { LanguageClientOptions, ServerOptions } from 'vscode-languageclient/node';
import { findInterpreter, hasPythonExtension } from './python';

/** MLIR's own extension, with a server for TableGen. */
const OTHER_SERVER = 'llvm-vs-code-extensions.vscode-mlir';

/** Whether TableGen files are served. */
function servesTableGen(): boolean {
  const wanted = vscode.workspace.getConfiguration('fathom').get<string>('tablegen', 'auto');
  return wanted === 'on' || (wanted === 'auto' && vscode.extensions.getExtension(OTHER_SERVER) === undefined);
}

/** What is served. Preview documents are MLIR too, but they are the server's own words. */
function selector(): { scheme: string; language: string }[] {
  const languages = servesTableGen() ? ['mlir', 'tablegen'] : ['mlir'];
  return languages.flatMap((language) => ['file', 'untitled'].map((scheme) => ({ scheme, language })));
}

export interface CommandInterceptor {
  /** True if it took care of the command, whose arguments a code lens or a code action left for us to complete. */
  (command: string, args: readonly unknown[]): boolean;
}

export class Server implements vscode.Disposable {
  private current: LanguageClient | undefined;
  private starting: Promise<void> | undefined;
  private readonly started = new vscode.EventEmitter<LanguageClient>();
  private readonly log = vscode.window.createOutputChannel('Fathom');
  private readonly status = vscode.window.createStatusBarItem('fathom.status', vscode.StatusBarAlignment.Right, 90);

  /** Fires each time that a new client runs; what belonged to the one before is gone. */
  readonly onDidStart = this.started.event;

  constructor(private readonly intercept: CommandInterceptor) {
    this.status.name = 'Fathom';
    this.show('$(circle-outline) Fathom', 'Fathom has not been started', 'fathom.restart');
  }

  /** The running client; undefined while there is none. */
  get client(): LanguageClient | undefined {
    return this.current?.state === State.Running ? this.current : undefined;
  }

  /** The running client, after waiting for a start that is under way. */
  async ready(): Promise<LanguageClient | undefined> {
    await this.starting;
    return this.client;
  }

  async restart(): Promise<void> {
    await this.starting;
    this.starting = this.stop().then(() => this.start());
    await this.starting;
  }

  async sendSettings(): Promise<void> {
    const settings = { fathom: vscode.workspace.getConfiguration('fathom') };
    await this.client?.sendNotification('workspace/didChangeConfiguration', { settings });
  }

  showLog(): void {
    this.log.show(true);
  }

  /** The status bar item is there while an MLIR file is being edited. */
  follow(editor: vscode.TextEditor | undefined): void {
    if (editor?.document.languageId === 'mlir') this.status.show();
    else this.status.hide();
  }

  dispose(): void {
    void this.stop();
    this.started.dispose();
    this.status.dispose();
    this.log.dispose();
  }

  private async stop(): Promise<void> {
    const client = this.current;
    this.current = undefined;
    // A client whose server has crashed cannot be stopped; there is nothing left to stop then.
    if (client !== undefined) await client.dispose().catch(() => undefined);
  }

  private async start(): Promise<void> {
    this.show('$(loading~spin) Fathom', 'Fathom is starting', 'fathom.showLog');
    const found = await findInterpreter();
    if ('problem' in found) {
      this.fail(found.problem);
      void this.offerFix(found.problem);
      return;
    }
    const { path, origin } = found.interpreter;
    const serverOptions: ServerOptions = { command: path, args: ['-m', 'fathom.cli', 'lsp', '--stdio'] };
    const client = new LanguageClient('fathom', 'Fathom', serverOptions, this.clientOptions());
    client.onDidChangeState(({ newState }) => {
      if (client !== this.current) return;
      if (newState === State.Running) this.show('$(check) Fathom', `Fathom runs with ${path} (${origin})`, 'fathom.showLog');
      if (newState === State.Stopped) this.fail('The server has stopped. The log says why.');
    });
    this.current = client;
    try {
      await client.start();
      this.started.fire(client);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.fail(`The server did not start: ${reason}`);
      void this.offerFix(`Fathom's server did not start with ${path}: ${reason}`);
    }
  }

  private clientOptions(): LanguageClientOptions {
    return {
      documentSelector: selector(),
      outputChannel: this.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: vscode.workspace.getConfiguration('fathom'),
      markdown: { isTrusted: false, supportHtml: false },
      middleware: {
        executeCommand: (command, args, next): unknown =>
          this.intercept(command, args as unknown[]) ? undefined : next(command, args as unknown[]),
      },
    };
  }

  private show(text: string, tooltip: string, command: string): void {
    Object.assign(this.status, { text, tooltip, command, backgroundColor: undefined });
  }

  private fail(reason: string): void {
    this.show('$(error) Fathom', `${reason}\nClick to restart.`, 'fathom.restart');
    this.status.backgroundColor = new vscode.ThemeColor('statusBarItem.errorBackground');
    this.log.appendLine(reason);
  }

  private async offerFix(problem: string): Promise<void> {
    const choose = 'Choose Python';
    const settings = 'Open Settings';
    const actions = hasPythonExtension() ? [choose, settings, 'Show Log'] : [settings, 'Show Log'];
    const chosen = await vscode.window.showErrorMessage(problem, ...actions);
    if (chosen === choose) await vscode.commands.executeCommand('python.setInterpreter');
    if (chosen === settings) await vscode.commands.executeCommand('workbench.action.openSettings', 'fathom.python');
    if (chosen === 'Show Log') this.showLog();
  }
}
