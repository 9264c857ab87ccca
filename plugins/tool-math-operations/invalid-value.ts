import { ToolError } from "@pergola/sdk";

export const invalidValue = (message: string, hint = "Check the values."): ToolError =>
  new ToolError("invalid_value", message, { hint });
