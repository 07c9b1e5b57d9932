import { Readable } from 'node:stream';
import { type ChangedEvent, limits } from '@recollect/contract';
import { type ChangeLog, type Core, RecollectError } from '@recollect/core';
import { type App, bindOperation } from '../bind-operation.js';

import { addressBlock } from '../gate/rate-limits.js';
import { STALL } from '../while-read.js';

/** Milliseconds between two looks at the change sequence, which other processes change too. */
const POLL_INTERVAL_MS = 500;
/** The same where the database announces changes, which it can fail to do. */
const ANNOUNCED_INTERVAL_MS = 5_000;

/** Notifies its followers whenever a user's change sequence has grown. It looks only while there are any. */
interface ChangeFeed {
  /** Calls `notify` at each look, with the user's newest number, until the returned function is called. */
  follow(userId: string, notify: (newest: number) => void): () => void;
}

function createChangeFeed(changes: ChangeLog): ChangeFeed {
  const followers = new Set<{ userId: string; notify: (newest: number) => void }>();
  const interval = changes.follow === undefined ? POLL_INTERVAL_MS : ANNOUNCED_INTERVAL_MS;
  let isLooking = false;
  let unfollow: (() => void) | undefined;

  const lookFor = async (userId: string) => {
    const newest = await changes.latest(userId).catch(() => null);
    if (newest === null) return;
    for (const follower of followers) if (follower.userId === userId) follower.notify(newest);
  };

  const look = async () => {
    for (const userId of new Set(Array.from(followers, (follower) => follower.userId))) await lookFor(userId);
    isLooking = followers.size > 0;
    if (isLooking) setTimeout(look, interval).unref();
  };

  return {
    follow(userId, notify) {
      const follower = { userId, notify };
      followers.add(follower);
      unfollow ??= changes.follow?.((changed) => void lookFor(changed));
      if (!isLooking) setTimeout(look, interval).unref();
      isLooking = true;
      return () => {
        followers.delete(follower);
        if (followers.size > 0) return;
        unfollow?.();
        unfollow = undefined;
      };
    },
  };
}

/** Milliseconds between two comments that keep a connection through a proxy open. */
const KEEP_ALIVE = 20_000;
/** Bytes of events that wait for a client. */
const BACKLOG = 1024 * 1024;
/** Seconds after which a client that has too many streams may try again. */
const RETRY = 10;
/** Ids in one event. Beyond them, a client reloads what it shows. */
const MAX_IDS = 500;

/**
 * Notifications of changes (Server-Sent Events). The id of an event is the number of its last change. A client that was
 * gone sends it as Last-Event-ID and gets what it missed, or the event `reset` if that is no longer known.
 */
export function eventRoutes(app: App, { changes }: Core, stopping: AbortSignal): void {
  const feed = createChangeFeed(changes);
  const open = createOpenStreams();

  bindOperation(app, 'events', async ({ identity: { userId, apiKeyId }, admission, headers, reply }) => {
    const release = open.add(apiKeyId ?? addressBlock(reply.request.ip));
    reply.raw.once('close', release);
    const stream = new Readable({ read() {} });
    let isOpen = true;
    const end = () => {
      if (isOpen) stream.push(null);
      isOpen = false;
    };
    const send = (event: string) => {
      // A reader that stalls gets the missed changes when it connects again.
      if (stream.readableLength > BACKLOG) reply.raw.destroy();
      else if (isOpen) stream.push(event);
    };
    let sent = readEventId(headers['last-event-id']) ?? (await changes.latest(userId));
    if (reply.request.method === 'HEAD' || stopping.aborted) {
      end();
      return stream;
    }
    send(`id: ${sent}\nretry: 2000\n\n`);

    let isReading = false;
    const onChange = async (newest: number) => {
      // A store that was replaced by an older one has smaller numbers.
      if (isReading || newest === sent) return;
      isReading = true;
      try {
        if (!(await admission.isStillAdmitted())) {
          end();
          return;
        }
        const newChanges = await changes.since(userId, sent);
        const shown = newChanges?.filter(({ isVectorsOnly }) => !isVectorsOnly);
        const ids = [...new Set(shown?.map(({ memoryId }) => memoryId))];
        sent = newest;
        const isKnown = newChanges !== null && ids.length <= MAX_IDS;
        const data: ChangedEvent = { memoryIds: ids };
        if (!isKnown) send(`id: ${newest}\nevent: reset\ndata: {}\n\n`);
        else if (ids.length > 0) send(`id: ${newest}\nevent: changed\ndata: ${JSON.stringify(data)}\n\n`);
      } catch {
        // The next look tries again.
      } finally {
        isReading = false;
      }
    };
    const unfollow = feed.follow(userId, onChange);
    let waited = 0;
    const keepAlive = setInterval(async () => {
      waited = stream.readableLength > 0 ? waited + KEEP_ALIVE : 0;
      if (waited >= STALL) reply.raw.destroy();
      // A key that was revoked or has expired also ends what it opened.
      if (await admission.isStillAdmitted()) send(':\n\n');
      else end();
    }, KEEP_ALIVE).unref();
    stopping.addEventListener('abort', end, { once: true });
    stream.once('close', () => {
      unfollow();
      clearInterval(keepAlive);
      stopping.removeEventListener('abort', end);
    });
    // Proxies would otherwise collect the events.
    reply.header('x-accel-buffering', 'no');
    return stream;
  });
}

/** The open streams of each caller. */
function createOpenStreams(): { add(caller: string): () => void } {
  const counts = new Map<string, number>();
  let all = 0;
  return {
    /** Counts a stream until the returned function is called. Throws RATE_LIMITED if there are too many. */
    add(caller) {
      const openStreams = counts.get(caller) ?? 0;
      if (openStreams >= limits.eventStreams.ofCaller || all >= limits.eventStreams.ofAll) {
        const sentence = 'Too many streams of events are open. Close one, or use one for several windows.';
        throw new RecollectError('RATE_LIMITED', sentence, { retryAfter: RETRY });
      }
      counts.set(caller, openStreams + 1);
      all += 1;
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        all -= 1;
        const left = (counts.get(caller) ?? 1) - 1;
        if (left === 0) counts.delete(caller);
        else counts.set(caller, left);
      };
    },
  };
}

/** The number in a Last-Event-ID header; null if the server did not send it. */
function readEventId(header: string | string[] | undefined): number | null {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : null;
}
