import { launchd } from "./launchd.ts";
import type { StartCommand } from "./start-command.ts";
import { systemd } from "./systemd.ts";

/** The part of the system that starts a person's programs at login, and again after a failure. */
export interface ServiceManager {
  /** Where the description of the service lies. */
  readonly file: () => string;
  /** Its content. */
  readonly text: (command: StartCommand) => string;
  /** Starts what the file describes, now and at each login. */
  readonly start: () => Promise<void>;
  /** Ends it, and starts it no more. */
  readonly stop: () => Promise<void>;
  /** Once the file is gone. */
  readonly forget: () => Promise<void>;
  readonly isRunning: () => Promise<boolean>;
  /** What a person wants to know next. */
  readonly hints: readonly string[];
}

const managers: Readonly<Partial<Record<NodeJS.Platform, ServiceManager>>> = {
  linux: systemd,
  darwin: launchd,
};

/** Throws on other systems. */
export function serviceManager(platform = process.platform): ServiceManager {
  const manager = managers[platform];
  if (manager === undefined)
    throw new Error(`pergola service knows systemd (Linux) and launchd (macOS), nothing for ${platform}.`);
  return manager;
}
