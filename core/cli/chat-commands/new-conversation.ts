import { printDim } from "../print-result.ts";
import type { ChatCommand } from "./chat-command.ts";

export const newConversation: ChatCommand = {
  names: ["new"],
  summary: "begin a new conversation",
  async run(session) {
    session.conversation = undefined;
    printDim("The next message begins a new conversation. /open goes back to another.");
    return undefined;
  },
};
