import type { ToolContext } from "@pergola/sdk";

/** The plugin's preferences, by their purpose. */
export interface TerminalSettings {
  readonly shell: string;
  readonly idleMilliseconds: number;
}

export const settingsOf = ({ settings }: Pick<ToolContext, "settings">): TerminalSettings => ({
  shell: settings["tools.terminal.shell"] as string,
  idleMilliseconds: (settings["tools.terminal.session_idle_minutes"] as number) * 60_000,
});
