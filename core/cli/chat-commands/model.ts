import { didYouMean } from "@pergola/sdk";
import { fault } from "../../fault.ts";
import { printDim, printWrapped } from "../print-result.ts";
import type { Service } from "../service.ts";
import { styled, visible } from "../visible.ts";
import type { ChatCommand } from "./chat-command.ts";

interface Listed {
  readonly data: readonly { readonly id: string }[];
}

async function chatModels(service: Service): Promise<readonly string[]> {
  const { data } = await service.get<Listed>("/api/models");
  return data.map(({ id }) => id);
}

/** The model with this id, or the only one whose id holds the words. */
function find(ids: readonly string[], words: string): string {
  const [exact] = ids.filter((id) => id === words);
  const found = ids.filter((id) => id.toLowerCase().includes(words.toLowerCase()));
  if (exact !== undefined) return exact;
  if (found.length > 1)
    throw fault("invalid_value", `Several models have this in their names: ${found.join(", ")}`);
  const [only] = found;
  if (only !== undefined) return only;
  throw fault("invalid_value", `There is no model "${words}".${didYouMean(words, ids)} /model lists them.`);
}

export const model: ChatCommand = {
  names: ["model"],
  usage: "[id]",
  summary: "list the models, or answer with another one from now on",
  async run(session, words) {
    const ids = await chatModels(session.service);
    if (words === "") {
      printWrapped(
        ids.map((id) => (id === session.model ? styled("bold", `* ${visible(id)}`) : `  ${visible(id)}`)),
      );
      return undefined;
    }
    session.model = find(ids, words);
    printDim(`The next answer comes from ${session.model}.`);
    return undefined;
  },
};
