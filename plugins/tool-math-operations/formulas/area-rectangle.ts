import { plain } from "../plain.ts";
import { amount, defineFormula } from "./formula.ts";

/** length × width, and the perimeter 2·(length + width). */
export const areaRectangle = defineFormula({
  name: "area_rectangle",
  parameters: { length: amount, width: amount },
  required: ["length", "width"],
  run({ length, width }) {
    const [area, perimeter] = [length * width, 2 * (length + width)];
    return {
      result: `area ${plain(area)}, perimeter ${plain(perimeter)}`,
      steps: [
        `area = ${plain(length)} × ${plain(width)} = ${plain(area)}`,
        `perimeter = 2 × (${plain(length)} + ${plain(width)}) = ${plain(perimeter)}`,
      ],
    };
  },
});
