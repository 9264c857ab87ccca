import { builtInId, builtInPersonalityIds, builtInPromptIds, defaultPrompt } from "@pergola/sdk/host";
import type { TextSource } from "./choose-texts.ts";

/** A library of the one text that the default is. */
const only = <T>(id: string, text: T) => ({
  find: async (idOrName: string) => {
    if (builtInId({ default: id }, idOrName) === undefined) return undefined;
    return text;
  },
});

/** The texts that there are where no plugin keeps any. */
export const withoutService: TextSource = {
  system: only(builtInPromptIds.default, { content: defaultPrompt }),
  personalities: only(builtInPersonalityIds.default, { instructions: "", traits: {} }),
  mini: { find: async () => undefined },
};
