import type { Server } from '@modelcontextprotocol/server';
import type { Resources } from '../resources/resource.js';
import { type Requests, rejectCursor } from './requests.js';

/** Handles the requests to list resources, page by page, and to read them. */
export function bindResources(server: Server, resources: Resources, { read }: Requests): void {
  server.setRequestHandler('resources/list', ({ params }, context) =>
    read(context, (session) => resources.list(session, params?.cursor)),
  );
  server.setRequestHandler('resources/templates/list', ({ params }) => {
    rejectCursor(params?.cursor);
    return { resourceTemplates: [...resources.templates] };
  });
  server.setRequestHandler('resources/read', ({ params: { uri } }, context) =>
    read(context, (session) => resources.read(session, uri)),
  );
}
