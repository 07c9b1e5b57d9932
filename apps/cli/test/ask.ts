/** Sends a request to a server. Returns the status and the body, parsed. */
export async function ask(address: string, method: string, path: string, body?: unknown, headers = {}) {
  const response = await fetch(address + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const answer = await response.text();
  return { status: response.status, body: answer === '' ? undefined : JSON.parse(answer) };
}

/** Captures a text. */
export function capture(address: string, pageText: string, headers = {}) {
  return ask(address, 'POST', '/api/v1/capture', { pageText }, headers);
}
