import { compareText } from "@pergola/sdk";
import type { FoundRepository } from "@pergola/sdk/host";

type FoundFile = FoundRepository["files"][number];

/** A file that the source names. */
export interface SourceFile {
  readonly name: string;
  readonly size: number | null;
  readonly sha256: string | null;
}

/**
 * From the most wanted to the least: the usual four bits, then its neighbours, better ones before worse ones.
 */
const chosen = (
  "Q4_K_M Q4_K_S Q4_K Q4_K_L Q4_K_XL IQ4_XS IQ4_NL Q4_1 Q4_0 MXFP4 Q5_K_M Q5_K_S Q5_K Q5_K_L " +
  "Q5_K_XL Q5_1 Q5_0 Q3_K_L Q3_K_M Q3_K Q3_K_XL IQ3_M Q3_K_S IQ3_S Q6_K Q6_K_L Q6_K_XL IQ3_XS " +
  "IQ3_XXS Q8_0 Q8_K_XL Q2_K_L Q2_K_XL Q2_K IQ2_M IQ2_S Q2_K_S IQ2_XS IQ2_XXS IQ1_M IQ1_S " +
  "TQ2_0 TQ1_0 BF16 F16 FP16 F32"
).split(" ");

const splitPart = /-(\d{5})-of-(\d{5})(?=\.gguf$)/i;
/** Files of a model that are no model: its projector for images, its importance matrix. */
const companion = /(?:^|[/._-])(?:mmproj|imatrix)(?:[._-]|$)/i;
const isGguf = ({ name }: Pick<SourceFile, "name">): boolean => /\.gguf$/i.test(name);
/** What a set of weights in safetensors needs: the weights, its configuration, its words. No code. */
const inSet =
  /^[^/]+\.(?:safetensors|json|jinja|tiktoken)$|^(?:tokenizer\.model|(?:merges|vocab|special_tokens)\.txt|[^/]+\.spm)$/i;

const quantization = new RegExp(
  `(?:^|[/._-])(${chosen.toSorted((a, b) => b.length - a.length).join("|")})(?=[.-]|$)`,
  "gi",
);

/** The quantization that a name tells. */
const quantizationIn = (name: string): string | undefined =>
  [...name.replace(/\.gguf$/i, "").matchAll(quantization)].at(-1)?.[1]?.toUpperCase();

/** The rank of that, the lower the better. */
function rankOf(name: string): number {
  const named = quantizationIn(name);
  if (named === undefined) return chosen.length;
  return chosen.indexOf(named);
}

const byName = (a: SourceFile, b: SourceFile): number => compareText(a.name, b.name);

/**
 * All parts of the file that this one is a part of, in order; the file alone when it is whole; undefined when
 * parts are missing.
 */
function partsOf(file: SourceFile, files: readonly SourceFile[]): readonly SourceFile[] | undefined {
  const [mark, , count] = splitPart.exec(file.name) ?? [];
  if (mark === undefined) return [file];
  const rest = file.name.replace(splitPart, `-*-of-${count}`);
  const parts = files
    .filter(({ name }) => name.replace(splitPart, (_, __, of: string) => `-*-of-${of}`) === rest)
    .toSorted(byName);
  if (parts.length !== Number(count)) return undefined;
  return parts;
}

/** Each quantization with all its parts: the nearest to Q4_K_M first, then the one whose name comes first. */
function quantizationsIn(files: readonly SourceFile[]): readonly (readonly SourceFile[])[] {
  const models = files.filter((file) => isGguf(file) && !companion.test(file.name)).toSorted(byName);
  const whole = models.map((file) => partsOf(file, files) ?? []);
  return whole
    .filter(([first], index) => first !== undefined && first === models[index])
    .toSorted(([a], [b]) => rankOf(a?.name ?? "") - rankOf(b?.name ?? ""));
}

/** What can be downloaded of a repository, as a person chooses it. */
export function offeredIn(files: readonly SourceFile[]): readonly Omit<FoundFile, "fits">[] {
  return quantizationsIn(files).map((parts) => {
    const [{ name: filename }] = parts as readonly [SourceFile];
    const sizes = parts.map(({ size }) => size);
    const sizeBytes = sizes.includes(null) ? null : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
    return { filename, sizeBytes, quantization: quantizationIn(filename) ?? null };
  });
}

/**
 * The files that are needed, the one that stands for the model first; none when the repository does not have
 * them. Without a name: of GGUF models one quantization, else the whole set of weights with its
 * configuration.
 */
export function chooseFiles(files: readonly SourceFile[], filename: string | null): readonly SourceFile[] {
  const named = files.find(({ name }) => name === filename);
  if (named !== undefined) return partsOf(named, files) ?? [named];
  if (filename !== null) return [];
  const [quantized] = quantizationsIn(files);
  if (quantized !== undefined) return quantized;
  const set = files.filter(({ name }) => inSet.test(name));
  const first = set.find(({ name }) => name === "config.json");
  if (first === undefined || !set.some(({ name }) => name.endsWith(".safetensors"))) return [];
  return [first, ...set.filter((file) => file !== first).toSorted(byName)];
}

/** What `local-llama` and `local-mlx` call the model once its files are there; null for what is no model. */
export function modelIdOf(repoId: string, names: readonly string[]): string | null {
  const [first = ""] = names;
  if (first === "config.json" && names.some((name) => name.endsWith(".safetensors"))) return `mlx/${repoId}`;
  if (!isGguf({ name: first }) || companion.test(first)) return null;
  return `llama/${repoId}/${first.replace(splitPart, "").replace(/\.gguf$/i, "")}`;
}
