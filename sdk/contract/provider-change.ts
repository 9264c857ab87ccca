/** A server of models on this computer. */
export interface LocalServer {
  /** The kind of provider that it is. */
  readonly type: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly models: readonly string[];
  /** A provider uses it. */
  readonly configured: boolean;
}

/** What is to become of a provider; what is absent stays as it is. */
export interface ProviderChange {
  /** Needed for a new one. */
  readonly type?: string | undefined;
  readonly name?: string | undefined;
  /** Another origin is not sent the key that is kept. */
  readonly baseUrl?: string | undefined;
  /** null removes it. */
  readonly apiKey?: string | null | undefined;
  readonly models?: readonly string[] | undefined;
  readonly enabled?: boolean | undefined;
  /** Nothing is stored unless it lists its models. */
  readonly check: boolean;
}
