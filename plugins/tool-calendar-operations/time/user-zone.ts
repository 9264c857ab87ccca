import { stringOf, ToolError, type ToolContext } from "@pergola/sdk";
import { zoneNamed, type Zone } from "./zone.ts";

/** The time of a call, and the time zone of its person. */
export interface Moment {
  readonly user: Zone;
  readonly now: number;
}

export const momentOf = async (context: ToolContext): Promise<Moment> => ({
  user: await userZone(context),
  now: context.clock.now(),
});

/** The time zone of the preference `user.time_zone`, else the computer's. Throws `invalid_value`. */
export async function userZone(context: ToolContext): Promise<Zone> {
  const preferred = stringOf(await context.preference("user.time_zone")) || "system";
  const name = preferred === "system" ? Intl.DateTimeFormat().resolvedOptions().timeZone : preferred;
  const zone = zoneNamed(name);
  if (zone !== undefined) return zone;
  throw new ToolError("invalid_value", `The preference user.time_zone is not a time zone: "${name}".`, {
    hint: "Ask the person to set it to an IANA name such as Europe/Berlin.",
  });
}
