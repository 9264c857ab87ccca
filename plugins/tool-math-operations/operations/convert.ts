import { defineOperation, toolDisplay } from "@pergola/sdk";
import { ambiguityOf, symbolsOf, unitNamed, type Unit } from "../convert/units.ts";
import { invalidValue } from "../invalid-value.ts";
import { format } from "../plain.ts";

function findUnit(name: string): Unit {
  const ambiguity = ambiguityOf(name);
  if (ambiguity !== undefined)
    throw invalidValue(
      `${ambiguity}.`,
      "Write MB for the megabyte, bit for bits (a megabit is 1000000 bit), mg, mm, ml or ms for thousandths.",
    );
  const unit = unitNamed(name);
  if (unit !== undefined) return unit;
  throw invalidValue(`The unit "${name}" is not known.`, `Units: ${symbolsOf().join(" ")}.`);
}

export const convert = defineOperation({
  name: "convert",
  description: "Convert a value between units.",
  effect: "none",
  parameters: {
    value: { type: "number" },
    from: { type: "string" },
    to: { type: "string" },
  },
  required: ["value", "from", "to"],
  display: ({ value, from, to }) => toolDisplay("Convert", `${value} ${from} to ${to}`, "function"),
  examples: [
    { say: "convert 100 F to C", arguments: { value: 100, from: "F", to: "C" } },
    { say: "how many km are 26.2 miles?", arguments: { value: 26.2, from: "miles", to: "km" } },
    { say: "what is 5 kg in pounds", arguments: { value: 5, from: "kg", to: "pounds" } },
    { say: "2 cups in ml", arguments: { value: 2, from: "cups", to: "ml" } },
    { say: "how many GB is 5000 MB", arguments: { value: 5000, from: "MB", to: "GB" } },
    { say: "how many ml are in 2 cups?", arguments: { value: 2, from: "cups", to: "ml" } },
  ],
  async run({ value, from, to }) {
    const [source, target] = [findUnit(from), findUnit(to)];
    if (source.dimension !== target.dimension) {
      throw invalidValue(
        `${source.symbol} measures ${source.dimension}, ${target.symbol} ${target.dimension}.`,
        `${source.symbol} converts to ${symbolsOf(source.dimension).join(", ")}.`,
      );
    }
    const base = (value + source.offset) * source.factor;
    if (source.dimension === "temperature" && base < 0)
      throw invalidValue(format`${value} ${source.symbol} is below absolute zero.`, "Check the value.");
    const result = base / target.factor - target.offset;
    return {
      data: format`${value} ${source.symbol} = ${result} ${target.symbol}`,
      message: "Converted.",
    };
  },
});
