import { defined, defineOperation, toolDisplay } from "@pergola/sdk";
import { storeOne } from "../memory-of.ts";

function preview(text: string): string {
  const characters = [...text];
  if (characters.length <= 100) return text;
  return `${characters.slice(0, 99).join("")}…`;
}

export const storeMemory = defineOperation({
  name: "store_memory",
  description: "Remember something for later.",
  effect: "write",
  place: "own",
  recovery: "repeat",
  parameters: {
    content: { type: "string", minLength: 1, aliases: ["value"] },
    content_type: {
      type: "string",
      enum: ["interaction", "fact", "preference", "task", "document"],
      default: "fact",
      aliases: ["memory_type"],
    },
    context: { type: "string", description: "What it is about" },
    tags: { type: "array", items: { type: "string" } },
    metadata: { type: "object" },
  },
  required: ["content"],
  display: ({ content }) => toolDisplay("Remember", preview(content), "brain"),
  examples: [
    {
      say: "remember that I prefer tea over coffee",
      arguments: { content: "The user prefers tea over coffee.", content_type: "preference" },
    },
    {
      say: "remember that the server is called Atlas",
      arguments: { content: "The server is called Atlas." },
    },
    {
      say: "don't forget that my sister's birthday is on 4 May",
      arguments: { content: "The user's sister has her birthday on 4 May." },
    },
    { say: "remember for later: my shoe size is 42", arguments: { content: "my shoe size is 42" } },
    {
      say: "keep in mind that the office is closed on Fridays",
      arguments: { content: "The office is closed on Fridays." },
    },
    { say: "note for later that the code is 1234", arguments: { content: "The code is 1234." } },
    { say: "remember I am left-handed", arguments: { content: "I am left-handed" } },
    {
      say: "remember: the bin is emptied on Mondays",
      arguments: { content: "the bin is emptied on Mondays" },
    },
  ],
  async run({ content, content_type: contentType, context: about = null, tags, metadata }, context) {
    const draft = { content, contentType, context: about, ...defined({ tags, metadata }) };
    const { item, duplicate } = await storeOne(context, draft);
    let message = "Stored.";
    if (duplicate) message = "It was stored a moment ago; nothing was added.";
    return {
      data: {
        id: item.id,
        type: item.contentType,
        tags: item.tags,
        preview: preview(item.content),
        duplicate,
      },
      message,
    };
  },
});
