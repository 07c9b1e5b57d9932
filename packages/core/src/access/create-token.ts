const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Creates a secret: 256 random bits in base64url. */
export function createToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** Whether a text has the format of a token. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}
