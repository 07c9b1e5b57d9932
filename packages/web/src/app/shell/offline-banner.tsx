import { Icon } from '@recollect/ui';
import { isOffline } from '../api/connection.js';

/** Says that the server does not respond. The typed text is kept. */
export function OfflineBanner() {
  return (
    <div role="alert" class="offline-banner" hidden={!isOffline.value}>
      {isOffline.value && (
        <>
          <Icon name="warning" />
          <p>
            Can’t reach Recollect. Retrying… What you type is kept in this browser. To start it, run{' '}
            <code>npm start</code>
          </p>
        </>
      )}
    </div>
  );
}
