/** The messages that Fathom adds to the Language Server Protocol, as docs/protocol.md describes them. */

export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

export interface TextDocumentIdentifier {
  readonly uri: string;
}

export type PreviewLanguage = 'mlir' | 'llvm' | 'asm';

export interface Stage {
  readonly id: string;
  readonly title: string;
  readonly languageId: PreviewLanguage;
}

export interface Argument {
  readonly name?: string;
  readonly type: string;
  /** JSON, ready to be edited; absent if a value of this type cannot be given. */
  readonly example?: string;
}

export interface FunctionInfo {
  /** Its path as MLIR writes it, without the first `@`: `f`, `inner::@f`; what other messages call it. */
  readonly name: string;
  readonly range: Range;
  readonly selectionRange: Range;
  readonly signature: string;
  readonly arguments: readonly Argument[];
  readonly results: readonly string[];
  readonly isDeclaration: boolean;
  /** A preview can show a part of it. */
  readonly isBig?: true;
}

export interface PreviewParams {
  readonly textDocument: TextDocumentIdentifier;
  readonly stage: string;
  readonly function?: string;
  /** The position around which a part of the function is wanted. */
  readonly part?: Position;
}

export interface Link {
  readonly source: Range;
  readonly target: Range;
}

export interface PreviewResult {
  readonly uri: string;
  readonly stage: string;
  readonly function?: string;
  readonly part?: { readonly range: Range; readonly function: Range };
  readonly version: number;
  readonly stale: boolean;
  readonly staleReason?: string;
  readonly goesOn?: true;
  readonly languageId: PreviewLanguage;
  readonly text: string;
  readonly map: readonly Link[];
}

export interface PreviewDidChangeParams {
  readonly textDocument: { readonly uri: string; readonly version: number };
  readonly stage?: string;
  readonly functions?: readonly string[];
}

export type GraphKind = 'cfg' | 'data-flow' | 'loops' | 'access' | 'calls';

export interface GraphNode {
  readonly kind: string;
  readonly title: string;
  readonly lines?: readonly string[];
  readonly source?: Range;
  /** Where it stands in the text of the preview of the same stage and function. */
  readonly target?: Range;
  readonly parent?: number;
  readonly unreachable?: true;
  readonly pattern?: AccessPattern;
}

/** The elements of an array that iterations touch: rows by their indices but the last one, and columns. */
export interface AccessPattern {
  readonly rows: readonly (readonly number[])[];
  readonly column: number;
  readonly columns: number;
  /** Of each element, row by row, the number of the iteration that touches it first, -1 for none. */
  readonly first: readonly number[];
  /** And how many touch it. */
  readonly times: readonly number[];
}

export interface GraphEdge {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
  readonly label?: string;
  readonly back?: true;
}

export interface GraphResult {
  readonly kind: GraphKind;
  readonly stage: string;
  readonly function?: string;
  readonly version: number;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly omitted?: string;
  readonly problem?: string;
}

/** An answer about what passes did; `problem` says why there is none. */
export interface DidResult {
  readonly version: number;
  readonly function?: string;
  readonly operation?: string;
  readonly problem?: string;
}

/** A pass that ran. */
export interface Passed {
  readonly stage: string;
  readonly pass: string;
  readonly options?: string;
  /** Absent where a tool of other people ran, which does not tell. */
  readonly milliseconds?: number;
  readonly before: number;
  readonly after: number;
  readonly changed: boolean;
  readonly failed?: true;
  readonly steps: number;
}

export interface TimelineResult extends DidResult {
  readonly passes: readonly Passed[];
}

/** How big a stage below the LLVM dialect is, or why there is none. */
export interface StageBelow {
  readonly stage: string;
  readonly title: string;
  readonly instructions?: number;
  readonly lines?: number;
  readonly bytes?: number;
  readonly problem?: string;
}

export interface BelowResult extends DidResult {
  readonly stages: readonly StageBelow[];
}

/** Who took a step, in words and by name. */
export interface Who {
  readonly title: string;
  readonly kind: string;
  readonly stage: string;
  readonly pass?: string;
  readonly pattern?: string;
  readonly operation?: string;
  readonly source?: Range;
}

export interface ListedStep extends Who {
  readonly run: number;
  readonly number: number;
  readonly depth: number;
}

export interface StepsResult extends DidResult {
  readonly steps: readonly ListedStep[];
}

/** What became of operations, with the first lines of them in both texts. */
export interface OperationChange {
  readonly kind: 'moved' | 'renamed' | 'changed' | 'rewritten' | 'added' | 'removed';
  readonly before: readonly Range[];
  readonly after: readonly Range[];
  readonly moved?: true;
}

export interface Difference extends DidResult {
  readonly before: { readonly stage: string; readonly text: string };
  readonly after: { readonly stage: string; readonly text: string };
  readonly changes: readonly OperationChange[];
}

export interface BlameResult extends DidResult {
  readonly stage: string;
  readonly text: string;
  readonly lines: readonly (Who | null)[];
}

export interface LifeResult extends DidResult {
  /** A note says why nothing is known of what it became, or that there is more. */
  readonly steps: readonly (Who & { readonly before: readonly string[]; readonly after: readonly string[]; readonly note?: string })[];
}

export interface WhyNotResult extends DidResult {
  readonly passes: readonly {
    readonly pass: string;
    readonly note?: string;
    readonly reasons: readonly { readonly pattern: string; readonly reason: string }[];
  }[];
}

