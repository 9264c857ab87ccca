import { AppError, type Json, type JsonObject } from "@pergola/sdk";
import type { Sandbox, SandboxState } from "@pergola/sdk/host";
import { describeCertificate } from "../http/certificate.ts";
import { planListening, type ListeningPlan } from "../http/listening-plan.ts";
import type { Host } from "../host.ts";
import { fault, note, ok, sentence, type Finding } from "./findings.ts";
import { atRoot, isRoot } from "./root-warning.ts";

type Preferences = Pick<Host["services"]["preferences"], "get">;

const day = 24 * 60 * 60 * 1000;

const access = { id: "access", what: "Access", address: "#/settings/auth" } as const;
const remote = { id: "remote_access", what: "Remote access", address: "#/settings/server" } as const;

/** What `auth.loopback` means. */
const atHome: Readonly<Record<string, Finding>> = {
  none: note({
    ...access,
    detail:
      "every account of this computer can use the service, and run commands as you (auth.loopback is none).",
    remedy:
      "On Linux, auth.loopback: same-user lets in only your account; elsewhere auth.loopback: token asks " +
      "for one.",
  }),
  "same-user": ok({
    ...access,
    detail: "on this computer only your account, without a token (auth.loopback is same-user)",
  }),
  token: ok({
    ...access,
    detail:
      "on this computer nobody without a token, but for the `pergola` commands of your account " +
      "(auth.loopback is token)",
  }),
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
  return [
    ...[atHome[preferences.get<string>("auth.loopback")] ?? []].flat(),
    ...remoteFindings(preferences),
    ...(isRoot() ? [note({ id: "account", what: "Account", ...atRoot })] : []),
    await wallsOfPrograms(preferences, sandbox),
    wallFinding({ id: "sandbox_plugins", what: "Sandbox of plugins" }, await sandbox.state("plugin")),
  ];
}

async function wallsOfPrograms(preferences: Preferences, sandbox: Sandbox): Promise<Finding> {
  const about = { id: "sandbox_programs", what: "Sandbox of programs" } as const;
  if (preferences.get("sandbox.programs") !== "none")
    return wallFinding(about, await sandbox.state("program"));
  const detail = "off: commands run with all rights of your account (sandbox.programs is none)";
  return note({ ...about, detail, address: "#/settings/sandbox" });
}

function wallFinding(about: Pick<Finding, "id" | "what">, state: SandboxState): Finding {
  if (state.works) return ok({ ...about, detail: `works (${[state.by, ...state.fences].join(", ")})` });
  const { reason, remedy } = state;
  return note({ ...about, detail: `does not work here: ${sentence(reason)}`, remedy });
}

function withoutListening(preferences: Preferences): Finding {
  const proxies = preferences.get<string[]>("server.trusted_proxies").join(", ");
  if (proxies === "")
    return ok({ ...remote, detail: "off; docs/remote-access.md shows how other devices get in" });
  const detail = `through the proxies ${proxies}, with a token (server.trusted_proxies)`;
  return ok({ ...remote, detail });
}

function remoteFindings(preferences: Preferences): readonly Finding[] {
  if (!preferences.get<boolean>("server.allow_remote")) return [withoutListening(preferences)];
  try {
    return describe(planListening(preferences, preferences.get("server.port")));
  } catch (error) {
    if (!AppError.is(error)) throw error;
    return [fault({ ...remote, detail: error.message })];
  }
}

function describe({ plain, tls }: ListeningPlan): readonly Finding[] {
  if (tls !== undefined) {
    const { names, validTo } = describeCertificate(tls);
    const certificate = `${names.join(", ") || "no name"}, until ${validTo.toISOString().slice(0, 10)}`;
    const detail = `https on ${tls.host}, port ${tls.port}, for ${certificate}`;
    return [validity(validTo.getTime() - Date.now())({ ...remote, detail })];
  }
  const { host, port } = plain.at(-1)!;
  const warning = "everybody in the network can read along, tokens included (server.allow_plain_http)";
  return [note({ ...remote, detail: `plain http on ${host}, port ${port}: ${warning}` })];
}

/** How good a certificate is that is valid for so many milliseconds yet. */
function validity(left: number): typeof ok {
  if (left < 0) return fault;
  return left < 14 * day ? note : ok;
}
