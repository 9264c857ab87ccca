import type { JsonObject, Log } from "@pergola/sdk";
import type { SettingsSource } from "../settings/read-settings.ts";
import { commonChecks, type Seen, type UnusedServer } from "./checks.ts";
import { fault, ok, type DoctorService, type Finding, type Report } from "./findings.ts";
import { checkLimit, runChecks, type Check } from "./run-checks.ts";
import { serverAdvice } from "./server-advice.ts";
import { serviceKeys } from "./service-keys.ts";

export interface DoctorOptions {
  readonly log: Log;
  /** Now, ISO 8601 in UTC. */
  timestamp(): string;
  /** The value without secrets. */
  redactJson<T extends JsonObject>(value: T): T;
  /** Milliseconds. */
  readonly limit?: number;
}

/** Looks at the service that it is part of, for one at a time: who asks meanwhile gets the same report. */
export class Doctor implements DoctorService {
  readonly #checks: readonly Check[];
  readonly #options: DoctorOptions;
  #looking: Promise<Report> | undefined;

  constructor(checks: readonly Check[], options: DoctorOptions) {
    this.#checks = checks;
    this.#options = options;
  }

  check(): Promise<Report> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(): Promise<Report> {
    const { log, limit = checkLimit } = this.#options;
    const failed = (fields: object): void => log.warn({ ...fields }, "a check of the installation failed");
    const findings = await runChecks(this.#checks, { limit, failed });
    const checkedAt = this.#options.timestamp();
    return this.#options.redactJson({ findings: findings.map((one) => ({ ...one })), checkedAt });
  }
}

/** What is looked at in a service at work. */
export const serviceChecks = (seen: Seen, source: SettingsSource): readonly Check[] => [
  { id: "settings", what: "Settings", look: () => [settingsFinding(seen)] },
  { id: "data", what: "Data", look: () => dataFindings(seen, source.reader.dataDirectory) },
  { id: "keys_of_service", what: "Keys", look: () => serviceKeys(source, process.pid) },
  ...commonChecks(seen, { findServers: (signal) => unusedServers(seen, signal) }),
];

/** Which settings files count. */
export const settingsFinding = ({ settingsFiles }: Pick<Seen, "settingsFiles">): Finding =>
  ok({
    id: "settings",
    what: "Settings",
    detail: settingsFiles.join(", ") || "none found; the defaults apply",
    address: "#/settings/general",
  });

/** Where the data is, and whether it can be written. */
async function dataFindings({ services }: Seen, dataDirectory: string): Promise<readonly Finding[]> {
  const reason = await services.system.storageFault();
  const where = ok({ id: "data", what: "Data", detail: dataDirectory });
  if (reason === null) return [where];
  return [where, fault({ id: "store", what: "Store", detail: reason })];
}

/** Only those are asked that `providers.local_servers` names. */
async function unusedServers(
  { services: { models }, settingsFile }: Seen,
  signal: AbortSignal,
): Promise<readonly UnusedServer[]> {
  const [servers, providers] = await Promise.all([models.findLocalServers(signal), models.providers()]);
  return servers
    .filter(({ type, configured }) => !configured && !providers.some((one) => one.type === type))
    .map(({ name, type, models: ids }) => ({ name, advice: serverAdvice(type, ids, settingsFile) }));
}
