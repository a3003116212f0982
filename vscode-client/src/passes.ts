/** What each pass did: a tree of passes and their steps, differences in the native editor, blame, lives and why not. */

import * as vscode from 'vscode';
import { Method } from './protocol';
import type { BelowResult, BlameResult, Difference, DidResult, LifeResult, ListedStep, Passed, PlaceAsked, Position, Stage, StageBelow, StepsResult, TimelineResult, TraceResult, WhyNotResult } from './protocol';
import type { Server } from './server';
import { VirtualTexts } from './virtual';

/** In the place of the name of a tool: Fathom's own passes. */
const OWN = '';

/** A function, or the one around a position of a document. */
interface About {
  readonly uri: string;
  readonly function?: string;
  readonly position?: Position;
  /** The part of the trace that `uri` is; what is asked is asked of the file then. */
  readonly part?: number;
}

/** A question about the operation at a place: of a document, or of the text of a stage that is shown. */
interface Asked {
  readonly about: About;
  readonly more: object;
}

type Node =
  | { readonly kind: 'pass'; readonly pass: Passed; readonly before: string }
  | { readonly kind: 'step'; readonly step: ListedStep }
  | { readonly kind: 'below'; readonly below: StageBelow };

/** How names of files end that hold a stage below the LLVM dialect. */
const EXTENSIONS: Readonly<Record<string, string>> = { 'llvm-ir': 'll', 'llvm-optimized': 'll', assembly: 's', object: 's' };

