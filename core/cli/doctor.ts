import {
  AppError,
  PluginError,
  type JsonObject,
  type PluginStatus,
  type ProviderStatus,
  type ToolEntry,
} from "@pergola/sdk";
import type { Host } from "../host.ts";
import { ownerProofOf } from "../service-proof.ts";
import { readSettings } from "../settings/read-settings.ts";
import { ask } from "./ask.ts";
import { accessFindings } from "./doctor-access.ts";
import { keyFindings } from "./doctor-keys.ts";
import { fault, marks, note, ok, type Finding } from "./doctor-findings.ts";
import { exitCodeOf } from "./exit-codes.ts";
import { findLocalServers } from "./local-servers.ts";
import { silentLog } from "./person-log.ts";
import { hasNoSandbox, rollBackOf, withoutSandbox } from "./plugins.ts";
import { printResult } from "./print-result.ts";
import { isAtItsAddress, readNote, type ServiceNote } from "./service-note.ts";
import { settingsOf, type CommonOptions } from "./service.ts";
import { visible } from "./visible.ts";

/** Shows what is found and from where, what is missing, and how to get it. */
export async function doctor(options: CommonOptions): Promise<number> {
  const findings = await look(options);
  const lines = findings.map(({ level, what, detail }) => `${marks[level]} ${what}: ${visible(detail)}`);
  printResult(options, { findings }, lines);
  return exitCodeOf(findings.every(({ level }) => level !== "fault"));
}

/** Settings or storage that keep the host from starting are findings, too. */
async function look(options: CommonOptions): Promise<readonly Finding[]> {
  const { createHost } = await import("../host.ts");
  try {
    const source = await readSettings(settingsOf(options));
    const host = await createHost({ ...settingsOf(options), log: silentLog, inspecting: true });
    const settings = ok("Settings", host.settingsFiles.join(", ") || "none found; the defaults apply");
    const { dataDirectory } = source.reader;
    const running = await runningOn(dataDirectory);
    const basics = [settings, ...(await dataFindings(dataDirectory, running)), ...keyFindings(source)];
    const inForce = running === undefined ? {} : await preferencesOf(running);
    return await findingsOf(host, basics, inForce).finally(() => host.stop());
  } catch (error) {
    if (PluginError.is(error)) return [fault(error.plugin, `${error.message}. ${error.remedy}`)];
    if (AppError.is(error)) return [fault("Settings", error.message)];
    throw error;
  }
}

/** The faults of plugins; `place` follows the id of each. */
const pluginFaults = (plugins: readonly PluginStatus[], place = ""): readonly Finding[] =>
  plugins
    .filter((plugin) => plugin.fault !== null)
    .map((plugin) => fault(plugin.id + place, plugin.fault ?? ""));

const rollBacks = (plugins: readonly PluginStatus[]): readonly Finding[] =>
  plugins.flatMap((plugin) => {
    const reason = rollBackOf(plugin);
    return reason === undefined ? [] : [note(plugin.id, reason)];
  });

/** The note of the service that works on this data, if one does. */
async function runningOn(dataDirectory: string): Promise<ServiceNote | undefined> {
  const found = readNote(dataDirectory);
  return found !== undefined && (await isAtItsAddress(found)) ? found : undefined;
}

/** The data directory, and the faults of plugins in the service that uses it. */
async function dataFindings(
  dataDirectory: string,
  running: ServiceNote | undefined,
): Promise<readonly Finding[]> {
  if (running === undefined) return [ok("Data", dataDirectory)];
  const { url, pid, instance } = running;
  const which = `in use by the service at ${url} (process ${pid}, instance ${instance})`;
  return [
    ok("Data", `${dataDirectory}, ${which}`),
    ...pluginFaults(await pluginsOf(running), ", in the service"),
  ];
}

/** The JSON that a running service answers with; undefined when it does not say. */
async function askService(note: ServiceNote, path: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${ownerProofOf(note)}` };
  const answer = await ask(note.url + path, { headers }).catch(() => undefined);
  return answer?.ok ? answer.json() : undefined;
}

/** The plugins of a running service; none when it does not say. */
async function pluginsOf(note: ServiceNote): Promise<readonly PluginStatus[]> {
  const answer = await askService(note, "/debug/tools/available");
  return (answer as { readonly plugins?: readonly PluginStatus[] } | undefined)?.plugins ?? [];
}

/** What is in force in a running service: there may be stored preferences, which only it sees. */
async function preferencesOf(note: ServiceNote): Promise<JsonObject> {
  const answer = await askService(note, "/api/preferences");
  return (answer as { readonly preferences?: JsonObject } | undefined)?.preferences ?? {};
}

const onlyGuide =
  "only the embedded guide; connect a model with OPENAI_API_KEY or another provider's key in the " +
  "environment, or with providers.list in the settings file";

async function findingsOf(
  host: Host,
  basics: readonly Finding[],
  inForce: JsonObject,
): Promise<readonly Finding[]> {
  const { services, warnings, settingsFile } = host;
  const plugins = services.system.plugins();
  const running = plugins.filter(({ state }) => state === "running");
  // Listing the models asks every provider, so their states are known only afterwards.
  const models = await modelFindings(services);
  const providers = await services.models.providers();
  const servers = await findLocalServers(providers, settingsFile);
  const tools = await services.tools.list();
  return [
    ...basics,
    ...warnings.map((warning) => note("Settings", warning)),
    ok("Plugins", `${running.length} running`),
    ...pluginFaults(plugins),
    ...rollBacks(plugins),
    ...isolatedFindings(plugins),
    ...(await accessFindings(host, inForce)),
    ...providers.map(providerFinding),
    ...models,
    ...servers.map(({ name, advice }) => note(`${name} is running on this computer`, advice)),
    ...tools.filter(({ available }) => !available).map(toolFinding),
  ];
}

/** What keeps isolated plugins in. */
function isolatedFindings(plugins: readonly PluginStatus[]): readonly Finding[] {
  const isolated = plugins.filter(({ tier, state }) => tier === "isolated" && state === "running");
  const open = isolated.filter(hasNoSandbox).map(({ id }) => id);
  const [walled] = isolated.filter((plugin) => !hasNoSandbox(plugin));
  const findings: Finding[] = [];
  if (walled !== undefined) findings.push(ok("Isolated plugins", `sandboxed (${walled.sandbox})`));
  if (open.length > 0) findings.push(fault(`NOT SANDBOXED: ${open.join(", ")}`, withoutSandbox));
  return findings;
}

const toolFinding = ({ name, unavailableReason }: ToolEntry): Finding =>
  note(name, unavailableReason ?? "unavailable");

function providerFinding({ id, status, lastError, modelCount }: ProviderStatus): Finding {
  if (status === "error") return fault(`Provider ${id}`, lastError ?? "it does not answer");
  return ok(`Provider ${id}`, `${modelCount} models`);
}

async function modelFindings({ models, preferences }: Host["services"]): Promise<readonly Finding[]> {
  const listed = await models.list(AbortSignal.timeout(10_000));
  const chosen = preferences.get<string>("default_model");
  const findings: Finding[] = [];
  if (listed.some(({ modelId }) => modelId === chosen)) findings.push(ok("Default model", chosen));
  else findings.push(fault("Default model", adviceFor(chosen)));
  const hasReal = listed.some(({ providerType, kind }) => kind === "chat" && providerType !== "embedded");
  if (!hasReal) findings.push(note("Models", onlyGuide));
  return findings;
}

const adviceFor = (model: string): string =>
  `no provider lists ${model}; choose another with: pergola settings set default_model <id>`;
