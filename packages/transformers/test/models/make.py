"""Makes the tiny models that the tests run, and the golden values that the tests compare with.

    python -m venv .venv && .venv/bin/pip install numpy==2.4.6 onnx==1.23.2 onnxruntime==1.32.0 tokenizers==0.23.3
    .venv/bin/python make.py

Writes `tiny/{encoder,entities,pairs}` and `goldens.json` beside itself. Everything random has the seed below, so the
same versions give the same bytes.

All three are BERT in the folder layout of @xenova/transformers: WordPiece, one layer, 32 numbers a word piece.

- encoder: random weights. Its vectors mean nothing but that texts which share words are similar.
- entities: embeddings of first names, surnames, places and organisations lie about a direction each, and the head is
  fitted by least squares to tell the directions apart. So the words below are names, whatever stands around them.
- pairs: the attention's query and key are the identity, so a word piece attends to its own kind in the other text, and
  its value tells which text it stands in. The head is fitted to the share of the question's words that the passage
  has. So the logit grows with the words that two texts share.
"""

import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
import onnxruntime
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import Tokenizer

SEED = 20240607
HIDDEN, HEADS, INNER, POSITIONS = 32, 2, 64, 128
# Opset and IR version that ONNX Runtime 1.14 reads.
OPSET, IR_VERSION = 14, 7
HERE = Path(__file__).parent

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
LABELS = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC", "B-ORG", "I-ORG"]
NAMES = {
    "B-PER": "ada greta marie anna oskar",
    "I-PER": "holm curie lind berg ström",
    "B-LOC": "warsaw visby gothenburg uppsala poland gotland new",
    "I-LOC": "york",
    "B-ORG": "acme university",
    "I-ORG": "corporation press",
}
WORDS = """
the a an of in on at to and or is was are were be been by for with from that this it its she he her his they who what
where when which how did do does not as about after before into over between while also than then there here one two
three first last new old young long short great small large big little high low good bad best most more many much few
film films movie book books play plays song songs painting painter painters painted paints writer wrote written write
director directed directs direct actor actress singer mother father sister brother son daughter wife husband child
children family born died lived lives life death birth married made make makes makes work works worked working school
city town village country capital river sea lake island mountain harbour street house home church castle bridge garden
north south east west year years day days month century time world war king queen prince name named called known famous
student teacher studied taught learned language letter story history science music art picture landscape hang hangs hall
bread bee bees honey rye flour baked bake oven farm field tree trees forest flower animal dog cat horse bird fish water
fire wind rain snow summer winter spring autumn morning evening night light dark red blue green white black silent loud
came come comes go goes went see saw seen say said says take took give gave given get got find found think thought
won win prize drama comedy german swedish polish french english company founded member part group number
""".split()
PIECES = ["##s", "##ed", "##ing", "##er", "##qvist", "##ia", "##land", "##ly", "##'"]


def vocabulary():
    letters = [chr(c) for c in range(ord("a"), ord("z") + 1)]
    digits = [str(d) for d in range(10)]
    signs = list(".,;:!?'\"()-&/%$#@*+=<>[]_")
    names = " ".join(NAMES.values()).replace("ström", "strom").split()
    words = SPECIAL + signs + letters + digits + [f"##{x}" for x in letters + digits] + PIECES + WORDS + names
    return {word: i for i, word in enumerate(dict.fromkeys(words))}


VOCAB = vocabulary()


def tokenizer_json():
    token = lambda t: {"SpecialToken": {"id": t, "type_id": 0}}
    after = lambda t: {"SpecialToken": {"id": t, "type_id": 1}}
    special = lambda t: {"id": t, "ids": [VOCAB[t]], "tokens": [t]}
    flags = {"special": True, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    first, second = {"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [{"id": VOCAB[t], "content": t, **flags} for t in SPECIAL],
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [token("[CLS]"), first, token("[SEP]")],
            "pair": [token("[CLS]"), first, token("[SEP]"), second, after("[SEP]")],
            "special_tokens": {t: special(t) for t in ("[CLS]", "[SEP]")},
        },
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": VOCAB,
        },
    }


def random_weights(rng):
    draw = lambda *shape: rng.normal(0, 0.25, shape).astype(np.float32)
    return {
        "words": rng.normal(0, 1, (len(VOCAB), HIDDEN)).astype(np.float32),
        "positions": draw(POSITIONS, HIDDEN) * np.float32(0.2),
        "types": draw(2, HIDDEN),
        **{name: draw(HIDDEN, HIDDEN) for name in ("query", "key", "value", "output")},
        "inner": draw(HIDDEN, INNER),
        "outer": draw(INNER, HIDDEN),
    }


