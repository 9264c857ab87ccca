import path from "node:path";
import { defined } from "@pergola/sdk";
import type { Schedule } from "@pergola/sdk/host";
import { fault } from "../fault.ts";
import { inFlags } from "./in-flags.ts";
import { localTime } from "./local-time.ts";
import { printJson, printNote, printResult, printWrapped } from "./print-result.ts";
import type { CommonOptions, Service } from "./service.ts";
import { styled, visible } from "./visible.ts";

interface AddOptions extends CommonOptions {
  readonly cron?: string;
  readonly at?: string;
  readonly maxCost: number;
  readonly timeZone?: string;
  readonly name?: string;
  readonly model?: string;
  readonly directory?: string;
  readonly tools?: readonly string[];
  readonly maxIterations?: number;
  readonly conversation?: string;
}

const flags: Readonly<Record<string, string>> = {
  cron: "--cron",
  at: "--at",
  timeZone: "--time-zone",
  maxCostUsd: "--max-cost",
  workingDirectory: "--directory",
  max_iterations: "--max-iterations",
  conversationId: "--conversation",
};

const addressOf = ({ id }: Pick<Schedule, "id">): string => `/api/schedules/${id}`;

async function allOf(service: Service): Promise<readonly Schedule[]> {
  const { schedules } = await service.get<{ readonly schedules: readonly Schedule[] }>("/api/schedules");
  return schedules;
}

/** Makes a schedule. */
export async function addSchedule(service: Service, prompt: string, options: AddOptions): Promise<void> {
  const { cron, at, maxCost: maxCostUsd, timeZone, name, model, tools, json, url } = options;
  const { directory, maxIterations: max_iterations, conversation: conversationId } = options;
  const workingDirectory = directory && url === undefined ? path.resolve(directory) : directory;
  const when = { cron, at, timeZone };
  const what = { prompt, name, model, tools, workingDirectory, max_iterations, conversationId, maxCostUsd };
  const body = defined({ ...when, ...what });
  const made = await inFlags(flags, service.send<Schedule>("POST", "/api/schedules", body));
  if (json) return printJson(made);
  printNote(`Made the schedule "${made.name}" (${made.id}). It starts ${nextText(made)}.`);
}

/** Lists schedules, the oldest first. */
export async function listSchedules(service: Service, { json }: CommonOptions): Promise<void> {
  const schedules = await allOf(service);
  if (json) return printJson({ schedules, count: schedules.length });
  for (const schedule of schedules) printWrapped([lineOf(schedule)]);
  if (schedules.length === 0) printNote("There is no schedule. `pergola schedules add --help` shows how.");
}

/** Shows one schedule. */
export async function showSchedule(service: Service, named: string, options: CommonOptions): Promise<void> {
  const schedule = await find(service, named);
  const { prompt, conversationId, lastRunId, lastError } = schedule;
  const lines = [lineOf(schedule), visible(prompt)];
  if (conversationId !== null) lines.push(`answers: pergola conversations show ${conversationId}`);
  if (lastRunId !== null) lines.push(`last run: pergola runs show ${lastRunId}`);
  if (lastError !== null) lines.push(styled("red", visible(lastError)));
  printResult(options, schedule, lines);
}

/** Starts no more runs. */
export const pauseSchedule = (service: Service, named: string, options: CommonOptions): Promise<void> =>
  switchTo(false, service, named, options);

/** Starts runs again. */
export const resumeSchedule = (service: Service, named: string, options: CommonOptions): Promise<void> =>
  switchTo(true, service, named, options);

async function switchTo(enabled: boolean, service: Service, named: string, { json }: CommonOptions) {
  const address = addressOf(await find(service, named));
  const schedule = await service.send<Schedule>("PATCH", address, { enabled });
  if (json) return printJson(schedule);
  printNote(`"${schedule.name}" starts ${nextText(schedule)}.`);
}

/** Deletes a schedule. */
export async function removeSchedule(
  service: Service,
  named: string,
  { json }: CommonOptions,
): Promise<void> {
  const schedule = await find(service, named);
  await service.send("DELETE", addressOf(schedule));
  if (json) return printJson({ success: true, id: schedule.id });
  printNote(`Deleted the schedule "${schedule.name}". A run of it that is at work goes on.`);
}

/** By its id or its name. */
async function find(service: Service, named: string): Promise<Schedule> {
  const all = await allOf(service);
  const found = all.filter(({ id, name }) => id === named || name === named);
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  const what = first === undefined ? "There is no schedule" : `${found.length} schedules are called`;
  throw fault("not_found", `${what} "${named}". \`pergola schedules list\` shows their ids.`);
}

const nextText = ({ nextAt }: Schedule): string =>
  nextAt === null ? "no more" : `next ${localTime(nextAt)}`;

function lineOf(schedule: Schedule): string {
  const { id, name, cron, timeZone, enabled, missed, lastFiredAt, lastError } = schedule;
  const facts = [cron === null ? "once" : `${cron} ${timeZone}`, enabled ? nextText(schedule) : "off"];
  if (lastFiredAt !== null) facts.push(`last ${localTime(lastFiredAt)}`);
  if (missed > 0) facts.push(`missed ${missed}`);
  if (lastError !== null) facts.push("the last start failed");
  return `${id} ${visible(name)} ${styled("dim", visible(facts.join(", ")))}`;
}
