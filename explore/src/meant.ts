/** Which function a view is about. */

import { contains } from '../../vscode-client/src/mapping';
import type { Context } from './view';

/** The function that is chosen, or else the one at the cursor. */
export function functionMeant(context: Context): string | undefined {
  const there = context.functions().filter((each) => !each.isDeclaration);
  return context.chosen() ?? there.find(({ range }) => contains(range, context.cursor()))?.name;
}
