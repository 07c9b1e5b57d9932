import { isCancel, password } from '@clack/prompts';

/** Asks for a passphrase without showing it. Null if the user cancels. */
export async function askPassphrase(message: string): Promise<string | null> {
  const validate = (value: string | undefined) => (value ? undefined : 'Type the passphrase.');
  const answer = await password({ message, validate, output: process.stderr });
  return isCancel(answer) ? null : answer;
}

/** Asks for a new passphrase twice, until both are equal. Null if the user cancels. */
export async function askNewPassphrase(): Promise<string | null> {
  for (let message = 'Passphrase for the backup'; ; message = 'The two are different. Passphrase for the backup') {
    const first = await askPassphrase(message);
    if (first === null) return null;
    const second = await askPassphrase('The same passphrase again');
    if (second === null || second === first) return second;
  }
}
