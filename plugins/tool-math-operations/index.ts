import { definePlugin, defineTool } from "@pergola/sdk";
import { inferOperation } from "./infer-operation.ts";
import { calculate } from "./operations/calculate.ts";
import { compute } from "./operations/compute.ts";
import { convert } from "./operations/convert.ts";
import { formula } from "./operations/formula.ts";

export const mathOperations = defineTool({
  name: "math_operations",
  description: "Calculate exactly instead of guessing.",
  icon: "function",
  operations: [calculate, compute, convert, formula],
  inferOperation,
});

export default definePlugin({ tools: [mathOperations] });
