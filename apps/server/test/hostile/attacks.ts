import type { Operation, ProblemCode } from '@recollect/contract';

/** A request as it goes over the wire. */
export interface Wire {
  method: string;
  target: string;
  headers: [string, string][];
  body: string | Uint8Array;
}

/** A change to a request that would be accepted, and how the server must reject it. */
export interface Attack {
  name: string;
  change: (wire: Wire) => Wire;
  status: number;
  code: ProblemCode;
  /** The operations that it applies to; all by default. */
  on?: (operation: Operation) => boolean;
}

export const writes = ({ method }: Operation) => method !== 'GET';
const sendsJson = (operation: Operation) => writes(operation) && operation.consumes === undefined;
const reads = (operation: Operation) => !writes(operation);
const isGuarded = ({ scope }: Operation) => scope !== 'public';

const without = (wire: Wire, name: string): Wire => ({
  ...wire,
  headers: wire.headers.filter(([known]) => known !== name),
});
const set = (name: string, value: string) => (wire: Wire) => {
  const others = without(wire, name);
  return { ...others, headers: [...others.headers, [name, value] as [string, string]] };
};
const add = (name: string, value: string) => (wire: Wire) => ({
  ...wire,
  headers: [...wire.headers, [name, value] as [string, string]],
});
const send = (body: string | Uint8Array) => (wire: Wire) => ({ ...wire, body });

/** Ways to name a host that this server does not serve. */
export const hosts = (port: number): Attack[] => {
  const wrong = [
    'evil.com',
    'localhost.evil.com',
    `evil@localhost:${port}`,
    `evil.com@localhost:${port}`,
    `0x7f000001:${port}`,
    `2130706433:${port}`,
    `127.1:${port}`,
    `localhost.:${port}`,
    `0.0.0.0:${port}`,
    `[::ffff:127.0.0.1]:${port}`,
    `[::]:${port}`,
    `127.0.0.1:${port === 1 ? 2 : 1}`,
    'localhost',
    `localhost:${port}, evil.com`,
    `localhost:${port}/`,
    `localhost:0${port}`,
    `127.0.0.1:${port}\t.evil.com`,
    '',
  ];
  return [
    ...wrong.map((host) => refused(`Host "${host}"`, set('Host', host), 403, 'HOST_NOT_ALLOWED')),
    refused(
      'a path that cannot be decoded',
      (wire) => ({ ...set('Host', 'evil.com')(wire), target: '/%zz' }),
      403,
      'HOST_NOT_ALLOWED',
    ),
    refused('no Host', (wire) => without(wire, 'Host'), 400, 'HOST_INVALID'),
    refused('two Hosts', add('Host', `localhost:${port}`), 400, 'HOST_INVALID'),
    refused(
      'an absolute target',
      (wire) => ({ ...wire, target: `http://127.0.0.1:${port}${wire.target}` }),
      400,
      'REQUEST_MALFORMED',
    ),
    refused(
      'another absolute target',
      (wire) => ({ ...wire, target: `http://evil.com${wire.target}` }),
      400,
      'REQUEST_MALFORMED',
    ),
  ];
};

/** Headers of pages and extensions that may not use the server. */
export const origins = (port: number): Attack[] => {
  const wrong = [
    'null',
    'http://localhost:5173',
    'http://localhost@evil',
    'file://',
    'https://evil.com',
    `https://127.0.0.1:${port}`,
    `http://127.0.0.1:${port}/`,
    `http://127.0.0.1:${port}.evil.com`,
    `HTTP://127.0.0.1:${port}`,
    'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
    'safari-web-extension://3C7B1A52-1D4C-4C3B-9A57-6F1F7C3B2A10',
    'moz-extension://3c7b1a52-1d4c-4c3b-9a57-6f1f7c3b2a10',
    '*',
    '',
  ];
  return [
    ...wrong.map((origin) => ({
      ...refused(`Origin "${origin}"`, set('Origin', origin), 403, 'ORIGIN_NOT_ALLOWED'),
      on: ({ admitsExtensions = false }: Operation) => !(admitsExtensions && /-extension:/.test(origin)),
    })),
    refused(
      'two Origins',
      (wire) => add('Origin', `http://127.0.0.1:${port}`)(add('Origin', `http://127.0.0.1:${port}`)(wire)),
      403,
      'ORIGIN_NOT_ALLOWED',
    ),
    ...['cross-site', 'same-site', 'nonsense', ''].map((site) =>
      refused(`Sec-Fetch-Site "${site}"`, set('Sec-Fetch-Site', site), 403, 'ORIGIN_NOT_ALLOWED'),
    ),
    ...['cors', 'no-cors', 'websocket', 'nonsense'].map((mode) => ({
      ...refused(
        `an extension's GET in mode ${mode}`,
        (wire) => add('Sec-Fetch-Mode', mode)(add('Sec-Fetch-Site', 'none')(wire)),
        403,
        'ORIGIN_NOT_ALLOWED',
      ),
      on: (operation: Operation) => reads(operation) && isGuarded(operation),
    })),
  ];
};

