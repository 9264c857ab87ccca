import { ToolError } from "@pergola/sdk";
import type {
  Sandbox,
  SandboxedCommand,
  SandboxHost,
  SandboxNetwork,
  SandboxPlan,
  SandboxState,
} from "@pergola/sdk/host";
import { bubblewrapLauncher } from "./bubblewrap/bubblewrap-launcher.ts";
import { createDial } from "./dial.ts";
import { hiddenPlaces } from "./hidden-places.ts";
import { appearedSince, keptPlaces } from "./kept-names.ts";
import { noLauncher, type Launcher } from "./launcher.ts";
import { openGate } from "./network-gate.ts";
import { openPort } from "./network-port.ts";
import type { ProxyRules } from "./network-proxy.ts";
import { tryOut } from "./probe.ts";
import { seatbeltLauncher } from "./seatbelt/seatbelt-launcher.ts";

type Kind = SandboxPlan["kind"];

async function launcherOf(dataDirectory: string): Promise<Launcher> {
  if (process.platform === "linux") return bubblewrapLauncher(dataDirectory);
  if (process.platform === "darwin") return seatbeltLauncher();
  return noLauncher(
    `there is no sandbox for ${process.platform}`,
    "Use Linux with bubblewrap, or trust what you run.",
  );
}

/** The launcher of this platform, found and tried at the first use. */
export function openSandbox({ dataDirectory, preference }: SandboxHost, find = launcherOf): Sandbox {
  const listOf = (key: string): readonly string[] => {
    const value = preference(key);
    return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
  };
  let wanted: Promise<Launcher> | undefined;
  const states = new Map<Kind, Promise<SandboxState>>();
  const found = (): Promise<Launcher> => (wanted ??= find(dataDirectory));
  const state = (kind: Kind): Promise<SandboxState> => {
    const known = states.get(kind) ?? found().then((each) => tryOut(each, kind, dataDirectory));
    states.set(kind, known);
    return known;
  };

  async function working(kind: Kind) {
    const now = await state(kind);
    if (!now.works)
      throw new ToolError("unavailable", `There is no sandbox: ${now.reason}.`, { hint: now.remedy });
    return { launcher: await found(), inPlace: now.inPlace === true };
  }

  async function wrap(
    plan: SandboxPlan,
    program: string,
    args: readonly string[],
  ): Promise<SandboxedCommand> {
    const { launcher, inPlace } = await working(plan.kind);
    const names = namesOf(plan, listOf);
    const kept = await keepNamed(plan, names);
    const gate = await gateFor(plan, listOf, inPlace);
    const entry = gate?.enter(program, args) ?? { program, args };
    const whole = {
      ...plan,
      keep: kept.keep,
      keepNames: names,
      read: [...plan.read, ...(gate?.mounts ?? [])],
      hide: [...(plan.hide ?? []), ...hiddenIn(plan, dataDirectory, listOf)],
    };
    const line = await launcher.commandLine(whole, entry.program, entry.args, gate?.port);
    return {
      ...line,
      env: { ...line.env, ...gate?.env },
      appeared: kept.appeared,
      release: async () => void (await Promise.all([gate?.close(), line.release?.()])),
    };
  }

  return { state, wrap };
}

type ListOf = (key: string) => readonly string[];

const namesOf = ({ keepNames = [] }: SandboxPlan, listOf: ListOf): readonly string[] =>
  keepNames === "protected" ? listOf("authorization.protected_names") : keepNames;

/** The way to the network; undefined for a plan without one. */
async function gateFor({ network }: SandboxPlan, listOf: ListOf, inPlace: boolean) {
  if (network === "none") return undefined;
  const rules = rulesOf(network, listOf);
  return inPlace ? openPort(rules) : openGate(rules);
}

function rulesOf({ hosts, privateHosts }: SandboxNetwork, listOf: ListOf): ProxyRules {
  const listed = privateHosts ?? listOf("tools.web.allowed_private_hosts");
  return { hosts, dial: createDial({ privateHosts: listed }) };
}

function hiddenIn(
  { kind, read, write }: SandboxPlan,
  dataDirectory: string,
  listOf: ListOf,
): readonly string[] {
  if (kind === "plugin") return [];
  const given = [...read.filter((mount) => typeof mount === "string"), ...write];
  return hiddenPlaces(given, dataDirectory, listOf("authorization.protected_paths"));
}

/** What stays as it is, and how to tell later what has come. */
async function keepNamed({ write, keep }: SandboxPlan, names: readonly string[]) {
  if (names.length === 0) return { keep, appeared: async () => [] };
  const before = await Promise.all(write.map((folder) => keptPlaces(folder, names)));
  return {
    keep: [...keep, ...before.flatMap(({ readOnly }) => readOnly)],
    appeared: async () => {
      const fresh = await Promise.all(
        before.map((places, at) => appearedSince(places, write[at] ?? "", names)),
      );
      return [...new Set(fresh.flat())];
    },
  };
}
