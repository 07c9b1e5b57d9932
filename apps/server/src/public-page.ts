import { createHash } from 'node:crypto';

/** The shown part of a memory. */
interface Item {
  id: string;
  title: string;
  url: string | null;
  capturedAt: string;
  excerpt: string;
}

interface Page {
  name: string;
  showsText: boolean;
  memories: readonly Item[];
}

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 42rem; padding: 1.5rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 1.5rem 0 0; }
ol { list-style: none; padding: 0; } p { margin: .25rem 0; }
.about { font-size: .875rem; opacity: .75; } pre { font: inherit; white-space: pre-wrap; }
`;

/** Characters that XML 1.0 does not allow, even escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
const UNWRITABLE = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The policy of public pages: only their own style, and nothing that runs, loads or is sent. */
export const publicPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Returns the page of a share as HTML without scripts. `address` is its own address. */
export function pageOf({ name, showsText, memories }: Page, address: string): string {
  const items = memories.map(
    (memory) => `<li>
<h2 dir="auto">${linked(memory.title, memory.url)}</h2>
${about(memory)}
<p dir="auto">${escapeText(memory.excerpt)}</p>
${showsText ? `<p><a href="${escapeText(`${address}/${memory.id}`)}">Read the text</a></p>` : ''}</li>`,
  );
  const feed = escapeText(`${address}/feed`);
  return html(
    name,
    `<h1 dir="auto">${escapeText(name)}</h1>
<p class="about">Shared from Recollect. <a href="${feed}">RSS feed</a></p>
${items.length === 0 ? '<p>Nothing here yet.</p>' : `<ol>${items.join('\n')}</ol>`}`,
    `<link rel="alternate" type="application/rss+xml" title="${escapeText(name)}" href="${feed}">`,
  );
}

/** Returns one memory with its text as HTML without scripts. */
export function memoryPageOf(memory: Item & { text: string }): string {
  return html(
    memory.title,
    `<h1 dir="auto">${linked(memory.title, memory.url)}</h1>
${about(memory)}
<pre dir="auto">${escapeText(memory.text)}</pre>`,
  );
}

/** The page for an address that is unknown or no longer shared. */
export const missingPage = html('Not shared', '<h1>Not shared</h1><p>This page does not exist, or has ended.</p>');

/** Returns the RSS 2.0 feed of a share. `address` is the address of its page. */
export function feedOf({ name, memories }: Page, address: string): string {
  const items = memories.map(({ id, title, url, capturedAt, excerpt }) => {
    const link = webAddress(url);
    return `<item>
<title>${escapeText(title)}</title>
${link === null ? '' : `<link>${escapeText(link)}</link>\n`}<guid isPermaLink="false">${escapeText(id)}</guid>
<pubDate>${new Date(capturedAt).toUTCString()}</pubDate>
<description>${escapeText(escapeText(excerpt))}</description>
</item>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<title>${escapeText(name)}</title>
<link>${escapeText(address)}</link>
<atom:link href="${escapeText(`${address}/feed`)}" rel="self" type="application/rss+xml"/>
<description>${escapeText(`Memories shared as ${name}`)}</description>
${items.join('\n')}
</channel></rss>
`;
}

function html(title: string, body: string, head = ''): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex, nofollow">
<title>${escapeText(title)}</title>${head}
<style>${STYLE}</style></head>
<body><main>${body}</main></body></html>
`;
}

function linked(title: string, url: string | null): string {
  const address = webAddress(url);
  const name = escapeText(title);
  return address === null ? name : `<a href="${escapeText(address)}" rel="nofollow noreferrer">${name}</a>`;
}

function about({ url, capturedAt }: Item): string {
  const address = webAddress(url);
  const day = capturedAt.slice(0, 10);
  const host = address === null ? '' : ` · ${escapeText(new URL(address).host)}`;
  return `<p class="about"><time datetime="${escapeText(capturedAt)}">${escapeText(day)}</time>${host}</p>`;
}

/** The address of a web page without a user name and password. Null for any other address. */
function webAddress(url: string | null): string | null {
  const address = url === null ? null : URL.parse(url);
  if (address === null) return null;
  if (address.protocol !== 'https:' && address.protocol !== 'http:') return null;
  address.username = '';
  address.password = '';
  return address.href;
}

/** Escapes a text for HTML and XML, as content and in an attribute. */
function escapeText(text: string): string {
  return text.replace(UNWRITABLE, '\ufffd').replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
