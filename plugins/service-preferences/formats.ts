import type { Json, Preference } from "@pergola/sdk";
import type { PreferenceFault } from "@pergola/sdk/host";

type Check = (text: string) => Pick<PreferenceFault, "code" | "message"> | undefined;

const seconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

const accepts = (work: () => unknown): boolean => {
  try {
    work();
    return true;
  } catch {
    return false;
  }
};

/** What the formats of preferences ask of a text that JSON Schema has no word for. */
const checks: Readonly<Record<string, Check>> = {
  "time-zone": (zone) => {
    const isKnown = zone === "system" || accepts(() => new Intl.DateTimeFormat("en", { timeZone: zone }));
    if (isKnown) return undefined;
    return {
      code: "invalid_value",
      message: "is no time zone: write an IANA name such as Europe/Berlin, or system.",
    };
  },
  "language-tag": (tag) => {
    const isTag = tag === "" || accepts(() => Intl.getCanonicalLocales(tag));
    if (isTag) return undefined;
    return { code: "invalid_value", message: "is no language tag: write one such as en or pt-BR." };
  },
  "grant-life": (text) => {
    const life = Number.parseInt(text, 10) * (seconds[text.at(-1) ?? ""] ?? Number.NaN);
    if (life < 1 || life > 30 * 86_400) return { code: "out_of_range", message: "must be from 1s to 30d." };
    return undefined;
  },
};

/** What is wrong with the form of a value. */
export function formFault({ key, schema }: Preference, value: Json): PreferenceFault | undefined {
  if (typeof value !== "string") return undefined;
  const fault = checks[schema.format ?? ""]?.(value);
  return fault && { key, code: fault.code, message: `${key} ${fault.message}` };
}
