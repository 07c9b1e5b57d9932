/** An operation to attack: its method, its address, and a body that would have an effect. */
export interface Target {
  method: string;
  url: string;
  body: string;
}

/** The parts of a response that the attacker could read, and how it was requested. */
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

  const element = (way: string, make: () => HTMLElement) => {
    sent += 1;
    const made = make();
    return withTimeout(
      new Promise<void>((resolve) => {
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
    ).finally(() => made.remove());
  };

  const form = (url: string, method: string, enctype: string, body: string) => {
    sent += 1;
    const frame = document.createElement('iframe');
    frame.name = `frame${sent}`;
    const made = document.createElement('form');
    return withTimeout(
      new Promise<void>((resolve) => {
        Object.assign(made, { action: url, method, enctype, target: frame.name });
        const field = document.createElement('input');
        // As text/plain, the name, an equals sign and the value form one JSON object.
        Object.assign(field, { name: `${body.slice(0, -1)},"x":"`, value: '"}' });
        made.append(field);
        document.body.append(frame, made);
        frame.addEventListener('load', () => resolve());
        made.submit();
      }),
    ).finally(() => {
      frame.remove();
      made.remove();
    });
  };

  const well = { 'content-type': 'application/json' };
  const others = (method: string, url: string, options: RequestInit) => [
    ask(`${method} well-formed`, url, { method, headers: well, ...options }),
    ask(`${method} with an invented key`, url, {
      method,
      headers: { ...well, authorization: 'Bearer rec_x' },
      ...options,
    }),
    ask(`${method} kept alive`, url, { method, keepalive: true, headers: well, ...options }),
  ];

  const attackWithGet = async (url: string) => {
    await Promise.all([
      ...(['no-cors', 'cors'] as const).map((mode) => ask(`GET ${mode}`, url, { mode, credentials: 'include' })),
      ...others('GET', url, {}),
    ]);
    if (typeof document === 'undefined') return;
    await Promise.all([
      element('image', () => Object.assign(new Image(), { src: url })),
      element('script', () => Object.assign(document.createElement('script'), { src: url })),
      element('module', () => Object.assign(document.createElement('script'), { src: url, type: 'module' })),
      element('style', () => Object.assign(document.createElement('link'), { href: url, rel: 'stylesheet' })),
      element('video', () => Object.assign(document.createElement('video'), { src: url })),
      element('object', () => Object.assign(document.createElement('object'), { data: url })),
      element('frame', () => Object.assign(document.createElement('iframe'), { src: url })),
      form(url, 'get', 'text/plain', '{}'),
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

  const attackWithChange = async ({ method, url, body }: Target) => {
    const simple = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'];
    const works: Promise<unknown>[] = [];
    for (const mode of ['no-cors', 'cors'] as const) {
      for (const type of simple) {
        const headers = { 'content-type': type };
        works.push(ask(`POST ${type} ${mode}`, url, { method: 'POST', mode, credentials: 'include', body, headers }));
      }
      works.push(ask(`POST without a body ${mode}`, url, { method: 'POST', mode, credentials: 'include' }));
    }
    await Promise.all([...works, ...others(method, url, { body })]);
    sent += 2;
    navigator.sendBeacon?.(url, body);
    navigator.sendBeacon?.(url, new Blob([body], { type: 'text/plain' }));
    if (typeof document === 'undefined') return;
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'];
    await Promise.all(types.map((type) => form(url, 'post', type, body)));
  };

  // Hundreds of frames at the same time, each in another process, would occupy the browser for minutes.
  const waiting = [...targets];
  const work = async () => {
    for (let target = waiting.shift(); target !== undefined; target = waiting.shift()) {
      await (target.method === 'GET' ? attackWithGet(target.url) : attackWithChange(target));
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return { readable, sent };
}
