import { searchAddress } from '../state/query.js';
import { usePageTitle } from './page-title.js';

/** An address without a page. */
export function NotFound() {
  usePageTitle('Not found');
  return (
    <main id="main" tabIndex={-1} class="page">
      <h1>Page not found</h1>
      <p>
        <a href={searchAddress('')}>Show everything</a>
      </p>
    </main>
  );
}
