import type { ToolContext } from "@pergola/sdk";

/** The greeting that the settings ask for. The host has checked them against the manifest. */
export const greetingFor = (name: string, { settings }: ToolContext): string =>
  `${settings["tools.hello.greeting"] as string}, ${name}!`;
