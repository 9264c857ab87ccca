import { AppError, isObject, stringOf, type JsonObject, type Services } from "@pergola/sdk";
import type { ResponseBody } from "./body-schema.ts";
import { responseOfItem } from "./ids.ts";
import { findResponse, readOutput } from "./read-response.ts";
import { everyMessage, itemsOf } from "./stored-items.ts";

/** `type` may be left out of a reference: an item that has an id and nothing else is one. */
const isReference = ({ type = null, role, id }: Readonly<Record<string, unknown>>): boolean =>
  typeof id === "string" && (type === "item_reference" || (type === null && role === undefined));

const unresolved = (id: string, index: number): AppError =>
  new AppError({
    code: "not_found",
    message: `input[${index}] refers to the item "${id}", which is not stored. Send the item itself.`,
    param: `input[${index}].id`,
  });

type Items = readonly Readonly<Record<string, unknown>>[];

async function outputOfItem(id: string, services: Services): Promise<Items> {
  const responseId = responseOfItem(id);
  if (responseId === undefined) return [];
  try {
    return (await readOutput(await findResponse(responseId, services), services)).output as Items;
  } catch (error) {
    if (AppError.is(error) && error.code === "not_found") return [];
    throw error;
  }
}

async function itemsOfConversation(
  conversation: ResponseBody["conversation"],
  { conversations }: Services,
): Promise<Items> {
  const id = isObject(conversation) ? conversation["id"] : conversation;
  if (typeof id !== "string") return [];
  const messages = await conversations.messages(id, { limit: everyMessage }).catch(() => []);
  return itemsOf(messages, true).map(({ item }) => item);
}

/**
 * The request with the items themselves in place of references to them: to items of responses, and of the
 * conversation that it names. Rejects with `not_found`.
 */
export async function resolveReferences<B extends Pick<ResponseBody, "input" | "conversation">>(
  body: B,
  services: Services,
): Promise<B> {
  const { input, conversation } = body;
  if (typeof input === "string" || !input.some(isReference)) return body;
  const resolved: JsonObject[] = [];
  for (const [index, item] of input.entries()) {
    if (!isReference(item)) {
      resolved.push(item);
      continue;
    }
    const id = stringOf(item["id"]);
    const isIt = (candidate: Items[number]): boolean => candidate["id"] === id;
    const found =
      (await outputOfItem(id, services)).find(isIt) ??
      (await itemsOfConversation(conversation, services)).find(isIt);
    if (found === undefined) throw unresolved(id, index);
    resolved.push(found as JsonObject);
  }
  return { ...body, input: resolved };
}
