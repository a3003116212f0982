/** What the extension and the webview of a graph say to each other. */

import type { GraphResult } from '../src/protocol';

/** To the webview: a graph, or which node the cursor is at, if any. */
export type ToWebview = { readonly graph: GraphResult } | { readonly at: number | null };

/** From it: that it is there, that a node was chosen, or a picture to be saved. */
export type FromWebview =
  | { readonly ready: true }
  | { readonly chosen: number }
  | { readonly picture: 'svg' | 'png'; readonly data: string };
