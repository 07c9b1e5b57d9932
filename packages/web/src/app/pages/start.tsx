import { useLocation } from 'preact-iso/router';
import { isListPage } from '../state/query.js';
import { Everything } from './everything.js';
import { Home } from './home.js';

/** The home page, or the list while the address has a query. A query that is typed does not leave the page. */
export function Start() {
  useLocation();
  return isListPage() ? <Everything /> : <Home />;
}
