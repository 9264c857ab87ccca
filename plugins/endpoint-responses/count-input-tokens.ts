import { objectSchema, selectTools } from "@pergola/kit-provider";
import { defineRoute, estimateTokens, type ChatMessage } from "@pergola/sdk";
import { countBody } from "./body-schema.ts";
import { withFileTexts } from "./file-texts.ts";
import { historyOf, lineageOf } from "./lineage.ts";
import { readItems } from "./read-input.ts";
import { readTool } from "./read-tools.ts";
import { resolveReferences } from "./resolve-references.ts";

/** An estimate has no place for warnings; the response itself will name what is left out. */
const warn = (): void => undefined;

/**
 * Estimates the tokens of what the caller sends and of what it continues, at four characters each, without
 * what the service adds.
 */
export const countInputTokens = defineRoute({
  method: "POST",
  path: "/v1/responses/input_tokens",
  scope: "chat",
  aliases: ["/api/responses/input_tokens"],
  summary: "Estimate the tokens of a request in the Responses format",
  body: countBody,
  response: objectSchema({ object: { const: "response.input_tokens" }, input_tokens: { type: "integer" } }),
  failures: ["not_found", "model_not_found", "no_provider"],
  async handle({ body, headers, signal }, services) {
    const { model, instructions, tools } = body;
    const asked = body.input ?? [];
    const items = typeof asked === "string" ? [{ role: "user", content: asked }] : asked;
    const lineage = await lineageOf(body, { headers }, services);
    const resolved = await resolveReferences({ ...body, input: items }, services);
    const input = readItems(await withFileTexts(resolved.input, signal), "input").messages;
    const format = { group: "responses", read: readTool, warn };
    const { callerTools } = selectTools(tools, services, undefined, format);
    if (model) await services.models.resolve(model, signal);
    const system: readonly ChatMessage[] = instructions ? [{ role: "system", content: instructions }] : [];
    const messages = [...system, ...(await historyOf(lineage, services)), ...input];
    return {
      body: {
        object: "response.input_tokens",
        input_tokens: estimateTokens({ messages, tools: callerTools }),
      },
    };
  },
});
