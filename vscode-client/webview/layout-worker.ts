/** Lays graphs out beside the webview, which goes on meanwhile. Its text goes into that of the webview (`esbuild.mjs`). */

import { Graphviz } from '@hpcc-js/wasm-graphviz';
import { answerLayouts } from './laying';

void answerLayouts(Graphviz.load());