export class Passes implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly texts = new VirtualTexts('fathom-pass');
  /** Of which stage the texts are that are shown. */
  private readonly stages = new Map<string, { readonly about: About; readonly stage: string }>();
  private readonly blamed = vscode.window.createTextEditorDecorationType({
    after: { margin: '0 0 0 3em', color: new vscode.ThemeColor('editorCodeLens.foreground') },
  });
  private readonly disposables: { dispose(): void }[];
  private about: About | undefined;
  private passes: readonly Passed[] = [];
  private below: readonly StageBelow[] = [];

  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly server: Server) {
    this.disposables = [
      this.texts,
      vscode.window.registerTreeDataProvider('fathom.passes', this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.stages.delete(uri.toString())),
    ];
  }

  dispose(): void {
    this.changed.dispose();
    this.blamed.dispose();
    this.disposables.forEach((disposable) => { disposable.dispose(); });
  }

  // ---- the tree

  /** Lists the passes that ran on the function at the cursor. */
  async timeline(): Promise<void> {
    const about = aboutCursor();
    const tool = about && (await this.chooseTool(about));
    if (about === undefined || tool === undefined) return;
    const answer = await this.ask<TimelineResult>(Method.timeline, about, tool === OWN ? {} : { tool });
    if (answer === undefined) return;
    await this.list(named(about, answer), answer);
    if (tool === OWN && this.about !== undefined) await this.listBelow(this.about);
  }

  /** Lists the passes that a trace tells of; asks for a file if none is given, and for the part where there are several. */
  async openTrace(chosen?: vscode.Uri): Promise<void> {
    const client = await this.server.ready();
    const uri = client && (chosen ?? (await chooseTrace()));
    if (client === undefined || uri === undefined) return;
    const options = { location: vscode.ProgressLocation.Notification, title: `Fathom: reading ${uri.path.split('/').at(-1) ?? ''}` };
    const { parts } = await vscode.window.withProgress(options, () => client.sendRequest<TraceResult>(Method.trace, { uri: uri.toString() }));
    const items = parts.map(({ pipeline }, part) => ({ label: `Part ${part + 1}`, description: pipeline, part }));
    const picked = items.length > 1 ? await vscode.window.showQuickPick(items, { title: 'Which part of the input?' }) : items[0];
    if (picked === undefined) return;
    const about = { uri: uri.toString(), part: picked.part };
    const answer = await this.ask<TimelineResult>(Method.timeline, about);
    if (answer !== undefined) await this.list(about, answer);
  }

  private async list(about: About, { passes }: TimelineResult): Promise<void> {
    this.about = about;
    this.passes = passes;
    this.below = [];
    this.changed.fire(undefined);
    await vscode.commands.executeCommand('setContext', 'fathom.hasPasses', true);
    await vscode.commands.executeCommand('fathom.passes.focus');
  }

  /** What LLVM makes takes longer, so it comes behind the passes. */
  private async listBelow(about: About): Promise<void> {
    const answer = await this.ask<BelowResult>(Method.below, about);
    if (answer === undefined || this.about !== about) return;
    this.below = answer.stages;
    this.changed.fire(undefined);
  }

  /** Whose passes are meant: where there are tools of other people with stages, it is asked. */
  private async chooseTool(about: About): Promise<string | undefined> {
    const client = await this.server.ready();
    const stages = await client?.sendRequest<Stage[]>(Method.stages, params(about));
    const tools = new Set((stages ?? []).flatMap(({ id }) => (id.includes(':') ? [id.slice(0, id.indexOf(':'))] : [])));
    if (tools.size === 0) return OWN;
    const items = [{ label: "Fathom's pipeline", tool: OWN }, ...[...tools].map((tool) => ({ label: tool, tool }))];
    return (await vscode.window.showQuickPick(items, { title: 'Whose passes?' }))?.tool;
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if (node.kind === 'below') return belowItem(node.below, node);
    return node.kind === 'pass' ? passItem(node.pass, node) : stepItem(node.step, node);
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node === undefined) return this.roots();
    if (node.kind !== 'pass' || this.about === undefined) return [];
    const answer = await this.ask<StepsResult>(Method.steps, this.about, { stage: node.pass.stage });
    const steps = (answer?.steps ?? []).filter(({ number, depth }) => number > 0 && depth === 0);
    return steps.map((step) => ({ kind: 'step', step }));
  }

  /** Those that changed something, and the stages below them. */
  private roots(): Node[] {
    const roots: Node[] = [];
    let before = 'source';
    for (const pass of this.passes.filter(({ changed, failed }) => changed || failed === true)) {
      roots.push({ kind: 'pass', pass, before });
      before = pass.stage;
    }
    roots.push(...this.below.map((below): Node => ({ kind: 'below', below })));
    return roots;
  }

  // ---- what is shown

  /** What a pass or a step changed, in the editor for differences; a stage below, with who made its lines. */
  async show(node: Node): Promise<void> {
    if (this.about === undefined) return;
    if (node.kind === 'below') {
      await this.blameStage(this.about, node.below.stage);
      return;
    }
    const difference = node.kind === 'pass'
      ? await this.ask<Difference>(Method.difference, this.about, { before: node.before, after: node.pass.stage })
      : await this.ask<Difference>(Method.step, this.about, { stage: node.step.stage, run: node.step.run, number: node.step.number });
    if (difference === undefined) return;
    const title = node.kind === 'pass' ? node.pass.pass : node.step.title;
    const { before, after } = difference;
    const [left, right] = [before, after].map(({ stage, text }) => this.texts.add(`${stage}.mlir`, text));
    if (node.kind === 'pass' && node.pass.milliseconds !== undefined && left !== undefined && right !== undefined) {
      this.stages.set(left.toString(), { about: this.about, stage: node.before });
      this.stages.set(right.toString(), { about: this.about, stage: node.pass.stage });
    }
    await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: true });
  }

  /** A stage, with who last changed each line behind it. */
  async blame(): Promise<void> {
    const about = aboutCursor();
    const client = await this.server.ready();
    if (about === undefined || client === undefined) return;
    const stages = await client.sendRequest<Stage[]>(Method.stages, params(about));
    const items = stages.map((stage) => ({ label: stage.title, description: stage.id, stage }));
    const picked = await vscode.window.showQuickPick(items, { title: 'Who changed the lines of which stage?', matchOnDescription: true });
    if (picked !== undefined) await this.blameStage(about, picked.stage.id);
  }

  /** The stage behind a pass that is listed, with who last changed each line. */
  async blamePass(node: Node): Promise<void> {
    if (node.kind === 'pass' && this.about !== undefined) await this.blameStage(this.about, node.pass.stage);
  }

  private async blameStage(about: About, stage: string): Promise<void> {
    const answer = await this.ask<BlameResult>(Method.blame, about, { stage });
    if (answer === undefined) return;
    const editor = await this.texts.open(`${answer.stage}.${EXTENSIONS[answer.stage] ?? 'mlir'}`, answer.text);
    this.stages.set(editor.document.uri.toString(), { about, stage });
    const shown = answer.lines.flatMap((who, line) => {
      if (who === null || line >= editor.document.lineCount) return [];
      return [{ range: editor.document.lineAt(line).range, renderOptions: { after: { contentText: who.title } } }];
    });
    editor.setDecorations(this.blamed, shown);
  }

  /** What became of the operation at the cursor, step by step. */
  async life(): Promise<void> {
    const asked = this.atCursor();
    const answer = asked && (await this.ask<LifeResult>(Method.life, asked.about, asked.more));
    if (answer === undefined) return;
    const lines = answer.steps.flatMap(({ title, after, note }) => {
      const said = note === undefined ? after : [...after, `(${note})`];
      return [title, ...(said.length > 0 ? said : ['gone']).map((text) => `    ${text}`)];
    });
    await this.texts.open(`life of ${answer.operation ?? 'it'}.txt`, lines.join('\n'));
  }

  /** Why an operation is left: the one at a place, or the one at the cursor. */
  async whyNot(place?: PlaceAsked): Promise<void> {
    const asked = place !== undefined ? { about: place, more: {} } : this.atCursor();
    const answer = asked && (await this.ask<WhyNotResult>(Method.whyNot, asked.about, asked.more));
    if (answer === undefined) return;
    const lines = answer.passes.flatMap(({ pass, note, reasons }) => [
      note === undefined ? pass : `${pass}: ${note}`,
      ...reasons.map(({ pattern, reason }) => `    ${pattern}: ${reason}`),
    ]);
    await this.texts.open(`why ${answer.operation ?? 'it'} is left.txt`, lines.join('\n') || 'no pass that it outlives tried anything on it');
  }

  // ---- what they share

  /** The operation at the cursor, in a source or in the text of a stage. */
  private atCursor(): Asked | undefined {
    const editor = vscode.window.activeTextEditor;
    const shown = editor && this.stages.get(editor.document.uri.toString());
    if (editor !== undefined && shown !== undefined) {
      const { line, character } = editor.selection.active;
      return { about: shown.about, more: { stage: shown.stage, target: { line, character } } };
    }
    const about = aboutCursor();
    return about && { about, more: {} };
  }

  /** Undefined where there is no answer, after it was said why. */
  private async ask<Result extends DidResult>(method: string, about: About, more: object = {}): Promise<Result | undefined> {
    const client = await this.server.ready();
    if (client === undefined) return undefined;
    const answer = about.part === undefined
      ? await client.sendRequest<Result>(method, { ...params(about), sourceNames: true, ...more })
      : await client.sendRequest<Result>(Method.trace, { uri: about.uri, part: about.part, question: method.replace('fathom/', ''), ...more });
    if (answer.problem === undefined) return answer;
    void vscode.window.showInformationMessage(`Fathom: ${answer.problem}`);
    return undefined;
  }
}

