import { fault } from "../../fault.ts";
import { findConversations, printEndOf } from "../conversation-turns.ts";
import { lineOf } from "../conversations.ts";
import { printDim, printWrapped } from "../print-result.ts";
import type { ChatCommand } from "./chat-command.ts";

export const open: ChatCommand = {
  names: ["open"],
  usage: "[id or words]",
  summary: "list earlier conversations, or go on with one",
  async run(session, words) {
    const { service } = session;
    const { conversations } = await findConversations(service, words === "" ? 10 : 200);
    if (words === "") {
      printWrapped(conversations.map(lineOf));
      printDim("To go on with one: /open and its id, the beginning of it, or words of its title.");
      return undefined;
    }
    const isMeant = ({ id, title }: { readonly id: string; readonly title: string }): boolean =>
      id.startsWith(words) || title.toLowerCase().includes(words.toLowerCase());
    const found = conversations.find(isMeant);
    if (found === undefined)
      throw fault("not_found", `No conversation has "${words}" in its title or id. /open lists them.`);
    session.conversation = found.id;
    await printEndOf(service, found.id);
    return undefined;
  },
};
