import { defined } from "@pergola/sdk";
import type { SettingsOptions } from "../settings/read-settings.ts";

/** The flags that commands share. */
export interface CommonOptions {
  readonly settings?: string;
  readonly data?: string;
  readonly port?: string;
  readonly url?: string;
  /** Holds the token for the service at `--url`. */
  readonly tokenFile?: string;
  /** The service at `--url` may be reached without https. */
  readonly plainHttp?: boolean;
  readonly json?: boolean;
  /** The command asks no provider: it works without the keys that the settings name. */
  readonly secretsMayMiss?: boolean;
}

/** The settings that the common flags stand for. */
export const settingsOf = ({ settings, data, port, secretsMayMiss }: CommonOptions): SettingsOptions => ({
  file: settings,
  data,
  ...defined({ secretsMayMiss }),
  flags: port === undefined ? {} : { "server.port": port },
});
