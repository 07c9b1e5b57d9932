/** Crockford's base 32: digits and letters without I, L, O and U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 60 random bits. A code is valid for minutes, so that its hash cannot be reversed in time. */
const LENGTH = 12;
const GROUP = /.{4}(?=.)/g;

/**
 * Creates a code that a person can type: 60 random bits as 12 characters in groups of four.
 *
 * @example
 * createPairingCode(); // such as '7K3M-Q9ZT-0VXA'
 */
export function createPairingCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(LENGTH));
  const characters = Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('');
  return characters.replace(GROUP, '$&-');
}

/**
 * The one way to write a code, without its dashes. Letters may be in lower case, and O, I and L mean 0, 1 and 1. Null
 * when it is not a code.
 */
export function parsePairingCode(typed: string): string | null {
  const characters = typed
    .toUpperCase()
    .replace(/[\s\u2010-\u2015-]+/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
  const isCode = characters.length === LENGTH && [...characters].every((character) => ALPHABET.includes(character));
  return isCode ? characters : null;
}
