import { defined, defineOperation, ToolError, type Answer, type Question } from "@pergola/sdk";

const words = { approved: "Approved", denied: "Denied", text: "" } as const;

/** The person's text; a bare yes or no in words. */
const textOf = ({ decision, text }: Answer): string => text || words[decision];

function refusal({ text }: Answer): ToolError {
  const message = text === "" ? "The person said no." : `The person said no: ${text}`;
  return new ToolError("denied", message, {
    hint: "Do not do it. Choose another way, or end and say what you could not do.",
  });
}

export const requestInput = defineOperation({
  name: "request_input",
  description: "Ask the person. With authorize_operation a yes permits that operation.",
  effect: "none",
  recovery: "once",
  timeoutSeconds: 0,
  parameters: {
    prompt: { type: "string", minLength: 1, description: "The question", aliases: ["message"] },
    context: { type: "string", description: "What the person should know to answer" },
    authorize_operation: { type: "string", description: "family.operation that a yes permits" },
    options: { type: "array", items: { type: "string" }, description: "Answers to choose from" },
    paths: {
      type: "array",
      items: { type: "string", format: "path" },
      description: "Paths the permission is for",
    },
  },
  required: ["prompt"],
  display: ({ prompt, options = [] }) => ({
    action: "request_input",
    actionDisplayName: "Ask the person",
    summary: prompt,
    details: options,
  }),
  examples: [
    {
      say: "ask me which colour I like before you go on",
      arguments: { prompt: "Which colour do you like?" },
    },
    { say: "ask me for my name", arguments: { prompt: "What is your name?" } },
    {
      say: "let me choose between tea and coffee",
      arguments: { prompt: "Tea or coffee?", options: ["tea", "coffee"] },
    },
    {
      say: "ask me for permission before you delete a file",
      arguments: { prompt: "May I delete the file?", authorize_operation: "file_operations.delete_file" },
    },
    { say: "have me confirm the order first", arguments: { prompt: "Is the order right?" } },
    { say: "ask me what the title should be", arguments: { prompt: "What should the title be?" } },
    { say: "ask the user whether to stop", arguments: { prompt: "Shall I stop?" } },
    { say: "ask me for the name of the project", arguments: { prompt: "What is the name of the project?" } },
    { say: "ask me for the colour of the door", arguments: { prompt: "the colour of the door" } },
    { say: "ask me which of these I like", arguments: { prompt: "Which of these do you like?" } },
    { say: "ask the user when to start", arguments: { prompt: "When shall I start?" } },
    { say: "ask me how many pages I want", arguments: { prompt: "How many pages do you want?" } },
    { say: "prompt me for a number", arguments: { prompt: "Which number?" } },
    { say: "check with me whether to go on", arguments: { prompt: "Shall I go on?" } },
    { say: "let me confirm the list", arguments: { prompt: "Is the list right?" } },
    { say: "get my permission before you write a file", arguments: { prompt: "May I write the file?" } },
  ],
  async run({ prompt, context: background, authorize_operation, options, paths }, context) {
    const question: Question = {
      prompt,
      context: background,
      options,
      authorizeOperation: authorize_operation,
      paths,
    };
    const answer = await context.ask(question);
    if (authorize_operation !== undefined && answer.decision !== "approved") throw refusal(answer);
    return {
      data: `User response: ${textOf(answer)}`,
      message: "The person answered.",
      fields: defined({ decision: answer.decision, grantId: answer.grantId }),
    };
  },
});
