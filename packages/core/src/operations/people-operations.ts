import type { Sessions } from '../access/sessions.js';
import type { Audit } from '../people/audit.js';
import type { People } from '../people/people.js';
import type { OperationHandlers } from './operation-call.js';

type PeopleOperation = 'listPeople' | 'changePerson' | 'removePerson' | 'signPersonOut' | 'auditLog';

/** PPL-1, PPL-2, PPL-6: the people of the deployment, for its operators. */
export function peopleOperations({
  people,
  sessions,
  audit,
}: {
  people: People;
  sessions: Sessions;
  audit: Audit;
}): OperationHandlers<PeopleOperation> {
  return {
    listPeople: async () => ({ people: await people.list() }),
    async changePerson({ userId, parameters: { id }, body }) {
      const person = await people.change(id, body);
      const { name: _, ...values } = body;
      await audit.record(userId, 'changePerson', id, values);
      return person;
    },
    async removePerson({ userId, parameters: { id } }) {
      const receipt = await people.remove(id);
      const { userId: _, name: __, ...counts } = receipt;
      await audit.record(userId, 'removePerson', id, counts);
      return receipt;
    },
    async signPersonOut({ userId, parameters: { id } }) {
      await people.get(id);
      const ended = await sessions.revokeAll(id);
      await audit.record(userId, 'signPersonOut', id, { sessions: ended });
      return { sessions: ended };
    },
    auditLog: ({ query }) => audit.list(query.before),
  };
}
