import type { Conversation } from "../contract/conversation.ts";
import { AppError } from "../contract/errors.ts";
import type { Parts } from "./parts.ts";

/**
 * The label of the host whose files a conversation works with, for its record: this host's, where there are
 * several and not all see the same folders. Throws `wrong_host` where it is another one's.
 */
export function placeOf(
  { stores, preferences }: Pick<Parts, "stores" | "preferences">,
  conversation: Pick<Conversation, "host"> | undefined,
): Pick<Conversation, "host"> {
  const { hosts } = stores.storage;
  if (hosts === undefined || preferences.get<boolean>("workspace.shared")) return {};
  const host = conversation?.host ?? hosts.label;
  if (host === hosts.label) return { host };
  const remedy = "Ask that one, or let all hosts see the same folders and set workspace.shared.";
  throw new AppError({
    code: "wrong_host",
    message: `The files of this conversation are at the host "${host}". ${remedy}`,
    details: { host },
  });
}