def with_name_directions(weights, rng):
    """Pulls the words of each label towards a direction of their own."""
    directions = np.linalg.qr(rng.normal(0, 1, (HIDDEN, HIDDEN)))[0][: len(LABELS)]
    label_of = {w.replace("ström", "strom"): label for label, words in NAMES.items() for w in words.split()}
    for word, i in VOCAB.items():
        label = LABELS.index(label_of.get(word, "O"))
        weights["words"][i] = weights["words"][i] * 0.3 + directions[label] * 4
    # What a word is outweighs what stands around it.
    for name in ("output", "outer"):
        weights[name] *= np.float32(0.3)
    return weights, label_of


def with_matching_attention(weights):
    """Word pieces attend to their own kind, and pass on which text it stands in."""
    sharp = np.float32(1.6)
    weights["query"] = np.eye(HIDDEN, dtype=np.float32) * sharp
    weights["key"] = np.eye(HIDDEN, dtype=np.float32) * sharp
    # The last coordinate holds the text that a piece is in, and nothing else.
    weights["words"][:, -1] = 0
    weights["positions"][:] = 0
    weights["types"][:] = 0
    weights["types"][:, -1] = [-3, 3]
    weights["query"][-1, -1] = weights["key"][-1, -1] = 0
    weights["value"][:] = 0
    weights["value"][-1, -1] = 1
    weights["output"] = np.eye(HIDDEN, dtype=np.float32) * 2
    # A layer of which nothing but the attention counts.
    weights["outer"][:] *= np.float32(0.05)
    return weights


class Graph:
    """Nodes and constants of an ONNX graph under construction."""

    def __init__(self):
        self.nodes, self.constants, self.count = [], [], 0

    def constant(self, array, name=None):
        name = name or f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def op(self, kind, *inputs, **attributes):
        self.count += 1
        out = f"t{self.count}"
        self.nodes.append(helper.make_node(kind, list(inputs), [out], **attributes))
        return out


def layer_norm(g, x):
    centred = g.op("Sub", x, g.op("ReduceMean", x, axes=[-1], keepdims=1))
    variance = g.op("ReduceMean", g.op("Mul", centred, centred), axes=[-1], keepdims=1)
    deviation = g.op("Sqrt", g.op("Add", variance, g.constant(np.float32(1e-12))))
    return g.op("Div", centred, deviation)


