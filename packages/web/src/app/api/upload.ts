import { isProblem, ProblemError, UnexpectedResponseError } from '@recollect/contract/client';
import { isSignedOut, reportUnreachable } from './connection.js';

/**
 * Sends a file as the body of a request, from the disk. `fetch` does not say how much was sent. Rejects like the client
 * of the operations; a TypeError means that the server did not answer.
 */
export function upload(
  address: string,
  file: Blob,
  { type, onProgress }: { type: string; onProgress: (share: number) => void },
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', address);
    request.setRequestHeader('content-type', type);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
    request.onerror = () => {
      reportUnreachable();
      reject(new TypeError('The server did not answer.'));
    };
    request.onload = () => {
      const answer = readAnswer(request);
      if (request.status === 401) isSignedOut.value = true;
      if (request.status === 200 && answer !== null) resolve(answer);
      else if (isProblem(answer)) reject(new ProblemError(answer));
      else reject(new UnexpectedResponseError(request.status));
    };
    request.send(file);
  });
}

function readAnswer({ responseText }: XMLHttpRequest): object | null {
  try {
    return JSON.parse(responseText);
  } catch {
    return null;
  }
}
