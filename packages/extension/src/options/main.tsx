import { render } from 'preact';
import { Header } from '../popup/header.js';
import { PageOptions } from './page-options.js';

const root = document.getElementById('options');
if (root === null) throw new Error('options.html has no #options element.');
render(
  <>
    <Header />
    <main>
      <PageOptions />
    </main>
  </>,
  root,
);
