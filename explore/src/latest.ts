/** Questions to the server of which the last one counts. */

import { inWords } from '../../vscode-client/src/problems';
import type { Context } from './view';

/** What does the asking; `isLast` says, after each answer, whether it is still wanted. */
type Asking = (isLast: () => boolean) => Promise<void>;

/** Does what is given last, and says what goes wrong with that; what was given before gives up. */
export function latest(say: Context['say']): (what: Asking) => Promise<void> {
  let count = 0;
  return async (what) => {
    const mine = ++count;
    const isLast = (): boolean => mine === count;
    try {
      await what(isLast);
    } catch (problem) {
      if (isLast()) say(inWords(problem), true);
    }
  };
}
