import tables from "./model-data.json" with { type: "json" };

/** What is known of a hosted model. Windows and limits in tokens, prices in USD per 1,000 tokens. */
export interface ModelRow {
  /** In lower case. */
  readonly ids: readonly string[];
  /** Names that begin so are the same model, as those with a date behind. */
  readonly begins?: readonly string[];
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  readonly supportsTools?: boolean;
  readonly supportsVision?: boolean;
  readonly supportsThinking?: boolean;
  readonly prompt: number;
  readonly completion: number;
  /** For the part of the prompt that the provider has kept. */
  readonly cached?: number;
}

export interface ModelData {
  /** The day for which it was gathered, ISO 8601. */
  readonly date: string;
  readonly sources: readonly string[];
  /** By kind of provider. */
  readonly kinds: Readonly<Record<string, readonly ModelRow[]>>;
}

const { date, kinds } = tables as ModelData;

/** The day of the shipped tables. */
export const tableDate = date;

/** Rows by id, and beginnings, the longest first. */
const indexes = new Map(
  Object.entries(kinds).map(([kind, rows]) => [
    kind,
    {
      byId: new Map(rows.flatMap((row) => row.ids.map((id) => [id, row] as const))),
      byBeginning: rows
        .flatMap((row) => (row.begins ?? []).map((begin) => ({ begin, row })))
        .sort((one, other) => other.begin.length - one.begin.length),
    },
  ]),
);

/** What the shipped tables know of a provider kind's model; undefined when nothing. */
export function knownModel(kind: string, id: string): ModelRow | undefined {
  const name = id.toLowerCase();
  const { byId, byBeginning } = indexes.get(kind) ?? {};
  return byId?.get(name) ?? byBeginning?.find(({ begin }) => name.startsWith(begin))?.row;
}
