import type { Plugin, PluginRun } from '@recollect/contract';
import { count, describeInterval } from '@recollect/contract/text';
import { ago, inert, print, printJson, style } from '../../terminal/output.js';
import { type AddCommand, withExecutor } from '../command.js';

export const addList: AddCommand = (plugins) => {
  plugins
    .command('list')
    .description('list installed and available plugins with their jobs')
    .option('--json', 'print JSON')
    .action(list);
};

async function list({ json }: { json?: boolean }): Promise<void> {
  await withExecutor(async ({ call }) => {
    const answer = await call('listPlugins', {});
    if (json) return printJson(answer);
    for (const plugin of answer.plugins) printPlugin(plugin);
    if (answer.plugins.every(({ state }) => state === 'available')) {
      print('\nNo plugins yet. Install one with: recollect plugins install daily-digest');
    }
  });
}

const MINUTE = 60_000;

/** The time until an instant in words, such as `in 2 hours`. */
export function formatTimeUntil(instant: string): string {
  const milliseconds = Date.parse(instant) - Date.now();
  if (milliseconds <= 0) return 'now';
  const minutes = Math.round(milliseconds / MINUTE);
  if (milliseconds < MINUTE) return `in ${count(Math.ceil(milliseconds / 1_000), 'second', 'seconds')}`;
  if (minutes < 120) return `in ${count(minutes, 'minute', 'minutes')}`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `in ${hours} hours` : `in ${Math.round(hours / 24)} days`;
}

/** Prints a plugin with its jobs and anything that needs attention. */
function printPlugin(plugin: Plugin): void {
  const { slug, version, title, state, jobs, events, suspension, permissions, source, sha256 } = plugin;
  const sourceNote = source === 'folder' ? `, your own, SHA-256 ${sha256.slice(0, 12)}…` : '';
  print(`${style('bold', slug)} ${inert(version)}  ${formatState(state)}${sourceNote}  ${style('dim', inert(title))}`);
  const missing = permissions.filter(({ allowed }) => !allowed).map(({ permission }) => permission);
  if (missing.length > 0) {
    const command = state === 'available' ? 'install' : 'enable';
    print(`  needs ${missing.join(', ')}: recollect plugins ${command} ${slug} --allow ${missing.join(',')}`);
  }
  if (state === 'available') return;
  for (const { jobId, schedule, lastRun } of jobs) {
    const when =
      schedule?.enabled && schedule.nextRunAt !== null
        ? `${describeInterval(schedule.intervalMinutes)}, next ${formatTimeUntil(schedule.nextRunAt)}`
        : 'not scheduled';
    print(`  ${jobId}: ${when}${lastRun === null ? '' : `; last ${ago(lastRun.startedAt)}: ${formatRun(lastRun)}`}`);
  }
  if (events.told > 0) print(`  notified of ${count(events.told, 'capture', 'captures')}`);
  if (events.waiting > 0) {
    const next = events.nextAt === null ? '' : `, next ${formatTimeUntil(events.nextAt)}`;
    print(`  ${count(events.waiting, 'capture', 'captures')} waiting for delivery${next}`);
  }
  if (events.parked > 0) {
    print(
      `  ${count(events.parked, 'capture', 'captures')} failed too often; retry with: recollect plugins enable ${slug}`,
    );
  }
  if (events.lastError !== null) print(`  last failure: ${inert(events.lastError)}`);
  if (suspension !== null) print(`  ${inert(suspension.reason)} To resume: recollect plugins enable ${slug}`);
}

export function formatRun({ status, summary }: Pick<PluginRun, 'status' | 'summary'>): string {
  const colour = status === 'success' ? 'green' : status === 'warning' ? 'yellow' : 'red';
  return `${style(colour, status)}, ${inert(summary)}`;
}

function formatState(state: Plugin['state']): string {
  const colours = { active: 'green', suspended: 'red', disabled: 'yellow', available: 'dim' } as const;
  return style(colours[state], state === 'available' ? 'not installed' : state);
}
