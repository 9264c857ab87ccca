/** What a person does to log in: open the address on any device and enter the code. */
export interface DeviceLogin {
  readonly userCode: string;
  readonly verificationUri: string;
  /** Seconds. */
  readonly expiresIn: number;
}

/** How much of a subscription is used. */
export type ProviderQuota =
  | { readonly available: false; readonly reason: string }
  | {
      readonly available: true;
      readonly source: string;
      readonly login: string | null;
      readonly plan: string | null;
      readonly entitlement: number | null;
      readonly used: number | null;
      readonly remaining: number | null;
      /** 0 to 100. */
      readonly percentUsed: number | null;
      readonly percentRemaining: number | null;
      readonly overageCount: number;
      readonly overagePermitted: boolean;
      readonly unlimited: boolean;
      /** ISO 8601. */
      readonly resetDate: string | null;
    };
