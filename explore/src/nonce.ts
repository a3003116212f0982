/** The number by which the browser knows that a style sheet is of this page. */
export function nonce(): string {
  return document.querySelector<HTMLElement>('script[data-nonce]')?.dataset['nonce'] ?? '';
}
