import { AppError } from "@pergola/sdk";
import { describeCertificate } from "../http/certificate.ts";
import { planListening, type ListeningPlan } from "../http/listening-plan.ts";
import type { Host } from "../host.ts";
import { fault, note, ok, type Finding } from "./doctor-findings.ts";

type Preferences = Host["services"]["preferences"];

const day = 24 * 60 * 60 * 1000;

const everyAccount =
  "every account of this computer can use the service, and run commands as you (auth.loopback is none). On " +
  "Linux, auth.loopback: same-user lets in only your account; elsewhere auth.loopback: token asks for one.";

/** What the walls around the service do not hold, so that nobody counts on it. */
export function accessFindings(preferences: Preferences): readonly Finding[] {
  const remote = remoteFindings(preferences);
  if (preferences.get("auth.loopback") !== "none") return remote;
  return [note("Access", everyAccount), ...remote];
}

function remoteFindings(preferences: Preferences): readonly Finding[] {
  if (!preferences.get<boolean>("server.allow_remote"))
    return [ok("Remote access", "off; docs/remote-access.md shows how other devices get in")];
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
