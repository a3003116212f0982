/** The commands that people see: lower, run, bench, preview. Each asks for what it was not told. */

import * as vscode from 'vscode';
import { CancellationTokenSource, WorkDoneProgress } from 'vscode-languageclient/node';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { Address } from './address';
import { FailedChecks } from './failed';
import type { Graphs } from './graphs';
import { KINDS } from './graphs';
import type { Previews } from './preview';
import { inWords } from './problems';
import { isServed, Method, PREVIEW_SCHEME, ServerCommand } from './protocol';
import type { BenchFunctionResult, BisectFunctionResult, FunctionInfo, GraphKind, LowerFunctionResult, Position, RemarksResult, RunFunctionResult, Stage, Value } from './protocol';
import type { Server } from './server';
import { functionAt, readArgument, showBench, showRun, showSummary } from './values';

/** What a lens, a key binding or a test may say in advance; all of it may be left out. */
export interface Target {
  readonly uri?: string;
  readonly function?: string;
  /** Where the function is, if it is not named: a line, counted from 1. */
  readonly lineNumber?: number;
}

/** What a preview shows: a function, the part of it around the cursor, or with neither the whole file. */
type Shown = Pick<Address, 'function' | 'part'>;

/** A run that ends sooner than this shows no progress: a message that flashes by only startles. */
const PATIENCE_MILLISECONDS = 400;

interface Context {
  readonly client: LanguageClient;
  readonly uri: string;
}

/** A function to call, with values for its arguments. */
interface Call {
  readonly context: Context;
  readonly name: string;
  readonly values: readonly Value[];
}

export class Commands implements vscode.Disposable {
  private readonly runs = vscode.window.createOutputChannel('Fathom Runs');
  private readonly failed = new FailedChecks();

  constructor(
    private readonly server: Server,
    private readonly previews: Previews,
    private readonly graphs: Graphs,
  ) {}

  dispose(): void {
    this.runs.dispose();
    this.failed.dispose();
  }

  async lower(target: Target = {}): Promise<void> {
    const context = await this.context(target);
    if (context === undefined) return;
    const name = target.function ?? (await this.chooseFunction(context, 'Lower which function?'))?.name;
    if (name === undefined) return;
    await execute<LowerFunctionResult>(context.client, ServerCommand.lowerFunction, [context.uri, name]);
  }

  async run(target: Target = {}): Promise<RunFunctionResult | undefined> {
    const call = await this.call(target, 'Run which function?');
    if (call === undefined) return undefined;
    const { context, name, values } = call;
    this.failed.clear(context.uri);
    const result = await runCancellably(context, name, values);
    if (result === undefined) return undefined;
    this.failed.show(context.client, context.uri, result);
    this.runs.appendLine(`${showRun(name, values, result)}\n`);
    this.runs.show(true);
    const summary = showSummary(name, result);
    if (result.status === 'ok') vscode.window.setStatusBarMessage(summary, 10_000);
    else void vscode.window.showErrorMessage(summary);
    return result;
  }

  /** Looks for the pass that changes what a function does; shows what was found where runs are, and the smallest text. */
  async bisect(target: Target = {}): Promise<BisectFunctionResult | undefined> {
    const call = await this.call(target, 'Find the pass that breaks which function?');
    if (call === undefined) return undefined;
    const title = `Looking for the pass that breaks @${call.name}`;
    const result = await askCancellably<BisectFunctionResult>(call, ServerCommand.bisectFunction, title);
    if (result === undefined) return undefined;
    const stages = result.stages.map(({ pass, does }) => `  ${pass}: ${does}`);
    this.runs.appendLine([`@${call.name}: ${result.message}`, ...stages, ''].join('\n'));
    this.runs.show(true);
    if (result.status === 'error') void vscode.window.showErrorMessage(`@${call.name}: ${result.message}`);
    if (result.smallest !== undefined) {
      const document = await vscode.workspace.openTextDocument({ language: 'mlir', content: result.smallest });
      await vscode.window.showTextDocument(document, { preview: true, viewColumn: vscode.ViewColumn.Beside });
    }
    return result;
  }

