import { createFakeClock, type FakeClock } from '@recollect/core/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.js';

const DAY = 86_400_000;
let server: TestServer;
let clock: FakeClock;
/** The headers of a page of the deployment. */
const page = { origin: 'http://recollect.example' };
beforeAll(async () => {
  clock = createFakeClock();
  server = await startTestServer({
    clock,
    policy: { auth: 'required', publicUrl: new URL('http://recollect.example') },
  });
});
afterAll(() => server.close());

const invite = async (name: string) => {
  const { token, person } = await server.core.invitations.invite({ name });
  return { token, id: person.id };
};
const open = (token: string, headers: Record<string, string> = page) =>
  server.send('POST', '/api/v1/invitations/open', { token }, headers);
const passkey = (id: string) => ({ id, publicKey: 'AAAA', counter: 0 });

test('PPL-4: an operator gets a link once, which opens the invitation at its origin', async () => {
  const { key } = await server.core.apiKeys.create('local', { scopes: ['operate'] });
  const headers = { authorization: `Bearer ${key}` };
  const body = { name: 'Ann', address: 'ann@a.example', role: 'guest', quota: { memories: 10 } };
  const invited = await server.send('POST', '/api/v1/invitations', body, headers);
  expect([invited.status, invited.body.person]).toMatchObject([
    201,
    { name: 'Ann', role: 'guest', state: 'invited', quota: { memories: 10, bytes: null, capturesPerMinute: null } },
  ]);
  const [, token = ''] = /^http:\/\/recollect\.example\/#invite=([\w-]{43})$/.exec(invited.body.link) ?? [];
  const opened = await open(token);
  expect([opened.status, opened.body]).toMatchObject([
    200,
    { name: 'Ann', options: { rp: { id: 'recollect.example' } } },
  ]);
  expect(JSON.stringify(await server.send('GET', '/api/v1/people', undefined, headers))).not.toContain(token);
  const taken = await server.send('POST', '/api/v1/invitations', { ...body, name: 'Other' }, headers);
  expect(taken.body.code).toBe('NAME_TAKEN');
  const again = await server.send('POST', '/api/v1/invitations', { personId: invited.body.person.id }, headers);
  expect(again.status).toBe(201);
  expect((await open(token)).body.code).toBe('INVITATION_INVALID');
});

test('PPL-4: a wrong, used, expired or withdrawn invitation gets one answer', async () => {
  const answers = [await open('x'), await open('A'.repeat(43))];
  const used = await invite('Bob');
  await server.core.invitations.accept(used.token, passkey('p1'), 'phone');
  answers.push(await open(used.token));
  await expect(server.core.invitations.accept(used.token, passkey('p2'), 'phone')).rejects.toThrow('used or expired');
  const withdrawn = await invite('Cat');
  await server.core.people.remove(withdrawn.id);
  answers.push(await open(withdrawn.token));
  const late = await invite('Dan');
  expect((await open(late.token)).status).toBe(200);
  clock.advance(7 * DAY);
  answers.push(await open(late.token));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.code} ${body.detail}`)).size).toBe(1);
  expect(answers[0]?.body).toMatchObject({ status: 400, code: 'INVITATION_INVALID' });
});

test('PPL-5: other sites and programs cannot open an invitation or sign in', async () => {
  const { token } = await invite('Eve');
  for (const headers of [{}, { origin: 'https://evil.example' }, { origin: 'http://recollect.example:1' }]) {
    for (const [path, body] of [
      ['invitations/open', { token }],
      ['invitations/accept', { token, response: {} }],
      ['passkeys/challenge', undefined],
      ['passkeys/sign-in', { response: { id: 'p1' } }],
    ] as const) {
      const refused = await server.send('POST', `/api/v1/${path}`, body, headers as Record<string, string>);
      expect([path, headers, refused.body.code]).toEqual([path, headers, 'ORIGIN_NOT_ALLOWED']);
    }
  }
});

test('PPL-5: rejects a passkey that is unknown, unsigned, or at an address that cannot have passkeys', async () => {
  const signIn = (response: object) => server.send('POST', '/api/v1/passkeys/sign-in', { response }, page);
  for (const response of [{}, { id: 5 }, { id: 'unknown' }, { id: 'p1' }, { id: 'p1', rawId: 'p1', response: {} }])
    expect([response, (await signIn(response)).body.code]).toEqual([response, 'PASSKEY_REJECTED']);
  const { token } = await invite('Fay');
  const accept = await server.send('POST', '/api/v1/invitations/accept', { token, response: { id: 'x' } }, page);
  expect(accept.body.code).toBe('PASSKEY_REJECTED');
  expect((await open(token)).status).toBe(200);
  const atAddress = await open(token, { origin: server.address });
  expect([atAddress.body.code, atAddress.body.detail]).toEqual([
    'PASSKEY_REJECTED',
    expect.stringContaining('need a host name'),
  ]);
});

test('PPL-6: the audit log says what operators did, with ids and without names', async () => {
  const { key } = await server.core.apiKeys.create('local', { scopes: ['admin'] });
  const headers = { authorization: `Bearer ${key}` };
  const { body } = await server.send('POST', '/api/v1/invitations', { name: 'Zoe Secret' }, headers);
  const { id } = body.person;
  const path = `/api/v1/people/${id}`;
  await server.send('PATCH', path, { name: 'Zoe Other', role: 'guest', quota: { memories: 3 } }, headers);
  await server.send('POST', `${path}/sign-out`, null, headers);
  const receipt = await server.send('DELETE', path, undefined, headers);
  expect([receipt.status, receipt.body]).toMatchObject([200, { userId: id, name: 'Zoe Other', memories: 0 }]);
  const { entries } = (await server.send('GET', '/api/v1/audit', undefined, headers)).body;
  expect(entries.slice(0, 4)).toMatchObject([
    { operation: 'removePerson', target: id, actorId: 'local', details: { memories: 0 } },
    { operation: 'signPersonOut', target: id, details: { sessions: 0 } },
    { operation: 'changePerson', target: id, details: { role: 'guest', quota: { memories: 3 } } },
    { operation: 'invitePerson', target: id, details: { role: 'member' } },
  ]);
  expect(JSON.stringify(entries)).not.toContain('Zoe');
  const before = entries[1].position;
  const page = await server.send('GET', `/api/v1/audit?before=${before}`, undefined, headers);
  expect(page.body.entries[0]).toEqual(entries[2]);
  expect((await server.send('PATCH', path, { role: 'guest' }, headers)).status).toBe(404);
  for (const bad of [{ role: 'king' }, { state: 'leaving' }, { quota: { memories: -1 } }, { name: '' }, { id: 'x' }])
    expect([bad, (await server.send('PATCH', '/api/v1/people/local', bad, headers)).status]).toEqual([bad, 400]);
});
