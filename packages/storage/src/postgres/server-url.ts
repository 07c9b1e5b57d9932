/** The setting of a URL that says which of its hosts is wanted; libpq's name for it. */
const WANTED = 'target_session_attrs';

/** Values that ask for a host that accepts changes. */
const WRITABLE: readonly string[] = ['read-write', 'primary'];

/** The address of a database, which may be on several hosts. */
export interface ServerUrl {
  /** A URL for each host, with the name and the password. */
  hosts: readonly string[];
  /** Whether a host must accept changes to be used. */
  needsWritable: boolean;
  /** The address as it may be shown. */
  location: string;
}

/**
 * Splits the URL of a database into one for each of its hosts, as libpq does. Of several hosts, it must accept changes
 * to be used, unless the URL says otherwise.
 *
 * @example
 * parseServerUrl('postgres://ann@a:5432,b:5432/db').hosts; // ['postgres://ann@a:5432/db', 'postgres://ann@b:5432/db']
 */
export function parseServerUrl(url: string): ServerUrl {
  const [, scheme = '', authority = '', rest = ''] = /^([a-z]+:\/\/)([^/?#]*)(.*)$/.exec(url) ?? [];
  const afterLogin = authority.lastIndexOf('@') + 1;
  const login = authority.slice(0, afterLogin);
  const names = authority.slice(afterLogin).split(',');
  const [path = '', query = ''] = rest.split('?', 2);
  const parameters = new URLSearchParams(query);
  const wanted = parameters.get(WANTED);
  parameters.delete(WANTED);
  const ending = parameters.size === 0 ? path : `${path}?${parameters}`;
  const user = login === '' ? '' : `${login.slice(0, -1).split(':', 1)[0]}@`;
  return {
    hosts: names.map((name) => `${scheme}${login}${name}${ending}`),
    needsWritable: wanted === null ? names.length > 1 : WRITABLE.includes(wanted),
    location: `${scheme}${user}${names.join()}${path}`,
  };
}
