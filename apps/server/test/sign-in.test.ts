import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { CLIENT, createVisitor, type ProviderOfIdentities, startProvider } from './provider-of-identities.js';
import { startTestServer, type TestServer } from './start-test-server.js';

let server: TestServer;
let provider: ProviderOfIdentities;
const policy = { signsUp: false, roleClaim: 'groups' };
beforeAll(async () => {
  const probe = await startTestServer();
  const { address, port } = probe;
  await probe.close();
  provider = await startProvider(`${address}/sign-in/callback`);
  const settings = { issuer: new URL(provider.issuer), clientId: CLIENT.id, clientSecret: CLIENT.secret, name: 'Home' };
  server = await startTestServer({
    port,
    policy: { auth: 'required', accounts: { isOn: false, provider: Object.assign(policy, settings) } },
  });
});
afterEach(() => {
  policy.signsUp = false;
  provider.forge = null;
});
afterAll(async () => {
  await server.close();
  await provider.close();
});

/** Signs an account in. Returns the last address, and the state of the session. */
async function signIn(account: string) {
  const visitor = createVisitor();
  const login = await visitor.visit(`${server.address}/sign-in`);
  const consent = await visitor.visit(formOf(login), { prompt: 'login', login: account, password: 'x' });
  const end = consent.text.includes('name="prompt" value="consent"')
    ? await visitor.visit(formOf(consent), { prompt: 'consent' })
    : consent;
  const session = visitor.cookies(new URL(server.address).host).get('recollect');
  const headers = { origin: server.address, cookie: `recollect=${session}` };
  const { body } = await server.send('GET', '/api/v1/session', undefined, headers);
  return { end: end.url.href.replace(server.address, ''), scopes: body.scopes, headers, visitor };
}

/** The address of the form of a page of the provider. */
function formOf({ text, url }: { text: string; url: URL }): string {
  return new URL(/<form[^>]* action="([^"]+)"/.exec(text)?.[1] ?? '', url).href;
}

test('PPL-8: an invited address signs in at the provider, into its own memories', async () => {
  const { person } = await server.core.invitations.invite({ name: 'Ann', address: 'ann@home.example' });
  await server.core.capture(person.id, [{ pageText: 'A memory of Ann.' }]);
  provider.accounts.ann = { email: 'Ann@home.example', email_verified: true, name: 'Ann' };
  const { end, scopes, headers } = await signIn('ann');
  expect([end, scopes]).toEqual(['/', ['admin']]);
  expect((await server.send('GET', '/api/v1/memories', undefined, headers)).body.memories).toHaveLength(1);
  expect((await server.core.people.get(person.id)).state).toBe('active');
  // The account itself counts from then on.
  provider.accounts.ann = { email: 'other@home.example', email_verified: true };
  expect((await signIn('ann')).scopes).toEqual(['admin']);
  await server.core.people.change(person.id, { state: 'suspended' });
  expect((await signIn('ann')).end).toBe('/#sign-in=refused');
  expect((await server.send('GET', '/api/v1/session', undefined, headers)).body.scopes).toBeNull();
});

test('PPL-8: an unknown person, or an address that is not verified, is refused unless people may sign up', async () => {
  await server.core.invitations.invite({ name: 'Bob', address: 'bob@home.example' });
  provider.accounts.bob = { email: 'bob@home.example', email_verified: false };
  provider.accounts.eve = { email: 'eve@home.example', email_verified: true, name: 'Eve' };
  for (const account of ['bob', 'eve']) {
    const { end, scopes } = await signIn(account);
    expect([account, end, scopes]).toEqual([account, '/#sign-in=unknown', null]);
  }
  expect((await server.core.people.list()).some(({ name }) => name === 'Eve')).toBe(false);
});

test('PPL-8: with sign-up, an unknown person becomes a member, and the provider gives roles', async () => {
  policy.signsUp = true;
  const people = async () =>
    (await server.core.people.list()).filter(({ name }) => name === 'Fay').map(({ role }) => role);
  provider.accounts.fay = { email: 'fay@home.example', email_verified: true, name: 'Fay' };
  expect((await signIn('fay')).scopes).toEqual(['admin']);
  provider.accounts.fay.groups = ['staff', 'owner'];
  expect((await signIn('fay')).scopes).toEqual(['admin', 'operate']);
  provider.accounts.fay.groups = ['guest'];
  expect((await signIn('fay')).scopes).toEqual(['memory:read']);
  expect(await people()).toEqual(['guest']);
});

