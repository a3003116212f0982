/** A function is called, with arguments as they are typed. */

import { inWords } from '../../vscode-client/src/problems';
import { Method, ServerCommand } from '../../vscode-client/src/protocol';
import type { FunctionInfo, RunFunctionResult, Value } from '../../vscode-client/src/protocol';
import { readArgument, showRun } from '../../vscode-client/src/values';
import { element } from './dom';
import type { Context, View } from './view';

export function runView(context: Context): View {
  const form = element('form', { class: 'run' });
  const answer = element('pre', { role: 'status', 'aria-label': 'Result' });
  const root = element('div', { class: 'run' }, form, answer);
  let shown = '';

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void run();
  });

  function chosen(): FunctionInfo | undefined {
    const name = context.chosen();
    return context.functions().find((each) => (name === undefined ? !each.isDeclaration : each.name === name));
  }

  function refresh(): void {
    const of = chosen();
    const signature = of === undefined ? '' : of.name + of.signature;
    if (signature === shown) return;
    shown = signature;
    answer.textContent = '';
    form.replaceChildren(...(of === undefined ? ['There is no function to call.'] : fields(of)));
  }

  function fields(of: FunctionInfo): HTMLElement[] {
    const inputs = of.arguments.map(({ name, type, example }, number) =>
      element(
        'label',
        {},
        `${name ?? `argument ${number}`} : ${type}`,
        element('input', { name: `a${number}`, value: example ?? '', autocomplete: 'off', spellcheck: 'false' }),
      ),
    );
    return [...inputs, element('button', { type: 'submit' }, `Call @${of.name}`)];
  }

  async function run(): Promise<void> {
    const of = chosen();
    if (of === undefined) return;
    const values: Value[] = [];
    for (const input of form.querySelectorAll('input')) {
      const parsed = readArgument(input.value);
      input.setCustomValidity('problem' in parsed ? parsed.problem : '');
      if ('problem' in parsed) { input.reportValidity(); return; }
      values.push(parsed.value);
    }
    answer.textContent = 'running…';
    try {
      const asked = { command: ServerCommand.runFunction, arguments: [{ uri: context.uri, function: of.name, arguments: values }] };
      const result = await context.ask<RunFunctionResult>(Method.executeCommand, asked);
      answer.textContent = showRun(of.name, values, result);
    } catch (problem) {
      answer.textContent = inWords(problem);
    }
  }

  return { id: 'run', title: 'Run', element: root, refresh };
}
