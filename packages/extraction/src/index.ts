export { type ArticleExtractorOptions, openArticleExtractor } from './article-extractor.js';
