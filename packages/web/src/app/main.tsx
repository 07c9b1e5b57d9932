import '@recollect/ui/tokens.css';
import '@recollect/ui/base.css';
import './styles/index.css';
import { render } from 'preact';
import { enterBasePath } from './api/base-path.js';
import { App } from './app.js';
import { keepInstallPrompt } from './shell/install.js';
import { keepFocus } from './shell/keep-focus.js';
import { pairByAddress } from './shell/pair.js';
import { openInvitationByAddress } from './shell/passkey.js';
import { installWorker, reloadAfterUpdate } from './shell/updates.js';
import { applyLooks } from './state/looks.js';

enterBasePath();
keepInstallPrompt();
applyLooks();
addEventListener('vite:preloadError', reloadAfterUpdate);
const root = document.getElementById('app');
if (root === null) throw new Error('index.html has no #app element.');
// The placeholder of index.html.
root.replaceChildren();
keepFocus(root);
addEventListener('load', installWorker);
// Otherwise the sign-in would be shown until then.
await pairByAddress();
openInvitationByAddress();
addEventListener('hashchange', () => {
  void pairByAddress();
  openInvitationByAddress();
});
render(<App />, root);
