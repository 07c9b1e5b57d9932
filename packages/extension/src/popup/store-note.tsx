import { useEffect, useState } from 'preact/hooks';
import { type Connection, isStoreProblem } from '../saving/connection.js';

interface Problem {
  code: string;
  message: string;
}

/** Says that the store accepts no changes, why, and what to do. */
export function StoreNote({ connection }: { connection: Connection }) {
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(() => {
    if (connection.state !== 'connected') return setProblem(null);
    connection.client('health', {}).then(
      () => setProblem(null),
      (error) => setProblem(isStoreProblem(error) ? error : null),
    );
  }, [connection]);
  return (
    <div role="alert">
      {problem !== null && connection.state === 'connected' && (
        <div class="notice bad">
          <p>{problem.message}</p>
          <p>
            {problem.code === 'STORE_DAMAGED' && (
              <>
                <code>recollect restore</code> puts it back, and asks before it does.{' '}
              </>
            )}
            <a href={new URL('/docs/reliability', connection.baseUrl).href} target="_blank" rel="noreferrer">
              What to do
            </a>
          </p>
        </div>
      )}
    </div>
  );
}
