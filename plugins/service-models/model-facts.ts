import { defined, type ModelEntry, type ModelInfo } from "@pergola/sdk";

type Facts = Partial<
  Pick<
    ModelInfo,
    "contextWindow" | "maxOutputTokens" | "supportsTools" | "supportsVision" | "supportsThinking" | "family"
  >
>;
/** What nobody guesses. */
type Unguessed = "family" | "supportsThinking";
type Guess = Required<Omit<Facts, Unguessed>>;

export interface Sources {
  /** What the provider says of the model. */
  readonly listing: Facts;
  /** `models.overrides` */
  readonly user: Facts;
  /** The shipped tables. */
  readonly table: Facts;
  /** What a try has shown. */
  readonly probe?: Pick<Facts, "supportsTools">;
  readonly guess: (contextWindow: number | undefined) => Guess;
}

/**
 * Each fact from the first that has it; `source` is where the context window comes from, or `probe` where a
 * try has decided about tools.
 */
export function factsOf({
  listing,
  user,
  table,
  probe = {},
  guess,
}: Sources): Guess & Pick<Facts, Unguessed> & Pick<ModelEntry, "source"> {
  const ranked = [
    ["provider", listing],
    ["user", user],
    ["table", table],
  ] as const;
  const first = <K extends keyof Facts>(key: K): Facts[K] =>
    ranked.map(([, facts]) => facts[key]).find((value) => value !== undefined);
  const contextWindow = first("contextWindow");
  const known = {
    contextWindow,
    maxOutputTokens: first("maxOutputTokens"),
    supportsTools: first("supportsTools") ?? probe.supportsTools,
    supportsVision: first("supportsVision"),
    supportsThinking: first("supportsThinking"),
    family: first("family"),
  };
  const isProbed = first("supportsTools") === undefined && probe.supportsTools !== undefined;
  const origin = ranked.find(([, facts]) => facts.contextWindow !== undefined)?.[0] ?? "guess";
  return {
    ...guess(contextWindow),
    ...defined(known),
    source: isProbed ? "probe" : origin,
  };
}

function guessContextWindow(kind: string, isLocal: boolean): number {
  if (isLocal) return 32_768;
  if (kind === "deepseek") return 65_536;
  return 8192;
}

/** What is assumed of a model of which nobody says anything. Tokens. */
export function guess(kind: string, isLocal: boolean, known: number | undefined): Guess {
  const contextWindow = known ?? guessContextWindow(kind, isLocal);
  const maxOutputTokens = Math.min(4096, Math.floor(contextWindow / 4));
  return {
    contextWindow,
    maxOutputTokens,
    supportsTools: !isLocal || kind === "custom",
    supportsVision: false,
  };
}
