import { amount, defineFormula, format } from "./formula.ts";

/** length × width, and the perimeter 2·(length + width). */
export const areaRectangle = defineFormula({
  name: "area_rectangle",
  parameters: { length: amount, width: amount },
  required: ["length", "width"],
  run({ length, width }) {
    const [area, perimeter] = [length * width, 2 * (length + width)];
    return {
      result: format`area ${area}, perimeter ${perimeter}`,
      steps: [
        format`area = ${length} × ${width} = ${area}`,
        format`perimeter = 2 × (${length} + ${width}) = ${perimeter}`,
      ],
    };
  },
});
