import type { Description } from './description.js';
import { ARTICLE_TREES } from './trees/article-trees.js';
import { FEATURES } from './trees/features.js';
import { PAGE_TREES } from './trees/page-trees.js';
import { TYPE_TREES } from './trees/type-trees.js';

/**
 * A decision tree as arrays: its root is node 0, and the left child of a node, for values up to its limit, follows it.
 */
interface Tree {
  /** The place of a feature in `FEATURES`; -1 for a leaf. */
  readonly features: Int16Array;
  /** The limit of a decision, or the value of a leaf. */
  readonly numbers: Float64Array;
  readonly rights: Int16Array;
}

/**
 * A page at least this probable to be one article is judged by the trees of articles, which lose little on other pages.
 */
const ARTICLE = 0.2;

const known = new Map<readonly string[], readonly Tree[]>();

export interface Judgement {
  /** The probability of each block, from 0 to 1, that it is part of its page's text. */
  readonly probabilities: readonly number[];
  /** Whether the page is probably one article. */
  readonly isArticle: boolean;
}

/** Judges the blocks of a page: first what kind of page it is, then its blocks by the trees for that kind. */
export function judgeBlocks(descriptions: readonly Description[]): Judgement {
  const all = descriptions.map((description) => FEATURES.map((feature) => description[feature] ?? 0));
  const [first] = all;
  const isArticle = first !== undefined && probabilityOf(TYPE_TREES, first) > ARTICLE;
  const trees = isArticle ? ARTICLE_TREES : PAGE_TREES;
  return { probabilities: all.map((values) => probabilityOf(trees, values)), isArticle };
}

function probabilityOf(sources: readonly string[], values: readonly number[]): number {
  let trees = known.get(sources);
  if (trees === undefined) {
    trees = sources.map(readTree);
    known.set(sources, trees);
  }
  const sum = trees.reduce((total, tree) => total + leafOf(tree, values), 0);
  return 1 / (1 + Math.exp(-sum));
}

function leafOf({ features, numbers, rights }: Tree, values: readonly number[]): number {
  let node = 0;
  for (let feature = features[0] ?? -1; feature >= 0; feature = features[node] ?? -1)
    node = (values[feature] ?? 0) <= (numbers[node] ?? 0) ? node + 1 : (rights[node] ?? 0);
  return numbers[node] ?? 0;
}

/**
 * Reads a tree as `training/train.py` writes it: its nodes in order, `feature<limit` for a decision and `=value` for a
 * leaf.
 */
function readTree(source: string): Tree {
  const nodes = source.split(' ');
  const features = new Int16Array(nodes.length).fill(-1);
  const numbers = new Float64Array(nodes.length);
  const rights = new Int16Array(nodes.length);
  let next = 0;
  read();
  return { features, numbers, rights };

  function read(): void {
    const node = next++;
    const [feature = '', number] = (nodes[node] ?? '').split(/[<=]/);
    numbers[node] = Number(number);
    if (feature === '') return;
    features[node] = Number(feature);
    read();
    rights[node] = next;
    read();
  }
}
