import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

// A GGUF file with one layer of random weights and a vocabulary of bytes: everything about it is real but the
// sense of what it says.

/** Shows tools, calls and results the way many released models do. */
export const template = `{% if tools %}<|tools|>
{{ tools | tojson }}</s>
{% endif %}{% for message in messages %}<|{{ message.role }}|>
{{ message.content }}{% if message.tool_calls %}{% for call in message.tool_calls %}<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>{% endfor %}{% endif %}</s>
{% endfor %}{% if add_generation_prompt %}<|assistant|>
{% endif %}`;

export interface TinyModel {
  readonly context?: number;
  readonly seed?: number;
  /** What follows a token, by their texts: a model that says this and nothing else wherever it can. */
  readonly chain?: Readonly<Record<string, string>>;
  /** undefined: the file has none. */
  readonly template?: string | undefined;
  /** Entries of the header that replace its own; for headers that lie. */
  readonly header?: Readonly<Record<string, Value>>;
}

type Value =
  | { readonly u32: number }
  | { readonly i32: number }
  | { readonly f32: number }
  | { readonly text: string }
  | { readonly list: readonly Value[] };

const width = 64;
const inner = 128;
const tags = { u32: 4, i32: 5, f32: 6, text: 8, list: 9 } as const;
const bytes = Array.from(
  { length: 256 },
  (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`,
);
const letters = ["▁", ...Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index))];
const marks = ["<tool_call>", "</tool_call>", "<tool_call>{", "<think>", "</think>"];
const vocabulary = ["<unk>", "<s>", "</s>", ...bytes, ...letters, ...marks];
/** Kinds of tokens: 1 a text, 2 unknown, 3 control, 4 one of the user's own, 6 a byte. */
const kinds = [2, 3, 3, ...bytes.map(() => 6), ...letters.map(() => 1), ...marks.map(() => 4)];

const u32 = (value: number): Buffer => buffer(4, (made) => made.writeUInt32LE(value));
const u64 = (value: number): Buffer => buffer(8, (made) => made.writeBigUInt64LE(BigInt(value)));
const text = (value: string): Buffer => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);

function buffer(size: number, fill: (made: Buffer) => unknown): Buffer {
  const made = Buffer.alloc(size);
  fill(made);
  return made;
}

const tagOf = (value: Value): number => tags[Object.keys(value)[0] as keyof typeof tags];

function bodyOf(value: Value): Buffer {
  if ("u32" in value) return u32(value.u32);
  if ("i32" in value) return u32(value.i32);
  if ("f32" in value) return buffer(4, (made) => made.writeFloatLE(value.f32));
  if ("text" in value) return text(value.text);
  const [first] = value.list;
  return Buffer.concat([
    u32(first === undefined ? tags.u32 : tagOf(first)),
    u64(value.list.length),
    ...value.list.map(bodyOf),
  ]);
}

/** Uniform numbers around 0; the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0;
    return (state >>> 0) / 2 ** 32 - 0.5;
  };
}

const shapes: Readonly<Record<string, readonly number[]>> = {
  "token_embd.weight": [width, vocabulary.length],
  "blk.0.attn_norm.weight": [width],
  "blk.0.attn_q.weight": [width, width],
  "blk.0.attn_k.weight": [width, width],
  "blk.0.attn_v.weight": [width, width],
  "blk.0.attn_output.weight": [width, width],
  "blk.0.ffn_norm.weight": [width],
  "blk.0.ffn_gate.weight": [width, inner],
  "blk.0.ffn_up.weight": [width, inner],
  "blk.0.ffn_down.weight": [inner, width],
  "output_norm.weight": [width],
  "output.weight": [width, vocabulary.length],
};

const headerOf = ({ context = 4096, template: own }: TinyModel): Readonly<Record<string, Value>> => ({
  "general.architecture": { text: "llama" },
  "general.name": { text: "tiny" },
  "general.file_type": { u32: 0 },
  "general.alignment": { u32: 32 },
  "llama.context_length": { u32: context },
  "llama.embedding_length": { u32: width },
  "llama.block_count": { u32: 1 },
  "llama.feed_forward_length": { u32: inner },
  "llama.attention.head_count": { u32: 4 },
  "llama.attention.head_count_kv": { u32: 4 },
  "llama.attention.layer_norm_rms_epsilon": { f32: 1e-5 },
  "llama.rope.dimension_count": { u32: width / 4 },
  "llama.vocab_size": { u32: vocabulary.length },
  "tokenizer.ggml.model": { text: "llama" },
  "tokenizer.ggml.tokens": { list: vocabulary.map((token) => ({ text: token })) },
  "tokenizer.ggml.scores": { list: vocabulary.map((_, index) => ({ f32: index < 259 ? 0 : -index })) },
  "tokenizer.ggml.token_type": { list: kinds.map((kind) => ({ i32: kind })) },
  "tokenizer.ggml.bos_token_id": { u32: 1 },
  "tokenizer.ggml.eos_token_id": { u32: 2 },
  "tokenizer.ggml.unknown_token_id": { u32: 0 },
  ...(own === undefined ? {} : { "tokenizer.chat_template": { text: own } }),
});

interface Tensor {
  readonly name: string;
  readonly weights: Float32Array;
}

/**
 * Silences the layer, so that a token's own vector is all there is, and lets the next token's row be that
 * vector. Without a chain, the model is kept from ending its answer as long as it may say anything else.
 */
function chainUp(tensors: readonly Tensor[], chain?: Readonly<Record<string, string>>): void {
  const named = (name: string): Float32Array =>
    tensors.find((tensor) => tensor.name === name)?.weights ?? new Float32Array();
  const end = vocabulary.indexOf("</s>") * width;
  named("output.weight").fill(0, end, end + width);
  if (chain === undefined) return;
  named("blk.0.attn_output.weight").fill(0);
  named("blk.0.ffn_down.weight").fill(0);
  const [vectors, rows] = [named("token_embd.weight"), named("output.weight")];
  for (const [token, next] of Object.entries(chain)) {
    const [from, to] = [vocabulary.indexOf(token) * width, vocabulary.indexOf(next) * width];
    for (let at = 0; at < width; at++) rows[to + at] = (vectors[from + at] ?? 0) * 20;
  }
}

/** The bytes of a model file (format GGUF 3, all weights 32-bit floats). */
export function tinyModel(options: TinyModel = {}): Buffer {
  const given = { template, ...options };
  const header = Object.entries({ ...headerOf(given), ...given.header });
  const random = randomOf(given.seed ?? 1);
  const tensors = Object.entries(shapes).map(([name, shape]) => {
    const size = shape.reduce((a, b) => a * b);
    return {
      name,
      shape,
      weights: Float32Array.from({ length: size }, () => (shape.length === 1 ? 1 : random() * 0.4)),
    };
  });
  chainUp(tensors, given.chain);
  let offset = 0;
  const entries = tensors.map(({ name, shape, weights }) => {
    const entry = Buffer.concat([text(name), u32(shape.length), ...shape.map(u64), u32(0), u64(offset)]);
    offset += weights.byteLength;
    return entry;
  });
  const head = Buffer.concat([
    Buffer.from("GGUF"),
    u32(3),
    u64(tensors.length),
    u64(header.length),
    ...header.flatMap(([key, value]) => [text(key), u32(tagOf(value)), bodyOf(value)]),
    ...entries,
  ]);
  const padding = Buffer.alloc((32 - (head.length % 32)) % 32);
  return Buffer.concat([head, padding, ...tensors.map(({ weights }) => Buffer.from(weights.buffer))]);
}

/** Puts a model below a folder as the downloads do; `name` without `.gguf`. */
export function install(folder: string, name = "tests/tiny/tiny-F32", options: TinyModel = {}): string {
  const file = path.join(folder, `${name}.gguf`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, tinyModel(options));
  return file;
}
