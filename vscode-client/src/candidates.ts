/** Where the server may be, in the order in which it is looked for. Pure: no editor, nothing is started. */

/** A command that may be Fathom's. */
export interface Candidate {
  readonly command: string;
  /** What stands before the name of a subcommand: nothing for `fathom`, the module for a Python. */
  readonly before: readonly string[];
  /** Where the choice came from, for messages. */
  readonly origin: string;
}

/** What is known of the places. A path that is absent, or empty, is not there. */
export interface Places {
  /** The setting `fathom.python`. */
  readonly setting?: string | undefined;
  /** The environment that is chosen in the Python extension. */
  readonly chosen?: string | undefined;
  /** The setting `python.defaultInterpreterPath`. */
  readonly preferred?: string | undefined;
  /** The Pythons of `.venv` and `venv` in the folders of the workspace that are there. */
  readonly environments: readonly string[];
  /** The Python of the environment that was made for Fathom. */
  readonly own?: string | undefined;
  readonly isWindows: boolean;
}

function python(path: string, origin: string): Candidate {
  return { command: path, before: ['-m', 'fathom.cli'], origin };
}

/** A setting is the only candidate: to use another Python silently would hide a mistake in it. */
export function candidates({ setting, chosen, preferred, environments, own, isWindows }: Places): Candidate[] {
  if (setting !== undefined && setting !== '') return [python(setting, 'setting fathom.python')];
  const found: Candidate[] = [];
  const add = (path: string | undefined, origin: string): void => {
    const isNew = path !== undefined && path !== '' && !found.some(({ command }) => command === path);
    if (isNew) found.push(python(path, origin));
  };
  add(chosen, 'chosen in the Python extension');
  add(preferred, 'setting python.defaultInterpreterPath');
  for (const path of environments) add(path, 'in the workspace');
  add(own, 'an environment of its own');
  found.push({ command: 'fathom', before: [], origin: 'on the path' });
  for (const name of isWindows ? ['python', 'py'] : ['python3', 'python']) add(name, 'on the path');
  return found;
}

/** The path in a setting, with the home directory and the first folder of the workspace put in. */
export function expand(path: string, folder: string, home: string): string {
  const trimmed = path.trim();
  return trimmed.replaceAll('${workspaceFolder}', folder).replaceAll('${userHome}', home).replace(/^~(?=[/\\]|$)/, home);
}
