"""Trains the trees that judge blocks.

    python train.py OUT...            scores them by cross-validation: no site is in the training and the test of a fold
    python train.py --write OUT...    trains them on all pages, and writes ../src/dom/blocks/trees/

OUT: what describe-pages.mjs wrote, without the endings. Needs numpy and lightgbm.
"""

import hashlib
import json
import pathlib
import sys
from collections import Counter
from urllib.parse import urlparse

import lightgbm
import numpy

ROUNDS = 200
SETTINGS = dict(
    objective="binary", learning_rate=0.08, num_leaves=12, min_data_in_leaf=20, feature_fraction=0.4,
    bagging_fraction=0.8, bagging_freq=1, lambda_l2=1.0, max_bin=127, num_threads=1, seed=7, verbose=-1,
)
# The trees that tell whether a page is one article: few pages, few features.
TYPE_ROUNDS = 60
TYPE_SETTINGS = SETTINGS | dict(learning_rate=0.1, num_leaves=6, min_data_in_leaf=8)
# The kinds of pages that are one article: the set of news and blog pages, and that kind of the others.
ARTICLES = ("news", "article")
# What a page weighs by its kind, however long it is, a block with a phrase, and how much more a page whose text is a
# small part of it weighs (the exponent of the page's size by the text's), for the trees of articles and of all pages.
ARTICLE_WEIGHTS = dict(news=300, article=100, other=15, phrase=3, noise=0.5)
PAGE_WEIGHTS = dict(news=200, article=100, other=100, phrase=4.5, noise=0.4)
MOST_NOISE = 6
FOLDS = 5
# As in judge-blocks.ts and choose-blocks.ts.
ARTICLE = 0.2
ARTICLE_LIMIT = 1.3
AGREED = 0.6
CONTINUED = 0.5
GAP = 1


def read(paths):
    names, pages, rows = None, [], []
    for path in paths:
        known = json.loads(pathlib.Path(f"{path}.json").read_text())
        names = names or known["names"]
        pages += known["pages"]
        rows.append(numpy.fromfile(f"{path}.bin", dtype=numpy.float32).reshape(-1, len(names)))
    start = 0
    for page in pages:
        page["rows"] = slice(start, start + len(page["blocks"]))
        start = page["rows"].stop
    return names, pages, numpy.vstack(rows)


def examples(pages, count, weights):
    """For each block the probability that it is text, and its weight, 0 where nothing is known."""
    target, weight = numpy.zeros(count), numpy.zeros(count)
    for page in pages:
        rows, blocks = page["rows"], page["blocks"]
        if page["text"] is not None and blocks:
            sizes = numpy.array([len(block["words"]) for block in blocks], dtype=float)
            target[rows] = [block["isText"] for block in blocks]
            noise = min(MOST_NOISE, sizes.sum() / max(1, (sizes * target[rows]).sum()))
            weight[rows] = weights.get(page["kind"], weights["other"]) * noise ** weights["noise"] * sizes / sizes.sum()
        elif blocks:
            target[rows] = [1 if block["wanted"] else 0 for block in blocks]
            weight[rows] = [weights["phrase"] if block["wanted"] or block["unwanted"] else 0 for block in blocks]
    return target, weight


def train(features, target, weight):
    known = weight > 0
    features, target, weight = features[known], target[known], weight[known]
    # A block that is partly text is two examples.
    part = (target > 0) & (target < 1)
    data = lightgbm.Dataset(
        numpy.vstack([features, features[part]]),
        numpy.concatenate([target > 0, numpy.zeros(part.sum())]),
        weight=numpy.concatenate([weight * numpy.where(target > 0, target, 1), weight[part] * (1 - target[part])]),
        params=dict(verbose=-1),
    )
    return lightgbm.train(SETTINGS, data, ROUNDS)


