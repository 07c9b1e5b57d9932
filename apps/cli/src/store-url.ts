import { resolve } from 'node:path';
import { parseUrl } from '@recollect/contract/text';

/** The forms of the URL of a store. */
export const STORE_URL = 'postgres://NAME:PASSWORD@HOST/DATABASE or sqlite:PATH';

/** What a URL of a database begins with: the scheme, name and password, and hosts with their ports. */
const DATABASE = /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#]*)/;
/** The values of `target_session_attrs` with which a store can be changed. */
const WANTED: readonly (string | null)[] = [null, 'any', 'read-write', 'primary'];

/** Parses the URL of a store; null if it is none. Its password is a secret: no message contains the URL. */
export function parseStoreUrl(url: string): string | null {
  if (url.startsWith('sqlite:')) return `sqlite:${resolve(url.slice('sqlite:'.length))}`;
  const [, scheme = '', login = '', hosts = ''] = DATABASE.exec(url) ?? [];
  if (scheme === '') return null;
  // Only one host can be parsed at a time.
  const isValid = hosts.split(',').every((host) => {
    const parts = parseUrl(url.replace(DATABASE, () => `${scheme}${login}${host}`));
    return (
      parts !== null && parts.pathname.length > 1 && WANTED.includes(parts.searchParams.get('target_session_attrs'))
    );
  });
  return isValid ? url : null;
}

/** The hosts and the name of a database; null for a file. */
export function placeOf(url: string | undefined): string | null {
  const [, scheme, , hosts] = DATABASE.exec(url ?? '') ?? [];
  if (url === undefined || scheme === undefined) return null;
  return `${scheme}${hosts}${url.replace(DATABASE, '').split(/[?#]/, 1)[0]}`;
}
