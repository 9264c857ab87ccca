import { AppError, type Properties } from "@pergola/sdk";

/** The query of a list of items. */
export const itemQuery = {
  limit: { type: "integer", minimum: 1, maximum: 100, default: 20, description: "At most so many" },
  order: { enum: ["asc", "desc"], default: "desc", description: "asc: the oldest first" },
  after: { type: "string", description: "The id of the item behind which the page begins" },
} as const satisfies Properties;

interface PageQuery {
  readonly limit: number;
  readonly order: "asc" | "desc";
  readonly after?: string;
}

interface Item {
  readonly id: string;
}

/** A page of items, which come the oldest first. Throws `not_found` for an `after` that is none of them. */
export function pageOf(all: readonly Item[], { limit, order, after }: PageQuery) {
  const ordered = order === "asc" ? all : all.toReversed();
  const before = after === undefined ? -1 : ordered.findIndex(({ id }) => id === after);
  if (after !== undefined && before < 0)
    throw new AppError({ code: "not_found", message: `There is no item "${after}".`, param: "after" });
  const data = ordered.slice(before + 1, before + 1 + limit);
  return {
    object: "list",
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: before + 1 + limit < ordered.length,
  };
}
