import { RecollectError } from '@recollect/core';

const KEY = /rec_[0-9a-z]{20}/i;
const PARAMETER = /^(?:api[-_]?key|key|access[-_]?token|token|authorization|bearer)$/i;

/** SEC-8: URLs end up in logs and histories, so a key in a URL is rejected, even an invalid one. */
export function checkUrl(url: string): void {
  if (!url.startsWith('/')) {
    throw new RecollectError('REQUEST_MALFORMED', 'Send only the path as the request target, starting with a slash.');
  }
  const [path = '', ...query] = url.split('?');
  const parameters = query
    .join('?')
    .split(/[&;]/)
    .map((parameter) => parameter.split('='));
  const hasKey = KEY.test(decode(path)) || parameters.flat().some((part) => KEY.test(decode(part)));
  if (!hasKey && !parameters.some(([name = '']) => PARAMETER.test(withoutIndex(decode(name))))) return;
  throw new RecollectError(
    'API_KEY_IN_URL',
    'API keys are not accepted in URLs. Send the key as Authorization: Bearer <key>, and revoke this one if it was real.',
  );
}

/** The name of a parameter without an index in brackets. */
function withoutIndex(name: string): string {
  const bracket = name.indexOf('[');
  return bracket < 0 ? name : name.slice(0, bracket);
}

/** Decodes only percent-encoded ASCII, even in a malformed text, and also if it was encoded repeatedly. */
function decode(text: string): string {
  let decoded = text;
  for (let round = 0; round < 3 && decoded.includes('%'); round++) {
    decoded = decoded.replace(/%([0-7][0-9a-f])/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  }
  return decoded;
}
