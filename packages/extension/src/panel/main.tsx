import { render } from 'preact';
import { SidePanel } from './side-panel.js';

const root = document.getElementById('panel');
if (root === null) throw new Error('panel.html has no #panel element.');
render(<SidePanel />, root);