function params({ uri, ...rest }: About): object {
  return { textDocument: { uri }, ...rest };
}

async function chooseTrace(): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({ title: 'Open which trace of fathom opt --record?', filters: { Traces: ['json'] } });
  return chosen?.[0];
}

/** The place of the cursor in a source that is served. */
function aboutCursor(): About | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || editor.document.languageId !== 'mlir' || editor.document.uri.scheme.startsWith('fathom-')) {
    void vscode.window.showInformationMessage('Open an MLIR file first.');
    return undefined;
  }
  const { line, character } = editor.selection.active;
  return { uri: editor.document.uri.toString(), position: { line, character } };
}

/** The function that the answer is about stays the same when the cursor moves. */
function named(about: About, { function: name }: DidResult): About {
  return name === undefined ? about : { uri: about.uri, function: name };
}

function passItem(pass: Passed, node: Node): vscode.TreeItem {
  const { None, Collapsed } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(`${pass.pass}${pass.options ?? ''}`, pass.steps > 0 ? Collapsed : None);
  const operations = pass.before === pass.after ? `${pass.before} operations` : `${pass.before} → ${pass.after} operations`;
  const time = pass.milliseconds === undefined ? '' : `, ${pass.milliseconds.toFixed(1)} ms`;
  item.description = `${operations}${time}${pass.failed === true ? ', failed' : ''}`;
  item.command = showing(node);
  // Of a tool of other people nobody knows who changed a line.
  if (pass.milliseconds !== undefined) item.contextValue = 'pass';
  return item;
}

function belowItem(below: StageBelow, node: Node): vscode.TreeItem {
  const item = new vscode.TreeItem(below.title, vscode.TreeItemCollapsibleState.None);
  const bytes = below.bytes === undefined ? '' : `, ${below.bytes} bytes`;
  item.description = below.problem ?? `${below.instructions ?? 0} instructions${bytes}`;
  if (below.problem === undefined) item.command = showing(node);
  return item;
}

function stepItem(step: ListedStep, node: Node): vscode.TreeItem {
  const item = new vscode.TreeItem(`${step.number}. ${step.pattern ?? step.kind}`, vscode.TreeItemCollapsibleState.None);
  if (step.operation !== undefined) item.description = step.operation;
  item.command = showing(node);
  return item;
}

function showing(node: Node): vscode.Command {
  return { command: 'fathom.passes.show', title: 'Show What It Changed', arguments: [node] };
}
