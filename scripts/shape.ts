// Prints the shape of the product's code and ends with 1 when a bound is missed; the places follow the table.
//   npm run shape
import { complexFunctions } from "./shape/complex-functions.ts";
import { countTokens, type Counts } from "./shape/count-tokens.ts";
import { equalBlocks } from "./shape/equal-blocks.ts";
import { importCircles } from "./shape/import-circles.ts";
import { productSources } from "./shape/product.ts";
import { publicNames } from "./shape/public-names.ts";

/**
 * Tokens of the product when its rebuild into kits, rooms and features was done, by the same count. The
 * rebuild was held to a bound of its own; what came after it are features: this row shows how much they add.
 */
const tokensOfTheRebuild = 607_833;

interface Row {
  readonly name: string;
  readonly value: number;
  /** The largest value that passes; rows without one only inform. */
  readonly bound?: number;
  /** Where to look when the bound is missed. */
  readonly places?: readonly string[];
}

const sources = productSources();
const counted = sources.map((source) => ({ file: source.file, ...countTokens(source) }));
const sum = (field: keyof Counts): number => counted.reduce((total, counts) => total + counts[field], 0);
const sizes = counted.map(({ lines }) => lines).toSorted((a, b) => a - b);
const tooLong = counted
  .filter(({ lines }) => lines > 300)
  .map(({ file, lines }) => `${file}: ${lines} lines`);
const blocks = equalBlocks(sources, 12);
const complex = complexFunctions(sources, 12);
const circles = importCircles(sources);
const oneDecimal = (value: number): number => Math.round(value * 10) / 10;

const rows: readonly Row[] = [
  { name: "files", value: counted.length },
  { name: "lines", value: sum("lines") },
  { name: "lines of code", value: sum("codeLines") },
  { name: "lines of the median file", value: sizes[Math.floor(sizes.length / 2)] ?? 0, bound: 80 },
  {
    name: "files over 300 lines",
    value: tooLong.length,
    bound: 0,
    places: tooLong,
  },
  { name: "tokens a line of code", value: oneDecimal(sum("tokens") / sum("codeLines")), bound: 9 },
  {
    name: "ternaries in 1,000 lines of code",
    value: oneDecimal((sum("ternaries") * 1000) / sum("codeLines")),
    bound: 20,
  },
  {
    name: "functions over complexity 12",
    value: complex.length,
    bound: 0,
    places: complex,
  },
  {
    name: "pairs of equal blocks over 12 lines",
    value: blocks.length,
    bound: 0,
    places: blocks.map(({ left, right, lines }) => `${left} ~ ${right}: ${lines} lines`),
  },
  { name: "public names of the SDK", value: publicNames("sdk/index.ts").length, bound: 230 },
  {
    name: "files in the largest import circle",
    value: circles[0]?.length ?? 0,
    bound: 7,
    places: circles.filter((circle) => circle.length > 7).map((circle) => circle.join(" → ")),
  },
  { name: "tokens when the rebuild was done", value: tokensOfTheRebuild },
  { name: "tokens", value: sum("tokens") },
];

const isMissed = ({ value, bound }: Row): boolean => bound !== undefined && value > bound;
const boundOf = ({ bound }: Row): string =>
  bound === undefined ? "" : `at most ${bound.toLocaleString("en")}`;

for (const row of rows) {
  const verdict = isMissed(row) ? "  missed" : "";
  console.log(
    `${row.name.padEnd(38)}${row.value.toLocaleString("en").padStart(9)}  ${boundOf(row)}${verdict}`,
  );
}
for (const { name, places = [] } of rows.filter(isMissed)) {
  if (places.length > 0) console.log(`\n${name}:\n  ${places.slice(0, 40).join("\n  ")}`);
}
process.exitCode = rows.some(isMissed) ? 1 : 0;
