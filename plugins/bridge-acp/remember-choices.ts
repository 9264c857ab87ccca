import { isDeepStrictEqual } from "node:util";
import { modelOf, settingsOf } from "./config-options.ts";
import { conversationPath, type Conversation, type Service } from "./service.ts";
import type { Ends, Session } from "./session.ts";

interface Remembering {
  /** A conversation in which nobody has spoken yet is stored, too; no list has it before somebody does. */
  readonly stores?: boolean;
}

/**
 * Stores with the conversation how it is held, so that it goes on so when it is opened again, by another
 * process of the editor too.
 */
export async function rememberChoices(
  { service }: Ends,
  session: Session,
  { stores = false }: Remembering = {},
): Promise<void> {
  const { id, choices, remembered } = session;
  if (isDeepStrictEqual(choices, remembered)) return;
  try {
    const stored = await storedConversation(service, session, stores);
    const model = choices.model === remembered.model ? {} : { model: modelOf(choices) };
    await service.send("PATCH", conversationPath(id), { ...model, settings: settingsOf(choices, stored) });
    session.remembered = choices;
  } catch {
    // It is not stored, or the caller may not: the session has them all the same.
  }
}

/** Forgets a conversation in which nobody has spoken: it holds nothing but choices. */
export async function forgetUnspoken({ service }: Ends, { id }: Pick<Session, "id">): Promise<void> {
  try {
    const address = conversationPath(id);
    const { hidden } = await service.send<Conversation>("GET", `${address}?messages=false`);
    if (hidden) await service.send("DELETE", address);
  } catch {
    // It was not stored, or the caller may not.
  }
}

function storedConversation(
  service: Service,
  { id, directory }: Session,
  stores: boolean,
): Promise<Conversation> {
  const found = service.send<Conversation>("GET", `${conversationPath(id)}?messages=false`);
  return found.catch((error: unknown) => {
    if (!stores || (error as { readonly code?: unknown }).code !== "not_found") throw error;
    const where = service.isElsewhere ? {} : { workingDirectory: directory };
    return service.send<Conversation>("POST", "/v1/conversations", { id, hidden: true, ...where });
  });
}
