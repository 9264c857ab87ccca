import { AppError, newId, type Conversation } from "@pergola/sdk";
import type { ImportOptions, Parts } from "@pergola/sdk/host";
import type { PackedConversation } from "./package-form.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The alias, unless the id is another conversation's. */
function ownAlias(
  idOf: (text: string) => string,
  id: string | undefined,
  alias: string | null,
): string | null {
  if (alias === null || id === undefined) return alias;
  return idOf(alias) === id ? alias : null;
}

/** The UUID that the package names, if there is one. */
function namedId(idOf: (text: string) => string, id: string | undefined, alias: string | null) {
  const found = idOf(alias ?? id ?? "");
  const isNamed = alias !== null || id === found;
  return isNamed && uuid.test(found) ? found : undefined;
}

/** The id that a packed conversation gets here, and whether it takes another's place. Throws `id_taken`. */
export async function resolveId(
  { conversations }: Pick<Parts, "conversations">,
  { id: ownId, alias = null }: PackedConversation,
  onConflict: ImportOptions["onConflict"],
  warn: (text: string) => void,
): Promise<Pick<Conversation, "id" | "alias"> & { readonly replaces: boolean }> {
  const fresh = { id: newId.uuid(), alias: null, replaces: false };
  if (ownId === undefined && alias === null) return fresh;
  const idOf = (text: string): string => conversations.idOf(text);
  const named = ownAlias(idOf, ownId?.toLowerCase(), alias);
  const id = namedId(idOf, ownId?.toLowerCase(), named) ?? fresh.id;
  if ((await conversations.find(id)) === undefined) return { id, alias: named, replaces: false };
  if (onConflict === "replace") return { id, alias: named, replaces: true };
  if (onConflict === "fail")
    throw new AppError({ code: "id_taken", message: `A conversation "${named ?? id}" exists already.` });
  if (named !== null) warn(`The alias "${named}" is taken; the conversation got a new id.`);
  return fresh;
}
