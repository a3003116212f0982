/** Says that the server is at work, where that takes longer than one would wait without a word. */

import { element } from './dom';

const PATIENCE = 700;

export class Working {
  readonly element = element('span', { class: 'faint', role: 'status' });
  private count = 0;
  private timer: number | undefined;

  /** What is said, after a while. */
  constructor(private readonly says = 'working…') {}

  /** Waits for an answer. */
  async until<T>(answer: Promise<T>): Promise<T> {
    if (this.count++ === 0) this.timer = setTimeout(() => { this.element.textContent = this.says; }, PATIENCE);
    try {
      return await answer;
    } finally {
      if (--this.count === 0) {
        clearTimeout(this.timer);
        this.element.textContent = '';
      }
    }
  }
}
