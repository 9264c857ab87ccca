import path from "node:path";
import { jsonLines, type Client, type Place } from "../client.ts";
import type { Feature } from "../feature.ts";

/** Turns that are taken without streaming where the library has both. */
const whole: readonly Feature[] = ["answer", "steps", "error"];

interface Line {
  readonly type: string;
  readonly text?: string;
}

interface LibraryClient extends Pick<Client, "name" | "packages" | "lacks" | "isMcp"> {
  /** The file of `programs/`, without its ending. */
  readonly file: string;
}

/** A library, used by a small program of `programs/` as people use it. */
export const program = ({ file, ...client }: LibraryClient): Client => ({
  ...client,
  tool: {
    names: ["read_stone"],
    arguments: (stone) => ({ file: `quarry/stone-${stone}.txt` }),
  },
  check: ({ packages, bin }) => ({
    words: [path.join(bin, "node"), path.join(packages, "programs", "run.mjs"), file],
  }),
  command: ({ prompt, feature, before }, { packages, bin, url, model }: Place) => ({
    words: [
      path.join(bin, "node"),
      path.join(packages, "programs", "run.mjs"),
      file,
      prompt,
      ...(whole.includes(feature) ? [] : ["streamed"]),
      ...(before === undefined ? [] : ["resumed"]),
    ],
    environment: { PERGOLA_URL: url, PERGOLA_MODEL: model },
  }),
  answer: (output) => jsonLines<Line>(output).findLast(({ type }) => type === "answer")?.text ?? "",
});
