/** Two texts of a function: side by side, in one, or what became of each operation. */

import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, RangeSetBuilder } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import { Decoration, EditorView, WidgetType } from '@codemirror/view';
import type { Difference, OperationChange, Range } from '../../vscode-client/src/protocol';
import { colours } from './colours';
import { element } from './dom';
import { List } from './list';
import { reading } from './reader';

export const LAYOUTS = [['beside', 'Side by side'], ['one', 'In one'], ['operations', 'By operation']] as const;
export type DifferenceLayout = (typeof LAYOUTS)[number][0];

/** Lines of which a text may have more are put side by side: what goes would be made in full, seen or not. */
const MOST_IN_ONE = 2000;
/** Milliseconds after which lines are compared less well. */
const PATIENCE = 40;
const KINDS = ['rewritten', 'changed', 'added', 'removed', 'moved', 'renamed'] as const;

export class DifferencePane {
  readonly element = element('div', { class: 'difference' });
  private readonly list = new List<ChangeRow>('What became of operations', { drawn: changeColumns, chosen: () => undefined });
  private discard = (): void => undefined;

  /** Shows a difference; says in words what it is, which is how it can be heard. */
  show(difference: Difference, layout: DifferenceLayout): string {
    this.clear();
    const { before, after, changes } = difference;
    const isLong = Math.max(linesIn(before.text), linesIn(after.text)) > MOST_IN_ONE;
    if (layout === 'operations') {
      this.list.fill(changeRows(difference), 0);
      this.element.append(this.list.element);
    } else if (layout === 'one' && !isLong) this.inOne(difference);
    else this.sideBySide(difference);
    const said = summary(changes);
    return layout === 'one' && isLong ? `${said}; too long to be shown in one` : said;
  }

  clear(): void {
    this.discard();
    this.discard = () => undefined;
    this.element.replaceChildren();
  }

  private sideBySide({ before, after, changes }: Difference): void {
    const side = (text: string, label: string, of: 'before' | 'after'): { doc: string; extensions: Extension } => ({
      doc: text,
      extensions: [reading(label), colours('mlir'), kindsOf(changes, of, text)],
    });
    const view = new MergeView({
      parent: this.element,
      a: side(before.text, `Before: ${before.stage}`, 'before'),
      b: side(after.text, `After: ${after.stage}`, 'after'),
      collapseUnchanged: { margin: 3, minSize: 8 },
      diffConfig: { scanLimit: 300, timeout: PATIENCE },
    });
    const first = view.chunks[0];
    if (first !== undefined) view.b.dispatch({ effects: EditorView.scrollIntoView(Math.min(first.fromB, view.b.state.doc.length), { y: 'center' }) });
    this.discard = () => { view.destroy(); };
  }

  private inOne({ before, after, changes }: Difference): void {
    const view = new EditorView({
      parent: this.element,
      state: EditorState.create({
        doc: after.text,
        extensions: [
          reading(`What changed: ${after.stage}`),
          colours('mlir'),
          kindsOf(changes, 'after', after.text),
          unifiedMergeView({
            original: before.text,
            mergeControls: false,
            collapseUnchanged: { margin: 3, minSize: 8 },
            diffConfig: { scanLimit: 300, timeout: PATIENCE },
          }),
        ],
      }),
    });
    this.discard = () => { view.destroy(); };
  }
}

/** How many changes there are of each kind. */
function summary(changes: readonly OperationChange[]): string {
  const counts = KINDS.map((kind) => [kind, changes.filter((change) => change.kind === kind).length] as const);
  return counts.filter(([, count]) => count > 0).map(([kind, count]) => `${count} ${kind}`).join(', ') || 'nothing changed';
}

class Kind extends WidgetType {
  constructor(private readonly kind: string) {
    super();
  }

  override eq(other: Kind): boolean {
    return other.kind === this.kind;
  }

  /** A click on it is a click on its line. */
  override ignoreEvent(): boolean {
    return false;
  }

  toDOM(): HTMLElement {
    return element('span', { class: 'kind' }, this.kind);
  }
}

/** Marks the first lines of operations by what became of them, in a colour and in a word. */
export function kindsOf(changes: readonly OperationChange[], side: 'before' | 'after', text: string): Extension {
  const lines = new Map<number, OperationChange>();
  for (const change of changes) for (const { start } of change[side]) lines.set(start.line, change);
  const { doc } = EditorState.create({ doc: text });
  const builder = new RangeSetBuilder<Decoration>();
  for (const [number, change] of [...lines].sort(([a], [b]) => a - b)) {
    if (number >= doc.lines) break;
    const { from, to } = doc.line(number + 1);
    builder.add(from, from, Decoration.line({ class: `did-${change.kind}` }));
    // Names of values are numbers, so the most operations may be renamed: the colour is enough.
    const isPlain = change.kind === 'renamed' && change.moved !== true;
    if (!isPlain) builder.add(to, to, Decoration.widget({ widget: new Kind(kindSaid(change)), side: 1 }));
  }
  return EditorView.decorations.of(builder.finish());
}

interface ChangeRow { readonly change: OperationChange; readonly before: readonly string[]; readonly after: readonly string[] }

function changeRows({ before, after, changes }: Difference): ChangeRow[] {
  const [old, fresh] = [before.text.split('\n'), after.text.split('\n')];
  return changes.map((change) => ({ change, before: old, after: fresh }));
}

function changeColumns({ change, before, after }: ChangeRow): HTMLElement[] {
  const [old, fresh] = [cut(before, change.before), cut(after, change.after)];
  const what = change.kind === 'moved' ? fresh : `${old || '(nothing)'}  →  ${fresh || '(nothing)'}`;
  return [
    element('span', { class: `kind did-${change.kind}` }, kindSaid(change)),
    element('span', { class: 'code', title: what }, what),
  ];
}

function kindSaid({ kind, moved }: OperationChange): string {
  return moved === true ? `${kind}, moved` : kind;
}

function cut(lines: readonly string[], ranges: readonly Range[]): string {
  return ranges.map(({ start, end }) => {
    const line = lines[start.line] ?? '';
    return line.slice(start.character, start.line === end.line ? end.character : undefined);
  }).join('; ');
}

function linesIn(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
