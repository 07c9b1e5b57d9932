export { onlyThis } from './only-this.js';
export { type Browser, browserPath, openBrowser } from './open-browser.js';