def train_type(names, pages, features):
    """Trains the trees that tell whether a page is one article, by its first block, which has what all blocks share."""
    known = [page for page in pages if page["kind"] is not None and page["blocks"]]
    columns = [i for i, name in enumerate(names) if is_of_page(name)]
    rows = numpy.full((len(known), len(names)), 0, dtype=numpy.float32)
    rows[:, columns] = features[[page["rows"].start for page in known]][:, columns]
    data = lightgbm.Dataset(
        rows,
        [page["kind"] in ARTICLES for page in known],
        weight=[2 if page["kind"] == "news" else 1 for page in known],
        params=dict(verbose=-1),
    )
    return lightgbm.train(TYPE_SETTINGS, data, TYPE_ROUNDS)


def is_of_page(name):
    return name.startswith(("main", "type", "url")) or name in ("hasPublished", "foundOfPage", "foundWords", "longShare") or (
        name.startswith("page") and "share" not in name
    )


def without_address(names, features):
    """The blocks are judged without the page's address: too few sites are known."""
    kept = features.copy()
    kept[:, [i for i, name in enumerate(names) if name.startswith("url")]] = 0
    return kept


def chosen(page, probability):
    """The blocks that choose-blocks.ts would choose, footnotes apart."""
    sizes = numpy.array([len(block["words"]) for block in page["blocks"]], dtype=float)
    order = numpy.argsort(-probability)
    right, all_ = numpy.cumsum((sizes * probability)[order]), numpy.cumsum(sizes[order])
    limit = (2 * right / numpy.maximum(1e-9, all_ + (sizes * probability).sum())).max(initial=0) / 2
    if page["isArticle"]:
        limit *= ARTICLE_LIMIT
    agreed = numpy.array([block["isAgreed"] for block in page["blocks"]], dtype=bool)
    part = numpy.array([block["isPart"] for block in page["blocks"]], dtype=bool)
    sure = probability >= limit * numpy.where(agreed & (not page["isArticle"]), AGREED, 1)
    if not sure.any():
        return sure
    continues = agreed & (probability >= limit * CONTINUED)
    first, last = numpy.nonzero(sure)[0][[0, -1]]
    place = last + 1
    while place <= last + 1 + GAP and place < len(sure):
        if continues[place]:
            last = place
        place += 1
    between = numpy.zeros(len(sure), dtype=bool)
    between[first : last + 1] = True
    return sure | (between & (continues | (agreed & part)))


def runs(words):
    return Counter(" ".join(words[i : i + 4]) for i in range(max(1, len(words) - 3)))


def score(pages, probability):
    """Prints the F1 of runs of four words for news, the mean F1 of words by kind, and the F1 of phrases over the others."""
    shares, values, kept, missed, wrong = [], {}, 0, 0, 0
    for page in pages:
        chosen_blocks = [page["blocks"][i] for i in numpy.nonzero(chosen(page, probability[page["rows"]]))[0]]
        words = [word for block in chosen_blocks for word in block["words"]]
        if page["kind"] == "news":
            found, truth = runs(words), runs(page["text"])
            right = (found & truth).total()
            shares.append((right / max(1, found.total()), right / max(1, truth.total())))
        elif page["text"] is not None:
            found, truth = Counter(words), Counter(page["text"])
            size = found.total() + truth.total()
            values.setdefault(page["kind"], []).append(2 * (found & truth).total() / size if size else 1)
        else:
            wanted = {phrase for block in chosen_blocks for phrase in block["wanted"]}
            kept += len(wanted)
            missed += page["wanted"] - len(wanted)
            wrong += len({phrase for block in chosen_blocks for phrase in block["unwanted"]})
    if shares:
        precision, recall = numpy.mean(shares, axis=0)
        print(f"news {2 * precision * recall / (precision + recall):.4f} ({precision:.3f} / {recall:.3f})")
    if values:
        print(f"words {numpy.mean(sum(values.values(), [])):.4f}", {kind: round(numpy.mean(x), 3) for kind, x in values.items()})
    if kept:
        print(f"phrases {2 * kept / (2 * kept + missed + wrong):.4f}")


