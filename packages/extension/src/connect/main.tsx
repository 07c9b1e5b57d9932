import { render } from 'preact';
import { Connect } from './connect.js';

const root = document.getElementById('connect');
if (root === null) throw new Error('connect.html has no #connect element.');
render(<Connect />, root);
