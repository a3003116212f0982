/** Questions to the server of which the last one counts. */

import { inWords } from '../../vscode-client/src/problems';
import type { Context } from './view';

/** What does the asking; `isLast` says, after each answer, whether it is still wanted, and `signal` when it no longer is. */
type Asking = (isLast: () => boolean, signal: AbortSignal) => Promise<void>;

/** Does what is given last, and says what goes wrong with that; what was given before gives up. */
export function latest(say: Context['say']): (what: Asking) => Promise<void> {
  let last = new AbortController();
  return async (what) => {
    last.abort();
    const { signal } = last = new AbortController();
    const isLast = (): boolean => !signal.aborted;
    try {
      await what(isLast, signal);
    } catch (problem) {
      if (isLast()) say(inWords(problem), true);
    }
  };
}
