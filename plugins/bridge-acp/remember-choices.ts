import { settingsOf } from "./config-options.ts";
import { conversationPath, type Conversation } from "./service.ts";
import type { Ends, Session } from "./session.ts";

/**
 * Stores with the conversation how it is held, so that it goes on so when it is opened again; nothing while
 * it is not stored itself. Its model is stored with each prompt.
 */
export async function rememberChoices({ service }: Ends, session: Session): Promise<void> {
  const { id, choices, remembered } = session;
  if (choices.thought === remembered.thought && choices.terminal === remembered.terminal) return;
  try {
    const address = conversationPath(id);
    const stored = await service.send<Conversation>("GET", `${address}?messages=false`);
    await service.send("PATCH", address, { settings: settingsOf(choices, stored) });
    session.remembered = choices;
  } catch {
    // Nobody has spoken in it, it is at work, or the caller may not: the session has them all the same.
  }
}
