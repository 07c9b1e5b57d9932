import { limits } from '@recollect/contract/limits';
import { clipText } from '@recollect/contract/text';
import { RecollectError } from '../error.js';
import type { Installation, PluginCall, PluginOutcome } from '../plugin.js';
import type { CorePorts } from '../ports/core-ports.js';
import type { Lease, PluginHost } from '../ports/index.js';
import type { AnswerPlugin } from './answer-plugin.js';

const refuse = async (): Promise<never> => {
  throw new RecollectError('PLUGIN_INVALID', 'Plugins are not supported here.');
};

/** The default when no plugin host is configured: no plugins ship, and none can be installed or started. */
export const noPluginHost: PluginHost = {
  shipped: async () => [],
  add: refuse,
  validateConfiguration: refuse,
  async remove() {},
  call: async () => ({ kind: 'not-started', summary: 'Plugins are not supported here.', details: [] }),
  async close() {},
};

const { failedStarts, summaryLength, details: detailLimits } = limits.plugins;

/** Calls a plugin on behalf of the user who holds the lease. */
export type CallPlugin = (
  plugin: Installation,
  call: PluginCall,
  options: { lease: Lease; signal: AbortSignal },
) => Promise<PluginOutcome>;

/** Also suspends a plugin that fails to start several times in a row. */
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
    const tidied = limitOutput(outcome);
    const now = clock.now().toISOString();
    if (tidied.kind !== 'not-started') {
      if (plugin.failedStarts > 0) await installations.update(slug, { failedStarts: 0 }, now);
      return tidied;
    }
    // Do not count a failure of the old files against files that were installed since.
    if ((await installations.find(slug))?.sha256 !== plugin.sha256) return tidied;
    if ((await installations.countFailedStart(slug)) >= failedStarts) {
      const reason = `It failed to start ${failedStarts} times in a row. ${tidied.summary}`;
      await installations.update(slug, { suspended: { since: now, reason } }, now);
    }
    return tidied;
  };
}

type Ended = Exclude<PluginOutcome, { kind: 'stopped' }>;

/** Limits the length of a plugin's output and removes control characters other than line breaks and tabs. */
function limitOutput(outcome: Ended): Ended {
  const { items, length } = detailLimits;
  const shownDetails = outcome.details.slice(0, items).map((detail) => clean(detail, length));
  const more = outcome.details.length - shownDetails.length;
  return {
    ...outcome,
    summary: clean(outcome.summary, summaryLength).replace(/\s+/g, ' '),
    details: more > 0 ? [...shownDetails, `${more} more are not kept.`] : shownDetails,
  };
}

/** A text without control characters other than line breaks and tabs, of at most `length` characters. */
function clean(text: string, length: number): string {
  return clipText(
    text
      .replace(/[^\P{Cc}\n\t]/gu, '')
      .toWellFormed()
      .trim(),
    length,
  );
}
