import type { JsonSchema, ModelEntry } from "@pergola/sdk";

const integer = { type: "integer" } as const;
const text = { type: "string" } as const;

/** A model as the common convention lists it, with what Pergola knows of it. */
export const wireModel = (model: ModelEntry) => ({
  id: model.modelId,
  object: "model",
  type: "model",
  display_name: model.name,
  created: model.created,
  owned_by: model.isLocal ? "local" : model.vendor,
  context_window: model.contextWindow,
  max_completion_tokens: model.maxOutputTokens,
  max_request_tokens: model.contextWindow - model.maxOutputTokens,
  vendor: model.vendor,
  provider_type: model.providerType,
  model_picker_category: model.kind,
  is_local: model.isLocal,
  supports_tools: model.supportsTools,
  supports_vision: model.supportsVision,
  info_source: model.source,
});

/** An installed model's file. Callers on other computers do not get its path. */
export const wireLocal = (
  { modelId, name, providerId, file }: ModelEntry,
  { remote }: { readonly remote: boolean },
) => ({
  id: modelId,
  name,
  provider: providerId,
  ...(!remote && { path: file?.path }),
  sizeBytes: file?.sizeBytes,
  quantization: file?.quantization,
});

export const modelSchema: JsonSchema = {
  title: "Model",
  type: "object",
  required: [
    "id",
    "object",
    "created",
    "owned_by",
    "context_window",
    "is_local",
    "supports_tools",
    "supports_vision",
  ],
  properties: {
    id: { type: "string", description: "prefix/name" },
    object: { const: "model" },
    type: { const: "model" },
    display_name: { type: "string", description: "The name at the provider" },
    created: { type: "integer", description: "Unix seconds; 0 when nobody knows" },
    owned_by: text,
    context_window: integer,
    max_completion_tokens: integer,
    max_request_tokens: integer,
    vendor: text,
    provider_type: text,
    model_picker_category: { enum: ["chat", "embedding"] },
    is_local: { type: "boolean" },
    supports_tools: { type: "boolean" },
    supports_vision: { type: "boolean" },
    info_source: { enum: ["provider", "user", "table", "probe", "guess"] },
  },
};

export const localSchema: JsonSchema = {
  title: "LocalModel",
  type: "object",
  required: ["id", "name", "provider"],
  properties: {
    id: text,
    name: text,
    provider: text,
    path: { type: "string", description: "Not shown to callers elsewhere" },
    sizeBytes: integer,
    quantization: text,
  },
};
