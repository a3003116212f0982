/** The views beside the editor, in their order. */

import { graphView } from './graph-view';
import { recorderView } from './recorder-view';
import { runView } from './run-view';
import { stageView } from './stage-view';
import { timelineView } from './timeline-view';
import type { Context, View } from './view';

export const VIEWS: readonly ((context: Context) => View)[] = [
  stageView, timelineView, recorderView, graphView, runView,
];
