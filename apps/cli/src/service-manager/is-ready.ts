/** Whether a server answers that it is healthy. */
export function isReady(address: string): Promise<boolean> {
  return fetch(`${address}/healthz`).then(
    (response) => response.ok,
    () => false,
  );
}
