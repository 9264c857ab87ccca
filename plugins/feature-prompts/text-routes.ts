import { successSchema, type JsonSchema, type Properties, type Route, type ServicesWith } from "@pergola/sdk";
import type { PromptDraft, PromptLibrary, PromptService, PromptText } from "@pergola/sdk/host";

/** The services of a route of texts. */
export type Available = ServicesWith<"prompts">;

type TextRoute = Route<"prompts">;

interface TextRoutes<T extends PromptText> {
  readonly library: (prompts: PromptService) => PromptLibrary<T>;
  /** Where the list is. */
  readonly all: Pick<TextRoute, "path" | "aliases">;
  /** Where one text is; its id is the only parameter. */
  readonly one: Pick<TextRoute, "path" | "aliases" | "params">;
  readonly summaries: Readonly<Record<"create" | "get" | "update" | "delete", string>>;
  /** What can be set. */
  readonly fields: Properties;
  /** What a new text needs. */
  readonly required: readonly string[];
  /** The fields of a checked body that are to be set. */
  readonly read: (body: PromptDraft<T>) => PromptDraft<T>;
  readonly response: JsonSchema;
  readonly wire: (text: T, services: Available) => unknown;
}

const idOf = (params: Readonly<Record<string, string>>): string => Object.values(params).join("");

/** The routes that make, show, change and delete a text of one kind. */
export function textRoutes<T extends PromptText>(kind: TextRoutes<T>) {
  const { library, all, one, summaries, fields: properties, read, response, wire } = kind;
  const create: TextRoute = {
    method: "POST",
    scope: "chat",
    ...all,
    summary: summaries.create,
    body: { type: "object", properties, required: kind.required },
    answers: { 201: { "application/json": response } },
    failures: ["id_taken"],
    async handle({ body }, services) {
      const text = await library(services.prompts).create(read(body as PromptDraft<T>));
      return { status: 201, body: await wire(text, services) };
    },
  };
  const get: TextRoute = {
    method: "GET",
    scope: "read",
    ...one,
    summary: summaries.get,
    response,
    failures: [],
    handle: async ({ params }, services) => ({
      body: await wire(await library(services.prompts).get(idOf(params)), services),
    }),
  };
  const update: TextRoute = {
    method: "PATCH",
    scope: "chat",
    ...one,
    summary: summaries.update,
    body: { type: "object", properties },
    response: successSchema,
    failures: ["built_in", "id_taken"],
    async handle({ params, body }, { prompts }) {
      await library(prompts).update(idOf(params), read(body as PromptDraft<T>));
      return { body: { success: true } };
    },
  };
  const remove: TextRoute = {
    method: "DELETE",
    scope: "chat",
    ...one,
    summary: summaries.delete,
    response: successSchema,
    failures: ["built_in"],
    async handle({ params }, { prompts }) {
      await library(prompts).delete(idOf(params));
      return { body: { success: true } };
    },
  };
  return { create, get, update, remove };
}
