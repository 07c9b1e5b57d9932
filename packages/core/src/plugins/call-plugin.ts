import { limits } from '@recollect/contract/limits';
import type { CorePorts } from '../core-ports.js';
import type { Installation, PluginCall, PluginOutcome } from '../plugin.js';
import type { Lease } from '../ports/index.js';
import type { AnswerPlugin } from './answer-plugin.js';

const { failedStarts, summaryLength, details: detailLimits } = limits.plugins;

/** Calls a plugin on behalf of the user whose lease the work is done under. */
export type CallPlugin = (
  plugin: Installation,
  call: PluginCall,
  options: { lease: Lease; signal: AbortSignal },
) => Promise<PluginOutcome>;

/** Plugins are called one by one; one that fails to start again and again is suspended. */
export function createCallPlugin(
  { pluginHost, installations, clock }: Pick<CorePorts, 'pluginHost' | 'installations' | 'clock'>,
  answer: AnswerPlugin,
): CallPlugin {
  return async (plugin, call, { lease, signal }) => {
    const { slug } = plugin.manifest;
    const outcome = await pluginHost.call(plugin, call, {
      userId: lease.userId,
      signal,
      answer: (request) => answer(plugin, lease, request),
    });
    if (outcome.kind === 'stopped') return outcome;
    const tidied = tidy(outcome);
    const now = clock.now().toISOString();
    if (tidied.kind !== 'not-started') {
      if (plugin.failedStarts > 0) await installations.update(slug, { failedStarts: 0 }, now);
      return tidied;
    }
    // Other files may have come meanwhile; that the old ones do not start is no fault of theirs.
    if ((await installations.find(slug))?.sha256 !== plugin.sha256) return tidied;
    if ((await installations.countFailedStart(slug)) >= failedStarts) {
      const reason = `It failed to start ${failedStarts} times in a row. ${tidied.summary}`;
      await installations.update(slug, { suspended: { since: now, reason } }, now);
    }
    return tidied;
  };
}

type Ended = Exclude<PluginOutcome, { kind: 'stopped' }>;

/** What a plugin says of itself is kept within bounds, and holds no control characters but line breaks. */
function tidy(outcome: Ended): Ended {
  const { items, length } = detailLimits;
  const kept = outcome.details.slice(0, items).map((detail) => clip(detail, length));
  const more = outcome.details.length - kept.length;
  return {
    ...outcome,
    summary: clip(outcome.summary, summaryLength).replace(/\s+/g, ' '),
    details: more > 0 ? [...kept, `${more} more are not kept.`] : kept,
  };
}

function clip(text: string, length: number): string {
  const clean = text
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .toWellFormed()
    .trim();
  return clean.length <= length ? clean : `${clean.slice(0, length - 1).toWellFormed()}…`;
}
