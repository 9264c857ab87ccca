import type { Setting } from "../setting.ts";
import { gateways, hosts, type Peer } from "./catalogue.ts";
import { compareGateway, gatewayRows } from "./gateways.ts";
import { compareHost, ourLife } from "./hosts.ts";
import { install } from "./install.ts";
import { printComparisons, unmeasured, type Comparison, type Subject } from "./report.ts";

const textOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 300).replaceAll("\n", " ");

/** Each peer that can be installed, on the rows that fit it. */
export async function comparePeers(setting: Setting): Promise<readonly Comparison[]> {
  const found: Comparison[] = [];
  const attempt = async (
    subject: Subject,
    peer: Peer,
    work: () => Promise<Comparison | readonly Comparison[]>,
  ): Promise<void> => {
    const fault = install(peer);
    const result = fault === undefined ? await work().catch(textOf) : fault;
    const rows = typeof result === "string" ? [unmeasured(subject, peer, result)] : [result].flat();
    found.push(...rows);
    printComparisons(rows);
  };
  for (const gateway of gateways)
    for (const row of gatewayRows) await attempt(row, gateway, () => compareGateway(setting, gateway, row));
  const ours = await ourLife(setting);
  for (const host of hosts)
    await attempt({ id: "P6–P9", what: "", unit: "" }, host, () => compareHost(setting, host, ours));
  return found;
}
