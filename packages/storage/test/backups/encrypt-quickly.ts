import { Encrypter } from 'age-encryption';

/** Encrypts a text or a file as a backup is, but with a key that is derived in a thousandth of the time. */
export function encryptQuickly(text: string | Uint8Array, passphrase: string): Promise<Uint8Array> {
  const encrypter = new Encrypter();
  encrypter.setScryptWorkFactor(8);
  encrypter.setPassphrase(passphrase);
  return encrypter.encrypt(text);
}
