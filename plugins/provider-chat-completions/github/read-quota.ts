import type { ProviderQuota } from "@pergola/sdk";

type Fields = Readonly<Record<string, unknown>>;
type Known = Extract<ProviderQuota, { readonly available: true }>;

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;
const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});
const number = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) ? value : null;
const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);
const tenths = (value: number): number => Math.round(value * 10) / 10;

function dateOf(...given: readonly unknown[]): string | null {
  const date = given.map((value) => Date.parse(text(value) ?? "")).find((value) => !Number.isNaN(value));
  return date === undefined ? null : new Date(date).toISOString();
}

type Amounts = Pick<
  Known,
  "entitlement" | "remaining" | "percentRemaining" | "overageCount" | "overagePermitted" | "unlimited"
>;

const noOverage = { overageCount: 0, overagePermitted: false, unlimited: false } as const;

/** Of subscriptions that are paid for. */
const premium = (snapshot: Fields): Amounts => ({
  entitlement: number(snapshot["entitlement"]),
  remaining: number(snapshot["quota_remaining"]) ?? number(snapshot["remaining"]),
  percentRemaining: number(snapshot["percent_remaining"]),
  overageCount: number(snapshot["overage_count"]) ?? 0,
  overagePermitted: snapshot["overage_permitted"] === true,
  unlimited: snapshot["unlimited"] === true,
});

/** Of those that are free: what is left of a month's chats. */
const limited = (left: unknown, all: unknown): Amounts => ({
  ...noOverage,
  entitlement: number(all),
  remaining: number(left),
  percentRemaining: null,
});

function percentOf({ percentRemaining, entitlement, remaining }: Amounts): number | null {
  if (percentRemaining !== null) return percentRemaining;
  return entitlement === null || entitlement <= 0 || remaining === null
    ? null
    : (remaining / entitlement) * 100;
}

/** What GitHub says of a subscription, as a quota; undefined when it says nothing of one. */
export function readQuota(source: string, answer: Fields): ProviderQuota | undefined {
  const snapshot = fieldsOf(answer["quota_snapshots"])["premium_interactions"];
  const [left, all] = [
    fieldsOf(answer["limited_user_quotas"])["chat"],
    fieldsOf(answer["monthly_quotas"])["chat"],
  ];
  const amounts = isObject(snapshot)
    ? premium(snapshot)
    : number(left) === null
      ? undefined
      : limited(left, all);
  if (amounts === undefined) return undefined;
  const { entitlement, remaining } = amounts;
  const percent = percentOf(amounts);
  const percentRemaining = percent === null ? null : tenths(Math.min(100, Math.max(0, percent)));
  return {
    available: true,
    source,
    login: text(answer["login"]),
    plan: text(answer["copilot_plan"]),
    ...amounts,
    used: entitlement === null || remaining === null ? null : tenths(Math.max(0, entitlement - remaining)),
    percentUsed: percentRemaining === null ? null : tenths(100 - percentRemaining),
    percentRemaining,
    resetDate: dateOf(
      answer["quota_reset_date_utc"],
      answer["quota_reset_date"],
      answer["limited_user_reset_date"],
    ),
  };
}
