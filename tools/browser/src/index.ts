export { type Browser, browserPath, openBrowser, openContext } from './open-browser.js';
export { serveOnly } from './serve-only.js';