def fold_of(page):
    site = ".".join(urlparse(page["url"]).netloc.removeprefix("www.").split(".")[-2:])
    return int(hashlib.md5(site.encode()).hexdigest(), 16) % FOLDS


def cross_validate(names, pages, features):
    blocks = without_address(names, features)
    fold = numpy.zeros(len(features), dtype=int)
    for page in pages:
        page["fold"] = fold_of(page)
        fold[page["rows"]] = page["fold"]
    probability = numpy.zeros(len(features))
    for test in range(FOLDS):
        models = []
        for weights in (PAGE_WEIGHTS, ARTICLE_WEIGHTS):
            target, weight = examples(pages, len(features), weights)
            models.append(train(blocks, target, numpy.where(fold == test, 0, weight)))
        kind = train_type(names, [page for page in pages if page["fold"] != test], features)
        for page in pages:
            if page["fold"] != test or not page["blocks"]:
                continue
            rows = page["rows"]
            page["isArticle"] = bool(kind.predict(features[rows.start : rows.start + 1])[0] > ARTICLE)
            probability[rows] = models[page["isArticle"]].predict(blocks[rows])
    for page in pages:
        page.setdefault("isArticle", False)
    score(pages, probability)


def number(value, digits):
    text = f"{value:.{digits}g}" if abs(value) > 1e-30 else "0"
    return (repr(float(text)) if "e" in text else text).replace("0.", ".", 1 if text.startswith(("0.", "-0.")) else 0)


FOLDER = pathlib.Path(__file__).parent / "../src/dom/blocks/trees"
WRITTEN = "/** Written by `training/train.py`, which learned it from pages whose text is known. */\n\n"


def write(names, models):
    """Writes the trees of each model to its own file, and the features that they ask for."""
    used = sorted({int(i) for model, _, _ in models for i in numpy.nonzero(model.feature_importance("gain"))[0]})
    place = {feature: i for i, feature in enumerate(used)}

    def nodes(node):
        if "leaf_value" in node:
            return ["=" + number(round(node["leaf_value"], 2), 4)]
        decision = f"{place[node['split_feature']]}<{number(node['threshold'], 3)}"
        return [decision, *nodes(node["left_child"]), *nodes(node["right_child"])]

    for model, file, what in models:
        trees = [" ".join(nodes(tree["tree_structure"])) for tree in model.dump_model()["tree_info"]]
        lines = "".join(f"  '{tree}',\n" for tree in trees)
        (FOLDER / f"{file}.ts").write_text(
            f"{WRITTEN}/**\n * The trees that tell {what}: the nodes of each in order,\n"
            " * `feature<limit` for a decision, which the lower values pass to the next node, and `=value` for a leaf. The values of\n"
            " * all trees are added up.\n */\n"
            f"export const {file.upper().replace('-', '_')}: readonly string[] = [\n{lines}];\n"
        )
    features = "".join(f"  '{names[i]}',\n" for i in used)
    (FOLDER / "features.ts").write_text(
        f"{WRITTEN}/** The features that the trees ask for. */\nexport const FEATURES: readonly string[] = [\n{features}];\n"
    )


if __name__ == "__main__":
    paths = [path for path in sys.argv[1:] if path != "--write"]
    if not paths:
        sys.exit(__doc__)
    names, pages, features = read(paths)
    if "--write" in sys.argv:
        blocks = without_address(names, features)
        write(
            names,
            [
                (train(blocks, *examples(pages, len(features), PAGE_WEIGHTS)), "page-trees", "whether a block is text"),
                (train(blocks, *examples(pages, len(features), ARTICLE_WEIGHTS)), "article-trees", "whether a block of an article is text"),
                (train_type(names, pages, features), "type-trees", "whether a page is one article"),
            ],
        )
    else:
        cross_validate(names, pages, features)
