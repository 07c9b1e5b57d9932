import { parseUrl } from '@recollect/contract/text';

const TRACKING =
  /^(utm_.+|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|yclid|twclid|ttclid|li_fat_id|igshid|mc_cid|mc_eid|mkt_tok|_ga|_gl|_hsenc|_hsmi|vero_id|oly_enc_id|oly_anon_id|wickedid|s_cid|ref_src)$/i;

/**
 * A URL without tracking parameters and without its fragment, unless that is a route (CAP-12): these do not identify a
 * page. Null for an invalid URL.
 *
 * @example
 * urlKey('https://a.example/x?utm_source=mail&p=1#top'); // 'https://a.example/x?p=1'
 */
export function urlKey(url: string): string | null {
  const parsed = parseUrl(url);
  if (parsed === null) return null;
  parsed.hash = routeOf(parsed) ?? '';
  // Filtered as text, because URLSearchParams would re-encode the parameters that stay.
  const parameters = parsed.search.slice(1).split('&');
  const query = parameters.filter((parameter) => !TRACKING.test(parameter.split('=')[0] ?? '')).join('&');
  parsed.search = query === '' ? '' : `?${query}`;
  return parsed.href;
}

/** Mail, chat and note programs whose routes look like fragments that name a part of a page: `#inbox/KtbxLx`. */
const PROGRAMS: ReadonlySet<string> = new Set([
  'chat.google.com',
  'contacts.google.com',
  'keep.google.com',
  'mail.google.com',
  'mail.yandex.com',
  'mail.yandex.ru',
  'mail.zoho.com',
  'mail.zoho.eu',
  'mail.zoho.in',
  'messages.google.com',
  'web.telegram.org',
  'webk.telegram.org',
  'webz.telegram.org',
]);

/** Where a directive to the browser begins, such as `:~:text=`, which selects a passage. */
const DIRECTIVE = ':~:';

/**
 * The fragment of an address that is a route within an app, and so names a page: one that begins with `/` or `!`, and
 * any of a mail or chat program. Null for other fragments, such as `#install`, and for the route of an app's first
 * page.
 *
 * @example
 * routeOf(new URL('https://app.example/#/soups/leek')); // '#/soups/leek'
 */
export function routeOf({ hash, hostname }: Pick<URL, 'hash' | 'hostname'>): string | null {
  const [fragment = ''] = hash.split(DIRECTIVE);
  const isRoute = /^#[/!]/.test(fragment) || PROGRAMS.has(hostname);
  return isRoute && /[^#/!]/.test(fragment) ? fragment : null;
}
