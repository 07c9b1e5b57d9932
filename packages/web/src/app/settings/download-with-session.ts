import { explain, send } from '../api/client.js';
import { announceFailure } from '../state/status.js';

/**
 * Downloads a file where browsers do not mark requests of the same origin: there, a link is not admitted with the
 * session (SEC-19). Elsewhere, the link does it.
 */
export async function downloadWithSession(event: Event, path: string, name: string): Promise<void> {
  if (isSecureContext) return;
  event.preventDefault();
  try {
    const response = await send(path);
    if (!response.ok) throw new Error(`${name} could not be downloaded.`);
    const address = URL.createObjectURL(await response.blob());
    const link = document.createElement('a');
    link.href = address;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1_000);
  } catch (error) {
    announceFailure(explain(error));
  }
}
