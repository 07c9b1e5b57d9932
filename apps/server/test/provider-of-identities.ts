import { createSign, generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error: the library has no types
import OidcProvider from 'oidc-provider';

export interface ProviderOfIdentities {
  issuer: string;
  /** The accounts, by the name that is typed: their claims. */
  accounts: Record<string, Record<string, unknown>>;
  /** Changes the claims of the next ID tokens, which are signed with the provider's key. */
  forge: ((claims: Record<string, unknown>) => Record<string, unknown>) | null;
  /** Sends a logout token for a subject and a session, as it does when someone signs out there. */
  signOut(subject: string, session: string): Promise<void>;
  /** Signs claims with the provider's key. */
  sign(claims: object): string;
  close(): Promise<void>;
}

export const CLIENT = { id: 'recollect', secret: 'a-secret-of-the-client' };

/** A real provider of identities, which accepts any password. */
export async function startProvider(callback: string): Promise<ProviderOfIdentities> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'k1' };
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const started: ProviderOfIdentities = {
    issuer,
    accounts: {},
    forge: null,
    async signOut(subject, session) {
      const client = await provider.Client.find(CLIENT.id);
      await client.backchannelLogout(subject, session);
    },
    sign: (claims) => sign(claims),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const provider = new OidcProvider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [callback],
        backchannel_logout_uri: callback.replace(/callback$/, 'logout'),
        backchannel_logout_session_required: true,
      },
    ],
    // Its own limits: no address of this machine, and 2.5 seconds.
    fetch: (address: string, { dispatcher: _, signal: __, ...options }: Record<string, unknown>) =>
      fetch(address, options),
    features: { backchannelLogout: { enabled: true } },
    jwks: { keys: [key] },
    cookies: { keys: ['a key of cookies'] },
    claims: { email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    conformIdTokenClaims: false,
    // Otherwise it prints a notice about each.
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    findAccount: (_: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ sub, ...started.accounts[sub] }),
    }),
  });
  const sign = (claims: object) => {
    const parts = [{ alg: 'RS256', kid: 'k1' }, claims].map((part) => Buffer.from(JSON.stringify(part)));
    const text = parts.map((part) => part.toString('base64url')).join('.');
    return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey).toString('base64url')}`;
  };
  const handle = provider.callback();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === '/token' && started.forge !== null) forgeToken(response, started.forge, sign);
    handle(request, response);
  });
  return started;
}

/** Replaces the ID token of a response. */
function forgeToken(
  response: ServerResponse,
  forge: (claims: Record<string, unknown>) => Record<string, unknown>,
  sign: (claims: object) => string,
): void {
  const end = response.end.bind(response);
  response.end = ((body: string | Buffer) => {
    const answer = JSON.parse(String(body));
    const claims = JSON.parse(Buffer.from(answer.id_token.split('.')[1], 'base64url').toString());
    const forged = JSON.stringify({ ...answer, id_token: sign(forge(claims)) });
    response.setHeader('content-length', Buffer.byteLength(forged));
    return end(forged);
  }) as typeof response.end;
}

/** A browser without scripts: it follows redirects, sends forms and keeps cookies by their origin. */
export function createVisitor() {
  const jar = new Map<string, Map<string, string>>();
  const visit = async (address: string, form?: Record<string, string>): Promise<{ url: URL; text: string }> => {
    const url = new URL(address);
    const cookies = jar.get(url.host) ?? new Map<string, string>();
    jar.set(url.host, cookies);
    const response = await fetch(url, {
      redirect: 'manual',
      method: form === undefined ? 'GET' : 'POST',
      headers: { cookie: Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ') },
      body: form === undefined ? null : new URLSearchParams(form),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const next = response.headers.get('location');
    const text = await response.text();
    return next === null ? { url, text } : visit(new URL(next, url).href);
  };
  return { visit, cookies: (host: string) => jar.get(host) ?? new Map<string, string>() };
}
