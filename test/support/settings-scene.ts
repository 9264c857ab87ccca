import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Json, JsonObject, Properties } from "@pergola/sdk";
import { temporaryFolder } from "@pergola/sdk/testing";
import { Preferences } from "../../core/settings/preferences.ts";
import {
  readSettings,
  type SettingsOptions,
  type SettingsSource,
} from "../../core/settings/read-settings.ts";

/** A home, a project in it, and an environment of their own: nothing of the machine is read. */
export interface SettingsScene {
  readonly home: string;
  readonly project: string;
  /** The user's own configuration folder. */
  readonly configuration: string;
  readonly environment: Record<string, string>;
  write(file: string, content: Json | string): string;
  read(options?: SettingsOptions): Promise<SettingsSource>;
  preferences(
    options?: SettingsOptions & { readonly declared?: readonly Properties[]; readonly lenient?: boolean },
  ): Promise<Preferences>;
}

export function settingsScene(): SettingsScene {
  const home = temporaryFolder("pergola-home-");
  const project = path.join(home, "work", "project");
  const configuration = path.join(home, ".config", "pergola");
  for (const folder of [project, configuration]) mkdirSync(folder, { recursive: true });
  const environment: Record<string, string> = {};
  const read = (options: SettingsOptions = {}): Promise<SettingsSource> =>
    readSettings({ home, environment, cwd: project, ...options });
  return {
    home,
    project,
    configuration,
    environment,
    read,
    write(file, content) {
      const full = path.resolve(project, file);
      mkdirSync(path.dirname(full), { recursive: true });
      writeFileSync(full, typeof content === "string" ? content : JSON.stringify(content));
      return full;
    },
    async preferences({ declared = [], lenient = false, ...options } = {}) {
      return new Preferences(await read(options), declared, lenient);
    },
  };
}

/** The message of what a promise is rejected with; the empty text when it is not. */
export const failureOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "",
    (error: unknown) => (error as Error).message,
  );

export type { JsonObject };
