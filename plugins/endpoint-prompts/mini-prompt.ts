import type { Properties } from "@pergola/sdk";
import type { MiniPrompt, PromptFields } from "@pergola/sdk/host";
import { name, promptText } from "./schemas.ts";

export const miniFields: Properties = {
  name,
  content: promptText(20_000),
  displayOrder: {
    type: "integer",
    minimum: -1_000_000,
    maximum: 1_000_000,
    description: "The lowest comes first; without it, behind the others",
  },
};

export const miniProperties: Properties = {
  id: { type: "string" },
  name: { type: "string" },
  content: { type: "string" },
  displayOrder: { type: "integer" },
  createdAt: { type: "string", format: "date-time" },
  modifiedAt: { type: "string", format: "date-time" },
};

/** What a checked body says of a mini prompt. */
export function miniFieldsOf(body: unknown): PromptFields<MiniPrompt> {
  const known = Object.entries(body as object).filter(([key]) => key in miniFields);
  return Object.fromEntries(known);
}

export const wireMini = ({ id, name: title, content, displayOrder, createdAt, modifiedAt }: MiniPrompt) => ({
  id,
  name: title,
  content,
  displayOrder,
  createdAt,
  modifiedAt,
});

export const miniPaths = (rest = ""): readonly string[] => [
  `/api/mini-prompts${rest}`,
  `/api/custom-instructions${rest}`,
];
