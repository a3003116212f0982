/** What may be asked beside a hover. Only the client's own commands are links, and only in a text of its own: what comes
 * from a document runs nothing. */

import * as vscode from 'vscode';
import type { Hover, LanguageClient, ProvideHoverSignature } from 'vscode-languageclient/node';
import { ClientCommand, Method } from './protocol';
import type { HoverAction } from './protocol';

const KNOWN: ReadonlySet<string> = new Set(Object.values(ClientCommand));

type Asked = Hover & { readonly actions?: readonly HoverAction[] };

/** Asks for a hover, and puts below it what comes with it. */
export function hoversOf(client: () => LanguageClient | undefined) {
  return async (document: vscode.TextDocument, position: vscode.Position, token: vscode.CancellationToken, next: ProvideHoverSignature): Promise<vscode.Hover | null | undefined> => {
    const current = client();
    if (current === undefined) return next(document, position, token);
    const params = current.code2ProtocolConverter.asTextDocumentPositionParams(document, position);
    const answer = await current.sendRequest<Asked | null>(Method.hover, params, token);
    const hover = current.protocol2CodeConverter.asHover(answer);
    const asked = actionsText(answer?.actions ?? []);
    if (hover !== undefined && asked !== undefined) hover.contents.push(asked);
    return hover;
  };
}

/** Links that ask; undefined where there is nothing to ask. */
export function actionsText(actions: readonly HoverAction[]): vscode.MarkdownString | undefined {
  const known = actions.filter(({ command }) => KNOWN.has(command));
  if (known.length === 0) return undefined;
  const text = new vscode.MarkdownString();
  text.isTrusted = { enabledCommands: known.map(({ command }) => command) };
  const links = known.map(({ title, command, arguments: given }) => {
    const words = title.replace(/[[\]\\`]/g, '');
    return `[${words}](command:${command}?${encodeURIComponent(JSON.stringify(given))})`;
  });
  text.appendMarkdown(links.join(' · '));
  return text;
}
