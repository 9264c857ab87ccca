import type { Services } from "@pergola/sdk";

/** Looks at the installation, as endpoints may ask it to. */
export type DoctorService = NonNullable<Services["doctor"]>;

/** What was found when the installation was looked at, and when that was. */
export type Report = Awaited<ReturnType<DoctorService["check"]>>;

/** One thing that was found. */
export type Finding = Report["findings"][number];

type Facts = Pick<Finding, "id" | "what" | "detail"> & Partial<Pick<Finding, "remedy" | "address">>;

const finding =
  (level: Finding["level"]) =>
  ({ id, what, detail, remedy = null, address = null }: Facts): Finding => ({
    id,
    level,
    what,
    detail,
    remedy,
    address,
  });

export const ok = finding("ok");
export const note = finding("note");
export const fault = finding("fault");

/** The text with a full stop, where it ends without a mark. */
export const sentence = (text: string): string => text.replace(/[^.?!]$/, "$&.");

/** Detail and remedy in one line. */
export function said({ detail, remedy }: Pick<Finding, "detail" | "remedy">): string {
  if (remedy === null || detail === "") return remedy ?? detail;
  return /[.?!]$/.test(detail) ? `${detail} ${remedy}` : `${detail}; ${remedy}`;
}
