import { AppError, type Json, type JsonObject } from "@pergola/sdk";
import type { Sandbox, SandboxState } from "@pergola/sdk/host";
import { describeCertificate } from "../http/certificate.ts";
import { planListening, type ListeningPlan } from "../http/listening-plan.ts";
import type { Host } from "../host.ts";
import { fault, note, ok, type Finding } from "./doctor-findings.ts";
import { rootWarning } from "./root-warning.ts";

type Preferences = Pick<Host["services"]["preferences"], "get">;

const day = 24 * 60 * 60 * 1000;

const everyAccount =
  "every account of this computer can use the service, and run commands as you (auth.loopback is none). On " +
  "Linux, auth.loopback: same-user lets in only your account; elsewhere auth.loopback: token asks for one.";

/** What `auth.loopback` means. */
const atHome: Readonly<Record<string, Finding>> = {
  none: note("Access", everyAccount),
  "same-user": ok(
    "Access",
    "on this computer only your account, without a token (auth.loopback is same-user)",
  ),
  token: ok(
    "Access",
    "on this computer nobody without a token, but for the `pergola` commands of your account " +
      "(auth.loopback is token)",
  ),
};

/**
 * Who gets in, and what the walls around the service do not hold, so that nobody counts on it.
 * `inForce`: what a service that runs says of its preferences, by key.
 */
export async function accessFindings(
  { services, sandbox }: Pick<Host, "services" | "sandbox">,
  inForce: JsonObject = {},
): Promise<readonly Finding[]> {
  const preferences: Preferences = {
    get: <T extends Json>(key: string) => (inForce[key] ?? services.preferences.get<T>(key)) as T,
  };
  const warning = rootWarning();
  return [
    ...[atHome[preferences.get<string>("auth.loopback")] ?? []].flat(),
    ...remoteFindings(preferences),
    ...(warning === undefined ? [] : [note("Account", warning)]),
    await wallsOfPrograms(preferences, sandbox),
    wallFinding("Sandbox of plugins", await sandbox.state("plugin")),
  ];
}

async function wallsOfPrograms(preferences: Preferences, sandbox: Sandbox): Promise<Finding> {
  const what = "Sandbox of programs";
  if (preferences.get("sandbox.programs") !== "none")
    return wallFinding(what, await sandbox.state("program"));
  return note(what, "off: commands run with all rights of your account (sandbox.programs is none)");
}

function wallFinding(what: string, state: SandboxState): Finding {
  if (!state.works) return note(what, `does not work here: ${sentence(state.reason)} ${state.remedy}`);
  return ok(what, `works (${[state.by, ...state.fences].join(", ")})`);
}

const sentence = (text: string): string => text.replace(/[^.?!]$/, "$&.");

function withoutListening(preferences: Preferences): Finding {
  const proxies = preferences.get<string[]>("server.trusted_proxies").join(", ");
  if (proxies === "") return ok("Remote access", "off; docs/remote-access.md shows how other devices get in");
  return ok("Remote access", `through the proxies ${proxies}, with a token (server.trusted_proxies)`);
}

function remoteFindings(preferences: Preferences): readonly Finding[] {
  if (!preferences.get<boolean>("server.allow_remote")) return [withoutListening(preferences)];
  try {
    return describe(planListening(preferences, preferences.get("server.port")));
  } catch (error) {
    if (!AppError.is(error)) throw error;
    return [fault("Remote access", error.message)];
  }
}

function describe({ plain, tls }: ListeningPlan): readonly Finding[] {
  if (tls !== undefined) {
    const { names, validTo } = describeCertificate(tls);
    const certificate = `${names.join(", ") || "no name"}, until ${validTo.toISOString().slice(0, 10)}`;
    const detail = `https on ${tls.host}, port ${tls.port}, for ${certificate}`;
    return [validity(validTo.getTime() - Date.now())("Remote access", detail)];
  }
  const { host, port } = plain.at(-1)!;
  const warning = "everybody in the network can read along, tokens included (server.allow_plain_http)";
  return [note("Remote access", `plain http on ${host}, port ${port}: ${warning}`)];
}

/** How good a certificate is that is valid for so many milliseconds yet. */
function validity(left: number): typeof ok {
  if (left < 0) return fault;
  return left < 14 * day ? note : ok;
}
