/** An operation to attack: its method, its address, and a body that would have an effect. */
export interface Target {
  method: string;
  url: string;
  body: string;
}

/** What the attacker could read of a response, and how it was requested. */
export interface ReadResponse {
  way: string;
  status: number;
  text: string;
}

/**
 * Runs in the attacker's page or extension: sends every kind of request that a browser lets a page send, and returns
 * what it could read. The function is self-contained, because it is sent to the browser as text.
 */
export async function attack(targets: Target[]): Promise<{ readable: ReadResponse[]; sent: number }> {
  const readable: ReadResponse[] = [];
  let sent = 0;
  const withTimeout = (work: Promise<unknown>) =>
    Promise.race([work, new Promise((resolve) => setTimeout(resolve, 2_000))]);

  const ask = async (way: string, url: string, options: RequestInit) => {
    sent += 1;
    try {
      const response = await fetch(url, options);
      const text = await response.text();
      if (response.type !== 'opaque' && response.type !== 'opaqueredirect')
        readable.push({ way, status: response.status, text });
    } catch {
      // The browser blocked it.
    }
  };

  const element = (way: string, make: () => HTMLElement) =>
    withTimeout(
      new Promise<void>((resolve) => {
        sent += 1;
        const made = make();
        made.addEventListener('error', () => resolve());
        made.addEventListener('load', () => {
          // An image, style or script that loads was used. A frame loads even when the request was rejected.
          if (!(made instanceof HTMLIFrameElement)) readable.push({ way, status: 0, text: 'loaded' });
          else if (made.contentDocument !== null) {
            readable.push({ way, status: 0, text: made.contentDocument.documentElement.textContent ?? '' });
          }
          resolve();
        });
        document.body.append(made);
      }),
    );

  const form = (url: string, method: string, enctype: string, body: string) =>
    withTimeout(
      new Promise<void>((resolve) => {
        sent += 1;
        const frame = document.createElement('iframe');
        frame.name = `frame${sent}`;
        const made = document.createElement('form');
        Object.assign(made, { action: url, method, enctype, target: frame.name });
        const field = document.createElement('input');
        // As text/plain, the name, an equals sign and the value form one JSON object.
        Object.assign(field, { name: `${body.slice(0, -1)},"x":"`, value: '"}' });
        made.append(field);
        document.body.append(frame, made);
        frame.addEventListener('load', () => resolve());
        made.submit();
      }),
    );

  const attackOne = async ({ method, url, body }: Target) => {
    const simple = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'];
    const works: Promise<unknown>[] = [];
    for (const mode of ['no-cors', 'cors'] as const) {
      for (const credentials of ['omit', 'include'] as const) {
        works.push(ask(`GET ${mode} ${credentials}`, url, { mode, credentials }));
        for (const type of simple) {
          works.push(
            ask(`POST ${type} ${mode}`, url, {
              method: 'POST',
              mode,
              credentials,
              body,
              headers: { 'content-type': type },
            }),
          );
        }
        works.push(ask(`POST without a body ${mode}`, url, { method: 'POST', mode, credentials }));
      }
    }
    const headers = { 'content-type': 'application/json' };
    works.push(ask(`${method} well-formed`, url, method === 'GET' ? {} : { method, headers, body }));
    works.push(
      ask(`${method} with an invented key`, url, {
        method,
        headers: { ...headers, authorization: 'Bearer rec_x' },
        ...(method === 'GET' ? {} : { body }),
      }),
    );
    works.push(
      ask(`${method} kept alive`, url, { method, keepalive: true, headers, ...(method === 'GET' ? {} : { body }) }),
    );
    await Promise.all(works);

    sent += 2;
    navigator.sendBeacon?.(url, body);
    navigator.sendBeacon?.(url, new Blob([body], { type: 'text/plain' }));
    if (typeof document === 'undefined') return;

    await Promise.all([
      element('image', () => Object.assign(new Image(), { src: url })),
      element('script', () => Object.assign(document.createElement('script'), { src: url })),
      element('module', () => Object.assign(document.createElement('script'), { src: url, type: 'module' })),
      element('style', () => Object.assign(document.createElement('link'), { href: url, rel: 'stylesheet' })),
      element('video', () => Object.assign(document.createElement('video'), { src: url })),
      element('object', () => Object.assign(document.createElement('object'), { data: url })),
      element('frame', () => Object.assign(document.createElement('iframe'), { src: url })),
      ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'].map((type) =>
        form(url, 'post', type, body),
      ),
      form(url, 'get', 'text/plain', body),
      withTimeout(
        new Promise<void>((resolve) => {
          sent += 1;
          const source = new EventSource(url);
          source.onopen = () => readable.push({ way: 'events', status: 0, text: 'open' });
          source.onerror = () => resolve(source.close());
        }),
      ),
      withTimeout(
        new Promise<void>((resolve) => {
          sent += 1;
          const socket = new WebSocket(url.replace(/^http/, 'ws'));
          socket.onopen = () => readable.push({ way: 'socket', status: 0, text: 'open' });
          socket.onerror = () => resolve();
        }),
      ),
    ]);
  };
  await Promise.all(targets.map(attackOne));
  return { readable, sent };
}
