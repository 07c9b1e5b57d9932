import '@recollect/ui/tokens.css';
import '@recollect/ui/base.css';
import './styles/index.css';
import { render } from 'preact';
import { App } from './app.js';
import { applyTheme } from './shell/theme.js';

applyTheme();
// After an update, the server no longer has the parts that this page would load.
addEventListener('vite:preloadError', () => location.reload());
const root = document.getElementById('app');
if (root === null) throw new Error('index.html has no #app element.');
render(<App />, root);
