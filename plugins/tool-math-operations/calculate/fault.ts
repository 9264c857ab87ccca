import type { ToolError } from "@pergola/sdk";
import { invalidValue } from "../invalid-value.ts";

const hint =
  "Use + - * / % ^ ( ) !, `15% of 80`, pi, e, and sqrt cbrt abs exp ln log10 " +
  "log2 log(x, base) sin cos tan asin acos atan sinh cosh tanh " +
  "round floor ceil min max gcd lcm. Angles are in radians.";

/** The expression cannot be worked out, and why. */
export const fault = (message: string): ToolError => invalidValue(message, hint);
