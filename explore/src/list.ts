/** A list of any length, of which only the rows that are seen are made. It goes by the arrow keys. */

import { element } from './dom';

const BEYOND = 8;

interface Behaviour<Row> {
  /** What stands in a row. */
  readonly drawn: (row: Row) => readonly (Node | string)[];
  /** Called when a row is gone to. */
  readonly chosen: (row: Row, number: number) => void;
  /** Called for Enter, and for a double click. */
  readonly entered?: (row: Row, number: number) => void;
}

export class List<Row> {
  private static count = 0;
  readonly element: HTMLElement;
  private readonly id = `list-${++List.count}`;
  private readonly room = element('div', { role: 'presentation', class: 'room' });
  private readonly rowHeight = 24;
  private rows: readonly Row[] = [];
  private at = -1;

  constructor(label: string, private readonly behaviour: Behaviour<Row>) {
    this.element = element('div', { class: 'list', role: 'listbox', tabindex: '0', 'aria-label': label }, this.room);
    this.element.addEventListener('scroll', () => { this.draw(); });
    this.element.addEventListener('keydown', (event) => { this.pressed(event); });
    this.room.addEventListener('mousedown', (event) => {
      const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[role=option]') : null;
      if (row !== null) this.go(Number(row.dataset['number']));
    });
    this.room.addEventListener('dblclick', () => { this.enter(); });
    new ResizeObserver(() => { this.draw(); }).observe(this.element);
  }

  /** The number of the row that is chosen; -1 if there is none. */
  get number(): number {
    return this.at;
  }

  get row(): Row | undefined {
    return this.rows[this.at];
  }

  /** Sets the rows, and which of them is chosen; nothing is called for that. */
  fill(rows: readonly Row[], at = -1): void {
    this.rows = rows;
    this.at = Math.min(at, rows.length - 1);
    this.room.style.height = `${rows.length * this.rowHeight}px`;
    this.reveal();
    this.draw();
  }

  /** Goes to a row, or as near as there is one. */
  go(number: number): void {
    const to = Math.max(0, Math.min(number, this.rows.length - 1));
    const row = this.rows[to];
    if (row === undefined) return;
    this.at = to;
    this.reveal();
    this.draw();
    this.behaviour.chosen(row, to);
  }

  private enter(): void {
    const row = this.row;
    if (row !== undefined) this.behaviour.entered?.(row, this.at);
  }

  private pressed(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.rowHeight) - 1);
    const to = {
      ArrowDown: this.at + 1, ArrowUp: this.at - 1, PageDown: this.at + page, PageUp: this.at - page, Home: 0, End: this.rows.length - 1,
    }[event.key];
    if (to !== undefined) this.go(to);
    else if (event.key === 'Enter') this.enter();
    else return;
    event.preventDefault();
  }

  private reveal(): void {
    if (this.at < 0) return;
    const top = this.at * this.rowHeight;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + this.rowHeight > scrollTop + clientHeight) this.element.scrollTop = top + this.rowHeight - clientHeight;
  }

  private draw(): void {
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(0, Math.floor(scrollTop / this.rowHeight) - BEYOND);
    const last = Math.min(this.rows.length, Math.ceil((scrollTop + clientHeight) / this.rowHeight) + BEYOND);
    const made: HTMLElement[] = [];
    for (let number = first; number < last; number++) made.push(this.option(number));
    // A screen reader is at the row that is chosen, so that is there wherever the list is scrolled to.
    if (this.at >= 0 && (this.at < first || this.at >= last)) made.push(this.option(this.at));
    this.room.replaceChildren(...made);
    if (this.at < 0) this.element.removeAttribute('aria-activedescendant');
    else this.element.setAttribute('aria-activedescendant', `${this.id}-${this.at}`);
  }

  private option(number: number): HTMLElement {
    const row = this.rows[number];
    const made = element(
      'div',
      {
        role: 'option',
        id: `${this.id}-${number}`,
        'data-number': String(number),
        'aria-selected': String(number === this.at),
        'aria-setsize': String(this.rows.length),
        'aria-posinset': String(number + 1),
      },
      ...(row === undefined ? [] : this.behaviour.drawn(row)),
    );
    made.style.top = `${number * this.rowHeight}px`;
    return made;
  }
}
