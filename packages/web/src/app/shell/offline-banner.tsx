import { Icon } from '@recollect/ui';
import { isOffline } from '../api/connection.js';

/** Says that the server does not answer. What is typed is kept. */
export function OfflineBanner() {
  return (
    <div role="alert" class="offline-banner" hidden={!isOffline.value}>
      {isOffline.value && (
        <>
          <Icon name="warning" />
          <p>Recollect does not answer. This page tries again until it does. Start it with: npm start</p>
        </>
      )}
    </div>
  );
}
