/** Views behind tabs, of which one is seen; the arrow keys go from tab to tab. */

import { element } from './dom';
import type { View } from './view';

export interface Tabs {
  readonly element: HTMLElement;
  shown(): View;
  changed(listener: () => void): void;
}

export function tabs(views: readonly View[]): Tabs {
  let current = 0;
  let listener = (): void => undefined;
  const buttons = views.map(({ id, title }, number) =>
    element('button', { type: 'button', role: 'tab', id: `tab-${id}`, 'aria-controls': `view-${id}`, click: () => { choose(number); } }, title),
  );
  const panels = views.map((view) =>
    element('div', { role: 'tabpanel', id: `view-${view.id}`, 'aria-labelledby': `tab-${view.id}` }, view.element),
  );
  const list = element('div', { role: 'tablist', 'aria-label': 'Views' }, ...buttons);
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: views.length - 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    choose((current + step) % views.length);
    buttons[current]?.focus();
  });
  choose(0);
  return {
    element: element('section', { id: 'views', 'aria-label': 'What becomes of it' }, list, ...panels),
    shown: () => views[current] as View,
    changed: (each) => { listener = each; },
  };

  function choose(number: number): void {
    current = number;
    buttons.forEach((button, at) => {
      button.setAttribute('aria-selected', String(at === number));
      button.tabIndex = at === number ? 0 : -1;
    });
    panels.forEach((panel, at) => { panel.hidden = at !== number; });
    listener();
  }
}
