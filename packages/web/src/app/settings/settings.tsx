import { usePageTitle } from '../shell/page-title.js';
import { Appearance } from './appearance.js';
import { Backups } from './backups.js';
import { Clients } from './clients.js';
import { Connections } from './connections.js';
import { Health } from './health.js';
import { Keys } from './keys.js';
import { Plugins } from './plugins.js';
import { Sessions } from './sessions.js';
import { Transfer } from './transfer.js';

/** The state of the deployment, and what can be set up. */
export default function Settings() {
  usePageTitle('Settings');
  return (
    <main id="main" tabIndex={-1} class="page">
      <h1>Settings</h1>
      <Health />
      <Backups />
      <Transfer />
      <Clients />
      <Plugins />
      <Keys />
      <Sessions />
      <Connections />
      <Appearance />
    </main>
  );
}
