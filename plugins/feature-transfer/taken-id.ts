import { AppError, newId, type Conversation } from "@pergola/sdk";
import type { ImportOptions, Parts } from "@pergola/sdk/host";
import type { PackedConversation } from "./package-form.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The id that a packed conversation gets here, and whether it takes another's place. Throws `id_taken`. */
export async function takenId(
  { conversations }: Pick<Parts, "conversations">,
  { id: given, alias = null }: PackedConversation,
  onConflict: ImportOptions["onConflict"],
  warn: (text: string) => void,
): Promise<Pick<Conversation, "id" | "alias"> & { readonly replaces: boolean }> {
  if (given === undefined && alias === null) return { id: newId.uuid(), alias: null, replaces: false };
  const named =
    alias === null || (given !== undefined && conversations.idOf(alias) !== given.toLowerCase())
      ? null
      : alias;
  const id = conversations.idOf(named ?? given ?? "");
  const own = uuid.test(id) && (named !== null || given?.toLowerCase() === id) ? id : newId.uuid();
  if ((await conversations.find(own)) === undefined) return { id: own, alias: named, replaces: false };
  if (onConflict === "replace") return { id: own, alias: named, replaces: true };
  if (onConflict === "fail")
    throw new AppError({ code: "id_taken", message: `A conversation "${named ?? own}" exists already.` });
  if (named !== null) warn(`The alias "${named}" is taken; the conversation got a new id.`);
  return { id: newId.uuid(), alias: null, replaces: false };
}
