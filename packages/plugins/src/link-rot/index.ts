import { setTimeout as sleep } from 'node:timers/promises';
import { type Annotated, definePlugin, type PluginContext, Type } from '@recollect/plugin-runtime';
import { checkLink, type Verdict } from './check-link.js';

const DAY_MS = 86_400_000;
const TAG = 'dead-link';
/** A memory with this many tags gets no further one; only its annotation then says that the link is dead. */
const MAX_TAGS = 100;
/** Number of hosts checked in parallel, with one request at a time and a pause in between per host. */
const MAX_HOSTS = 8;
const PAUSE_MS = 1_000;

/** The annotation of a memory. */
interface Note {
  checkedAt: string;
  verdict: Verdict['kind'];
  reason: string;
  /** Number of unanswered checks in a row. */
  failures: number;
}

/** The fields of a memory for a check. All due memories are kept until they are sorted. */
type Due = Pick<Annotated, 'id' | 'url' | 'tags' | 'annotation'>;

type Context = PluginContext<{ everyDays: number; mostChecks: number; failuresUntilDead: number }>;

/** Stores the result of a check, and adds or removes the tag. */
async function recordVerdict({ memory, configuration, logger }: Context, found: Due, verdict: Verdict): Promise<Note> {
  const before = found.annotation as Note | null;
  const failures = verdict.kind === 'unreachable' ? (before?.failures ?? 0) + 1 : 0;
  const isDead = verdict.kind === 'dead' || failures >= configuration.failuresUntilDead;
  const note: Note = {
    checkedAt: new Date().toISOString(),
    verdict: isDead ? 'dead' : verdict.kind,
    reason: verdict.reason,
    failures,
  };
  await memory.annotate(found.id, note);
  const hasRoom = found.tags.length < MAX_TAGS || found.tags.includes(TAG);
  if (isDead && !hasRoom)
    logger.warn(`The link of ${found.id} is dead, but the memory has too many tags for another one.`);
  else if (isDead) await memory.addTags(found.id, [TAG]);
  else if (verdict.kind === 'alive') await memory.removeTags(found.id, [TAG]);
  return note;
}

/**
 * The links whose last check is longest ago, those without any first: otherwise the newest would be due again before
 * the oldest.
 */
async function listDue({ memory, configuration }: Context): Promise<Due[]> {
  const before = new Date(Date.now() - configuration.everyDays * DAY_MS).toISOString();
  const due: Due[] = [];
  let cursor: string | null = null;
  do {
    const page = await memory.list({ limit: 100, cursor });
    for (const { id, url, tags, annotation } of page.memories)
      if (url !== null && ((annotation as Note | null)?.checkedAt ?? '') < before)
        due.push({ id, url, tags, annotation });
    cursor = page.nextCursor;
  } while (cursor !== null);
  const checkedAt = ({ annotation }: Due) => (annotation as Note | null)?.checkedAt ?? '';
  return due.sort((a, b) => (checkedAt(a) < checkedAt(b) ? -1 : 1)).slice(0, configuration.mostChecks);
}

export default definePlugin({
  slug: 'link-rot',
  version: '1.0.0',
  title: 'Dead links',
  description: `Checks whether captured links work and tags dead ones with ${TAG}. It connects to the sites that you saved.`,
  scopes: ['list', 'tag'],
  permissions: ['network'],
  configuration: Type.Object({
    everyDays: Type.Integer({
      default: 30,
      minimum: 1,
      maximum: 365,
      description: 'Days between two checks of a link',
    }),
    mostChecks: Type.Integer({
      default: 200,
      minimum: 1,
      maximum: 2_000,
      description: 'Maximum number of links checked per run',
    }),
    failuresUntilDead: Type.Integer({
      default: 3,
      minimum: 1,
      maximum: 20,
      description: 'Unanswered checks in a row after which a link counts as dead',
    }),
  }),
  jobs: {
    check: {
      title: 'Check the links that are due',
      defaultIntervalMinutes: 1_440,
      async run(context) {
        const { signal } = context;
        const hosts = Map.groupBy(await listDue(context), ({ url }) => new URL(url ?? '').host).values();
        const notes: Note[] = [];
        const unreachable: { found: Due; verdict: Verdict }[] = [];
        const worker = async () => {
          for (const links of hosts) {
            for (const [index, found] of links.entries()) {
              if (index > 0) await sleep(PAUSE_MS, undefined, { signal }).catch(() => {});
              if (signal.aborted) return;
              const verdict = await checkLink(found.url ?? '', { signal });
              if (signal.aborted) return;
              if (verdict.kind === 'unreachable') unreachable.push({ found, verdict });
              else notes.push(await recordVerdict(context, found, verdict));
            }
          }
        };
        await Promise.all(Array.from({ length: MAX_HOSTS }, worker));
        const hasAnswers = notes.some(({ verdict }) => verdict !== 'refused');
        if (unreachable.length > 0 && !hasAnswers) {
          return {
            status: 'warning',
            summary: 'No site answered. Is this machine online? No link was marked.',
            details: unreachable.slice(0, 20).map(({ found, verdict }) => `${found.url}: ${verdict.reason}`),
          };
        }
        for (const { found, verdict } of unreachable) notes.push(await recordVerdict(context, found, verdict));
        const count = (kind: Verdict['kind']) => notes.filter(({ verdict }) => verdict === kind).length;
        return {
          summary:
            notes.length === 0 ? 'No link is due.' : `${notes.length} links checked, ${count('dead')} of them dead.`,
          details: [
            `${count('alive')} answer, ${count('unreachable')} could not be reached this time.`,
            ...(count('refused') > 0 ? [`${count('refused')} not checked: in a private network.`] : []),
          ],
        };
      },
    },
  },
});
