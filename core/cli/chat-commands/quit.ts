import type { ChatCommand } from "./chat-command.ts";

export const quit: ChatCommand = {
  names: ["quit", "exit"],
  summary: "end the chat; the conversation is stored",
  async run() {
    return "quit";
  },
};
