import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Installation } from '@recollect/core';
import { afterAll, describe, expect, test } from 'vitest';
import { withoutNetwork } from '../src/host/start-process.js';
import { fixture, installed, openTestHost } from './open-test-host.js';

const SECRET = 'the-secret-of-another-file';

/** The targets of an escape: each records that it was reached. */
async function openTargets(folder: string) {
  let reached = 0;
  const count = () => void reached++;
  const server = createServer((socket) => socket.on('error', () => {}).destroy())
    .on('connection', count)
    .listen(0, '::');
  const local = createServer((socket) => socket.destroy())
    .on('connection', count)
    .listen(join(folder, 'service.sock'));
  const datagrams = createSocket('udp4').on('message', count);
  datagrams.bind(0, '127.0.0.1');
  const victim = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await Promise.all([once(server, 'listening'), once(local, 'listening'), once(datagrams, 'listening')]);
  const secret = join(folder, 'secret.json');
  await writeFile(secret, JSON.stringify({ SECRET }));
  const target = {
    port: (server.address() as AddressInfo).port,
    udpPort: datagrams.address().port,
    path: join(folder, 'service.sock'),
    secret,
    created: join(folder, 'created'),
    pid: victim.pid ?? 0,
  };
  return {
    target,
    reached: () => reached,
    /** Waits until a connection that is opened now has arrived, after all that were opened before. */
    async settle() {
      const last = connect(target.port, '127.0.0.1').on('error', () => {});
      await once(last, 'close');
    },
    isVictimAlive: () => victim.exitCode === null && victim.signalCode === null,
    close() {
      victim.kill('SIGKILL');
      server.close();
      local.close();
      datagrams.close();
    },
  };
}

describe.each([
  // The system's own isolation would hide gaps of the process itself.
  { how: 'without the network', usesNamespaces: false, allowed: [], tries: /./ },
  {
    how: 'with the permission network',
    usesNamespaces: true,
    allowed: ['network' as const],
    tries: /builtins|connect|socket|listen|dispatcher/,
  },
])('SEC-14: a plugin stays confined $how', async ({ usesNamespaces, allowed, tries }) => {
  const open = await openTestHost({ usesNamespaces });
  const targets = await openTargets(open.folder);
  const added = await open.host.add(fixture('escaping'), { sha256: null, allow: allowed });
  const plugin: Installation = installed(added, { allowed, configuration: { target: targets.target } });
  afterAll(async () => {
    targets.close();
    await open.close();
  });

  const ids = added.manifest.jobs.map(({ id }) => id).filter((id) => tries.test(id));

  test.each(ids)('which %s', async (jobId) => {
    const outcome = await open.run(plugin, jobId);
    // A module of Node may end the process after a refused connection.
    expect('summary' in outcome && outcome.summary).toMatch(/^tried$|EACCES/);
    expect(JSON.stringify(outcome)).not.toContain(SECRET);
    expect(JSON.stringify(outcome)).not.toContain('ESCAPED');
    expect(targets.reached()).toBe(0);
    expect(existsSync(targets.target.created)).toBe(false);
    expect(targets.isVictimAlive()).toBe(true);
  });

  test('after more than thirty ways, and no connection is left to arrive', async () => {
    expect(added.manifest.jobs.length).toBeGreaterThan(30);
    await targets.settle();
    expect(targets.reached(), "the test's own connection").toBe(1);
  });
});

test.runIf((await withoutNetwork()).length > 0)(
  'SEC-14: the network namespace reaches no address of this machine',
  async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const [command = '', ...flags] = [...(await withoutNetwork()), process.execPath];
    const code = `require('net').connect(${(server.address() as AddressInfo).port}, '127.0.0.1')
    .on('connect', () => process.exit(0)).on('error', ({ code }) => { console.log(code); process.exit(1); })`;
    const child = spawn(command, [...flags, '-e', code], { stdio: ['ignore', 'pipe', 'ignore'] });
    const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect([child.exitCode, printed.trim()]).toEqual([1, 'ENETUNREACH']);
    server.close();
  },
);
