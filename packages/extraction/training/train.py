"""Trains the trees that judge blocks.

    python train.py OUT...            scores them by cross-validation: no site is in the training and the test of a fold
    python train.py --write OUT...    trains them on all pages, and writes ../src/dom/blocks/trees.ts

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
    bagging_fraction=0.8, bagging_freq=1, lambda_l2=1.0, max_bin=127, num_threads=2, seed=7, verbose=-1,
)
# A page whose text is known weighs this much, however long it is, and a block with a phrase this much.
PAGE_WEIGHT = 100
PHRASE_WEIGHT = 4.5
FOLDS = 5
# As in choose-blocks.ts.
AGREED = 0.6
ALONE = 1.5
CONTINUED = 0.2
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


def examples(pages, count):
    """For each block the probability that it is text, and its weight, 0 where nothing is known."""
    target, weight = numpy.zeros(count), numpy.zeros(count)
    for page in pages:
        rows, blocks = page["rows"], page["blocks"]
        if page["text"] is not None:
            sizes = numpy.array([len(block["words"]) for block in blocks], dtype=float)
            target[rows] = [block["isText"] for block in blocks]
            weight[rows] = PAGE_WEIGHT * sizes / max(1, sizes.sum())
        else:
            target[rows] = [1 if block["wanted"] else 0 for block in blocks]
            weight[rows] = [PHRASE_WEIGHT if block["wanted"] or block["unwanted"] else 0 for block in blocks]
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


def chosen(page, probability):
    """The blocks that choose-blocks.ts would choose, footnotes apart."""
    sizes = numpy.array([len(block["words"]) for block in page["blocks"]], dtype=float)
    order = numpy.argsort(-probability)
    right, all_ = numpy.cumsum((sizes * probability)[order]), numpy.cumsum(sizes[order])
    limit = (2 * right / numpy.maximum(1e-9, all_ + (sizes * probability).sum())).max(initial=0) / 2
    agreed = numpy.array([block["isAgreed"] for block in page["blocks"]], dtype=bool)
    part = numpy.array([block["isPart"] for block in page["blocks"]], dtype=bool)
    sure = probability >= limit * numpy.where(agreed, AGREED, ALONE)
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


def score(pages, probability):
    """The mean F1 of words over the pages whose text is known, and the F1 of phrases over the others."""
    values, kept, missed, wrong = [], 0, 0, 0
    for page in pages:
        chosen_blocks = [page["blocks"][i] for i in numpy.nonzero(chosen(page, probability[page["rows"]]))[0]]
        if page["text"] is not None:
            found, truth = Counter(word for block in chosen_blocks for word in block["words"]), Counter(page["text"])
            size = found.total() + truth.total()
            values.append(2 * (found & truth).total() / size if size else 1)
        else:
            wanted = {phrase for block in chosen_blocks for phrase in block["wanted"]}
            kept += len(wanted)
            missed += page["wanted"] - len(wanted)
            wrong += len({phrase for block in chosen_blocks for phrase in block["unwanted"]})
    print(f"words {numpy.mean(values):.4f}  phrases {2 * kept / (2 * kept + missed + wrong):.4f}")


def fold_of(page):
    site = ".".join(urlparse(page["url"]).netloc.removeprefix("www.").split(".")[-2:])
    return int(hashlib.md5(site.encode()).hexdigest(), 16) % FOLDS


def cross_validate(pages, features):
    target, weight = examples(pages, len(features))
    fold = numpy.zeros(len(features), dtype=int)
    for page in pages:
        fold[page["rows"]] = fold_of(page)
    probability = numpy.zeros(len(features))
    for test in range(FOLDS):
        model = train(features, target, numpy.where(fold == test, 0, weight))
        probability[fold == test] = model.predict(features[fold == test])
    score(pages, probability)


def number(value, digits):
    text = f"{value:.{digits}g}" if abs(value) > 1e-30 else "0"
    return (repr(float(text)) if "e" in text else text).replace("0.", ".", 1 if text.startswith(("0.", "-0.")) else 0)


def write(names, model):
    used = [int(i) for i in numpy.nonzero(model.feature_importance("gain"))[0]]
    place = {feature: i for i, feature in enumerate(used)}

    def nodes(node):
        if "leaf_value" in node:
            return ["=" + number(round(node["leaf_value"], 3), 5)]
        decision = f"{place[node['split_feature']]}<{number(node['threshold'], 5)}"
        return [decision, *nodes(node["left_child"]), *nodes(node["right_child"])]

    trees = [" ".join(nodes(tree["tree_structure"])) for tree in model.dump_model()["tree_info"]]
    features = "".join(f"  '{names[i]}',\n" for i in used)
    lines = "".join(f"  '{tree}',\n" for tree in trees)
    path = pathlib.Path(__file__).parent / "../src/dom/blocks/trees.ts"
    path.write_text(
        "/** Written by `training/train.py`, which learned it from pages whose text is known. */\n\n"
        "/** The features that the trees ask for. */\n"
        f"export const FEATURES: readonly string[] = [\n{features}];\n\n"
        "/** The nodes of each decision tree in order: `feature<limit` for a decision, which the lower values pass to the next node, and\n"
        " * `=value` for a leaf. The values of all trees are added up. */\n"
        f"export const TREES: readonly string[] = [\n{lines}];\n"
    )


if __name__ == "__main__":
    paths = [path for path in sys.argv[1:] if path != "--write"]
    if not paths:
        sys.exit(__doc__)
    names, pages, features = read(paths)
    if "--write" in sys.argv:
        write(names, train(features, *examples(pages, len(features))))
    else:
        cross_validate(pages, features)
