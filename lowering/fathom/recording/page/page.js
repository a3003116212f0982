// A trace as a page: the passes, the text before and behind each, and of an operation what became of it and why not.
'use strict';
(() => {
  const LINE = 20; // pixels, as in the style
  const BEYOND = 30; // lines that are there beside those that are seen
  const MOST_RELATED = 2000;
  const WORDS = { fold: 'a fold', removal: 'dead code', simplification: 'simplification', settling: 'casts at its end' };
  const trace = JSON.parse(document.getElementById('trace').textContent);
  const at = (id) => document.getElementById(id);
  let part = trace.parts[0];
  let shown = 0;

  function made(tag, text, name) {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (name) element.className = name;
    return element;
  }

  // ---- a text, of which only the lines that are seen are made

  class Pane {
    constructor(id) {
      this.section = at(id);
      this.title = at(`${id}-title`);
      this.scroller = this.section.querySelector('.lines');
      this.sizer = this.scroller.appendChild(made('div', undefined, 'sizer'));
      this.window = this.sizer.appendChild(made('div', undefined, 'window'));
      this.id = id;
      this.lines = [];
      this.current = -1;
      this.scroller.setAttribute('aria-labelledby', `${id}-title`);
      this.scroller.addEventListener('scroll', () => this.draw());
      this.scroller.addEventListener('keydown', (event) => this.key(event));
      this.window.addEventListener('click', (event) => {
        const line = event.target.closest('.line');
        if (line) this.select(Number(line.dataset.number));
      });
      new ResizeObserver(() => this.draw()).observe(this.scroller);
    }

    show(stage, marks) {
      this.stage = stage;
      this.title.textContent = stage.title;
      this.lines = stage.text.split('\n');
      this.marks = marks;
      this.current = -1;
      this.sizer.style.height = `${this.lines.length * LINE}px`;
      const first = Math.min(...marks.keys());
      this.scroller.scrollTop = Number.isFinite(first) ? Math.max(first - 4, 0) * LINE : 0;
      this.draw();
    }

    draw() {
      const first = Math.max(Math.floor(this.scroller.scrollTop / LINE) - BEYOND, 0);
      const last = Math.min(first + Math.ceil(this.scroller.clientHeight / LINE) + 2 * BEYOND, this.lines.length);
      this.window.style.top = `${first * LINE}px`;
      const drawn = [];
      for (let number = first; number < last; number += 1) drawn.push(this.line(number));
      this.window.replaceChildren(...drawn);
      this.scroller.setAttribute('aria-activedescendant', this.current >= 0 ? `${this.id}-${this.current}` : '');
    }

    line(number) {
      const line = made('div', this.lines[number] || ' ', `line ${this.marks.get(number) ?? ''}`);
      line.id = `${this.id}-${number}`;
      line.dataset.number = String(number);
      line.setAttribute('role', 'option');
      line.setAttribute('aria-selected', String(number === this.current));
      const step = part.steps[this.stage.blame[number] ?? -1];
      if (step) line.append(made('span', title(step), 'who'));
      return line;
    }

    key(event) {
      const page = Math.max(Math.floor(this.scroller.clientHeight / LINE) - 1, 1);
      const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      this.select(Math.min(Math.max(this.current + by, 0), this.lines.length - 1));
    }

    select(number) {
      this.current = number;
      const top = number * LINE;
      if (top < this.scroller.scrollTop) this.scroller.scrollTop = top;
      const beyond = top + LINE - this.scroller.clientHeight;
      if (beyond > this.scroller.scrollTop) this.scroller.scrollTop = beyond;
      this.draw();
      details(this.stage.operations[number] ?? -1);
    }
  }

  const before = new Pane('before');
  const after = new Pane('after');

  // ---- passes

  function title([pass, kind, pattern]) {
    const what = pattern || WORDS[kind] || '';
    const name = part.passes[pass].name;
    return what ? `${name}: ${what}` : name;
  }

  function list() {
    const rows = [];
    let idle = [];
    const flush = () => {
      if (idle.length > 0) rows.push(made('li', `${idle.join(', ')}: nothing changed`, 'idle'));
      idle = [];
    };
    rows.push(row('source', '', 0));
    for (const group of part.rows) {
      if (group.stage < 0) {
        idle.push(group.name);
        continue;
      }
      flush();
      const count = group.before === group.after ? String(group.before) : `${group.before} → ${group.after}`;
      const steps = group.steps > 0 ? `, ${group.steps} ${group.steps === 1 ? 'step' : 'steps'}` : '';
      const failed = group.failed ? ', failed' : '';
      rows.push(row(`${group.name}${group.options}`, `${count} operations${steps}, ${group.milliseconds.toFixed(1)} ms${failed}`, group.stage));
    }
    flush();
    at('passes').replaceChildren(...rows);
  }

  function row(name, more, stage) {
    const button = made('button', name);
    button.type = 'button';
    button.dataset.stage = String(stage);
    if (more) button.append(made('small', more));
    button.addEventListener('click', () => show(stage));
    const item = made('li');
    item.append(button);
    return item;
  }

  function show(stage) {
    shown = stage;
    for (const button of at('passes').querySelectorAll('button')) {
      button.setAttribute('aria-current', String(Number(button.dataset.stage) === stage));
    }
    const [left, right] = [new Map(), new Map()];
    for (const [how, lost, found] of stage > 0 ? part.stages[stage].changes : []) {
      if (how === 'renamed') continue;
      const kept = how === 'changed' || how === 'moved';
      for (const line of lost) left.set(line, kept ? 'changed' : 'gone');
      for (const line of found) right.set(line, kept ? 'changed' : 'made');
    }
    before.section.hidden = stage === 0;
    if (stage > 0) before.show(part.stages[stage - 1], left);
    after.show(part.stages[stage], right);
    details(-1);
  }

  // ---- an operation

  function related(number) {
    const found = new Set([number]);
    for (const next of [(each) => part.madeOf[each] ?? [], (each) => part.makes.get(each) ?? []]) {
      const pending = [number];
      while (pending.length > 0 && found.size < MOST_RELATED) {
        for (const other of next(pending.pop())) {
          if (!found.has(other)) {
            found.add(other);
            pending.push(other);
          }
        }
      }
    }
    return found;
  }

  function details(number) {
    const place = at('details');
    if (number < 0) {
      place.replaceChildren(made('p', 'Choose a line to see what became of its operation, and why it was left.'));
      return;
    }
    const all = related(number);
    const name = (each) => part.names[each];
    const life = made('ul');
    for (const step of part.steps) {
      const [, , , , madeHere, changed, gone] = step;
      const [came, other, went] = [madeHere, changed, gone].map((numbers) => numbers.filter((each) => all.has(each)));
      if (came.length + other.length + went.length === 0) continue;
      const item = made('li');
      item.append(made('b', title(step)));
      const became = came.length > 0 ? `→ ${[...new Set(came.map(name))].join(', ')}` : went.length > 0 ? 'gone' : 'changed';
      item.append(` ${[...new Set([...went, ...other].map(name))].join(', ')} ${became}`);
      life.append(item);
    }
    const why = made('ul');
    for (const [pass, on, pattern, reason, undone] of part.refusals) {
      if (on !== number) continue;
      const item = made('li');
      item.append(made('b', part.passes[pass].name), ` ${pattern}: ${reason}${undone ? ' (and it was taken back)' : ''}`);
      why.append(item);
    }
    const from = part.from[number];
    place.replaceChildren(
      made('h2', name(number)),
      ...(from ? [made('pre', from)] : []),
      made('h2', 'What became of it'),
      life.childElementCount > 0 ? life : made('p', 'It is as it was in the source.'),
      made('h2', 'Why it was left'),
      why.childElementCount > 0 ? why : made('p', 'Nothing was said of it.'),
    );
  }

  // ---- the page

  function open(number) {
    part = trace.parts[number];
    part.makes = new Map();
    part.madeOf.forEach((parents, child) => {
      for (const parent of parents) part.makes.set(parent, [...(part.makes.get(parent) ?? []), child]);
    });
    at('pipeline').textContent = part.pipeline;
    list();
    show(Math.min(1, part.stages.length - 1));
  }

  document.title = `${trace.name}: what each pass did`;
  at('name').textContent = trace.name;
  at('parts').hidden = trace.parts.length < 2;
  at('part').replaceChildren(...trace.parts.map((_, index) => new Option(String(index + 1), String(index))));
  at('part').addEventListener('change', () => open(Number(at('part').value)));
  document.addEventListener('keydown', (event) => {
    if (event.altKey && (event.key === 'ArrowRight' || event.key === 'ArrowLeft')) {
      event.preventDefault();
      const to = shown + (event.key === 'ArrowRight' ? 1 : -1);
      if (to >= 0 && to < part.stages.length) show(to);
    }
  });
  if (part) open(0);
  else at('details').textContent = 'The trace has no parts.';
})();
