import { defineRoute } from "@pergola/sdk";
import { answerLoad, answerRun } from "../answer-run.ts";
import { generateAnswers } from "../answer-schemas.ts";
import { generateBody } from "../body-schemas.ts";
import { asksOfGenerate, readGenerate } from "../read-request.ts";
import { generateFields } from "../wire-answer.ts";
import { ollamaFailure } from "../wire-failure.ts";

export const generate = defineRoute({
  method: "POST",
  path: "/api/generate",
  scope: "chat",
  takes: "untyped",
  summary: "Continue a prompt in Ollama's format, without tools and memory",
  body: generateBody,
  ...generateAnswers,
  ...ollamaFailure,
  async handle(request, services) {
    const { body } = request;
    const run = await readGenerate(body, { request, services });
    if (!asksOfGenerate(body))
      return answerLoad({ ...body, model: run.model }, generateFields, request, services);
    return answerRun(run, generateFields, request, services);
  },
});
