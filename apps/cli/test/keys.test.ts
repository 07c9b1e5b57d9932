import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Cli, createCli } from './run-cli.js';

let cli: Cli;
beforeEach(async () => {
  cli = await createCli({ RECOLLECT_EMBEDDINGS: 'off' });
});
afterEach(() => cli.remove());

const list = (address: string, key: string) =>
  fetch(`${address}/api/v1/memories`, { headers: { authorization: `Bearer ${key}` } });

describe('keys', () => {
  test('KEY-1, CLI-1: shows a new key once and says so, lists it without its secret, and revokes it', async () => {
    expect((await cli.run(['keys', 'list'])).out).toBe(
      'There are no API keys. Create one with: recollect keys create\n',
    );
    const made = await cli.run(['keys', 'create', '--name', 'phone', '--scope', 'memory:read', '--expires', '90d']);
    expect([made.code, made.out]).toEqual([0, expect.stringMatching(/^rec_[0-9A-Za-z]{49}\n$/)]);
    expect(made.err).toMatch(
      /^This key is shown only once\..*\nScopes: memory:read\. It expires on \d{4}-\d\d-\d\d\.\n$/,
    );
    const key = made.out.trim();
    const listed = await cli.run(['keys', 'list']);
    expect(listed.out).toMatch(
      /name +prefix +scopes +last used +expires\nphone +rec_\w{8} +memory:read +never +\d{4}-\d\d-\d\d\n/,
    );
    expect(listed.out).not.toContain(key.slice(12));
    const revoked = await cli.run(['keys', 'revoke', key.slice(0, 12)]);
    expect(revoked.out).toBe(`phone (${key.slice(0, 12)}) is revoked. The next request with it is rejected.\n`);
    const again = await cli.run(['keys', 'revoke', key]);
    expect([again.code, again.out, again.err]).toEqual([
      1,
      '',
      expect.stringMatching(/no API key with this id\. recollect keys list/),
    ]);
    const other = (
      await cli.run(['keys', 'create', '--scope', 'memory:read,capture:write', '--expires', '2999-01-31'])
    ).out.trim();
    expect(JSON.parse((await cli.run(['keys', 'list', '--json'])).out).apiKeys).toMatchObject([
      { scopes: ['capture:write', 'memory:read'], expiresAt: '2999-01-31T23:59:59.999Z' },
    ]);
    expect((await cli.run(['keys', 'revoke', other])).out).toContain('is revoked');
  });

  test('CLI-1: creates, lists and revokes a key by its id, as JSON', async () => {
    const { key, apiKey } = JSON.parse((await cli.run(['keys', 'create', '--json'])).out);
    expect([key, apiKey.prefix]).toEqual([expect.stringMatching(/^rec_\w{49}$/), key.slice(0, 12)]);
    expect(JSON.parse((await cli.run(['keys', 'list', '--json'])).out)).toEqual({ apiKeys: [apiKey] });
    expect(JSON.parse((await cli.run(['keys', 'revoke', apiKey.id, '--json'])).out)).toEqual({ revoked: apiKey.id });
    expect(JSON.parse((await cli.run(['keys', 'list', '--json'])).out)).toEqual({ apiKeys: [] });
  });

  test('CLI-1: takes the name of a key as its argument', async () => {
    expect((await cli.json(['keys', 'create', 'phone'])).apiKey.name).toBe('phone');
    expect(await cli.run(['keys', 'create', 'phone', '--name', 'laptop'])).toMatchObject({ code: 2, out: '' });
  });

  test('CLI-1: rejects invalid key options as wrong usage', async () => {
    for (const args of [
      ['--scope', 'everything'],
      ['--expires', 'soon'],
      ['--expires', '2020-01-01'],
      ['--expires', '2999-02-31'],
      ['--expires', '90'],
      ['--name', 'x'.repeat(101)],
      ['--nonsense'],
    ]) {
      const { code, out, err } = await cli.run(['keys', 'create', ...args]);
      expect([args, code, out, err.length > 0]).toEqual([args, 2, '', true]);
    }
    expect((await cli.run(['keys', 'revoke'])).code).toBe(2);
    expect((await cli.run(['keys', 'list', '--json'])).out).toContain('"apiKeys": []');
  });

  test('SEC-8: a running server accepts a new key and rejects it on the first request after it is revoked', async () => {
    const server = await cli.serve({ RECOLLECT_AUTH: 'required' });
    try {
      expect(server.printed()).toMatch(/need an API key\.[\s\S]*keys create/);
      const { key, apiKey } = JSON.parse((await cli.run(['keys', 'create', '--json'])).out);
      expect((await list(server.address, key)).status).toBe(200);
      await cli.run(['keys', 'revoke', apiKey.id]);
      expect((await list(server.address, key)).status).toBe(401);
    } finally {
      await server.stop();
    }
  });
});

