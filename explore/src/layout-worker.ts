/** Lays graphs out beside the page, which goes on meanwhile. */

import { Graphviz } from '@hpcc-js/wasm-graphviz';
import { answerLayouts } from '../../vscode-client/webview/laying';

void answerLayouts(Graphviz.load());
