import type * as protocolTypes from "@modelcontextprotocol/client";
import type { Client } from "@modelcontextprotocol/client";
import { defined, type JsonObject } from "@pergola/sdk";
import type { Content, ServerTexts } from "./link.ts";
import { listPages } from "./list-pages.ts";

/** A page of a list, without `next` on the last one. */
const pageOf = <T>(items: readonly T[], next: string | undefined) => ({
  items,
  ...(next !== undefined && { next }),
});

interface Named {
  readonly name: string;
  readonly description?: string | undefined;
}

const named = ({ name, description }: Named, more: JsonObject): JsonObject =>
  defined({ name, description, ...more });

/** One piece of a resource; pictures are shown to models that can see. */
function contentOf(piece: protocolTypes.ReadResourceResult["contents"][number]): Content {
  const { uri, mimeType } = piece;
  if ("blob" in piece && mimeType?.startsWith("image/") === true)
    return { type: "image", data: piece.blob, mimeType };
  const body = "blob" in piece ? { blob: piece.blob } : { text: piece.text };
  return { type: "resource", resource: { uri, ...body, ...(mimeType !== undefined && { mimeType }) } };
}

const promptLists = new WeakMap<Client, Promise<readonly JsonObject[]>>();

/** The prompts are asked for anew. */
export const forgetPrompts = (client: Client): void => void promptLists.delete(client);

/** The prompts of a server that says when they are others are asked for once until then. */
async function listedOnce(
  client: Client,
  ask: () => Promise<readonly JsonObject[]>,
): Promise<readonly JsonObject[]> {
  if (client.getServerCapabilities()?.prompts?.listChanged !== true) return ask();
  const known = promptLists.get(client);
  if (known !== undefined) return known;
  const forget = (): void => forgetPrompts(client);
  client.setNotificationHandler("notifications/prompts/list_changed", forget);
  const asked = ask();
  promptLists.set(client, asked);
  asked.catch(forget);
  return asked;
}

/** What a server has beside its tools. `timeout`: milliseconds for a page of a list. */
export function textsOf(
  client: Client,
  { ProtocolError, ProtocolErrorCode }: typeof protocolTypes,
  timeout: number,
): ServerTexts {
  const isUnknownMethod = (error: unknown): boolean =>
    error instanceof ProtocolError && error.code === Number(ProtocolErrorCode.MethodNotFound);
  const resources = () =>
    listPages(async (params) => {
      const request = { method: "resources/list" as const, params };
      const answer = await client.request(request, { timeout });
      const items = answer.resources.map((one) =>
        named(one, defined({ uri: one.uri, mimeType: one.mimeType })),
      );
      return pageOf(items, answer.nextCursor);
    });
  /** A server with resources need not know of templates. */
  const templates = () =>
    listPages(async (params) => {
      const request = { method: "resources/templates/list" as const, params };
      const answer = await client.request(request, { timeout });
      const items = answer.resourceTemplates.map((one) =>
        named(one, defined({ uriTemplate: one.uriTemplate, mimeType: one.mimeType })),
      );
      return pageOf(items, answer.nextCursor);
    }).catch((error: unknown) => {
      if (isUnknownMethod(error)) return [];
      throw error;
    });
  const prompts = () =>
    listPages(async (params) => {
      const request = { method: "prompts/list" as const, params };
      const answer = await client.request(request, { timeout });
      const items = answer.prompts.map((one) => named(one, { arguments: one.arguments ?? [] }));
      return pageOf(items, answer.nextCursor);
    });
  return {
    listResources: async () => [...(await resources()), ...(await templates())],
    async readResource(uri, signal) {
      const request = { method: "resources/read" as const, params: { uri } };
      const answer = await client.request(request, { signal });
      return answer.contents.map(contentOf);
    },
    listPrompts: () => listedOnce(client, prompts),
    async getPrompt(name, args, signal) {
      const request = { method: "prompts/get" as const, params: { name, arguments: { ...args } } };
      const answer = await client.request(request, { signal });
      return answer.messages.flatMap(({ role, content }): Content[] => [
        { type: "text", text: `${role}:` },
        content as Content,
      ]);
    },
  };
}