/** Invalid credentials. `key` is well-formed but unknown. */
export const credentials = (key: string): Attack[] => [
  ...[
    '',
    'Bearer',
    'Bearer ',
    `Bearer ${key}`,
    `Bearer ${key}x`,
    `Bearer ${key.slice(0, -1)}`,
    `Bearer  ${key} ${key}`,
    `Bearer\u00a0${key}`,
    key,
    `Token ${key}`,
    'Basic dTpw',
    'Bearer rec_',
    `Bearer ${'x'.repeat(8_000)}`,
    'Bearer ../../etc/passwd',
    "Bearer ' or 1=1 --",
  ].map((value) =>
    refused(`Authorization "${value.slice(0, 20)}"`, set('Authorization', value), 401, 'API_KEY_INVALID'),
  ),
  refused(
    'two Authorization headers',
    (wire) => add('Authorization', 'Bearer b')(add('Authorization', 'Bearer a')(wire)),
    401,
    'API_KEY_INVALID',
  ),
  ...[`api_key=${key}`, `q=${key}`, `access_token=x`, `x=%72ec_${key.slice(4)}`, `x=rec%5F${key.slice(4)}`].map(
    (query) =>
      refused(
        `a key in the URL: ${query.slice(0, 16)}`,
        (wire) => ({ ...wire, target: `${wire.target}?${query}` }),
        400,
        'API_KEY_IN_URL',
      ),
  ),
  ...[
    'CF-Ray: 1',
    'Client-IP: 1.2.3.4',
    'X-Original-Host: a.example',
    'X-Envoy-External-Address: 1.2.3.4',
    'X-Forwarded-For: 1.2.3.4',
    'Forwarded: for=1.2.3.4',
    'Via: 1.1 proxy',
    'X-Real-IP: 127.0.0.1',
  ].map((line) => {
    const [name = '', value = ''] = line.split(': ');
    return { ...refused(`forwarded by ${name}`, add(name, value), 401, 'AUTHENTICATION_REQUIRED'), on: isGuarded };
  }),
];

