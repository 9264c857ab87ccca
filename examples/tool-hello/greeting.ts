import type { ToolContext } from "@pergola/sdk";

/** The greeting that the settings ask for. */
export const greetingFor = (name: string, { settings }: ToolContext): string => `${String(settings["tools.hello.greeting"])}, ${name}!`;
