import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

const DIMENSIONS = 32;

/** An embedding service with arbitrary vectors, so that indexing runs without the cost of a model. */
export async function startFakeModel(): Promise<{ env: Record<string, string>; close(): void }> {
  const server = createServer(async (incoming, response) => {
    const { input } = (await json(incoming)) as { input: string | string[] };
    const data = [input].flat().map((text, index) => ({
      index,
      embedding: [...createHash('sha256').update(text).digest()].slice(0, DIMENSIONS).map((byte) => byte - 127.5),
    }));
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    env: {
      RECOLLECT_EMBEDDINGS: 'on',
      RECOLLECT_EMBEDDINGS_URL: `http://127.0.0.1:${port}/v1`,
      RECOLLECT_EMBEDDINGS_MODEL: 'arbitrary',
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
