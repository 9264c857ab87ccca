import { countOf, type RunRecord } from "@pergola/sdk";
import type { OpenRun, SharedHost, StorageView } from "@pergola/sdk/host";
import { storageAlone } from "../plugins/storage-alone.ts";
import { readSettings } from "../settings/read-settings.ts";
import { settingsOf, type CommonOptions } from "./common-options.ts";
import { localTime } from "./local-time.ts";
import { printResult } from "./print-result.ts";
import { visible } from "./visible.ts";

/** How the name of a conversation that a host works in begins. */
const conversation = "conversation/";

/** Runs by what they do at this moment. */
interface HostRuns {
  readonly running: number;
  readonly waitingForApproval: number;
  readonly queued: number;
  readonly interrupted: number;
}

interface HostStatus extends Omit<SharedHost, "names"> {
  readonly runs: HostRuns;
  /** Conversations that wait to be taken over, for a host that is gone. */
  readonly waitingToBeTakenOver: number;
}

const ownThings =
  "Each host's own: its files, notes, secrets, audit, plugins and local models. See docs/several-hosts.md.";

/** Shows which hosts share the storage, whether a service runs on this computer or not. */
export async function clusterStatus(options: CommonOptions): Promise<void> {
  const { definition, settings } = await storageAlone(await readSettings(settingsOf(options)));
  if (definition.view === undefined) {
    const line = `The storage ${definition.type} serves one host: the service on this data directory.`;
    return printResult(options, { storage: definition.type, shared: false, hosts: [] }, [
      line,
      "pergola status shows how it is. Several hosts can share a PostgreSQL: see docs/several-hosts.md.",
    ]);
  }
  const view = await definition.view(settings);
  try {
    const { answered, clockAhead } = await view.ping();
    const hosts = await statusOf(view);
    const value = { storage: definition.type, shared: true, place: view.place, answered, clockAhead, hosts };
    const lines = [
      `${visible(view.place)}: answers in ${Math.ceil(answered)} ms, ${clockText(clockAhead)}`,
      ...hosts.flatMap(linesOf),
    ];
    if (hosts.length === 0) lines.push("No host is open.");
    lines.push(ownThings);
    printResult(options, value, lines);
  } finally {
    await view.close();
  }
}

async function statusOf(view: StorageView): Promise<readonly HostStatus[]> {
  const hosts = await view.hosts();
  const runs = await view.openRuns(hosts.flatMap(conversationsOf));
  return hosts.map((host) => {
    const { names: _, ...rest } = host;
    const own = new Set(conversationsOf(host));
    const ownRuns = runs.filter(({ conversationId }) => own.has(conversationId));
    return { ...rest, runs: countRuns(ownRuns), waitingToBeTakenOver: host.isAlive ? 0 : own.size };
  });
}

const conversationsOf = ({ names }: SharedHost): readonly string[] =>
  names.filter((name) => name.startsWith(conversation)).map((name) => name.slice(conversation.length));

function countRuns(runs: readonly OpenRun[]): HostRuns {
  const count = (wanted: RunRecord["status"]): number =>
    runs.filter(({ status }) => status === wanted).length;
  return {
    running: count("running"),
    waitingForApproval: count("waiting"),
    queued: count("queued"),
    interrupted: count("interrupted"),
  };
}

/** A clock is said to be right where the difference is no more than what an answer takes. */
function clockText(ahead: number): string {
  if (Math.abs(ahead) < 100) return "its clock is right";
  const [amount, word] = [(Math.abs(ahead) / 1000).toFixed(1), ahead > 0 ? "ahead of" : "behind"];
  return `its clock is ${amount} s ${word} this computer's`;
}

function linesOf(host: HostStatus): readonly string[] {
  const { label, isAlive, waitingToBeTakenOver, runs } = host;
  const name = visible(label || "(no name)");
  if (!isAlive) {
    const left = countOf(waitingToBeTakenOver, "conversation");
    return [`${name}: gone`, `  ${left} waiting to be taken over, ${runsText(runs)}`];
  }
  const since = host.openedAt === null ? "" : ` since ${localTime(host.openedAt)}`;
  return [`${name}: there${since}`, `  ${runsText(runs)}`, `  ${lagText(host)}`];
}

function runsText({ running, waitingForApproval, queued, interrupted }: HostRuns): string {
  const parts = [`${countOf(running, "run")} at work`];
  if (queued > 0) parts.push(`${queued} queued`);
  if (waitingForApproval > 0) parts.push(`${waitingForApproval} waiting for approval`);
  if (interrupted > 0) parts.push(`${interrupted} interrupted`);
  return parts.join(", ");
}

function lagText({ silentFor, unread }: HostStatus): string {
  if (silentFor === null) return "the database does not tell when it last heard of it";
  const seconds = (silentFor / 1000).toFixed(1);
  const behind = unread === null || unread === 0 ? "nothing unread" : `${countOf(unread, "commit")} unread`;
  return `last heard of ${seconds} s ago, ${behind}`;
}