  /** Measures how long a function takes; shows it where runs are. */
  async bench(target: Target = {}): Promise<BenchFunctionResult | undefined> {
    const call = await this.call(target, 'Measure which function?');
    if (call === undefined) return undefined;
    const result = await askCancellably<BenchFunctionResult>(call, ServerCommand.benchFunction, `Measuring @${call.name}`);
    if (result === undefined) return undefined;
    this.runs.appendLine(`${showBench(call.name, call.values, result)}\n`);
    this.runs.show(true);
    if (result.status === 'error') void vscode.window.showErrorMessage(`@${call.name}: ${result.message}`);
    return result;
  }

  /** Has what LLVM optimised, and what it did not and why, shown at the lines of a function, until that is edited. */
  async remarks(target: Target = {}): Promise<void> {
    const context = await this.context(target);
    if (context === undefined) return;
    const name = (await this.chooseFunction(context, 'Optimisation remarks about which function?', target))?.name;
    if (name === undefined) return;
    const options = { location: vscode.ProgressLocation.Notification, title: `What LLVM makes of @${name}` };
    const asked = () => execute<RemarksResult>(context.client, ServerCommand.remarks, [context.uri, name]);
    const { remarks, failureReason } = await vscode.window.withProgress(options, asked);
    if (failureReason !== undefined) void vscode.window.showErrorMessage(`@${name}: ${failureReason}`);
    else if (remarks === 0) void vscode.window.showInformationMessage(`LLVM has no remarks about @${name}.`);
    else await vscode.commands.executeCommand('workbench.actions.view.problems');
  }

  /** Without a function or a stage, asks what is to be shown. */
  async preview(target: Target & { readonly stage?: string } = {}): Promise<void> {
    const context = await this.context(target);
    if (context === undefined) return;
    const whole = target.stage !== undefined && target.function === undefined;
    const named = target.function === undefined ? undefined : { function: target.function };
    const about = named ?? (whole ? {} : cursorIn(context));
    const stages = await context.client.sendRequest<Stage[]>(Method.stages, { textDocument: { uri: context.uri }, ...about });
    const stage = stages.find(({ id }) => id === target.stage) ?? (await chooseStage(stages));
    if (stage === undefined) return;
    const shown = whole ? {} : (named ?? (await this.chooseShown(context)));
    if (shown === undefined) return;
    const address = { stage: stage.id, source: context.uri, ...shown };
    await this.previews.show(address, stage.languageId);
  }

  /** Without a kind or a stage, asks which graph is to be shown. */
  async graph(target: Target & { readonly kind?: GraphKind; readonly stage?: string } = {}): Promise<void> {
    const context = await this.context(target);
    if (context === undefined) return;
    const kind = target.kind ?? (await vscode.window.showQuickPick(KINDS, { title: 'Which graph?' }))?.graph;
    if (kind === undefined) return;
    // Calls are those of the part of the document in which the function at the cursor stands.
    const callee = kind === 'calls'
      ? atCursor(context, await functionsOf(context))
      : await this.chooseFunction(context, 'A graph of which function?', target);
    if (kind !== 'calls' && callee === undefined) return;
    const about = callee === undefined ? {} : { function: callee.name };
    const stages = await context.client.sendRequest<Stage[]>(Method.stages, { textDocument: { uri: context.uri }, ...about });
    const drawable = stages.filter(({ languageId }) => languageId !== 'asm');
    const stage = drawable.find(({ id }) => id === target.stage) ?? (await chooseStage(drawable));
    if (stage === undefined) return;
    await this.graphs.show({ uri: context.uri, kind, stage: stage.id, ...about });
  }

