import type { Capture } from '@recollect/contract';
import type { Address } from 'postal-mime';
import { pastDate } from './past-date.js';

/**
 * Reads a mail: its subject as the title, who wrote it, when, and its text, or else its HTML. Null if it has neither.
 */
export async function readMail(bytes: Uint8Array): Promise<Capture | null> {
  const { default: PostalMime } = await import('postal-mime');
  const { subject, from, to = [], cc = [], date, text, html, headers } = await PostalMime.parse(bytes);
  if (headers.length === 0) return null;
  const content = text?.trim() ? { pageText: text.trim() } : html?.trim() ? { html } : null;
  if (content === null) return null;
  const sender = from === undefined ? '' : from.name || (from.address ?? '');
  const recipients = [...to, ...cc].map(written).join(', ');
  return {
    ...content,
    title: subject?.trim() || null,
    captureMode: 'page',
    capturedAt: pastDate(date),
    metadata: {
      ...(sender === '' ? {} : { author: sender }),
      ...(from === undefined ? {} : { from: written(from) }),
      ...(recipients === '' ? {} : { to: recipients }),
    },
  };
}

/** An address as mails write it: `Ann <ann@example.org>`. */
function written({ name, address, group = [] }: Address): string {
  if (address === undefined) return `${name}: ${group.map(written).join(', ')}`;
  return name === '' ? address : `${name} <${address}>`;
}
