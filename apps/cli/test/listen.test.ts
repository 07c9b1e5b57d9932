import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Cli, createCli } from './run-cli.js';

let cli: Cli;
beforeEach(async () => {
  cli = await createCli({ RECOLLECT_EMBEDDINGS: 'off' });
});
afterEach(() => cli.remove());

const isWindows = process.platform === 'win32';

/** Waits until a program has printed a text, and returns all that it has printed. */
async function printed({ stdout, stderr }: ChildProcess, wanted: RegExp): Promise<string> {
  let output = '';
  for (const stream of [stdout, stderr])
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  await expect.poll(() => output).toMatch(wanted);
  return output;
}

test.skipIf(isWindows)('SYS-11, SEC-18: commands use a server at a Unix socket', async () => {
  const address = `unix:${join(cli.folder, 'http.sock')}`;
  const child = cli.start(['serve'], { RECOLLECT_PORT: '', RECOLLECT_LISTEN: address });
  const message = await printed(child, /Ctrl-C stops/);
  expect(message).toContain(`It listens on ${address}. Set RECOLLECT_PUBLIC_URL to the address of the proxy.`);
  expect(message).toContain('HTTP requests need an API key.');
  await cli.save('Green tea is best steeped below boiling.');
  expect((await cli.run(['status'])).out).toContain(address);
  const env = { RECOLLECT_PORT: '', RECOLLECT_LISTEN: address };
  expect((await cli.run(['doctor'], { env })).out).toContain(`runs at ${address}`);
  expect(await cli.run(['open'], { env })).toMatchObject({
    code: 78,
    err: expect.stringContaining('Set RECOLLECT_PUBLIC_URL'),
  });
  expect(await cli.run(['serve'], { env, isRejected: true })).toMatchObject({
    code: 1,
    err: expect.stringContaining('names a socket at which another program answers'),
  });
  child.kill('SIGKILL');
  await once(child, 'exit');
  // A killed server leaves its socket, which the next one replaces.
  await access(join(cli.folder, 'http.sock'));
  const next = cli.start(['serve'], env);
  await printed(next, /Ctrl-C stops/);
  next.kill();
  await once(next, 'exit');
  await expect(access(join(cli.folder, 'http.sock'))).rejects.toThrow('ENOENT');
});

/** Starts a server with a listening socket as its fourth file, as systemd does. */
async function activate(
  host: string,
  env: Record<string, string> = {},
): Promise<{ child: ChildProcess; port: number }> {
  const socket: Server = createServer().listen(0, host);
  await once(socket, 'listening');
  const { port } = socket.address() as { port: number };
  // Node has no public name for it, and gives a child only files that it has a number for.
  const { fd } = (socket as unknown as { _handle: { fd: number } })._handle;
  const script = 'export LISTEN_PID=$$ LISTEN_FDS=1; exec "$0" "$@"';
  const child = spawn('sh', ['-c', script, process.execPath, cli.main, 'serve'], {
    env: { ...cli.environment, RECOLLECT_PORT: '', RECOLLECT_LISTEN: 'systemd', ...env },
    stdio: ['ignore', 'pipe', 'pipe', fd],
  });
  // Accepting here as well would take connections from the server.
  await once(child, 'spawn');
  await new Promise((resolve) => socket.close(resolve));
  return { child, port };
}

test.skipIf(isWindows)('SYS-11: a server listens at the socket that systemd has opened', async () => {
  const { child, port } = await activate('127.0.0.1');
  try {
    const message = await printed(child, /Ctrl-C stops/);
    expect(message).toContain(`Open http://127.0.0.1:${port} in your browser.`);
    expect(message).not.toMatch(/It listens|API key/);
    // No key is needed on this machine, as usual.
    expect((await fetch(`http://127.0.0.1:${port}/api/v1/memories`)).status).toBe(200);
    expect((await cli.run(['status'])).out).toContain(`http://127.0.0.1:${port}`);
  } finally {
    child.kill();
    await once(child, 'exit');
  }
});

test.skipIf(isWindows)(
  'SEC-6, SYS-11: a socket of systemd that is open to the network needs RECOLLECT_AUTH',
  async () => {
    const { child } = await activate('0.0.0.0');
    const ended = once(child, 'exit');
    expect(await printed(child, /\n/)).toMatch(/opens Recollect to the network. Set RECOLLECT_AUTH=required/);
    expect(await ended).toEqual([78, null]);
  },
);

test('SYS-11: a place to listen that cannot be used is refused with a reason', async () => {
  for (const [env, reason] of [
    [{ RECOLLECT_LISTEN: 'unix:/tmp/a', RECOLLECT_PORT: '1' }, /RECOLLECT_LISTEN or RECOLLECT_PORT, not both/],
    [{ RECOLLECT_LISTEN: 'systemd', RECOLLECT_HOST: '::1' }, /RECOLLECT_LISTEN or RECOLLECT_HOST, not both/],
    [{ RECOLLECT_LISTEN: 'unix:http.sock' }, /full path/],
    [{ RECOLLECT_LISTEN: '4545' }, /must be systemd, or unix:/],
    [{ RECOLLECT_LISTEN: 'systemd' }, /systemd has passed no socket/],
    [{ RECOLLECT_LISTEN: `unix:/${'long/'.repeat(30)}sock` }, isWindows ? /Windows/ : /longer than 103 bytes/],
    [{ RECOLLECT_LISTEN: `unix:${join(cli.folder, 'missing', 'sock')}` }, isWindows ? /Windows/ : /does not exist/],
  ] as [Record<string, string>, RegExp][]) {
    const { code, out, err } = await cli.run(['serve'], { env: { RECOLLECT_PORT: '', ...env }, isRejected: true });
    expect([env, code, out, err]).toEqual([env, 78, '', expect.stringMatching(reason)]);
  }
});