test.each([
  ['for another audience', { aud: 'another-client' }],
  ['of another issuer', { iss: 'https://evil.example' }],
  ['that has expired', { exp: 1 }],
  ['for another attempt', { nonce: 'another' }],
])('PPL-8: rejects a token %s', async (_, changes) => {
  policy.signsUp = true;
  provider.accounts.gus = { email: 'gus@home.example', email_verified: true };
  provider.forge = (claims) => ({ ...claims, ...changes });
  const { end, scopes } = await signIn('gus');
  expect([end, scopes]).toEqual(['/#sign-in=refused', null]);
  provider.forge = (claims) => claims;
  expect((await signIn('gus')).scopes).toEqual(['admin']);
});

test('PPL-8: rejects an answer without the attempt of its browser', async () => {
  const callback = `${server.address}/sign-in/callback`;
  const begun = createVisitor();
  await begun.visit(`${server.address}/sign-in`);
  for (const [visitor, query] of [
    [createVisitor(), '?code=x&state=y'],
    [begun, '?code=x&state=y'],
    [createVisitor(), ''],
  ] as const)
    expect((await visitor.visit(callback + query)).url.hash).toBe('#sign-in=refused');
});

test('PPL-8: says so while the provider is down, and works again afterwards', async () => {
  const down = await startTestServer({
    policy: {
      auth: 'required',
      accounts: {
        isOn: false,
        provider: { ...policy, issuer: new URL('http://127.0.0.1:9'), clientId: 'x', clientSecret: null, name: 'Down' },
      },
    },
  });
  expect((await createVisitor().visit(`${down.address}/sign-in`)).url.hash).toBe('#sign-in=unavailable');
  const { body } = await down.send('GET', '/api/v1/session');
  expect([body.hasAccounts, body.provider]).toEqual([true, 'Down']);
  await down.close();
  const without = await startTestServer();
  expect((await without.send('GET', '/sign-in')).status).toBe(404);
  await without.close();
});

/** Signs an account in, and returns its session at the provider as well. */
async function signInWithSession(account: string) {
  let session = '';
  provider.forge = (claims) => {
    session = String(claims.sid);
    return claims;
  };
  const signedIn = await signIn(account);
  provider.forge = null;
  return { ...signedIn, session };
}

const scopesOf = async (headers: Record<string, string>) =>
  (await server.send('GET', '/api/v1/session', undefined, headers)).body.scopes;
const sendLogout = (token: string, more: Record<string, string> = {}) =>
  server.send('POST', '/sign-in/logout', new URLSearchParams({ logout_token: token }).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
    ...more,
  });

test('PPL-12: a sign-out at the provider ends the session here, and no other', async () => {
  policy.signsUp = true;
  provider.accounts.ida = { email: 'ida@home.example', email_verified: true, name: 'Ida' };
  const [first, second] = [await signInWithSession('ida'), await signInWithSession('ida')];
  expect(first.session).not.toBe(second.session);
  await provider.signOut('ida', first.session);
  expect([await scopesOf(first.headers), await scopesOf(second.headers)]).toEqual([null, ['admin']]);
});

test('PPL-12: a logout token that is forged, old, of another kind or used is refused', async () => {
  policy.signsUp = true;
  provider.accounts.hal = { email: 'hal@home.example', email_verified: true, name: 'Hal' };
  const { headers } = await signInWithSession('hal');
  const now = Math.floor(Date.now() / 1_000);
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const claims = { iss: provider.issuer, aud: CLIENT.id, iat: now, jti: 'j1', sub: 'hal', events };
  const { sub: _, ...unnamed } = claims;
  const { jti: __, ...unnumbered } = claims;
  const [head = '', body = '', seal = ''] = provider.sign({ ...claims, jti: 'j2' }).split('.');
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  for (const token of [
    ...[
      { ...claims, iss: 'https://other.example' },
      { ...claims, aud: 'another' },
      { ...claims, iat: now - 3_600 },
      { ...claims, exp: now - 3_600 },
      { ...claims, nonce: 'n' },
      { ...claims, events: {} },
      { ...claims, events: { 'http://schemas.openid.net/event/backchannel-logout': 'x' } },
      unnamed,
      unnumbered,
    ].map((wrong) => provider.sign(wrong)),
    `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${seal}`,
    `${none}.${body}.`,
    'x',
    '',
  ])
    expect([token, (await sendLogout(token)).status]).toEqual([token, 400]);
  expect(await scopesOf(headers)).toEqual(['admin']);
  const site = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  expect((await sendLogout(provider.sign(claims), site)).status).toBe(403);
  expect((await sendLogout(provider.sign(claims))).status).toBe(200);
  expect(await scopesOf(headers)).toBeNull();
  const again = await signIn('hal');
  expect((await sendLogout(provider.sign(claims))).status).toBe(400);
  expect(await scopesOf(again.headers)).toEqual(['admin']);
});
