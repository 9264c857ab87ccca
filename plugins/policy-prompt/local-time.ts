const formats = new Map<string, Intl.DateTimeFormat>();

const systemZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** One format per zone is kept, for making one is dear. A zone that nobody knows counts as the computer's. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = makeFormat(zone);
  formats.set(zone, made);
  return made;
}

function makeFormat(timeZone: string): Intl.DateTimeFormat {
  const two = "2-digit";
  const fields = {
    weekday: "long",
    year: "numeric",
    month: two,
    day: two,
    hour: two,
    minute: two,
    hourCycle: "h23",
    timeZoneName: "longOffset",
  } as const;
  try {
    return new Intl.DateTimeFormat("en-GB", { ...fields, timeZone });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return formatOf(systemZone());
  }
}

export interface LocalTime {
  /** `2026-11-20 10:14, Friday` */
  readonly date: string;
  /** `Europe/Berlin (UTC+01:00)` */
  readonly zone: string;
}

/**
 * A moment, in milliseconds since 1970, as the clock on the wall shows it, to the minute. `zone` is an IANA
 * name or `system`.
 */
export function localTime(moment: number, zone: string): LocalTime {
  const format = formatOf(zone.replace(/^(system)?$/, systemZone));
  const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  const { year = "", month = "", day = "", hour = "", minute = "", weekday = "", timeZoneName = "" } = parts;
  const offset = timeZoneName.replace(/^GMT$/, "GMT+00:00").replace("GMT", "UTC");
  return {
    date: `${year}-${month}-${day} ${hour}:${minute}, ${weekday}`,
    zone: `${format.resolvedOptions().timeZone} (${offset})`,
  };
}