/** Faults that the server detects before it looks at what a request asks for. */
export const framing = (): Attack[] => [
  refused(
    'Content-Length with Transfer-Encoding',
    (wire) => ({ ...add('Transfer-Encoding', 'chunked')(add('Content-Length', '5')(wire)), body: '0\r\n\r\n' }),
    400,
    'REQUEST_MALFORMED',
  ),
  refused('a Content-Length that is not a number', add('Content-Length', 'many'), 400, 'REQUEST_MALFORMED'),
  refused('a negative Content-Length', add('Content-Length', '-1'), 400, 'REQUEST_MALFORMED'),
  refused(
    'two Content-Lengths',
    (wire) => add('Content-Length', '2')(add('Content-Length', '1')(wire)),
    400,
    'REQUEST_MALFORMED',
  ),
  refused('a header of 17 KiB', add('X-Big', 'x'.repeat(17 * 1024)), 431, 'HEADERS_TOO_LARGE'),
  refused('a NUL in a header', add('X-Nul', 'a\0b'), 400, 'REQUEST_MALFORMED'),
  refused('a space in a header name', add('X Y', 'z'), 400, 'REQUEST_MALFORMED'),
  refused('an unknown Expect', add('Expect', 'wonders'), 400, 'REQUEST_MALFORMED'),
  refused('TRACE', (wire) => ({ ...wire, method: 'TRACE', body: '' }), 405, 'METHOD_NOT_ALLOWED'),
  refused(
    'PUT',
    (wire) => ({ ...set('Content-Type', 'application/json')(wire), method: 'PUT' }),
    405,
    'METHOD_NOT_ALLOWED',
  ),
  refused('a method that does not exist', (wire) => ({ ...wire, method: 'STEAL' }), 400, 'REQUEST_MALFORMED'),
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=latin1',
    'application/jsonp',
    '',
  ].map((type) => ({
    ...refused(`Content-Type "${type}"`, set('Content-Type', type), 415, 'MEDIA_TYPE_UNSUPPORTED'),
    on: (operation: Operation) => writes(operation) && operation.consumes?.some((own) => own === type) !== true,
  })),
  {
    ...refused(
      'a body without Content-Type',
      (wire) => ({ ...without(wire, 'Content-Type'), body: wire.body === '' ? '{}' : wire.body }),
      415,
      'MEDIA_TYPE_UNSUPPORTED',
    ),
    on: writes,
  },
  {
    ...refused(
      'no Content-Type and no body',
      (wire) => ({ ...without(wire, 'Content-Type'), body: '' }),
      415,
      'MEDIA_TYPE_UNSUPPORTED',
    ),
    on: (operation) => writes(operation) && operation.method !== 'DELETE',
  },
  { ...refused('a gzip body', set('Content-Encoding', 'gzip'), 415, 'MEDIA_TYPE_UNSUPPORTED'), on: writes },
];

const deep = (levels: number) => `{"metadata":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}`;

/** Bodies that are not strict JSON. */
export const bodies = (): Attack[] =>
  (
    [
      ['a truncated body', '{"pageText":"a"'],
      ['two values', '{"pageText":"a"} {}'],
      ['single quotes', "{'pageText':'a'}"],
      ['a comment', '{"pageText":"a"/**/}'],
      ['a trailing comma', '{"pageText":"a",}'],
      ['a byte order mark', '\ufeff{"pageText":"a"}'],
      ['the same key twice', '{"pageText":"a","pageText":"b"}'],
      ['the same key twice, once escaped', '{"pageText":"a","page\\u0054ext":"b"}'],
      ['__proto__', '{"pageText":"a","__proto__":{"x":1}}'],
      ['__proto__ escaped, within', '{"pageText":"a","metadata":{"\\u005f_proto__":1}}'],
      ['100,000 nested arrays', deep(100_000)],
      ['33 levels', deep(31)],
      ['100,000 open objects', '{"a":'.repeat(100_000)],
      ['half of a surrogate pair', '{"pageText":"\\ud800"}'],
      ['half of a surrogate pair as a key', '{"pageText":"a","metadata":{"\\udc00":1}}'],
      ['1e309', '{"pageText":"a","metadata":{"n":1e309}}'],
      ['an integer that a double cannot hold', '{"pageText":"a","metadata":{"n":12345678901234567890}}'],
      ['a bare NaN', '{"pageText":"a","metadata":{"n":NaN}}'],
      ['a raw NUL', '{"pageText":"a\0b"}'],
      ['bytes that are not UTF-8', Uint8Array.from([...Buffer.from('{"pageText":"'), 0xff, ...Buffer.from('"}')])],
      [
        'UTF-8 of a surrogate',
        Uint8Array.from([...Buffer.from('{"pageText":"'), 0xed, 0xa0, 0x80, ...Buffer.from('"}')]),
      ],
      ['an overlong slash', Uint8Array.from([...Buffer.from('{"pageText":"'), 0xc0, 0xaf, ...Buffer.from('"}')])],
    ] as [string, string | Uint8Array][]
  ).map(([name, body]) => ({ ...refused(name, send(body), 400, 'JSON_MALFORMED'), on: sendsJson }));

function refused(name: string, change: Attack['change'], status: number, code: ProblemCode): Attack {
  return { name, change, status, code };
}
