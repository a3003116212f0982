/** Starts, restarts and stops the language server, and knows its state. */

import * as vscode from 'vscode';
import { LanguageClient, RevealOutputChannelOn, State as ClientState } from 'vscode-languageclient/node';
import type { LanguageClientOptions, ServerOptions, StaticFeature } from 'vscode-languageclient/node';
import type { Environment } from './environment';
import { hoversOf } from './hovers';
import { inWords } from './problems';
import { ClientCommand } from './protocol';
import { findLauncher, hasPythonExtension } from './python';
import type { Launcher } from './python';

/** MLIR's own extension, with a server for TableGen. */
const OTHER_SERVER = 'llvm-vs-code-extensions.vscode-mlir';

/** Whether TableGen files are served. */
function servesTableGen(): boolean {
  const wanted = vscode.workspace.getConfiguration('fathom').get<string>('tablegen', 'auto');
  return wanted === 'on' || (wanted === 'auto' && vscode.extensions.getExtension(OTHER_SERVER) === undefined);
}

/** What is served. Preview documents are MLIR and LLVM IR too, but they are the server's own words. */
function selector(): { scheme: string; language: string }[] {
  const languages = ['mlir', 'llvm', ...(servesTableGen() ? ['tablegen'] : [])];
  return languages.flatMap((language) => ['file', 'untitled'].map((scheme) => ({ scheme, language })));
}

export interface State {
  readonly kind: 'starting' | 'ready' | 'failed' | 'stopped';
  /** A sentence, or ''. */
  readonly detail: string;
}

/** Tells the server which commands of lenses this client has, that links to lines can be followed, and that hovers may
 * have actions beside them. */
const LENS_COMMANDS: StaticFeature = {
  fillClientCapabilities(capabilities) {
    const known = (capabilities.experimental ?? {}) as Record<string, unknown>;
    const fathom = { commands: Object.values(ClientCommand), lineLinks: true, hoverActions: true, guardsSettings: true };
    capabilities.experimental = { ...known, fathom };
  },
  initialize() { /* The server needs to know no more. */ },
  getState() { return { kind: 'static' }; },
  clear() { /* There is nothing to clear. */ },
};

export class Server implements vscode.Disposable {
  private current: LanguageClient | undefined;
  private starting: Promise<void> | undefined;
  private now: State = { kind: 'stopped', detail: 'It has not been started.' };
  private readonly started = new vscode.EventEmitter<LanguageClient>();
  private readonly changed = new vscode.EventEmitter<State>();

  /** Fires each time that a new client runs; what belonged to the one before is gone. */
  readonly onDidStart = this.started.event;
  readonly onDidChangeState = this.changed.event;
  /** The command that the server was started with last. */
  launcher: Launcher | undefined;

  constructor(
    private readonly environment: Environment,
    private readonly log: vscode.OutputChannel,
  ) {}

  get state(): State {
    return this.now;
  }

  /** The running client; undefined while there is none. */
  get client(): LanguageClient | undefined {
    return this.current?.state === ClientState.Running ? this.current : undefined;
  }

  /** The running client, after waiting for a start that is under way. */
  async ready(): Promise<LanguageClient | undefined> {
    await this.starting;
    return this.client;
  }

  async restart(): Promise<void> {
    await this.starting;
    this.starting = this.end().then(() => this.start());
    await this.starting;
  }

  async stop(): Promise<void> {
    await this.starting;
    await this.end();
    this.show('stopped', 'It was stopped.');
  }

  /** Installs the server into an environment of its own, if that is wanted, and starts it. */
  async install(): Promise<void> {
    if (await this.environment.install()) await this.restart();
  }

  async sendSettings(): Promise<void> {
    const settings = { fathom: vscode.workspace.getConfiguration('fathom') };
    await this.client?.sendNotification('workspace/didChangeConfiguration', { settings });
  }

  showLog(): void {
    this.log.show(true);
  }

  dispose(): void {
    void this.end();
    this.started.dispose();
    this.changed.dispose();
  }

  private async end(): Promise<void> {
    const client = this.current;
    this.current = undefined;
    // A client whose server has crashed cannot be stopped; there is nothing left to stop then.
    if (client !== undefined) await client.dispose().catch(() => undefined);
  }

  private async start(): Promise<void> {
    this.show('starting', '');
    const found = await findLauncher(this.environment.path);
    if ('problem' in found) {
      this.fail(found.problem);
      void this.offerFix(found.problem);
      return;
    }
    const launcher = (this.launcher = found.launcher);
    this.log.appendLine(`Starting ${launcher.version}: ${launcher.command} (${launcher.origin})`);
    const serverOptions: ServerOptions = { command: launcher.command, args: [...launcher.before, 'lsp', '--stdio'] };
    const client = new LanguageClient('fathom', 'Fathom', serverOptions, this.clientOptions());
    client.registerFeature(LENS_COMMANDS);
    client.onDidChangeState(({ newState }) => {
      if (client !== this.current) return;
      if (newState === ClientState.Running) this.show('ready', `${launcher.version}, ${launcher.command} (${launcher.origin}).`);
      if (newState === ClientState.Stopped) this.fail('The server has stopped. The log says why.');
    });
    this.current = client;
    try {
      await client.start();
      this.started.fire(client);
      if (this.environment.isOutdated && launcher.command.startsWith(this.environment.path)) void this.offerUpdate();
    } catch (error) {
      const reason = inWords(error);
      this.fail(`The server did not start: ${reason}`);
      void this.offerFix(`Fathom's server did not start with ${launcher.command}: ${reason}`);
    }
  }

  private clientOptions(): LanguageClientOptions {
    return {
      documentSelector: selector(),
      outputChannel: this.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: vscode.workspace.getConfiguration('fathom'),
      markdown: { isTrusted: false, supportHtml: false },
      middleware: { provideHover: hoversOf(() => this.client) },
    };
  }

  private show(kind: State['kind'], detail: string): void {
    this.now = { kind, detail };
    this.changed.fire(this.now);
  }

  private fail(reason: string): void {
    this.log.appendLine(reason);
    this.show('failed', reason);
  }

  private async offerFix(problem: string): Promise<void> {
    const offers: [string, () => unknown][] = [
      ...(this.environment.canInstall ? [['Install…', () => this.install()] satisfies [string, () => unknown]] : []),
      ...(hasPythonExtension() ? [['Choose Python', () => vscode.commands.executeCommand('python.setInterpreter')] satisfies [string, () => unknown]] : []),
      ['Open Settings', () => vscode.commands.executeCommand('workbench.action.openSettings', 'fathom.python')],
      ['Show Log', () => { this.showLog(); }],
    ];
    const chosen = await vscode.window.showErrorMessage(problem, ...offers.map(([title]) => title));
    await offers.find(([title]) => title === chosen)?.[1]();
  }

  private async offerUpdate(): Promise<void> {
    const update = 'Update…';
    const chosen = await vscode.window.showInformationMessage('This version of the extension brings another version of the server along.', update);
    if (chosen === update) await this.install();
  }
}
