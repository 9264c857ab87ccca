import { countOf } from "@pergola/sdk";
import { approvalsOf } from "./find-approval.ts";
import { exitCodeOf } from "./exit-codes.ts";
import { runningService } from "./find-service.ts";
import { printNote, printResult } from "./print-result.ts";
import { withService, type CommonOptions, type Service } from "./service.ts";
import { visible } from "./visible.ts";

interface Health {
  readonly status: "ok" | "degraded" | "stopping";
  readonly version?: string;
  readonly uptime_seconds?: number;
  readonly reason?: string;
}

interface Status {
  readonly url: string;
  /** Its process; null for a service that was named by its address. */
  readonly pid: number | null;
  readonly data: string | null;
  readonly health: Health;
  readonly model: string;
  readonly runs: Readonly<Record<(typeof openStates)[number], number>>;
  /** Approvals and questions that wait for an answer. */
  readonly approvals: number;
  readonly plugins: { readonly running: number; readonly left_out: readonly string[] };
}

const openStates = ["running", "waiting", "queued", "interrupted"] as const;

/**
 * Shows how the service that runs is: where, since when, and what it works on. It starts none. Ends with 1
 * where the service cannot keep what it is given. Rejects with AppError `service_unreachable` where none
 * runs.
 */
export async function showStatus(options: CommonOptions): Promise<number> {
  const { note, url } = await runningService(options);
  return withService(options, async (service) => {
    const { pid = null, data = null } = note ?? {};
    const status: Status = { url, pid, data, ...(await stateOf(service)) };
    printResult(options, status, linesOf(status));
    if (!options.json) hintsFor(status).forEach(printNote);
    return exitCodeOf(status.health.status === "ok");
  });
}

async function stateOf(service: Service): Promise<Omit<Status, "url" | "pid" | "data">> {
  const [health, { preferences }, counts, approvals, { plugins }] = await Promise.all([
    service.call("GET", "/health").then((answer) => answer.json<Health>()),
    service.get<{ readonly preferences: { readonly default_model: string } }>("/api/preferences"),
    Promise.all(openStates.map(async (state) => [state, await countRuns(service, state)] as const)),
    approvalsOf(service, { status: "pending" }),
    service.get<{ readonly plugins: readonly PluginState[] }>("/debug/tools/available"),
  ]);
  const inState = (wanted: PluginState["state"]) => plugins.filter(({ state }) => state === wanted);
  return {
    health,
    model: preferences.default_model,
    runs: Object.fromEntries(counts) as Status["runs"],
    approvals: approvals.count,
    plugins: { running: inState("running").length, left_out: inState("left_out").map(({ id }) => id) },
  };
}

interface PluginState {
  readonly id: string;
  readonly state: "running" | "left_out" | "disabled";
}

const countRuns = async (service: Service, state: string): Promise<number> =>
  (await service.get<{ readonly count: number }>(`/api/runs?status=${state}&limit=1`)).count;

function linesOf({ url, pid, data, health, model, runs, approvals, plugins }: Status): readonly string[] {
  const open = openStates.filter((state) => runs[state] > 0).map((state) => `${runs[state]} ${state}`);
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["service", url],
    ["health", [health.status, health.reason].filter(Boolean).join(": ")],
    ["version", health.version],
    ["up for", health.uptime_seconds === undefined ? undefined : duration(health.uptime_seconds)],
    ["process", pid === null ? undefined : String(pid)],
    ["data", data ?? undefined],
    ["model", model],
    ["runs", open.join(", ") || "none open"],
    ["waiting", countOf(approvals, "question for you", "questions for you")],
    ["plugins", [`${plugins.running} running`, ...leftOut(plugins.left_out)].join(", ")],
  ];
  return facts.flatMap(([name, value]) =>
    value === undefined ? [] : [visible(`${name.padEnd(9)}${value}`)],
  );
}

const leftOut = (ids: readonly string[]): readonly string[] =>
  ids.length === 0 ? [] : [`left out: ${ids.join(", ")}`];

/** Such as `3 d 4 h`, by its two largest units. */
function duration(seconds: number): string {
  const units = [
    ["d", Math.floor(seconds / 86_400)],
    ["h", Math.floor(seconds / 3600) % 24],
    ["min", Math.floor(seconds / 60) % 60],
    ["s", Math.floor(seconds) % 60],
  ] as const;
  const first = units.findIndex(([, count]) => count > 0);
  if (first === -1) return "0 s";
  const shown = units.slice(first, first + 2).filter(([, count]) => count > 0);
  return shown.map(([unit, count]) => `${count} ${unit}`).join(" ");
}

function hintsFor({ approvals, runs, plugins }: Status): readonly string[] {
  const hints: string[] = [];
  if (approvals > 0) hints.push("To see what waits for you: pergola approvals list");
  if (runs.interrupted > 0) hints.push("To see what was interrupted: pergola runs list --status interrupted");
  if (plugins.left_out.length > 0) hints.push("To see why plugins were left out: pergola doctor");
  return hints;
}
