import {
  builtInPersonalityIds,
  builtInPromptIds,
  type MiniPrompt,
  type Parts,
  type Personality,
  type PromptService,
  type SystemPrompt,
} from "@pergola/sdk/host";
import { builtInPersonalities } from "./built-in/personalities.ts";
import { builtInSystemPrompts } from "./built-in/system-prompts.ts";
import { Library, openTexts } from "./library.ts";
import { MiniPrompts } from "./mini-prompts.ts";

/** The three kinds of texts that models are given, in the host's storage. */
export class Prompts implements PromptService {
  readonly system: Library<SystemPrompt>;
  readonly mini: MiniPrompts;
  readonly personalities: Library<Personality>;

  constructor(parts: Parts) {
    this.system = new Library<SystemPrompt>(parts, {
      noun: "system prompt",
      records: openTexts(parts, "system"),
      order: "key",
      builtIn: builtInSystemPrompts,
      words: builtInPromptIds,
      blank: async () => ({ description: "", content: "" }),
    });
    this.personalities = new Library<Personality>(parts, {
      noun: "personality",
      records: openTexts(parts, "personalities"),
      order: "key",
      builtIn: builtInPersonalities,
      words: builtInPersonalityIds,
      blank: async () => ({ description: "", category: "Custom", instructions: "", traits: {} }),
    });
    const mini = openTexts<MiniPrompt>(parts, "mini", "displayOrder");
    const own = new Library<MiniPrompt>(parts, {
      noun: "mini prompt",
      records: mini,
      order: "displayOrder",
      builtIn: [],
      words: {},
      blank: async () => {
        const [last] = await mini.find({}, { order: "-displayOrder", limit: 1 });
        return { content: "", displayOrder: (last?.displayOrder ?? -1) + 1 };
      },
    });
    this.mini = new MiniPrompts(own, parts);
  }
}