describe('serve', () => {
  test('SEC-1, SEC-3, SEC-6, SEC-10: rejects settings that open the service too far with 78 and a message', async () => {
    const wrong: [Record<string, string>, RegExp][] = [
      [{ RECOLLECT_HOST: '0.0.0.0' }, /Set RECOLLECT_AUTH=required/],
      [{ RECOLLECT_HOST: '::' }, /Set RECOLLECT_AUTH=required/],
      [{ RECOLLECT_ALLOWED_HOSTS: '*' }, /no wildcard/],
      [{ RECOLLECT_ALLOWED_HOSTS: 'a.example,*.example' }, /no wildcard/],
      [{ RECOLLECT_ALLOWED_HOSTS: 'http://a.example' }, /host names/],
      [{ RECOLLECT_ALLOWED_HOSTS: 'me@a.example' }, /host names/],
      [{ RECOLLECT_ALLOWED_ORIGINS: '*' }, /no wildcard/],
      [{ RECOLLECT_ALLOWED_ORIGINS: 'https://*.example' }, /no wildcard/],
      [{ RECOLLECT_ALLOWED_ORIGINS: 'chrome-extension://*' }, /no wildcard/],
      [{ RECOLLECT_ALLOWED_ORIGINS: 'null' }, /origins such as/],
      [{ RECOLLECT_ALLOWED_ORIGINS: 'https://a.example/' }, /origins such as/],
      [{ RECOLLECT_TRUSTED_PROXIES: '*' }, /no wildcard/],
      [{ RECOLLECT_TRUSTED_PROXIES: '0.0.0.0/0' }, /no wildcard/],
      [{ RECOLLECT_TRUSTED_PROXIES: '::/0' }, /no wildcard/],
      [{ RECOLLECT_TRUSTED_PROXIES: 'proxy.example' }, /addresses such as/],
      [{ RECOLLECT_TRUSTED_PROXIES: '10.0.0.0/33' }, /addresses such as/],
      [{ RECOLLECT_PUBLIC_URL: 'https://me:secret@memory.example' }, /plain path/],
      [{ RECOLLECT_PUBLIC_URL: 'https://memory.example/a/../b' }, /plain path/],
      [{ RECOLLECT_PUBLIC_URL: 'https://memory.example/a//b' }, /plain path/],
      [{ RECOLLECT_PUBLIC_URL: 'https://memory.example/a%2fb' }, /plain path/],
      [{ RECOLLECT_PUBLIC_URL: 'https://memory.example/a?b' }, /plain path/],
      [{ RECOLLECT_PUBLIC_URL: 'https://memory.example/#a' }, /plain path/],
      [{ RECOLLECT_PUBLIC_URL: 'https://memory.example/docs' }, /begins like a page of the server/],
      [{ RECOLLECT_RATE_LIMIT: 'maybe' }, /on or off/],
      [{ RECOLLECT_HOST: '*', RECOLLECT_AUTH: 'required' }, /RECOLLECT_HOST must be an address/],
      [{ RECOLLECT_HOST: '192.0.2.1', RECOLLECT_AUTH: 'required' }, /RECOLLECT_HOST is not an address of this machine/],
      [{ RECOLLECT_ALLOWED_HOSTS: 'memory.lan:99999' }, /host names/],
      [
        { RECOLLECT_HOST: '0.0.0.0', RECOLLECT_AUTH: 'required', RECOLLECT_RATE_LIMIT: 'off' },
        /load tests on this machine/,
      ],
    ];
    for (const [env, reason] of wrong) {
      expect([env, await cli.run(['serve'], { env, isRejected: true })]).toEqual([
        env,
        { code: 78, out: '', err: expect.stringMatching(reason) },
      ]);
    }
  });

  test('SEC-6: when bound to all addresses, prints which host names it accepts or how to set one', async () => {
    const env = { RECOLLECT_HOST: '0.0.0.0', RECOLLECT_AUTH: 'required' };
    const nameless = await cli.serve(env);
    expect(nameless.printed()).toMatch(/listens on 0\.0\.0\.0\. Set RECOLLECT_ALLOWED_HOSTS/);
    expect(nameless.address).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect((await fetch(`${nameless.address}/healthz`)).status).toBe(200);
    expect((await fetch(`${nameless.address}/api/v1/memories`)).status).toBe(401);
    await nameless.stop();
    const named = await cli.serve({ ...env, RECOLLECT_ALLOWED_HOSTS: 'memory.lan' });
    expect(named.printed()).toContain('accepts the host names memory.lan');
    await named.stop();
  });

  test('SEC-10: RECOLLECT_RATE_LIMIT=off turns off the limits on this machine', { tags: 'long' }, async () => {
    for (const [setting, expected] of [
      ['off', 200],
      ['on', 429],
    ] as const) {
      const server = await cli.serve({ RECOLLECT_RATE_LIMIT: setting });
      const statuses = [];
      for (let at = 0; at < 130; at++) {
        const response = await fetch(`${server.address}/api/v1/capture`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"pageText":"again"}',
        });
        statuses.push(response.status);
      }
      expect([setting, statuses.at(-1)]).toEqual([setting, expected]);
      await server.stop();
    }
  });
});
