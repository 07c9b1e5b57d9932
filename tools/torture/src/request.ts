export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of many operations; a wrong member fails the run
  body: any;
}

/** Sends a request to the service. Throws if the connection ends before the answer. */
export async function request(
  address: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(address + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}
