import type { OfferedTool } from "@pergola/sdk";
import { connectHelp, identity, privacy } from "./about.ts";
import { capabilities } from "./capabilities.ts";
import type { Talk } from "./talk-patterns.ts";

const honest = "I am the built-in guide, not a large language model";

/** What the guide says to talk that needs no tool. */
const replies: Readonly<Record<Talk, string | ((tools: readonly OfferedTool[]) => string)>> = {
  greeting:
    "Hello! I am the guide built into Pergola. Tell me what to look up or to do, or ask “what can you do?”.",
  wellbeing: "Everything works here, thank you. What shall I do for you?",
  thanks: "You are welcome.",
  goodbye: "Goodbye!",
  identity,
  privacy,
  capabilities,
  connect: connectHelp,
  assent: "Good. What is next?",
  refusal: "All right, I leave it.",
  praise: "Thank you.",
  complaint:
    "I am sorry if I got something wrong. Say it in other words, as plainly as you can, and I try again.",
  opinion: `${honest}: I have no opinions or feelings to tell of. A connected language model can talk about such things; ask me how.`,
  invention: `${honest}: I cannot make up texts or give advice. A connected language model can; ask me how to connect one.`,
  definition: `${honest}: I cannot explain things in general. A connected language model can; ask me how to connect one.`,
  nudge:
    "I have done what I can do about this. What is left needs a language model, or a plain request for one step.",
};

export function replyTo(talk: Talk, tools: readonly OfferedTool[]): string {
  const reply = replies[talk];
  return typeof reply === "string" ? reply : reply(tools);
}
