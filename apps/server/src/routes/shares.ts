import type { Share as SharedWith } from '@recollect/contract';
import { type Core, RecollectError, type Share } from '@recollect/core';
import type { FastifyReply } from 'fastify';
import { type App, bindOperation } from '../bind-operation.js';
import { feedOf, memoryPageOf, missingPage, pageOf, publicPolicy } from '../public-page.js';
import { wantsPage } from '../web-page.js';

/** SHR-1, SHR-4: shares, and the public pages and feeds that need no key. */
export function shareRoutes(app: App, { shares, shared }: Core, { hasPages }: { hasPages: boolean }): void {
  const toAnswer = (share: Share, people: readonly { id: string; name: string }[], baseUrl: string): SharedWith => {
    const { id, tag, search, personId, mayAdd, showsText, token, createdAt } = share;
    const person = personId === null ? null : { id: personId, name: people.find((one) => one.id === personId)?.name };
    return {
      id,
      tag,
      savedSearch: search,
      person: person && { id: person.id, name: person.name ?? 'Suspended person' },
      mayAdd,
      showsText,
      link: token === null || !hasPages ? null : `${baseUrl}/public/${token}`,
      createdAt,
    };
  };

  bindOperation(app, 'listShares', async ({ identity, admission }) => {
    const { shares: own, people } = await shares.list(identity.userId);
    return {
      shares: own.map((share) => toAnswer(share, people, admission.baseUrl)),
      people,
      hasPublicPages: hasPages,
    };
  });

  bindOperation(app, 'createShare', async ({ identity, admission, body }) => {
    if (body.isPublic === true && !hasPages)
      throw new RecollectError('OWNER_ONLY', 'Public pages are switched off. Ask the person who operates this server.');
    const share = await shares.create(identity.userId, body);
    return toAnswer(share, (await shares.list(identity.userId)).people, admission.baseUrl);
  });

  /** One answer for an unknown address, an ended share, and a deployment without public pages. */
  const read = async (token: string) => (hasPages ? shared.readPublic(token) : null);

  bindOperation(app, 'publicPage', async ({ admission: { baseUrl }, parameters: { token }, reply }) => {
    reply.headers(PAGE_HEADERS);
    const page = await read(token);
    return page === null ? sendMissing(reply) : pageOf(page, `${baseUrl}/public/${token}`);
  });

  bindOperation(app, 'publicMemory', async ({ parameters: { token, memoryId }, reply }) => {
    reply.headers(PAGE_HEADERS);
    const memory = hasPages ? await shared.getPublic(token, memoryId) : null;
    return memory === null ? sendMissing(reply) : memoryPageOf(memory);
  });

  bindOperation(app, 'publicFeed', async ({ admission: { baseUrl }, parameters: { token }, reply }) => {
    reply.header('x-robots-tag', NO_ROBOTS);
    const page = await read(token);
    if (page === null) throw notShared();
    return feedOf(page, `${baseUrl}/public/${token}`);
  });
}

/** Responds with 404: to a browser with a page, to a program with a problem document. */
function sendMissing(reply: FastifyReply): string {
  if (!wantsPage(reply)) throw notShared();
  reply.code(404);
  return missingPage;
}

function notShared(): RecollectError {
  return new RecollectError('NOT_FOUND', 'There is no such page, or it is no longer shared.');
}

const NO_ROBOTS = 'noindex, nofollow';
/** Nothing on a page runs, loads or sends anything, and no search engine lists it. */
const PAGE_HEADERS = { 'content-security-policy': publicPolicy, 'x-robots-tag': NO_ROBOTS };