  /** The document that the command is about, and a server that knows it. */
  private async context(target: Target): Promise<Context | undefined> {
    const document = vscode.window.activeTextEditor?.document;
    const isSource = isServed(document?.languageId) && document?.uri.scheme !== PREVIEW_SCHEME;
    const uri = target.uri ?? (isSource ? document?.uri.toString() : undefined);
    if (uri === undefined) {
      void vscode.window.showInformationMessage('Open an MLIR or LLVM IR file first.');
      return undefined;
    }
    const client = await this.server.ready();
    if (client !== undefined) return { client, uri };
    const restart = await vscode.window.showErrorMessage('Fathom is not running.', 'Restart');
    if (restart !== undefined) await this.server.restart();
    return undefined;
  }

  /** A function with values for its arguments; undefined if the user gave up, or does not trust the workspace. */
  private async call(target: Target, title: string): Promise<Call | undefined> {
    if (!vscode.workspace.isTrusted) {
      const manage = 'Manage Workspace Trust';
      const chosen = await vscode.window.showErrorMessage('Functions are not run in a workspace that is not trusted.', manage);
      if (chosen === manage) await vscode.commands.executeCommand('workbench.trust.manage');
      return undefined;
    }
    const context = await this.context(target);
    if (context === undefined) return undefined;
    const callee = await this.chooseFunction(context, title, target);
    const values = callee === undefined ? undefined : await askArguments(callee);
    return callee === undefined || values === undefined ? undefined : { context, name: callee.name, values };
  }

  /** The named function, or the one at the cursor, or the only one, or what the user picks. */
  private async chooseFunction(context: Context, title: string, { function: name, lineNumber }: Target = {}): Promise<FunctionInfo | undefined> {
    const functions = (await functionsOf(context)).filter(({ isDeclaration }) => !isDeclaration);
    if (name !== undefined) return functions.find((candidate) => candidate.name === name);
    const here = lineNumber === undefined ? atCursor(context, functions) : functionAt(functions, lineNumber - 1);
    if (here !== undefined || functions.length === 1) return here ?? functions[0];
    if (functions.length === 0) void vscode.window.showInformationMessage('There is no function with a body in this file.');
    const items = functions.map((info) => ({ label: `@${info.name}`, description: info.signature, info }));
    const picked = items.length > 0 ? await vscode.window.showQuickPick(items, { title }) : undefined;
    return picked?.info;
  }

  /** Undefined if the user gave up. */
  private async chooseShown(context: Context): Promise<Shown | undefined> {
    const functions = (await functionsOf(context)).filter(({ isDeclaration }) => !isDeclaration);
    const here = atCursor(context, functions);
    const others = functions.filter((candidate) => candidate !== here);
    const items: (vscode.QuickPickItem & { shown: Shown })[] = [...(here ? [here] : []), ...others].map((info) => ({
      label: `@${info.name}`,
      description: info === here ? 'at the cursor' : info.signature,
      shown: { function: info.name },
    }));
    if (here?.isBig === true) {
      const description = 'the part around the cursor';
      items.unshift({ label: `@${here.name}`, description, shown: { function: here.name, part: true } });
    }
    const whole = { label: '$(file) Whole file', description: '', shown: {} };
    const picked = await vscode.window.showQuickPick(here ? [...items, whole] : [whole, ...items], { title: 'Preview of what?' });
    return picked?.shown;
  }
}

async function functionsOf({ client, uri }: Context): Promise<FunctionInfo[]> {
  return client.sendRequest<FunctionInfo[]>(Method.functions, { textDocument: { uri } });
}

/** Where the cursor is, if it is in this document. */
function cursorIn({ uri }: Context): { readonly position?: Position } {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.toString() !== uri) return {};
  const { line, character } = editor.selection.active;
  return { position: { line, character } };
}

function atCursor({ uri }: Context, functions: readonly FunctionInfo[]): FunctionInfo | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor?.document.uri.toString() === uri ? functionAt(functions, editor.selection.active.line) : undefined;
}

