export { type Browser, browserPath, openBrowser } from './open-browser.js';
export { serveOnly } from './serve-only.js';
