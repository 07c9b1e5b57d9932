import type { Status } from '@recollect/contract';
import { count } from '@recollect/contract/text';
import { Age } from '@recollect/ui';

/** The last errors of the server, newest first. They name no memory and hold nothing that a user wrote. */
export function ServerErrors({ errors }: { errors: Status['errors'] }) {
  if (errors.length === 0) return null;
  return (
    <details>
      <summary>Last errors of the server</summary>
      <ul aria-label="Last errors of the server" class="settings-list">
        {errors.map(({ operation, code, cause, count: times, lastAt, requestId }) => (
          <li key={`${operation} ${code} ${cause}`}>
            <div>
              <strong>{operation}</strong> {code} <Age instant={lastAt} style="long" />
              <p class="soft">
                {cause}, {count(times, 'time')}
                {requestId !== null && `, last request ${requestId}`}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </details>
  );
}