async function chooseStage(stages: readonly Stage[]): Promise<Stage | undefined> {
  const preferred = vscode.workspace.getConfiguration('fathom').get<string>('preview.stage', 'llvm-dialect');
  const sorted = [...stages].sort((a, b) => Number(b.id === preferred) - Number(a.id === preferred));
  const items = sorted.map((stage) => ({ label: stage.title, description: stage.id, stage }));
  const picked = await vscode.window.showQuickPick(items, { title: 'Preview at which stage?', matchOnDescription: true });
  return picked?.stage;
}

/** One question for each argument; undefined as soon as one is not answered. */
async function askArguments(callee: FunctionInfo): Promise<Value[] | undefined> {
  const impossible = callee.arguments.find(({ example }) => example === undefined);
  if (impossible !== undefined) {
    void vscode.window.showErrorMessage(`@${callee.name} takes a ${impossible.type}, which cannot be given from here.`);
    return undefined;
  }
  const values: Value[] = [];
  for (const [index, argument] of callee.arguments.entries()) {
    const text = await vscode.window.showInputBox({
      title: `Run @${callee.name} (${index + 1}/${callee.arguments.length})`,
      prompt: `${argument.name ?? `argument ${index}`} : ${argument.type}`,
      value: argument.example ?? '',
      ignoreFocusOut: true,
      validateInput: (typed) => {
        const parsed = readArgument(typed);
        return 'problem' in parsed ? parsed.problem : undefined;
      },
    });
    const parsed = text === undefined ? undefined : readArgument(text);
    if (parsed === undefined || 'problem' in parsed) return undefined;
    values.push(parsed.value);
  }
  return values;
}

/** Runs, with a message that can cancel it if it takes a while; undefined if it was cancelled or the server refused. */
async function runCancellably({ client, uri }: Context, name: string, values: readonly Value[]): Promise<RunFunctionResult | undefined> {
  const workDoneToken = `fathom-run-${Date.now()}`;
  const source = new CancellationTokenSource();
  const params = { command: ServerCommand.runFunction, arguments: [{ uri, function: name, arguments: values }], workDoneToken };
  const answer = client.sendRequest<RunFunctionResult>(Method.executeCommand, params, source.token);
  const settled = answer.then(() => true, () => true);
  const patience = new Promise<boolean>((resolve) => setTimeout(() => { resolve(false); }, PATIENCE_MILLISECONDS));
  void Promise.race([settled, patience]).then((isSettled) => {
    if (!isSettled) showProgress(client, name, workDoneToken, settled, source);
  });
  try {
    return await answer;
  } catch (error) {
    if (!source.token.isCancellationRequested) void vscode.window.showErrorMessage(`@${name} was not run: ${inWords(error)}`);
    return undefined;
  }
}

function showProgress(client: LanguageClient, name: string, token: string, settled: Promise<unknown>, source: CancellationTokenSource): void {
  const options = { location: vscode.ProgressLocation.Notification, title: `Running @${name}`, cancellable: true };
  void vscode.window.withProgress(options, async (progress, cancelled) => {
    const forward = cancelled.onCancellationRequested(() => { source.cancel(); });
    const reports = client.onProgress(WorkDoneProgress.type, token, (report) => {
      if (report.kind !== 'end' && report.message !== undefined) progress.report({ message: report.message });
    });
    await settled;
    reports.dispose();
    forward.dispose();
  });
}

/** What a command of the server about a call says; undefined if it was cancelled or the server refused. */
async function askCancellably<Result>({ context, name, values }: Call, command: string, title: string): Promise<Result | undefined> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, async (_, token) => {
    const params = { command, arguments: [{ uri: context.uri, function: name, arguments: values }] };
    try {
      return await context.client.sendRequest<Result>(Method.executeCommand, params, token);
    } catch (error) {
      if (!token.isCancellationRequested) void vscode.window.showErrorMessage(`@${name}: ${inWords(error)}`);
      return undefined;
    }
  });
}

async function execute<Result>(client: LanguageClient, command: string, args: readonly unknown[]): Promise<Result> {
  return client.sendRequest<Result>(Method.executeCommand, { command, arguments: args });
}
