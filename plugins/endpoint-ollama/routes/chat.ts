import { defineRoute } from "@pergola/sdk";
import { answerLoad, answerRun } from "../answer-run.ts";
import { chatAnswers } from "../answer-schemas.ts";
import { chatBody } from "../body-schemas.ts";
import { asksOfChat, readChat } from "../read-request.ts";
import { chatFields } from "../wire-answer.ts";
import { ollamaFailure } from "../wire-failure.ts";

export const chat = defineRoute({
  method: "POST",
  path: "/api/chat",
  scope: "chat",
  takes: "untyped",
  summary: "Answer a chat in Ollama's format, calling tools as needed",
  description:
    "A stream of lines unless stream is false. A request has its whole history; its conversation is " +
    "deleted with the answer, unless `ollama.keep` is on. A call that waits for the person only looks slow.",
  body: chatBody,
  ...chatAnswers,
  ...ollamaFailure,
  async handle(request, services) {
    const { body } = request;
    const run = await readChat(body, { request, services });
    if (!asksOfChat(body)) return answerLoad({ ...body, model: run.model }, chatFields, request, services);
    return answerRun(run, chatFields, request, services);
  },
});
