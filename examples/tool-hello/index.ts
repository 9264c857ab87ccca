import { definePlugin, defineTool } from "@pergola/sdk";
import { guestIndexes } from "./guest.ts";
import { greet } from "./operations/greet.ts";
import { greetFile } from "./operations/greet-file.ts";
import { rememberGuest } from "./operations/remember-guest.ts";

export const hello = defineTool({
  name: "hello",
  description: "Greet people, and remember who was here.",
  operations: [greet, rememberGuest, greetFile],
});

export default definePlugin({ tools: [hello], collections: { guests: guestIndexes } });
