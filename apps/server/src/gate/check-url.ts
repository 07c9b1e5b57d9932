import { RecollectError } from '@recollect/core';

const KEY = /rec_[0-9a-z]{20}/i;
const PARAMETER = /^(?:api[-_]?key|key|access[-_]?token|token|authorization|bearer)$/i;

/** SEC-8: addresses end up in logs and histories, so a key in one is refused, valid or not. */
export function checkUrl(url: string): void {
  if (!url.startsWith('/')) {
    throw new RecollectError('REQUEST_MALFORMED', 'Send the path alone as the request target, beginning with a slash.');
  }
  const [path = '', ...query] = url.split('?');
  const parameters = query
    .join('?')
    .split(/[&;]/)
    .map((parameter) => parameter.split('='));
  const hasKey = KEY.test(decode(path)) || parameters.flat().some((part) => KEY.test(decode(part)));
  if (!hasKey && !parameters.some(([name = '']) => PARAMETER.test(decode(name).replace(/\[.*$/, '')))) return;
  throw new RecollectError(
    'API_KEY_IN_URL',
    'An API key does not belong in a URL. Send it as Authorization: Bearer and the key; revoke this one if it was real.',
  );
}

/** Undoes escapes of ASCII alone, whatever else is wrong with the text, and also those that were escaped again. */
function decode(text: string): string {
  let decoded = text;
  for (let round = 0; round < 3 && decoded.includes('%'); round++) {
    decoded = decoded.replace(/%([0-7][0-9a-f])/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  }
  return decoded;
}