/** A dump of IR in a log. */
export interface ListedDump {
  readonly number: number;
  readonly pass: string;
  readonly subject?: string;
  readonly when: 'before' | 'after' | 'start';
  readonly outcome?: string;
  readonly changed: boolean;
  readonly languageId: 'mlir' | 'llvm' | 'mir';
  readonly line: number;
  readonly path?: string;
  readonly isCut?: true;
}

export interface DumpsResult {
  readonly dumps: readonly ListedDump[];
  readonly leftOff: number;
}

export interface DumpResult {
  readonly text: string;
  readonly before?: { readonly number: number; readonly text: string };
}

export interface LowerFunctionResult {
  readonly applied: boolean;
  readonly failureReason?: string;
}

export interface RemarksResult {
  /** So many are shown. */
  readonly remarks?: number;
  readonly failureReason?: string;
}

/** A JSON value: a number, a string, a boolean, nested lists, or `{shape, fill}`. */
export type Value = unknown;

export interface TypedValue {
  readonly name?: string;
  readonly type: string;
  readonly value: Value;
  readonly shape?: readonly number[];
  /** So many elements are left out behind those of `value`. */
  readonly truncated?: number;
  /** How many elements of an argument the program changed, and the first of them. */
  readonly changed?: number;
  readonly changes?: readonly Change[];
}

export interface Change {
  readonly index: readonly number[];
  readonly before: Value;
  readonly after: Value;
}

export interface RunFunctionResult {
  readonly status: 'ok' | 'error';
  readonly kind?: string;
  readonly message?: string;
  readonly range?: Range;
  readonly version?: number;
  readonly results: readonly TypedValue[];
  readonly arguments: readonly TypedValue[];
  readonly output: string;
  readonly notes?: readonly string[];
  readonly compileMilliseconds: number;
  readonly runMilliseconds: number;
}

export interface BisectFunctionResult {
  readonly status: 'found' | 'none' | 'error';
  readonly message: string;
  readonly stages: readonly { readonly pass: string; readonly does: string }[];
  readonly pass?: string;
  readonly pattern?: string;
  readonly range?: Range;
  readonly smallest?: string;
}

export interface BenchFunctionResult {
  readonly status: 'ok' | 'error';
  readonly message: string;
}

/** A test: a command in a comment `// RUN:`. */
export interface TestInfo {
  readonly line: number;
  readonly range: Range;
  readonly command: string;
}

export interface RunTestResult {
  readonly status: 'passed' | 'failed' | 'unsupported' | 'timeout';
  readonly message: string;
  readonly range?: Range;
  readonly version: number;
  readonly output: string;
  readonly milliseconds: number;
}

/** The arguments of lenses. */
export interface LensTarget {
  readonly uri: string;
  readonly function: string;
}

export interface PlacesOfLens {
  readonly uri: string;
  readonly position: Position;
  readonly locations: readonly { readonly uri: string; readonly range: Range }[];
}

/** What a trace has, a file that `fathom opt --record` wrote. */
export interface TraceResult {
  readonly name: string;
  readonly parts: readonly { readonly pipeline: string; readonly stages: readonly string[] }[];
}

/** Where an operation is that it is asked of why it is left. */
export interface PlaceAsked {
  readonly uri: string;
  readonly position: Position;
}

/** What may be asked beside a hover: `docs/protocol.md`, "Hovers". */
export interface HoverAction {
  readonly title: string;
  readonly command: string;
  readonly arguments: readonly unknown[];
}

export interface TestOfLens {
  readonly uri: string;
  readonly line: number;
}

export const PREVIEW_SCHEME = 'fathom-preview';

/** Whether documents in a language have previews and runs. */
export function isServed(languageId: string | undefined): boolean {
  return languageId === 'mlir' || languageId === 'llvm';
}

export const Method = {
  stages: 'fathom/stages',
  functions: 'fathom/functions',
  tests: 'fathom/tests',
  preview: 'fathom/preview',
  graph: 'fathom/graph',
  timeline: 'fathom/timeline',
  below: 'fathom/below',
  difference: 'fathom/difference',
  blame: 'fathom/blame',
  life: 'fathom/life',
  steps: 'fathom/steps',
  step: 'fathom/step',
  whyNot: 'fathom/whyNot',
  trace: 'fathom/trace',
  dumps: 'fathom/dumps',
  dump: 'fathom/dump',
  previewDidChange: 'fathom/previewDidChange',
  closePreview: 'fathom/closePreview',
  executeCommand: 'workspace/executeCommand',
  hover: 'textDocument/hover',
} as const;

/** The server's commands. Those that people see in the palette are `fathom.lower`, `fathom.run` and `fathom.bench`. */
export const ServerCommand = {
  lowerFunction: 'fathom.lowerFunction',
  runFunction: 'fathom.runFunction',
  runTest: 'fathom.runTest',
  bisectFunction: 'fathom.bisectFunction',
  benchFunction: 'fathom.benchFunction',
  remarks: 'fathom.remarks',
} as const;

/** What lenses have the client do. */
export const ClientCommand = {
  run: 'fathom.lens.run',
  preview: 'fathom.lens.preview',
  references: 'fathom.lens.references',
  runTest: 'fathom.lens.runTest',
  bisect: 'fathom.lens.bisect',
  bench: 'fathom.lens.bench',
  whyNot: 'fathom.lens.whyNot',
} as const;
