import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { asAccount, freePort, giveToAccount } from './start-postgres.js';

const PROGRAM = ['pgbouncer', '/usr/sbin/pgbouncer'].find(
  (program) => spawnSync(program, ['--version']).error === undefined,
);

/** Whether PgBouncer is installed. */
export const hasPooler = PROGRAM !== undefined;

/** Starts PgBouncer in front of the database of a URL. It refuses to run as root: another account runs it then. */
export async function startPooler(
  url: string,
  mode: 'session' | 'transaction',
): Promise<{ url: string; stop(): void }> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const folder = mkdtempSync(join(tmpdir(), 'recollect-pooler-'));
  const [listening, users, settings] = [await freePort(), join(folder, 'users'), join(folder, 'settings')];
  writeFileSync(users, `"${username}" "${password}"\n`);
  writeFileSync(
    settings,
    `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listening}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = 30
`,
  );
  for (const path of [folder, users, settings]) giveToAccount(path);
  const [program, ...more] = asAccount([PROGRAM ?? '', settings]);
  const child = spawn(program, more, { stdio: 'ignore' });
  await untilListening(listening);
  const pooled = new URL(url);
  Object.assign(pooled, { hostname: '127.0.0.1', port: String(listening), pathname });
  return {
    url: pooled.href,
    stop() {
      child.kill('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilListening(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return;
    } catch {
      await setTimeout(50);
    } finally {
      socket.destroy();
    }
  }
}
