import { defineEndpoints, definePlugin } from "@pergola/sdk";
import { autonomous } from "./autonomous.ts";
import { chatCompletions } from "./chat-completions.ts";
import { runEvents } from "./run-events.ts";
import { toolResponse } from "./tool-response.ts";

export default definePlugin({
  endpoints: [
    defineEndpoints({ group: "chat", routes: [chatCompletions, toolResponse, autonomous] }),
    defineEndpoints({ group: "runs", routes: [runEvents] }),
  ],
});
