// @ts-check
import { spawnSync } from 'node:child_process';

/**
 * Runs npm, and returns what it prints to standard output. Throws with what it prints to standard error if it fails.
 * @param {readonly string[]} args
 * @param {string} folder
 */
export function runNpm(args, folder) {
  // The npm that started this process, so that no shell is needed to find it.
  const script = process.env.npm_execpath;
  const [command, ...first] = script?.endsWith('.js') ? [process.execPath, script] : ['npm'];
  // With npm's variables of a script, npm would use the folder of that script.
  const kept = (/** @type {[string, unknown]} */ [name]) =>
    !/^npm_(?:package|lifecycle|command|config_local_prefix|config_prefix)/i.test(name);
  const { status, stdout, stderr, error } = spawnSync(String(command), [...first, ...args], {
    cwd: folder,
    env: Object.fromEntries(Object.entries(process.env).filter(kept)),
    encoding: 'utf8',
    shell: script === undefined && process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`npm ${args[0]} failed. ${stderr ?? ''}${error?.message ?? ''}`);
  return stdout;
}
