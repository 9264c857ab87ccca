import type { Json } from "@pergola/sdk";
import { noKey, type Client, type OfferedModel } from "../client.ts";
import { inHome } from "../places.ts";

/** The variable that its settings give a value where the service wants no key. */
const ownKey = "PERGOLA_KEY";

const limitsOf = ({ facts }: OfferedModel) =>
  facts && {
    generationConfig: {
      contextWindowSize: facts.contextTokens,
      samplingParams: { max_tokens: facts.outputTokens },
    },
  };

export const qwenCode: Client = {
  name: "qwen-code",
  title: "Qwen Code",
  programs: ["qwen"],
  places: (computer) => [inHome(computer, ".qwen")],
  file: (computer) => inHome(computer, ".qwen", "settings.json"),
  settings: ({ url, model, models, token }) => {
    const envKey = token?.variable ?? ownKey;
    const openai: readonly Json[] = models.map((one) => ({
      id: one.id,
      name: one.id,
      baseUrl: `${url}/v1`,
      envKey,
      ...limitsOf(one),
    }));
    return {
      format: "json",
      values: {
        ...(token === undefined && { env: { [ownKey]: noKey } }),
        modelProviders: { openai },
        security: { auth: { selectedType: "openai" } },
        model: { name: model },
      },
    };
  },
};
