/** Elements of the page. Texts are texts: nothing that a file says is ever read as HTML. */

type Attributes = Readonly<Record<string, string | boolean | (() => void)>>;
type Children = readonly (Node | string)[];

/** An element with attributes and what is in it; an attribute that is a function is called when it is clicked. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Children
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener('click', value);
    else if (typeof value === 'boolean') made.toggleAttribute(key, value);
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** A choice with a label, whose options are set by `fill`. */
export class Choice {
  private static count = 0;
  readonly select: HTMLSelectElement;
  readonly element: HTMLElement;

  constructor(label: string, changed: () => void) {
    const id = `choice-${++Choice.count}`;
    this.select = element('select', { id });
    this.element = element('span', {}, element('label', { for: id }, label), ' ', this.select);
    this.select.addEventListener('change', changed);
  }

  get value(): string {
    return this.select.value;
  }

  set value(value: string) {
    this.select.value = value;
  }

  /** Sets the options, by value and title; the one that is chosen stays, if it is there, or else is `otherwise`. */
  fill(options: readonly (readonly [string, string])[], otherwise = ''): void {
    const before = this.select.value;
    this.select.replaceChildren(...options.map(([value, title]) => element('option', { value }, title)));
    const meant = [before, otherwise].find((each) => options.some(([value]) => value === each));
    if (meant !== undefined) this.select.value = meant;
  }
}

/** Something that is on or off, with a label. */
export class Switch {
  readonly element: HTMLElement;
  private readonly box = element('input', { type: 'checkbox' });

  constructor(label: string, isOn: boolean, changed: () => void) {
    this.box.checked = isOn;
    this.element = element('label', { class: 'switch' }, this.box, ' ', label);
    this.box.addEventListener('change', changed);
  }

  get isOn(): boolean {
    return this.box.checked;
  }
}

/** Has the browser keep a file. */
export function download(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  element('a', { href: address, download: name }).click();
  setTimeout(() => { URL.revokeObjectURL(address); }, 60_000);
}
