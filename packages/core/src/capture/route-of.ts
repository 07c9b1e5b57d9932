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
