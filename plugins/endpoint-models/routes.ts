import { AppError, defineEndpoints, defineRoute, type ModelEntry } from "@pergola/sdk";
import { localSchema, modelSchema, wireLocal, wireModel } from "./wire-model.ts";

/**
 * The rest of a path that names a model. What lies below `download` belongs to the downloads, whether that
 * group is there or not.
 */
const modelId = {
  type: "string",
  pattern: "^(?!download(?:/|$))",
  description: "The rest of the path: prefix/name, or the name alone",
} as const;

/** A page of a list. Throws `not_found` for an `after` that is none of them. */
function pageOf(list: readonly ModelEntry[], after: string | undefined, limit: number | undefined) {
  const before = after === undefined ? -1 : list.findIndex(({ modelId }) => modelId === after);
  if (after !== undefined && before < 0)
    throw new AppError({ code: "not_found", message: `There is no model "${after}".`, param: "after_id" });
  const behind = list.slice(before + 1);
  const data = behind.slice(0, limit);
  return {
    data: data.map(wireModel),
    first_id: data[0]?.modelId ?? null,
    last_id: data.at(-1)?.modelId ?? null,
    has_more: data.length < behind.length,
  };
}

export const listModels = defineRoute({
  method: "GET",
  path: "/api/models",
  scope: "read",
  aliases: ["/v1/models"],
  summary: "List the models of all providers",
  query: {
    category: {
      enum: ["chat", "embedding"],
      default: "chat",
      description: "chat: those that answer chats; embedding: those that make vectors",
    },
    limit: { type: "integer", minimum: 1, maximum: 1000, description: "At most so many" },
    afterId: { type: "string", description: "The id of the model behind which the list begins" },
  },
  response: {
    type: "object",
    properties: {
      object: { const: "list" },
      data: { type: "array", items: modelSchema },
      models: { type: "array", items: localSchema, description: "Installed model files" },
      count: { type: "integer", description: "All there are, whatever the limit" },
      has_more: { type: "boolean", description: "Whether the limit leaves some out" },
      first_id: { type: ["string", "null"] },
      last_id: { type: ["string", "null"], description: "To go on with, as after_id" },
    },
  },
  failures: ["not_found"],
  async handle({ caller, query, signal }, { models }) {
    const { category = "chat", limit, afterId } = query;
    const all = await models.list(signal);
    const local = all.filter(({ file }) => file !== undefined).map((model) => wireLocal(model, caller));
    const list = all.filter(({ kind }) => kind === category);
    const page = pageOf(list, afterId, limit);
    return { body: { object: "list", ...page, models: local, count: list.length } };
  },
});

export const getModel = defineRoute({
  method: "GET",
  path: "/api/models/{id…}",
  scope: "read",
  aliases: ["/v1/models/{id…}"],
  summary: "Show a model",
  params: { id: modelId },
  response: modelSchema,
  failures: ["model_not_found", "no_provider"],
  async handle({ params, signal }, { models }) {
    return { body: wireModel(await models.resolve(params.id, signal)) };
  },
});

/** A file that cannot be used is in no list of models, and can be removed all the same. */
const unlisted =
  (id: string) =>
  (error: unknown): { readonly modelId: string } => {
    if (!AppError.is(error) || error.code !== "model_not_found") throw error;
    return { modelId: id };
  };

export const deleteModel = defineRoute({
  method: "DELETE",
  path: "/api/models/{id…}",
  scope: "admin",
  summary: "Remove an installed local model",
  params: { id: modelId },
  response: { type: "object", properties: { success: { const: true }, id: { type: "string" } } },
  failures: ["model_not_found", "built_in", "in_use", "no_provider"],
  async handle({ params, signal }, { models }) {
    const { modelId } = await models.resolve(params.id, signal).catch(unlisted(params.id));
    await models.remove(modelId);
    return { body: { success: true, id: modelId } };
  },
});

export const models = defineEndpoints({ group: "models", routes: [listModels, getModel, deleteModel] });
