import type { JsonObject, Services, ToolEntry } from "@pergola/sdk";
import type { Host } from "../host.ts";
import { accessFindings } from "./access.ts";
import { extraFinding } from "./extra-finding.ts";
import { note, type Finding } from "./findings.ts";
import { modelFindings } from "./model-findings.ts";
import { pluginFindings } from "./plugin-findings.ts";
import type { Check } from "./run-checks.ts";

/** What the checks look at. */
export type Seen = Pick<Host, "services" | "sandbox" | "warnings" | "settingsFile" | "settingsFiles">;

/** A server of models that no provider uses, and how to use it. */
export interface UnusedServer {
  readonly name: string;
  readonly advice: string;
}

export interface Ways {
  /** What a service that runs on the same data says of its preferences, by key. */
  readonly inForce?: JsonObject;
  /** Looks for servers of models on this computer. */
  readonly findServers: (signal: AbortSignal) => Promise<readonly UnusedServer[]>;
}

/** What is looked at in every host: in the service, and in the one that `pergola doctor` makes to look at. */
export const commonChecks = (seen: Seen, { inForce = {}, findServers }: Ways): readonly Check[] => [
  { id: "warnings", what: "Settings", look: () => seen.warnings.map(warning) },
  { id: "plugins", what: "Plugins", look: () => pluginFindings(seen.services.system.plugins()) },
  { id: "access", what: "Access", look: () => accessFindings(seen, inForce) },
  { id: "models", what: "Models", look: (signal) => modelFindings(seen.services, signal) },
  {
    id: "servers",
    what: "Servers of models",
    look: async (signal) => (await findServers(signal)).map(unusedServer),
  },
  { id: "tools", what: "Tools", look: () => toolFindings(seen.services) },
  { id: "extras", what: "Extras", look: () => [extraFinding(seen.services.system.plugins())] },
];

const warning = (detail: string, index: number): Finding =>
  note({ id: `settings:${index + 1}`, what: "Settings", detail, address: "#/settings/general" });

const unusedServer = ({ name, advice }: UnusedServer): Finding =>
  note({
    id: `server:${name}`,
    what: `${name} is running on this computer`,
    detail: "",
    remedy: advice,
    address: "#/models",
  });

async function toolFindings({ tools }: Pick<Services, "tools">): Promise<readonly Finding[]> {
  return (await tools.list()).filter(({ available }) => !available).map(toolFinding);
}

const toolFinding = ({ name, unavailableReason }: ToolEntry): Finding =>
  note({ id: `tool:${name}`, what: name, detail: unavailableReason ?? "unavailable" });
