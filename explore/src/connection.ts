/** The way to the server: a WebSocket, for which one needs the token that stands in the address of the page. */

import type { Transport } from '@codemirror/lsp-client';

const KEY = 'fathom-token';

/** The token of the address, which is taken out of that and kept for as long as this tab is there. */
export function token(): string {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given !== null) {
    sessionStorage.setItem(KEY, given);
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem(KEY) ?? '';
}

/** A connection that is open. `lost` is called when it ends. */
export async function opened(secret: string, lost: () => void): Promise<Transport> {
  const socket = new WebSocket(`ws://${location.host}/?token=${encodeURIComponent(secret)}`);
  await new Promise<void>((resolve, reject) => {
    socket.onopen = () => { resolve(); };
    socket.onerror = () => { reject(new Error('the server does not answer, or the address is an old one')); };
  });
  const handlers = new Set<(message: string) => void>();
  socket.onmessage = (event: MessageEvent<string>) => { handlers.forEach((handle) => { handle(event.data); }); };
  socket.onclose = lost;
  return {
    send: (message) => { socket.send(message); },
    subscribe: (handler) => { handlers.add(handler); },
    unsubscribe: (handler) => { handlers.delete(handler); },
  };
}
