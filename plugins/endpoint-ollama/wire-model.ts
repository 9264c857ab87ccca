import { createHash } from "node:crypto";
import { objectSchema } from "@pergola/kit-provider";
import type { ModelEntry, Services } from "@pergola/sdk";

type LoadedEntry = Awaited<ReturnType<Services["models"]["loaded"]>>[number];

const text = { type: "string" } as const;
const integer = { type: "integer" } as const;
const texts = { type: "array", items: text } as const;

/** As far as the name tells: `8B` of `qwen3:8b`. */
const sizeIn = (name: string): string =>
  /(?<![\w.])(\d+(?:\.\d+)?[bm])(?![a-z0-9])/i.exec(name)?.[1]?.toUpperCase() ?? "";

const detailsOf = ({ family, name, contextWindow, file }: ModelEntry) => ({
  parent_model: "",
  format: file === undefined ? "" : "gguf",
  family,
  families: [family],
  parameter_size: sizeIn(name),
  quantization_level: file?.quantization ?? "",
  context_length: contextWindow,
});

/** Of many models nobody says whether they think: `think` is taken for all of them. */
function capabilitiesOf(model: ModelEntry): readonly string[] {
  if (model.kind === "embedding") return ["embedding"];
  const abilities = {
    tools: model.supportsTools,
    vision: model.supportsVision,
    thinking: model.supportsThinking === true,
  };
  const able = Object.entries(abilities).filter(([, isAble]) => isAble);
  return ["completion", ...able.map(([name]) => name)];
}

const digestOf = ({ modelId }: ModelEntry): string => createHash("sha256").update(modelId).digest("hex");

const modifiedAt = ({ created }: ModelEntry): string => new Date(created * 1000).toISOString();

/** A model in a list. */
export const listedModel = (model: ModelEntry) => ({
  name: model.modelId,
  model: model.modelId,
  modified_at: modifiedAt(model),
  size: model.file?.sizeBytes ?? 0,
  digest: digestOf(model),
  details: detailsOf(model),
  capabilities: capabilitiesOf(model),
});

/** What clients look up in a model's template before they send it tools. */
const templateOf = ({ supportsTools }: ModelEntry): string =>
  supportsTools ? "{{ .System }}{{ .Tools }}{{ .Prompt }}" : "{{ .System }}{{ .Prompt }}";

/** A model's own page. */
export const shownModel = (model: ModelEntry) => ({
  license: "",
  modelfile: "",
  parameters: `num_ctx ${model.contextWindow}`,
  template: templateOf(model),
  details: detailsOf(model),
  model_info: {
    "general.architecture": model.family,
    "general.basename": model.name,
    [`${model.family}.context_length`]: model.contextWindow,
  },
  capabilities: capabilitiesOf(model),
  modified_at: modifiedAt(model),
});

/** As far off as Ollama puts the end of a model that is to stay. */
const never = Date.UTC(2300, 0);

/** A model in memory. */
export const runningModel = (model: LoadedEntry) => {
  const { modified_at: _, capabilities: _own, ...listed } = listedModel(model);
  return {
    ...listed,
    size_vram: model.gpuBytes ?? 0,
    expires_at: new Date(model.expiresAt ?? never).toISOString(),
    context_length: model.contextSize ?? model.contextWindow,
  };
};

const details = objectSchema(
  {
    parent_model: text,
    format: text,
    family: text,
    families: texts,
    parameter_size: text,
    quantization_level: text,
    context_length: integer,
  },
  [],
  { title: "OllamaModelDetails" },
);

const capabilities = {
  type: "array",
  items: { enum: ["completion", "tools", "vision", "thinking", "embedding"] },
} as const;

const listedProperties = {
  name: text,
  model: text,
  size: { ...integer, description: "Bytes of an installed file, else 0" },
  digest: { ...text, description: "SHA-256 of the id" },
  details,
} as const;

export const listedSchema = objectSchema({ ...listedProperties, modified_at: text, capabilities }, [], {
  title: "OllamaModel",
});

export const runningSchema = objectSchema({
  ...listedProperties,
  size_vram: { ...integer, description: "Bytes in the memory of a graphics card" },
  expires_at: { ...text, description: "When it is unloaded unless it is used" },
  context_length: integer,
});

export const shownSchema = objectSchema({
  license: text,
  modelfile: text,
  parameters: text,
  template: text,
  details,
  model_info: { type: "object", description: "general.architecture, general.basename, context_length" },
  capabilities,
  modified_at: text,
});
