import { isObject, stringOf, type ProviderQuota } from "@pergola/sdk";
import { valueAt, type Fields } from "@pergola/kit-provider";

type Known = Extract<ProviderQuota, { readonly available: true }>;
type Amounts = Pick<
  Known,
  "entitlement" | "remaining" | "percentRemaining" | "overageCount" | "overagePermitted" | "unlimited"
>;

function numberOf(value: unknown): number | null {
  if (!Number.isFinite(value)) return null;
  return value as number;
}
const textOf = (value: unknown): string | null => stringOf(value) || null;
const tenths = (value: number): number => Math.round(value * 10) / 10;

function dateOf(...values: readonly unknown[]): string | null {
  const dates = values.map((value) => Date.parse(stringOf(value)));
  const date = dates.find((milliseconds) => !Number.isNaN(milliseconds));
  if (date === undefined) return null;
  return new Date(date).toISOString();
}

/** Of subscriptions that are paid for. */
const premiumAmounts = (snapshot: Fields): Amounts => ({
  entitlement: numberOf(snapshot["entitlement"]),
  remaining: numberOf(snapshot["quota_remaining"]) ?? numberOf(snapshot["remaining"]),
  percentRemaining: numberOf(snapshot["percent_remaining"]),
  overageCount: numberOf(snapshot["overage_count"]) ?? 0,
  overagePermitted: snapshot["overage_permitted"] === true,
  unlimited: snapshot["unlimited"] === true,
});

/** Of those that are free: what is left of a month's chats. */
const freeAmounts = (entitlement: unknown, remaining: unknown): Amounts => ({
  entitlement: numberOf(entitlement),
  remaining: numberOf(remaining),
  percentRemaining: null,
  overageCount: 0,
  overagePermitted: false,
  unlimited: false,
});

function amountsOf(answer: Fields): Amounts | undefined {
  const snapshot = valueAt(answer, "quota_snapshots.premium_interactions");
  if (isObject(snapshot)) return premiumAmounts(snapshot);
  const remaining = valueAt(answer, "limited_user_quotas.chat");
  if (numberOf(remaining) === null) return undefined;
  return freeAmounts(valueAt(answer, "monthly_quotas.chat"), remaining);
}

function percentOf(part: number | null, whole: number | null): number | null {
  if (part === null || whole === null || whole <= 0) return null;
  return (part / whole) * 100;
}

/** 0 to 100, in tenths; null where nobody knows. */
function percentRemainingOf({ percentRemaining, entitlement, remaining }: Amounts): number | null {
  const percent = percentRemaining ?? percentOf(remaining, entitlement);
  if (percent === null) return null;
  return tenths(Math.min(100, Math.max(0, percent)));
}

function usedOf({ entitlement, remaining }: Amounts): number | null {
  if (entitlement === null || remaining === null) return null;
  return tenths(Math.max(0, entitlement - remaining));
}

/** What GitHub says of a subscription, as a quota; undefined when it says nothing of one. */
export function readQuota(source: string, answer: Fields): ProviderQuota | undefined {
  const amounts = amountsOf(answer);
  if (amounts === undefined) return undefined;
  const percentRemaining = percentRemainingOf(amounts);
  const { quota_reset_date_utc, quota_reset_date, limited_user_reset_date } = answer;
  return {
    available: true,
    source,
    login: textOf(answer["login"]),
    plan: textOf(answer["copilot_plan"]),
    ...amounts,
    used: usedOf(amounts),
    percentUsed: percentRemaining === null ? null : tenths(100 - percentRemaining),
    percentRemaining,
    resetDate: dateOf(quota_reset_date_utc, quota_reset_date, limited_user_reset_date),
  };
}
