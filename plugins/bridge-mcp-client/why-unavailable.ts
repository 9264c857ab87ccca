/** What counts for whether a server's tools can be offered. */
interface Standing {
  readonly name: string;
  /** Why its tools are not called any more; empty while they are. */
  readonly retired: string;
  readonly fault: string | undefined;
  readonly wasMet: boolean;
  readonly unreached: string;
  readonly isLaunchApproved: boolean;
  /** How many tools it offers. */
  readonly offered: number;
}

/** Why nothing of a server is offered, and what helps; undefined where something is. */
export function whyUnavailable({ name, retired, fault, ...standing }: Standing) {
  if (retired !== "") return { reason: retired, remedy: "Restart." };
  const review = `Call mcp_servers.review_server with server "${name}".`;
  if (fault !== undefined) return { reason: fault, remedy: "Correct mcp.servers in the settings." };
  if (!standing.wasMet)
    return { reason: `It was not reached: ${standing.unreached}`, remedy: `${review} Then restart.` };
  if (!standing.isLaunchApproved)
    return { reason: "Its entry in mcp.servers has changed and is not approved yet.", remedy: review };
  return standing.offered > 0 ? undefined : { reason: "It offers no approved tool.", remedy: review };
}
