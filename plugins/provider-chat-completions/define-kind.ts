import { defineProvider, type ProviderDefinition } from "@pergola/sdk";
import { ChatCompletions } from "./chat-completions.ts";
import type { Preset } from "./preset.ts";

/** The provider kind of a row. */
export function defineKind(preset: Preset): ProviderDefinition {
  const { type, prefix, name, baseUrl, needsKey, keyVariable } = preset;
  return defineProvider({
    type,
    prefix,
    name,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(needsKey === undefined ? {} : { needsKey }),
    ...(keyVariable === undefined ? {} : { keyVariable }),
    open: (settings, door) => new ChatCompletions(preset, settings, door),
  });
}
