import type { ToolContext } from "@pergola/sdk";

/** Where the notes are: a folder that the settings name, which the plugin's calls may reach. */
export const notesFolder = ({ settings }: ToolContext): string => settings["tools.notes.path"] as string;
