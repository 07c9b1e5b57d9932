import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cliProgram } from './cli-program.js';

/** Starts `recollect serve` as users do, in a separate process, and waits until it answers. */
export async function serveProgram(env: NodeJS.ProcessEnv): Promise<{ address: string; stop(): Promise<void> }> {
  const server = spawn(process.execPath, [cliProgram, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(server, 'exit');
  const address = await new Promise<string>((resolve, reject) => {
    server.stdout.on('data', (chunk) => {
      const found = /Open (http:\S+)/.exec(String(chunk))?.[1];
      if (found !== undefined) resolve(found);
    });
    void exited.then(() => reject(new Error('The server ended.')));
  });
  return {
    address,
    async stop() {
      server.kill('SIGTERM');
      await exited;
    },
  };
}
