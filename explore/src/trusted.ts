/** What becomes HTML on this page, which is what the server says in Markdown, goes through DOMPurify, whoever makes it. */

import DOMPurify from 'dompurify';

interface Policies {
  createPolicy: (name: string, rules: {
    createHTML: (html: string) => string;
    createScriptURL: (url: string) => string;
  }) => unknown;
}

export const LAYOUT = 'layout.js';

export function sanitized(html: string): string {
  return DOMPurify.sanitize(html, {
    USE_PROFILES: { html: true },
    FORBID_TAGS: ['style', 'img', 'picture', 'audio', 'video', 'form', 'input', 'button', 'select', 'textarea'],
    FORBID_ATTR: ['style', 'id', 'name'],
  });
}

export function guard(): void {
  (globalThis as { trustedTypes?: Policies }).trustedTypes?.createPolicy('default', {
    createHTML: sanitized,
    createScriptURL: (url) => {
      if (url !== LAYOUT) throw new TypeError(`no script of this page: ${url}`);
      return url;
    },
  });
}
