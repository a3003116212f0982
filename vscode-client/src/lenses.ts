/** What code lenses have the editor do: docs/protocol.md, "Code lenses and tests". */

import * as vscode from 'vscode';
import type { Commands } from './commands';
import { ClientCommand } from './protocol';
import type { LensTarget, PlaceAsked, PlacesOfLens, TestOfLens } from './protocol';
import type { Passes } from './passes';
import type { Server } from './server';
import type { Tests } from './tests';

export function registerLensCommands(server: Server, commands: Commands, tests: Tests, passes: Passes): vscode.Disposable[] {
  return [
    vscode.commands.registerCommand(ClientCommand.run, (target: LensTarget) => commands.run(target)),
    vscode.commands.registerCommand(ClientCommand.preview, (target: LensTarget) => commands.preview(target)),
    vscode.commands.registerCommand(ClientCommand.references, (places: PlacesOfLens) => showPlaces(server, places)),
    vscode.commands.registerCommand(ClientCommand.bisect, (target: LensTarget) => commands.bisect(target)),
    vscode.commands.registerCommand(ClientCommand.bench, (target: LensTarget) => commands.bench(target)),
    vscode.commands.registerCommand(ClientCommand.whyNot, (place: PlaceAsked) => passes.whyNot(place)),
    vscode.commands.registerCommand(ClientCommand.runTest, ({ uri, line }: TestOfLens) => tests.runAt(uri, line)),
  ];
}

async function showPlaces(server: Server, { uri, position, locations }: PlacesOfLens): Promise<void> {
  const convert = server.client?.protocol2CodeConverter;
  if (convert === undefined) return;
  const places = locations.map((each) => convert.asLocation(each));
  await vscode.commands.executeCommand('editor.action.showReferences', vscode.Uri.parse(uri), convert.asPosition(position), places);
}
