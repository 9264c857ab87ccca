import { ToolError } from "@pergola/sdk";

export const invalidValue = (message: string, hint: string, cause?: unknown): ToolError =>
  new ToolError("invalid_value", message, { hint, cause });
