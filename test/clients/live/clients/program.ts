import path from "node:path";
import { jsonLines, type Client, type Place } from "../client.ts";
import type { Feature } from "../feature.ts";

/** Turns that are taken without streaming where the library has both. */
const whole: readonly Feature[] = ["answer", "steps", "error"];

interface Line {
  readonly type: string;
  readonly text?: string;
}

interface LibraryClient
  extends
    Pick<Client, "name" | "row" | "packages" | "lacks" | "isMcp" | "prepare">,
    Partial<Pick<Client, "tool">> {
  /** The file of `programs/`, without its ending. */
  readonly file: string;
  /** Variables that it has besides. */
  readonly variables?: (place: Place) => Readonly<Record<string, string>>;
}

/** A library, used by a small program of `programs/` as people use it. */
export const program = ({ file, variables, ...client }: LibraryClient): Client => ({
  tool: {
    names: ["read_stone"],
    arguments: (stone) => ({ file: `quarry/stone-${stone}.txt` }),
  },
  ...client,
  check: ({ packages, bin }) => ({
    words: [path.join(bin, "node"), path.join(packages, "programs", "run.mjs"), file],
  }),
  command: ({ prompt, feature, before }, place: Place) => ({
    words: [
      path.join(place.bin, "node"),
      path.join(place.packages, "programs", "run.mjs"),
      file,
      prompt,
      ...(whole.includes(feature) ? [] : ["streamed"]),
      ...(before === undefined ? [] : ["resumed"]),
    ],
    environment: { PERGOLA_URL: place.url, PERGOLA_MODEL: place.model, ...variables?.(place) },
  }),
  answer: (output) => jsonLines<Line>(output).findLast(({ type }) => type === "answer")?.text ?? "",
});
