import { render } from 'preact';
import { Popup } from './popup.js';

const root = document.getElementById('popup');
if (root === null) throw new Error('popup.html has no place for the popup.');
root.replaceChildren();
render(<Popup />, root);
