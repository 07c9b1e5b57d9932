import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { createFakeModel } from '@recollect/core/testing';

/** An embedding service that costs next to nothing, and the settings that select it. */
export async function serveModel(): Promise<{ env: Record<string, string>; close(): void }> {
  const model = createFakeModel();
  const server = createServer(async (request, response) => {
    const { input } = (await json(request)) as { input: string | string[] };
    const vectors = await model.embed([input].flat(), { purpose: 'document' });
    const data = vectors.map((vector, index) => ({ index, embedding: [...vector] }));
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    env: {
      RECOLLECT_EMBEDDINGS: 'on',
      RECOLLECT_EMBEDDINGS_URL: `http://127.0.0.1:${port}/v1`,
      RECOLLECT_EMBEDDINGS_MODEL: 'fake',
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
