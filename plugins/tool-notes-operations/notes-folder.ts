import type { Effect, ToolContext, TouchedPath } from "@pergola/sdk";

type Settings = ToolContext["settings"];

const key = "tools.notes.path";
let hostSettings = (): Settings => ({});

/**
 * Where the notes are. A call reaches outside its working directory only where its operation said it would, and that is asked before there is
 * a context: so the folder is also known from the host's settings, which the plugin is given when it registers.
 */
export const notesFolder = {
  readFrom(settings: () => Settings): void {
    hostSettings = settings;
  },
  of: ({ settings }: ToolContext): string => settings[key] as string,
  touched: (effect: Effect) => (): readonly TouchedPath[] => [{ path: hostSettings()[key] as string, effect }],
};
