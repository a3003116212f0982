/** The part of VS Code's interface that commands use, for tests without an editor: `esbuild.mjs` puts it in its place. */

/** What a person does and sees: set before a command, read after it. */
export const person = {
  trusts: true,
  /** What is typed into one box after the other; undefined closes it. */
  types: [] as (string | undefined)[],
  /** Whether the button of the next message of progress is pressed. */
  cancels: false,
  asked: [] as string[],
  errors: [] as string[],
  progress: [] as string[],
  log: [] as string[],
  opened: [] as string[],
  /** What is chosen of a list, by a part of its label. */
  picks: undefined as string | undefined,
  /** The commands that were executed, with their arguments. */
  executed: [] as unknown[][],
};

export function begin(does: Partial<typeof person> = {}): void {
  Object.assign(person, { trusts: true, types: [], cancels: false, asked: [], errors: [], progress: [], log: [], opened: [], executed: [], picks: undefined }, does);
}

interface Box {
  readonly prompt: string;
  readonly value: string;
  readonly validateInput: (typed: string) => string | undefined;
}

export class CancellationTokenSource {
  readonly token = { isCancellationRequested: false };
  cancel(): void {
    this.token.isCancellationRequested = true;
  }
}

export const WorkDoneProgress = { type: 'progress' };
export const ProgressLocation = { Notification: 15 };
export const ViewColumn = { Beside: -2 };
export const DiagnosticSeverity = { Error: 0 };
export class Diagnostic {
  source = '';
}
export const Uri = {
  parse: (text: string) => text,
  from: ({ scheme, path }: { scheme: string; path: string }) => `${scheme}:${path}`,
};
const nothing = { dispose: () => undefined };
export class EventEmitter {
  readonly event = nothing;
  fire(): void {}
  dispose(): void {}
}
export class MarkdownString {
  value = '';
  isTrusted: unknown;
  appendMarkdown(text: string): void {
    this.value += text;
  }
}
export class ThemeColor {
  constructor(readonly id: string) {}
}
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1 };
export class TreeItem {
  description = '';
  constructor(readonly label: string, readonly collapsibleState: number) {}
}
/** Where the cursor is. */
export const cursor = {
  document: { languageId: 'mlir', uri: { scheme: 'file', toString: () => 'file:///a.mlir' } },
  selection: { active: { line: 4, character: 2 } },
};

export const window = {
  activeTextEditor: undefined as unknown,
  registerTreeDataProvider: () => nothing,
  createTreeView: () => ({ dispose: () => undefined }),
  showQuickPick: <Item extends { readonly label: string }>(items: readonly Item[]): Promise<Item | undefined> =>
    Promise.resolve(items.find(({ label }) => person.picks !== undefined && label.includes(person.picks))),
  createTextEditorDecorationType: () => nothing,
  createOutputChannel: () => ({
    appendLine: (line: string) => person.log.push(line),
    show: () => undefined,
    dispose: () => undefined,
  }),
  showInputBox: ({ prompt, value, validateInput }: Box): Promise<string | undefined> => {
    person.asked.push(`${prompt} = ${value}`);
    const typed = person.types.shift();
    const problem = typed === undefined ? undefined : validateInput(typed);
    if (problem !== undefined) person.errors.push(problem);
    return Promise.resolve(problem === undefined ? typed : undefined);
  },
  showErrorMessage: (message: string) => Promise.resolve(void person.errors.push(message)),
  showInformationMessage: (message: string) => Promise.resolve(void person.errors.push(message)),
  setStatusBarMessage: () => undefined,
  showTextDocument: () => Promise.resolve({ document: { uri: 'fathom-pass:shown', lineCount: 0 }, setDecorations: () => undefined }),
  withProgress: <Result>({ title }: { title: string }, task: (progress: unknown, token: unknown) => Promise<Result>) => {
    person.progress.push(title);
    const source = new CancellationTokenSource();
    if (person.cancels) source.cancel();
    return task({ report: () => undefined }, source.token);
  },
};

export const workspace = {
  get isTrusted(): boolean {
    return person.trusts;
  },
  textDocuments: [],
  onDidChangeTextDocument: () => nothing,
  onDidCloseTextDocument: () => nothing,
  registerTextDocumentContentProvider: () => nothing,
  openTextDocument: (what: { content: string } | string) => Promise.resolve(void person.opened.push(typeof what === 'string' ? what : what.content)),
};

export const languages = {
  createDiagnosticCollection: () => ({ set: () => undefined, delete: () => undefined, dispose: () => undefined }),
};

export const commands = { executeCommand: (...given: unknown[]) => Promise.resolve(void person.executed.push(given)) };
