import { AppError, PluginError, type JsonObject, type PluginStatus } from "@pergola/sdk";
import { commonChecks, type Ways } from "../doctor/checks.ts";
import { settingsFinding } from "../doctor/doctor.ts";
import { fault, ok, said, type Finding } from "../doctor/findings.ts";
import { checkLimit, isTimeout, runChecks } from "../doctor/run-checks.ts";
import type { Host } from "../host.ts";
import { ownerProofOf } from "../service-proof.ts";
import { readSettings } from "../settings/read-settings.ts";
import { ask } from "./ask.ts";
import { keyFindings } from "./doctor-keys.ts";
import { exitCodeOf } from "./exit-codes.ts";
import { findLocalServers } from "./local-servers.ts";
import { silentLog } from "./person-log.ts";
import { printResult } from "./print-result.ts";
import { isAtItsAddress, readNote, type ServiceNote } from "./service-note.ts";
import { settingsOf, type CommonOptions } from "./service.ts";
import { styled, visible } from "./visible.ts";

const marks = {
  ok: styled("green", "✓"),
  note: styled("yellow", "!"),
  fault: styled("red", "✗"),
} as const;

/** Shows what is found and from where, what is missing, and how to get it. */
export async function doctor(options: CommonOptions): Promise<number> {
  const found = await look(options);
  const findings = found.map(({ level, what, ...rest }) => ({ level, what, detail: said(rest) }));
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
    const { dataDirectory } = source.reader;
    const running = await runningOn(dataDirectory);
    const basics = [
      settingsFinding(host),
      ...(await dataFindings(dataDirectory, running)),
      ...keyFindings(source),
    ];
    const inForce = running === undefined ? {} : await preferencesOf(running);
    return await withHost(host, basics, inForce).finally(() => host.stop());
  } catch (error) {
    if (PluginError.is(error)) return [faultOf(error)];
    if (AppError.is(error)) return [fault({ id: "settings", what: "Settings", detail: error.message })];
    throw error;
  }
}

const faultOf = ({ plugin, message, remedy }: PluginError): Finding =>
  fault({ id: `plugin:${plugin}`, what: plugin, detail: `${message}.`, remedy });

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
  const data = { id: "data", what: "Data" };
  if (running === undefined) return [ok({ ...data, detail: dataDirectory })];
  const { url, pid, instance } = running;
  const which = `in use by the service at ${url} (process ${pid}, instance ${instance})`;
  return [
    ok({ ...data, detail: `${dataDirectory}, ${which}` }),
    ...(await pluginsOf(running)).flatMap(faultInService),
  ];
}

function faultInService({ id, fault: detail }: Pick<PluginStatus, "id" | "fault">): readonly Finding[] {
  if (detail === null) return [];
  return [fault({ id: `plugin:${id}`, what: `${id}, in the service`, detail })];
}

/** The JSON that a running service answers with; undefined when it does not say. */
async function askService(note: ServiceNote, path: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${ownerProofOf(note)}` };
  const answer = await ask(note.url + path, { headers }).catch(() => undefined);
  return answer?.ok ? answer.json() : undefined;
}

/** The plugins of a running service; none when it does not say. */
async function pluginsOf(note: ServiceNote): Promise<readonly Pick<PluginStatus, "id" | "fault">[]> {
  const answer = await askService(note, "/debug/tools/available");
  return (answer as { readonly plugins?: Awaited<ReturnType<typeof pluginsOf>> } | undefined)?.plugins ?? [];
}

/** What is in force in a running service: there may be stored preferences, which only it sees. */
async function preferencesOf(note: ServiceNote): Promise<JsonObject> {
  const answer = await askService(note, "/api/preferences");
  return (answer as { readonly preferences?: JsonObject } | undefined)?.preferences ?? {};
}

/** What is found in a host that looks at the settings, after what is found without one. */
async function withHost(
  host: Host,
  basics: readonly Finding[],
  inForce: JsonObject,
): Promise<readonly Finding[]> {
  const findServers: Ways["findServers"] = async () =>
    findLocalServers(await host.services.models.providers(), host.settingsFile);
  const failed = ({ error }: { readonly error: unknown }): void => {
    // A bug: no log tells of it here.
    if (!AppError.is(error) && !isTimeout(error)) throw error;
  };
  const checks = commonChecks(host, { inForce, findServers });
  return [...basics, ...(await runChecks(checks, { limit: checkLimit, failed }))];
}
