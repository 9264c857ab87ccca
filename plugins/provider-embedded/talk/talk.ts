import { defined, type OfferedTool } from "@pergola/sdk";
import type { ContextBlock } from "../dialogue/context-block.ts";
import { cover } from "../examples/cover.ts";
import { type Pattern, patternOf } from "../examples/pattern.ts";
import type { Request } from "../request/read-request.ts";
import { connectHelp, identity, privacy } from "./about.ts";
import { capabilities } from "./capabilities.ts";
import { momentAnswers } from "./moment.ts";

type Reply = string | ((tools: readonly OfferedTool[], context: ContextBlock) => string);

interface Topic {
  readonly reply: Reply;
  /** Sentences that are meant so. A word in braces may be any other. */
  readonly says: readonly string[];
}

const hello =
  "Hello! I am the guide built into Pergola. Tell me what to look up or to do, or ask “what can you do?”.";

/** What the guide answers itself, without a tool. */
const topics: readonly Topic[] = [
  {
    reply: hello,
    says: ["hello", "hi", "hey", "hi there", "hello there", "good morning", "good evening", "good day"],
  },
  {
    reply: "You are welcome.",
    says: ["thanks", "thank you", "thanks a lot", "thank you so much", "thank you very much"],
  },
  {
    reply: "Goodbye!",
    says: ["bye", "goodbye", "good night", "see you", "see you later", "see you tomorrow"],
  },
  {
    reply: "Good. What is next?",
    says: ["ok", "okay", "yes", "great", "good", "nice", "perfect", "fine", "got it"],
  },
  {
    reply: "All right, I leave it.",
    says: ["no", "never mind", "cancel", "stop", "forget it", "leave it", "not now"],
  },
  {
    reply: identity,
    says: [
      "who are you",
      "what are you",
      "what is your name",
      "are you {chatgpt}",
      "are you an {ai}",
      "are you a language model",
      "which model are you",
      "which model am I talking to",
    ],
  },
  {
    reply: privacy,
    says: [
      "do you send my data anywhere",
      "is my data safe",
      "do you need the internet",
      "are you offline",
      "are you private",
      "where does my data go",
    ],
  },
  {
    reply: capabilities,
    says: [
      "what can you do",
      "what can I do here",
      "help",
      "help me",
      "what can I ask",
      "how can you help me",
      "which tools do you have",
    ],
  },
  { reply: connectHelp, says: ["how do I connect a model", "how do I connect {ollama}", "connect a model"] },
  {
    reply: connectHelp,
    says: ["how do I connect a language model", "how can I connect {openai}", "how do I use {claude}"],
  },
  {
    reply: connectHelp,
    says: ["how do I add an api key", "how do I add a provider", "how can I use {ollama} with you"],
  },
  {
    reply:
      "I have done what I can do about this. " +
      "What is left needs a language model, or a plain request for one step.",
    says: ["continue", "go on", "carry on", "keep going"],
  },
  ...momentAnswers.map(({ says, answer }): Topic => ({ says, reply: (_, context) => answer(context) })),
];

function patternsOf({ says }: Topic): readonly Pattern[] {
  const examples = says.map((say) => {
    const word = /\{(\w+)\}/.exec(say)?.[1];
    return { say: say.replace(/[{}]/g, ""), arguments: defined({ word }) };
  });
  return examples.flatMap(
    (example) => patternOf(example, { parameters: { word: { type: "string" } }, examples }) ?? [],
  );
}

let known: readonly { readonly topic: Topic; readonly patterns: readonly Pattern[] }[] | undefined;

/** Made for the first question, for a start needs none. */
const knownTopics = (): NonNullable<typeof known> =>
  (known ??= topics.map((topic) => ({ topic, patterns: patternsOf(topic) })));

/** The guide's own answer to a message that needs no tool; undefined for another message. */
export function ownAnswer(
  request: Request,
  tools: readonly OfferedTool[],
  context: ContextBlock,
): string | undefined {
  const found = knownTopics().find(({ patterns }) =>
    patterns.some((pattern) => cover(pattern, request).length > 0),
  );
  const reply = found?.topic.reply;
  if (typeof reply === "function") return reply(tools, context);
  return reply;
}
