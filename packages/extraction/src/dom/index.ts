export { baseOf, cleanPage, isUnseen } from './clean-page.js';
export { fenced } from './code-blocks.js';
export { type Address, type Article, findArticle } from './find-article.js';
export { findPanels, type Panels, reveal } from './find-panels.js';
export { toMarkdown } from './to-markdown.js';
