/** The address of a preview: which stage of what it shows, as docs/protocol.md ("The address of a preview") has it. */

import type { PreviewLanguage } from './protocol';

export interface Address {
  readonly stage: string;
  /** The function's name, as the server gives it; absent for the whole file. */
  readonly function?: string;
  /** Whether it shows the part of the function around the cursor. */
  readonly part?: true;
  readonly source: string;
}

/** Reads an address whose parts are already percent-decoded; undefined if it is not one. */
export function readAddress(path: string, query: string, fragment = ''): Address | undefined {
  const match = /^\/([^/]+)\/(.+)\.(?:mlir|ll|s)$/.exec(path);
  const [, stage, name] = match ?? [];
  if (stage === undefined || name === undefined || query === '') return undefined;
  if (!name.startsWith('@')) return { stage, source: query };
  return { stage, function: name.slice(1), ...(fragment === 'part' ? { part: true } : {}), source: query };
}

const EXTENSIONS = { mlir: 'mlir', llvm: 'll', asm: 's' } as const;

export interface AddressParts {
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
}

/** The parts, not yet percent-encoded, of the address that the server gives the same preview. */
export function writeAddress(address: Address, languageId: PreviewLanguage): AddressParts {
  const extension = EXTENSIONS[languageId];
  const fragment = address.part === true ? 'part' : '';
  return { path: `/${address.stage}/${name(address)}.${extension}`, query: address.source, fragment };
}

function name(address: Address): string {
  if (address.function !== undefined) return `@${address.function}`;
  const last = decodeURIComponent(address.source.split('/').at(-1) ?? '');
  return last.replace(/\.[^.]*$/, '').replace(/^@+/, '') || 'untitled';
}