def encoder(g, weights):
    """[batch, sequence] of ids to [batch, sequence, HIDDEN]."""
    linear = lambda x, name: g.op("MatMul", x, g.constant(weights[name], name))
    words = g.op("Gather", g.constant(weights["words"], "words"), "input_ids")
    types = g.op("Gather", g.constant(weights["types"], "types"), "token_type_ids")
    length = g.op("Gather", g.op("Shape", "input_ids"), g.constant(np.array([1], np.int64)))
    positions = g.op(
        "Slice", g.constant(weights["positions"], "positions"), g.constant(np.array([0], np.int64)), length,
        g.constant(np.array([0], np.int64)),
    )
    x = layer_norm(g, g.op("Add", g.op("Add", words, types), positions))

    split = g.constant(np.array([0, 0, HEADS, HIDDEN // HEADS], np.int64))
    heads = lambda name, perm: g.op("Transpose", g.op("Reshape", linear(x, name), split), perm=perm)
    scores = g.op("MatMul", heads("query", [0, 2, 1, 3]), heads("key", [0, 2, 3, 1]))
    scores = g.op("Div", scores, g.constant(np.float32(np.sqrt(HIDDEN // HEADS))))
    mask = g.op("Unsqueeze", g.op("Cast", "attention_mask", to=TensorProto.FLOAT), g.constant(np.array([1, 2], np.int64)))
    hidden = g.op("Mul", g.op("Sub", g.constant(np.float32(1)), mask), g.constant(np.float32(-1e9)))
    attention = g.op("Softmax", g.op("Add", scores, hidden), axis=-1)
    mixed = g.op("Transpose", g.op("MatMul", attention, heads("value", [0, 2, 1, 3])), perm=[0, 2, 1, 3])
    joined = g.op("Reshape", mixed, g.constant(np.array([0, 0, HIDDEN], np.int64)))
    x = layer_norm(g, g.op("Add", x, linear(joined, "output")))
    return layer_norm(g, g.op("Add", x, linear(g.op("Relu", linear(x, "inner")), "outer")))


def mean_of_question(g, hidden):
    """Mean over the pieces of the first text, [batch, HIDDEN]."""
    asked = g.op("Sub", g.constant(np.int64(1)), "token_type_ids")
    mask = g.op("Cast", g.op("Mul", asked, "attention_mask"), to=TensorProto.FLOAT)
    mask = g.op("Unsqueeze", mask, g.constant(np.array([2], np.int64)))
    total = g.op("ReduceSum", g.op("Mul", hidden, mask), g.constant(np.array([1], np.int64)), keepdims=0)
    return g.op("Div", total, g.op("ReduceSum", mask, g.constant(np.array([1], np.int64)), keepdims=0))


def to_model(g, result, name, shape):
    g.nodes.append(helper.make_node("Identity", [result], [name]))
    inputs = [
        helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "sequence"])
        for n in ("input_ids", "attention_mask", "token_type_ids")
    ]
    output = helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
    graph = helper.make_graph(g.nodes, "tiny", inputs, [output], g.constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="make.py")
    model.ir_version = IR_VERSION
    onnx.checker.check_model(model)
    return model


def build(weights, head=None, pooled=False):
    g = Graph()
    hidden = encoder(g, weights)
    if head is None and not pooled:
        return to_model(g, hidden, "last_hidden_state", ["batch", "sequence", HIDDEN])
    x = mean_of_question(g, hidden) if pooled else hidden
    shape = ["batch"] if pooled else ["batch", "sequence"]
    if head is None:
        return to_model(g, x, "logits", [*shape, HIDDEN])
    logits = g.op("Add", g.op("MatMul", x, g.constant(head[:-1], "head")), g.constant(head[-1], "bias"))
    return to_model(g, logits, "logits", [*shape, head.shape[1]])


TOKENIZER = Tokenizer.from_str(json.dumps(tokenizer_json()))


def run(model, *texts):
    """One text, or one pair of texts, at a time, as the package runs it."""
    encoding = TOKENIZER.encode(*texts)
    feeds = {"input_ids": encoding.ids, "attention_mask": encoding.attention_mask, "token_type_ids": encoding.type_ids}
    session = model if isinstance(model, onnxruntime.InferenceSession) else session_of(model)
    (output,) = session.run(None, {name: np.array([value], np.int64) for name, value in feeds.items()})
    return encoding, output[0]


def session_of(model):
    source = model.SerializeToString() if isinstance(model, onnx.ModelProto) else str(model)
    return onnxruntime.InferenceSession(source, providers=["CPUExecutionProvider"])


def fit(features, targets, weights=1):
    """Weighted ridge regression with a bias row."""
    x = np.hstack([features, np.ones((len(features), 1))])
    xw = (x * np.reshape(weights, (-1, 1))).T
    return np.linalg.solve(xw @ x + 1e-3 * np.eye(x.shape[1]), xw @ targets).astype(np.float32)


def random_text(rng, words, low, high):
    return " ".join(rng.choice(words, rng.integers(low, high)))


def entity_head(weights, label_of, rng):
    session = session_of(build(weights))
    words = [w for w in VOCAB if not w.startswith("##") and w not in SPECIAL]
    names = list(label_of)
    features, targets = [], []
    for _ in range(500):
        text = " ".join(
            rng.choice(names if rng.random() < 0.3 else words) for _ in range(rng.integers(4, 100))
        )
        encoding, hidden = run(session, text)
        features.append(hidden)
        targets.append(np.eye(len(LABELS))[[LABELS.index(label_of.get(t, "O")) for t in encoding.tokens]])
    targets = np.vstack(targets)
    # All labels weigh the same, the rare ones too.
    weights = (targets / targets.sum(axis=0)).sum(axis=1) * len(targets)
    # Scaled, so that the greatest is clearly the greatest after quantisation.
    return fit(np.vstack(features), targets, weights) * np.float32(8)


def pair_head(weights, rng):
    session = session_of(build(weights, pooled=True))
    features, targets = [], []
    for _ in range(1500):
        asked = list(rng.choice(WORDS, rng.integers(3, 12), replace=False))
        told = list(rng.choice(WORDS, rng.integers(5, 40)))
        told[: rng.integers(0, min(len(asked), len(told)) + 1)] = asked[: rng.integers(0, len(asked) + 1)]
        rng.shuffle(told)
        features.append(run(session, " ".join(asked), " ".join(told))[1])
        targets.append([len(set(asked) & set(told)) / len(asked)])
    head = fit(np.array(features), np.array(targets)) * np.float32(8)
    head[-1] -= 4  # Half of the words gives a probability of a half.
    return head


def save(name, model, config, keep_float=False):
    folder = HERE / "tiny" / name
    (folder / "onnx").mkdir(parents=True, exist_ok=True)
    full, small = folder / "onnx" / "model.onnx", folder / "onnx" / "model_quantized.onnx"
    onnx.save(model, full)
    quantize_dynamic(full, small, per_channel=True, reduce_range=True, weight_type=QuantType.QInt8)
    if not keep_float:
        full.unlink()
    shared = {
        "model_type": "bert",
        "hidden_size": HIDDEN,
        "num_attention_heads": HEADS,
        "num_hidden_layers": 1,
        "intermediate_size": INNER,
        "max_position_embeddings": POSITIONS,
        "type_vocab_size": 2,
        "vocab_size": len(VOCAB),
        "pad_token_id": 0,
    }
    write(folder / "config.json", {**shared, **config})
    write(folder / "tokenizer.json", tokenizer_json())
    write(
        folder / "tokenizer_config.json",
        {
            "tokenizer_class": "BertTokenizer",
            "do_lower_case": True,
            "model_max_length": POSITIONS,
            "unk_token": "[UNK]",
            "sep_token": "[SEP]",
            "pad_token": "[PAD]",
            "cls_token": "[CLS]",
            "mask_token": "[MASK]",
        },
    )
    return {"quantized": session_of(small), "float": session_of(model)}


def write(path, value):
    path.write_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n")


TEXTS = [
    "Ada Lindqvist painted the sea.",
    "Who is the mother of the director of the silent film?",
    "Rye bread is baked of rye flour; honey is made by bees!",
    "Zürich — naïve café, 日本 x" + "y" * 120,
    "one two three " * 60,
]
ENTITY_TEXTS = [
    "Ada Lindqvist, born in Warsaw, met Marie Curie at Acme Corporation in New York.",
    "The painter lived by the sea.",
    "Greta Holm's mother came from Visby.",
]
PAIRS = [
    ["Who painted the sea?", "Greta Holm painted the sea."],
    ["Who painted the sea?", "Honey is made by bees."],
    ["Who painted the sea?", "The sea was painted by a painter who lived in the north."],
    ["Where was the mother of the director born?", "Rye bread is baked in the oven."],
]


def mean_vector(encoding, hidden):
    mean = hidden.mean(axis=0)
    return mean / np.linalg.norm(mean)


def goldens(encoders, entities, pairs):
    rounded = lambda array: [round(float(x), 6) for x in array]
    short = [t for t in TEXTS if len(TOKENIZER.encode(t).ids) <= POSITIONS]

    def entity_labels(text):
        encoding, logits = run(entities["quantized"], text)
        return [[t, LABELS[i]] for t, i in zip(encoding.tokens, logits.argmax(axis=1))]

    return {
        "ids": [{"text": t, "ids": TOKENIZER.encode(t).ids} for t in TEXTS],
        "pairIds": [
            {"pair": p, "ids": (e := TOKENIZER.encode(*p)).ids, "types": e.type_ids} for p in PAIRS
        ],
        "vectors": [
            {"text": t, **{kind: rounded(mean_vector(*run(s, t))) for kind, s in encoders.items()}} for t in short
        ],
        "labels": [{"text": t, "pieces": entity_labels(t)} for t in ENTITY_TEXTS],
        "pairs": [
            {"pair": p, **{kind: round(float(run(s, *p)[1][0]), 6) for kind, s in pairs.items()}} for p in PAIRS
        ],
    }


def main():
    rng = np.random.default_rng(SEED)
    encoders = save("encoder", build(random_weights(rng)), {"architectures": ["BertModel"]}, keep_float=True)

    weights, label_of = with_name_directions(random_weights(rng), rng)
    labels = {
        "architectures": ["BertForTokenClassification"],
        "id2label": dict(enumerate(LABELS)),
        "label2id": {label: i for i, label in enumerate(LABELS)},
    }
    entities = save("entities", build(weights, entity_head(weights, label_of, rng)), labels)

    weights = with_matching_attention(random_weights(rng))
    one = {"architectures": ["BertForSequenceClassification"], "id2label": {0: "LABEL_0"}, "label2id": {"LABEL_0": 0}}
    pairs = save("pairs", build(weights, pair_head(weights, rng), pooled=True), one)

    write(HERE / "goldens.json", goldens(encoders, entities, pairs))


if __name__ == "__main__":
    main()
