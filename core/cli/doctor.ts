import { AppError, PluginError, type PluginStatus } from "@pergola/sdk";
import type { Host } from "../host.ts";
import { readSettings } from "../settings/read-settings.ts";
import { exitCodes } from "./exit-codes.ts";
import { findLocalServers } from "./local-servers.ts";
import { silentLog } from "./person-log.ts";
import { readNote } from "./service-note.ts";
import { isService, settingsOf, type CommonOptions } from "./service.ts";
import { styled, visible } from "./visible.ts";

interface Finding {
  readonly level: "ok" | "note" | "fault";
  readonly what: string;
  readonly detail: string;
}

const marks = { ok: styled("green", "✓"), note: styled("yellow", "!"), fault: styled("red", "✗") } as const;
const [ok, note, fault] = (["ok", "note", "fault"] as const).map(
  (level) =>
    (what: string, detail: string): Finding => ({
      level,
      what,
      detail,
    }),
) as [Make, Make, Make];
type Make = (what: string, detail: string) => Finding;

/** What is found, from where, what is missing, and how to get it. */
export async function doctor(options: CommonOptions): Promise<number> {
  const findings = await look(options);
  const text = findings
    .map(({ level, what, detail }) => `${marks[level]} ${what}: ${visible(detail)}`)
    .join("\n");
  process.stdout.write(`${options.json === true ? JSON.stringify({ findings }) : text}\n`);
  return findings.some(({ level }) => level === "fault") ? exitCodes.failed : exitCodes.ok;
}

/** Settings or a storage with which no host can start are a finding, too. */
async function look(options: CommonOptions): Promise<readonly Finding[]> {
  const { createHost } = await import("../host.ts");
  try {
    const { reader } = await readSettings(settingsOf(options));
    const host = await createHost({ ...settingsOf(options), log: silentLog, inspecting: true });
    const settings = ok("Settings", host.settingsFile ?? "none found; the defaults are in force");
    const basics = [settings, ...(await dataFindings(reader.dataDirectory))];
    return await findingsOf(host, basics).finally(() => host.stop());
  } catch (error) {
    if (PluginError.is(error)) return [fault(error.plugin, `${error.message}. ${error.remedy}`)];
    if (AppError.is(error)) return [fault("Settings", error.message)];
    throw error;
  }
}

/** The data, and what has gone wrong so far in the plugins of the service that works on it. */
async function dataFindings(dataDirectory: string): Promise<readonly Finding[]> {
  const { url } = readNote(dataDirectory) ?? {};
  if (url === undefined || !(await isService(url))) return [ok("Data", dataDirectory)];
  const answer = await fetch(`${url}/debug/tools/available`).catch(() => undefined);
  const { plugins = [] } = (answer?.ok === true ? await answer.json() : {}) as {
    readonly plugins?: readonly PluginStatus[];
  };
  const faulty = plugins.flatMap((plugin) =>
    plugin.fault === null ? [] : [fault(`${plugin.id}, in the service`, plugin.fault)],
  );
  return [ok("Data", `${dataDirectory}, in use by the service at ${url}`), ...faulty];
}

async function findingsOf(
  { services, warnings, settingsFile }: Host,
  basics: readonly Finding[],
): Promise<readonly Finding[]> {
  const { system, models, preferences, tools } = services;
  const plugins = system.plugins();
  const listed = await models.list(AbortSignal.timeout(10_000));
  const chosen = preferences.get<string>("default_model");
  const known = listed.some(({ modelId }) => modelId === chosen);
  const providers = await models.providers();
  const servers = await findLocalServers(providers, settingsFile);
  const real = listed.some(({ providerType, kind }) => kind === "chat" && providerType !== "embedded");
  return [
    ...basics,
    ...warnings.map((warning) => note("Settings", warning)),
    ok("Plugins", `${plugins.filter(({ state }) => state === "running").length} running`),
    ...plugins.flatMap((plugin) => (plugin.fault === null ? [] : [fault(plugin.id, plugin.fault)])),
    ...providers.map(({ id, status, lastError, modelCount }) =>
      status === "error"
        ? fault(`Provider ${id}`, lastError ?? "it does not answer")
        : ok(`Provider ${id}`, `${modelCount} models`),
    ),
    known
      ? ok("Default model", chosen)
      : fault("Default model", `${chosen} is not listed by any provider; set default_model`),
    ...(real ? [] : [note("Models", onlyGuide)]),
    ...servers.map(({ name, advice }) => note(`${name} runs here`, advice)),
    ...(await tools.list())
      .filter(({ available }) => !available)
      .map(({ name, unavailableReason }) => note(name, unavailableReason ?? "unavailable")),
  ];
}

const onlyGuide =
  "only the embedded guide; connect a model with OPENAI_API_KEY or another provider's key in the environment, or with providers.list in the settings file";
