import { definePlugin, defineTool } from "@pergola/sdk";
import { requestInput } from "./operations/request-input.ts";

export const userCollaboration = defineTool({
  name: "user_collaboration",
  description: "Ask the person a question, or for permission, and wait for the answer.",
  operations: [requestInput],
  names: ["interact", "request_input"],
  icon: "question",
});

export default definePlugin({ tools: [userCollaboration] });
